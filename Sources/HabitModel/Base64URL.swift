import Foundation

extension Data {
    /// In base64 that may stand in an address, without padding (RFC 4648, section 5).
    public var base64URLEncoded: String {
        base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    /// Nil for what is not base64 of that kind.
    public init?(base64URLEncoded text: some StringProtocol) {
        let base64 = String(text).replacing("-", with: "+").replacing("_", with: "/")
        let padding = String(repeating: "=", count: (4 - base64.utf8.count % 4) % 4)
        self.init(base64Encoded: base64 + padding)
    }
}
