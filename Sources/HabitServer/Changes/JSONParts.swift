import Foundation

/// Splits a JSON object or list into its parts without parsing them.
///
/// The reader of records parses a part, so a body has one strict reading. The memory use does not depend on the contents.
struct JSONParts {
    /// The error of bytes that are not an object or a list.
    struct Malformed: Error {}

    private let bytes: ArraySlice<UInt8>
    private var index: Int

    private init(_ bytes: ArraySlice<UInt8>) { (self.bytes, index) = (bytes, bytes.startIndex) }

    /// Returns the members of an object in their order.
    ///
    /// - Throws: ``Malformed`` if the bytes are not an object, or if a name occurs twice.
    static func members(of bytes: ArraySlice<UInt8>) throws -> [String: ArraySlice<UInt8>] {
        var parts = JSONParts(bytes)
        var members: [String: ArraySlice<UInt8>] = [:]
        try parts.read("{", "}") { parts in
            let name = try text(parts.value())
            guard parts.take(":"), members.updateValue(try parts.value(), forKey: name) == nil else {
                throw Malformed()
            }
        }
        return members
    }

    /// Returns the elements of a list.
    ///
    /// - Throws: ``Malformed`` if the bytes are not a list.
    static func elements(of bytes: ArraySlice<UInt8>) throws -> [ArraySlice<UInt8>] {
        var parts = JSONParts(bytes)
        var elements: [ArraySlice<UInt8>] = []
        try parts.read("[", "]") { elements.append(try $0.value()) }
        return elements
    }

    /// Returns the text of a JSON string.
    ///
    /// - Throws: ``Malformed`` if the bytes are not a string.
    static func text(_ bytes: ArraySlice<UInt8>) throws -> String {
        guard bytes.first == UInt8(ascii: "\""), let text = try? JSONDecoder().decode(String.self, from: Data(bytes))
        else {
            throw Malformed()
        }
        return text
    }

    private mutating func read(
        _ open: Unicode.Scalar, _ close: Unicode.Scalar, _ part: (inout JSONParts) throws -> Void
    ) throws {
        guard take(open) else { throw Malformed() }
        if !take(close) {
            repeat { try part(&self) } while take(",")
            guard take(close) else { throw Malformed() }
        }
        skipSpace()
        guard index == bytes.endIndex else { throw Malformed() }
    }

    private mutating func skipSpace() {
        while index < bytes.endIndex, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[index]) { index += 1 }
    }

    private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        skipSpace()
        guard index < bytes.endIndex, bytes[index] == UInt8(ascii: scalar) else { return false }
        index += 1
        return true
    }

    /// Returns the bytes of the next value.
    private mutating func value() throws -> ArraySlice<UInt8> {
        skipSpace()
        let start = index
        var depth = 0
        scan: while index < bytes.endIndex {
            switch bytes[index] {
            case UInt8(ascii: "\""): try skipText()
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                depth += 1
                index += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                guard depth > 0 else { break scan }
                depth -= 1
                index += 1
                if depth == 0 { break scan }
            case UInt8(ascii: ","), UInt8(ascii: ":"), 0x20, 0x09, 0x0A, 0x0D:
                guard depth > 0 else { break scan }
                index += 1
            default: index += 1
            }
        }
        guard depth == 0, index > start else { throw Malformed() }
        return bytes[start..<index]
    }

    private mutating func skipText() throws {
        index += 1
        while index < bytes.endIndex {
            switch bytes[index] {
            case UInt8(ascii: "\""):
                index += 1
                return
            case UInt8(ascii: "\\"): index += 2
            default: index += 1
            }
        }
        throw Malformed()
    }
}
