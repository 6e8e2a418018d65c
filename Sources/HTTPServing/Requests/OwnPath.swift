import Foundation

/// The path of a page of this server, to which a sign-in leads back.
///
/// A link to the sign-in could otherwise lead to a page of another server that looks like this one (open redirect). It
/// could also lead to a further step of a sign-in or to a sign-out, which the person has not requested.
package struct OwnPath: Sendable, Equatable {
    /// The longest path that is accepted, in bytes.
    private static let limit = 4096

    /// The first segments of the paths that sign a person in or out.
    private static let signing: Set<Substring> = ["sign-in", "sign-out"]

    /// The first segments of the paths that contain a secret.
    private static let secret: Set<Substring> = ["calendars", "embed", "shared"]

    /// The landing page.
    package static let home = OwnPath(known: "/")

    /// The path with its query, below the path of the public URL.
    package let text: String

    /// Whether the path contains a secret, which no other address may contain.
    package let hasSecret: Bool

    private init(known text: String) {
        self.text = text
        hasSecret = false
    }

    /// Checks a path, or returns `nil` for any other text.
    ///
    /// A browser reads `/\host` and `//host` as the address of another server, and removes tabs and line breaks. The path
    /// has therefore only visible ASCII characters, no backslash, and no two slashes in a row, also not in
    /// percent-encoding. It has no segment `.` or `..`, with which it would leave the path of the public URL. It is not
    /// below `/sign-in` or `/sign-out`.
    ///
    /// - Parameter text: The text from a link or from a form.
    package init?(_ text: String) {
        let bytes = text.utf8
        let isVisible = bytes.allSatisfy { byte in
            (0x21...0x7e).contains(byte) && byte != .backslash
        }
        guard isVisible, text.first == "/" else { return nil }
        guard bytes.count <= Self.limit else { return nil }
        let path = text.prefix { character in character != "?" && character != "#" }
        // A proxy may decode the path.
        guard let decoded = path.percentDecoded() else { return nil }
        let canNameServer = decoded.contains("//") || decoded.contains("\\")
        guard !canNameServer, !Self.hasControls(decoded) else { return nil }
        let segments = decoded.split(separator: "/")
        let canLeavePath = segments.contains(".") || segments.contains("..")
        guard !canLeavePath else { return nil }
        let first = segments.first ?? ""
        guard !Self.signing.contains(first) else { return nil }
        self.text = text
        hasSecret = Self.secret.contains(first)
    }

    /// Whether a text contains a control character of ASCII.
    private static func hasControls(_ text: String) -> Bool {
        text.unicodeScalars.contains { scalar in
            scalar.value < 0x20 || scalar.value == 0x7f
        }
    }
}
