import HTTPServing
import HTTPTypes
import Hummingbird

/// The person who opens a page, and the address of the page.
package struct PageVisit: Sendable {
    /// The prefix of links.
    package let base: String
    package let caller: Caller
    /// The page to which a sign-in leads back.
    package let path: OwnPath
    /// The page whose form has caused the request; `nil` for a request that opens a page, and if the browser does not
    /// name the page.
    package let form: OwnPath?

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
        form = nil
    }

    /// Creates the visit of a request that failed.
    ///
    /// A form leads back to its page, because the address to which it is sent may have no page. A page whose address
    /// contains a secret is the same for everyone.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - base: The prefix of links.
    ///   - caller: The person who sent the request, as far as the server knows.
    package init(of request: Request, base: String, caller: Caller) {
        self.base = base
        let isRead = request.method == .get || request.method == .head
        if isRead {
            path = OwnPath(request.uri.string) ?? .home
            form = nil
        } else {
            form = Self.page(ofForm: request, base: base)
            path = form ?? .home
        }
        self.caller = path.hasSecret ? .nobody : caller
    }

    /// Returns the page of this server that has sent a form, or `nil` if the browser does not name one.
    private static func page(ofForm request: Request, base: String) -> OwnPath? {
        guard let page = request.headers[.referer], page.hasPrefix(base) else { return nil }
        let path = String(page.dropFirst(base.count))
        return OwnPath(path)
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
