import Base

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
    var isObject: Bool {
        if case .object = self { true } else { false }
    }
    /// Whether the value is an array.
    var isArray: Bool {
        if case .array = self { true } else { false }
    }
    /// The text of a string.
    var text: String? {
        if case .text(let text) = self { text } else { nil }
    }

    /// The names of the members of an object, sorted.
    var names: [String] {
        guard case .object(let members) = self else { return [] }
        return members.keys.sorted()
    }

    /// Creates the outline of a text, or returns `nil` if it does not begin with an object or an array.
    init?(_ bytes: [UInt8]) {
        var reader = JSONReader(bytes[...])
        guard let first = reader.peek(), first == "{" || first == "[" else { return nil }
        self.init(&reader, depth: 0)
    }

    /// Reads a value, or its beginning if the text ends within an object or an array.
    private init?(_ reader: inout JSONReader, depth: Int) {
        switch reader.peek() {
        case nil: return nil
        case "{" where depth < Self.maximumDepth: self = Self.object(&reader, depth: depth)
        case "[" where depth < Self.maximumDepth: self = Self.array(&reader, depth: depth)
        case "\"":
            guard let text = Self.string(&reader) else { return nil }
            self = .text(text)
        default:
            _ = reader.extent()
            self = .other
        }
    }

    private static func object(_ reader: inout JSONReader, depth: Int) -> JSONOutline {
        _ = reader.take("{")
        var members: [String: JSONOutline] = [:]
        while reader.peek() == "\"" {
            guard let name = string(&reader), reader.take(":") else { break }
            members[name] = JSONOutline(&reader, depth: depth + 1) ?? .other
            guard reader.take(",") else { break }
        }
        _ = reader.take("}")
        return .object(members)
    }

    private static func array(_ reader: inout JSONReader, depth: Int) -> JSONOutline {
        // The elements after the first ones are skipped together.
        var end = reader
        _ = end.extent()
        defer { reader = end }
        _ = reader.take("[")
        var element: JSONOutline?
        var count = 0
        while let first = reader.peek(), first != "]", count < elementCount {
            guard let next = JSONOutline(&reader, depth: depth + 1) else { break }
            element = element?.merged(with: next) ?? next
            count += 1
            guard reader.take(",") else { break }
        }
        return .array(of: element)
    }

    /// Reads a string without escapes.
    private static func string(_ reader: inout JSONReader) -> String? {
        guard let quoted = reader.extent() else { return nil }
        let content = quoted.dropFirst().dropLast()
        return String(decoding: content.prefix(textLimit), as: UTF8.self)
    }

    private func merged(with other: JSONOutline) -> JSONOutline {
        guard case .object(let first) = self else { return other }
        guard case .object(let second) = other else { return self }
        let members = first.merging(second) { former, _ in former }
        return .object(members)
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
    var isEmptyArray: Bool {
        self == .array(of: nil)
    }
}
