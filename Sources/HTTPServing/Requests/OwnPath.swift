import Foundation

/// The path of a page of this server, to which a sign-in leads back.
///
/// A link to the sign-in could otherwise lead to a page of another server that looks like this one (open redirect).
package struct OwnPath: Sendable, Equatable {
    /// The longest path that is accepted, in bytes.
    private static let limit = 4096

    /// The landing page.
    package static let home = OwnPath(known: "/")

    /// The path with its query, below the path of the public URL.
    package let text: String

    private init(known text: String) { self.text = text }

    /// Checks a path, or returns `nil` for any other text.
    ///
    /// A browser reads `/\host` and `//host` as the address of another server, and removes tabs and line breaks. The path
    /// has therefore only visible ASCII characters, no backslash, and no two slashes in a row, also not in
    /// percent-encoding. It has no segment `.` or `..`, with which it would leave the path of the public URL.
    ///
    /// - Parameter text: The text from a link or from a form.
    package init?(_ text: String) {
        let bytes = text.utf8
        let isVisible = bytes.allSatisfy { byte in (0x21...0x7e).contains(byte) && byte != .backslash }
        guard isVisible, text.first == "/", bytes.count <= Self.limit else { return nil }
        // A proxy may decode the path.
        let path = text.prefix { character in character != "?" && character != "#" }
        guard let decoded = path.percentDecoded(),
            !decoded.contains("//"),
            !decoded.contains("\\"),
            !decoded.unicodeScalars.contains(where: { scalar in scalar.value < 0x20 || scalar.value == 0x7f })
        else { return nil }
        let segments = decoded.split(separator: "/")
        guard !segments.contains("."), !segments.contains("..") else { return nil }
        self.text = text
    }
}
