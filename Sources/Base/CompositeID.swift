/// The ID of a record that several IDs identify, such as a claim with the ID `ITEM/USER`.
///
/// A slash separates the parts. In all parts except the last, `%25` stands for `%` and `%2F` for `/`. Therefore records
/// with different parts have different IDs, although the parts may contain slashes.
public enum CompositeID {
    /// Returns the ID with these parts.
    ///
    /// - Parameter parts: The IDs of the parts, in order.
    /// - Returns: The ID, which is the part itself if there is only one.
    public static func text(_ parts: [String]) -> String {
        let leading = parts.dropLast().map(escaped)
        let all = leading + parts.suffix(1)
        return all.joined(separator: "/")
    }

    /// Returns the parts of an ID that has two parts, or `nil` if it does not contain a slash.
    public static func pair(_ id: String) -> (first: String, second: String)? {
        let bytes = id.utf8
        guard let slash = bytes.firstIndex(of: UInt8(ascii: "/")) else {
            return nil
        }
        let afterSlash = bytes.index(after: slash)
        let first = unescaped(bytes[..<slash])
        let second = String(decoding: bytes[afterSlash...], as: UTF8.self)
        return (first, second)
    }

    /// Whether a byte of a part is escaped, unless the part is the last.
    package static func isEscaped(_ byte: UInt8) -> Bool {
        switch Unicode.Scalar(byte) {
        case "%", "/": true
        default: false
        }
    }

    /// Returns the text of a part that is not the last.
    package static func escaped(_ part: String) -> String {
        let bytes = escaped(part.utf8)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Returns the bytes of a part that is not the last.
    package static func escaped(_ part: some Sequence<UInt8>) -> [UInt8] {
        var bytes: [UInt8] = []
        for byte in part {
            switch Unicode.Scalar(byte) {
            case "%":
                bytes.append(contentsOf: "%25".utf8)
            case "/":
                bytes.append(contentsOf: "%2F".utf8)
            default:
                bytes.append(byte)
            }
        }
        return bytes
    }

    private static func unescaped(_ part: Substring.UTF8View) -> String {
        var bytes: [UInt8] = []
        let percent = UInt8(ascii: "%")
        var rest = part
        while let byte = rest.popFirst() {
            guard byte == percent else {
                bytes.append(byte)
                continue
            }
            if rest.starts(with: "25".utf8) {
                bytes.append(percent)
                rest = rest.dropFirst(2)
            } else if rest.starts(with: "2F".utf8) {
                bytes.append(UInt8(ascii: "/"))
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
