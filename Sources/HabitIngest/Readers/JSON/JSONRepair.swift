import Base
import HabitModel

/// The values that some programs write into JSON documents although a strict parser rejects them.
///
/// A repair changes only values. It never changes the structure of a document.
enum JSONRepair {
    /// Returns a text in which U+FFFD replaces the escapes of lone surrogates and of U+0000, and in which integers that
    /// exceed 64 bits are decimal numbers.
    ///
    /// - Parameter bytes: A JSON value.
    /// - Returns: The changed text, or `nil` if the text does not contain these values.
    static func repaired(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count + 64)
        var isChanged = false
        var isString = false
        var index = 0
        while index < bytes.count {
            let byte = bytes[index]
            var count = 1
            if isString, byte == UInt8(ascii: "\\") {
                let escape = escape(in: bytes, at: index)
                if !escape.isValid {
                    text.append(contentsOf: #"\ufffd"#.utf8)
                    isChanged = true
                    index += escape.length
                    continue
                }
                count = escape.length
            } else if byte == UInt8(ascii: "\"") {
                isString.toggle()
            } else if !isString, isDigit(byte) {
                let number = bytes[index...].prefix { byte in
                    isDigit(byte) || "+-.eE".utf8.contains(byte)
                }
                count = number.count
            }
            let end = min(index + count, bytes.count)
            text.append(contentsOf: bytes[index..<end])
            if !isString, isLargeInteger(bytes, index..<end) {
                text.append(contentsOf: ".0".utf8)
                isChanged = true
            }
            index = end
        }
        return isChanged ? text : nil
    }

    private static func isDigit(_ byte: UInt8) -> Bool { byte &- 48 < 10 }

    /// Whether a number is an integer that exceeds 64 bits.
    private static func isLargeInteger(_ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> Bool {
        guard range.count >= 19, bytes[range].allSatisfy(isDigit) else { return false }
        let digits = String(decoding: bytes[range], as: UTF8.self)
        let isNegative = range.lowerBound > 0 && bytes[range.lowerBound - 1] == UInt8(ascii: "-")
        return isNegative ? Int64("-" + digits) == nil : UInt64(digits) == nil
    }

    /// Returns the length of the escape at a backslash, and whether it is the escape of a character other than U+0000.
    ///
    /// The escape of a pair of surrogates has a length of 12.
    private static func escape(
        in bytes: UnsafeBufferPointer<UInt8>, at index: Int
    ) -> (length: Int, isValid: Bool) {
        guard let first = unit(in: bytes, at: index) else { return (2, true) }
        switch first {
        case 0: return (6, false)
        case 0xD800..<0xDC00:
            guard let second = unit(in: bytes, at: index + 6) else { return (6, false) }
            let isPair = (0xDC00..<0xE000).contains(second)
            return isPair ? (12, true) : (6, false)
        case 0xDC00..<0xE000: return (6, false)
        default: return (6, true)
        }
    }

    /// Returns the UTF-16 unit of the escape `\uXXXX` at an index, or `nil` if the index has no such escape.
    private static func unit(in bytes: UnsafeBufferPointer<UInt8>, at index: Int) -> Int? {
        guard index + 6 <= bytes.count, bytes[index] == UInt8(ascii: "\\"), bytes[index + 1] == UInt8(ascii: "u")
        else { return nil }
        return Int(String(decoding: bytes[index + 2..<index + 6], as: UTF8.self), radix: 16)
    }
}

extension JSONParser {
    /// Parses any JSON value into nodes, and repairs values that are not valid; see ``JSONRepair``.
    ///
    /// - Parameter bytes: The value. The nodes do not refer to these bytes.
    /// - Returns: The root, which is valid until the next use of the parser.
    /// - Throws: The fault of the text without repairs if the repairs are not sufficient.
    func tolerantDocument(_ bytes: UnsafeBufferPointer<UInt8>) throws(JSONFault) -> JSONNode {
        do throws(JSONFault) {
            return try document(bytes)
        } catch {
            guard [.syntax, .number, .encoding, .nul].contains(error), let text = JSONRepair.repaired(bytes),
                let node = try? document(copying: text)
            else { throw error }
            return node
        }
    }
}
