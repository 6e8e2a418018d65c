/// Finds where a JSON value ends: only strings and nesting are looked at, so that what it delimits still has to be parsed.
///
/// Can be fed piece by piece.
struct JSONExtent {
    private var depth = 0
    private var isInString = false
    private var isEscaped = false

    /// Whether it is inside a string, list or object: the end of the input cannot end the value.
    var isOpen: Bool { depth > 0 || isInString }

    /// The index after the value's last byte; nil where the bytes run out before.
    ///
    /// A number or word ends before the next separator, bracket or space.
    mutating func end(in bytes: Span<UInt8>, from start: Int) -> Int? {
        var i = start
        while i < bytes.count {
            if isInString {
                i = endOfString(in: bytes, from: i)
                if !isInString, depth == 0 { return i }
                continue
            }
            switch bytes[i] {
            case UInt8(ascii: "\""): isInString = true
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                if depth == 0 { return i }
                depth -= 1
                if depth == 0 { return i + 1 }
            case UInt8(ascii: ","), 0x20, 0x09, 0x0A, 0x0D:
                if depth == 0 { return i }
            default: break
            }
            i += 1
        }
        return nil
    }

    /// The index after the closing quote, or the end of the bytes.
    private mutating func endOfString(in bytes: Span<UInt8>, from start: Int) -> Int {
        var i = start
        if isEscaped, i < bytes.count {
            isEscaped = false
            i += 1
        }
        while i < bytes.count {
            let byte = bytes[i]
            if byte == UInt8(ascii: "\"") {
                isInString = false
                return i + 1
            }
            if byte == UInt8(ascii: "\\") {
                i += 1
                if i == bytes.count { isEscaped = true }
            }
            i += 1
        }
        return bytes.count
    }
}
