/// A scanner that finds the end of a JSON value.
///
/// The scanner examines only strings and nesting, so the value still has to be parsed. The caller can pass the input in
/// pieces.
package struct JSONExtent {
    private var depth = 0
    private var isInString = false
    private var isEscaped = false

    /// Whether the scanner is inside a string, array or object, so that the end of the input cannot end the value.
    package var isOpen: Bool { depth > 0 || isInString }

    /// Creates a scanner at the first byte of a value, after white space.
    package init() {}

    /// Returns the index after the last byte of the value, or `nil` if the value continues after the bytes.
    ///
    /// A number or literal ends before the next separator, closing bracket or white space.
    package mutating func end(in bytes: Span<UInt8>, from start: Int) -> Int? {
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

    /// Returns the index after the closing quote, or the end of the bytes.
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
