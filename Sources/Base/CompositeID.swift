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
        (parts.dropLast().map(escaped) + parts.suffix(1)).joined(separator: "/")
    }

    /// Returns the parts of an ID that has two parts, or `nil` if it does not contain a slash.
    public static func pair(_ id: String) -> (first: String, second: String)? {
        guard let slash = id.utf8.firstIndex(of: UInt8(ascii: "/")) else { return nil }
        let second = id.utf8[id.utf8.index(after: slash)...]
        return (unescaped(id.utf8[..<slash]), String(decoding: second, as: UTF8.self))
    }

    /// Whether a byte of a part is escaped, unless the part is the last.
    package static func isEscaped(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "%") || byte == UInt8(ascii: "/") }

    /// Returns the text of a part that is not the last.
    package static func escaped(_ part: String) -> String {
        String(decoding: escaped(part.utf8), as: UTF8.self)
    }

    /// Returns the bytes of a part that is not the last.
    package static func escaped(_ part: some Sequence<UInt8>) -> [UInt8] {
        var bytes: [UInt8] = []
        for byte in part {
            switch byte {
            case UInt8(ascii: "%"): bytes += Array("%25".utf8)
            case UInt8(ascii: "/"): bytes += Array("%2F".utf8)
            default: bytes.append(byte)
            }
        }
        return bytes
    }

    private static func unescaped(_ part: Substring.UTF8View) -> String {
        var bytes: [UInt8] = []
        var rest = part
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), rest.starts(with: "25".utf8) {
                bytes.append(UInt8(ascii: "%"))
                rest = rest.dropFirst(2)
            } else if byte == UInt8(ascii: "%"), rest.starts(with: "2F".utf8) {
                bytes.append(UInt8(ascii: "/"))
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
