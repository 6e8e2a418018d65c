/// The names of the members at the beginning of a JSON text, from which importers recognize a format.
///
/// The outline tolerates a text that is cut off.
indirect enum JSONOutline: Equatable {
    /// An object with its members.
    case object([String: JSONOutline])
    /// An array with the combined members of its first elements.
    case array(of: JSONOutline?)
    case text(String)
    case other

    /// Number of elements of an array that the outline combines.
    private static let elementCount = 20
    private static let maximumDepth = 4
    private static let textLimit = 200

    /// Returns the member of an object, or of the first elements of an array of objects.
    subscript(name: String) -> JSONOutline? {
        switch self {
        case .object(let members): members[name]
        case .array(let element): element?[name]
        case .text, .other: nil
        }
    }

    /// Whether the value is an object.
    var isObject: Bool { if case .object = self { true } else { false } }
    /// Whether the value is an array.
    var isArray: Bool { if case .array = self { true } else { false } }
    /// The text of a string.
    var text: String? { if case .text(let text) = self { text } else { nil } }

    /// The names of the members of an object, sorted.
    var names: [String] {
        guard case .object(let members) = self else { return [] }
        return members.keys.sorted()
    }

    /// Creates the outline of a text, or returns `nil` if it does not begin with an object or an array.
    init?(_ bytes: [UInt8]) {
        var scanner = Scanner(bytes: bytes)
        guard let first = scanner.peek(), first == UInt8(ascii: "{") || first == UInt8(ascii: "["),
            let outline = scanner.value(depth: 0)
        else { return nil }
        self = outline
    }

    private func merged(with other: JSONOutline) -> JSONOutline {
        guard case .object(let first) = self else { return other }
        guard case .object(let second) = other else { return self }
        return .object(first.merging(second) { a, _ in a })
    }

    /// A scanner that stops at the end of the text.
    private struct Scanner {
        let bytes: [UInt8]
        var index = 0

        /// Skips white space and returns the next byte, or `nil` at the end.
        mutating func peek() -> UInt8? {
            while index < bytes.count, InputContent.isSpace(bytes[index]) { index += 1 }
            return index < bytes.count ? bytes[index] : nil
        }

        /// Reads a value, or its beginning if the text ends within an object or an array.
        mutating func value(depth: Int) -> JSONOutline? {
            switch peek() {
            case nil: return nil
            case UInt8(ascii: "{") where depth < JSONOutline.maximumDepth: return object(depth: depth)
            case UInt8(ascii: "[") where depth < JSONOutline.maximumDepth: return array(depth: depth)
            case UInt8(ascii: "\""): return string().map { .text($0) }
            default:
                skip()
                return .other
            }
        }

        private mutating func object(depth: Int) -> JSONOutline {
            index += 1
            var members: [String: JSONOutline] = [:]
            while peek() == UInt8(ascii: "\"") {
                guard let name = string(), peek() == UInt8(ascii: ":") else { break }
                index += 1
                guard peek() != nil else {
                    members[name] = .other
                    break
                }
                members[name] = value(depth: depth + 1) ?? .other
                guard peek() == UInt8(ascii: ",") else { break }
                index += 1
            }
            if peek() == UInt8(ascii: "}") { index += 1 }
            return .object(members)
        }

        private mutating func array(depth: Int) -> JSONOutline {
            let start = index
            index += 1
            var element: JSONOutline?
            var count = 0
            while let first = peek(), first != UInt8(ascii: "]"), count < JSONOutline.elementCount {
                guard let next = value(depth: depth + 1) else { break }
                element = element.map { $0.merged(with: next) } ?? next
                count += 1
                guard peek() == UInt8(ascii: ",") else { break }
                index += 1
            }
            // The remaining elements are skipped together.
            index = start
            skip()
            return .array(of: element)
        }

        /// Moves to the end of the value, or of the text.
        private mutating func skip() {
            var extent = JSONExtent()
            index = extent.end(in: bytes.span, from: index) ?? bytes.count
        }

        /// Reads a string without escapes.
        private mutating func string() -> String? {
            let start = index
            skip()
            guard index > start + 1, bytes[index - 1] == UInt8(ascii: "\"") else { return nil }
            return String(decoding: bytes[start + 1..<index - 1].prefix(JSONOutline.textLimit), as: UTF8.self)
        }
    }
}

extension ImportFile {
    /// Returns the outline of a JSON array at the top level of a JSON object.
    ///
    /// - Parameter name: The name of the array, or `nil` if the document itself is the array.
    /// - Returns: The outline, or `nil` if the file has another form.
    /// - Throws: The error of a file that cannot be read.
    func outline(ofArray name: String?) throws -> JSONOutline? {
        guard try content.kind == .json, let outline = try content.outline else { return nil }
        guard let name else { return outline.isArray ? outline : nil }
        guard outline.isObject, let array = outline[name], array.isArray else { return nil }
        return array
    }
}

extension JSONOutline {
    /// Whether the value is an array without elements.
    var isEmptyArray: Bool { self == .array(of: nil) }
}
