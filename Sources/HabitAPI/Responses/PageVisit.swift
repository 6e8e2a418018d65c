import HTTPServing
import Hummingbird

/// The person who opens a page, and the address of the page.
package struct PageVisit: Sendable {
    /// The prefix of links.
    package let base: String
    package let caller: Caller
    /// The page to which a sign-in leads back.
    package let path: OwnPath

    /// Creates a visit.
    ///
    /// - Parameters:
    ///   - base: The prefix of links.
    ///   - caller: The person who opens the page.
    ///   - path: The path and the query of the page below the path of the public URL.
    package init(base: String, caller: Caller, path: String) {
        self.base = base
        self.caller = caller
        self.path = OwnPath(path) ?? .home
    }
}

extension Call {
    /// The visit of a call that responds with a page.
    package var visit: PageVisit {
        PageVisit(base: base, caller: caller, path: request.uri.string)
    }
}

extension Caller {
    /// The name of the person on pages; `nil` for a visitor without a session or a token.
    package var personName: String? {
        switch self {
        case .nobody: nil
        case .viewer(.operator): "Operator"
        case .viewer(.user(_, let id)): id
        }
    }
}
