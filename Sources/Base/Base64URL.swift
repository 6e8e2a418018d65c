import Foundation

extension Data {
    /// The bytes in base64url (RFC 4648, section 5), without padding.
    public var base64URLEncoded: String {
        base64EncodedString()
            .replacing("+", with: "-")
            .replacing("/", with: "_")
            .replacing("=", with: "")
    }

    /// Decodes base64url (RFC 4648, section 5) with or without padding, or returns `nil` if the text is invalid.
    ///
    /// The characters `+` and `/` of standard base64 are also accepted.
    public init?(base64URLEncoded text: some StringProtocol) {
        let base64 = String(text)
            .replacing("-", with: "+")
            .replacing("_", with: "/")
        let missing = (4 - base64.utf8.count % 4) % 4
        let padding = String(repeating: "=", count: missing)
        self.init(base64Encoded: base64 + padding)
    }
}
