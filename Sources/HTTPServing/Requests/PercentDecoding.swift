extension StringProtocol {
    /// Returns the text with its percent-encoding decoded (RFC 3986, section 2.1).
    ///
    /// The text is otherwise unchanged. Foundation's `removingPercentEncoding` drops a leading U+FEFF, so that another
    /// record would be found.
    ///
    /// - Parameter plusIsSpace: Whether a plus sign is a space, as in HTML forms.
    /// - Returns: The text, or `nil` if an escape sequence is malformed or the bytes are not UTF-8.
    package func percentDecoded(plusIsSpace: Bool = false) -> String? {
        var decoded: [UInt8] = []
        decoded.reserveCapacity(utf8.count)
        var rest = utf8[...]
        while let byte = rest.popFirst() {
            switch byte {
            case .percentSign:
                guard let high = rest.popFirst()?.hexadecimalValue,
                    let low = rest.popFirst()?.hexadecimalValue
                else { return nil }
                decoded.append(high << 4 | low)
            case .plusSign where plusIsSpace:
                decoded.append(.space)
            default:
                decoded.append(byte)
            }
        }
        return String(validating: decoded, as: UTF8.self)
    }
}

extension UInt8 {
    /// The value of an ASCII hexadecimal digit, or `nil` for another byte.
    fileprivate var hexadecimalValue: UInt8? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"):
            self - UInt8(ascii: "0")
        case UInt8(ascii: "A")...UInt8(ascii: "F"):
            self - UInt8(ascii: "A") + 10
        case UInt8(ascii: "a")...UInt8(ascii: "f"):
            self - UInt8(ascii: "a") + 10
        default: nil
        }
    }
}
