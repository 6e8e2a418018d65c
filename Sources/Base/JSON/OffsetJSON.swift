/// A JSON value with its offset in the text, for errors that name the position of a value.
package struct OffsetJSON {
    /// The offset of the first byte of the value.
    package var offset: Int
    package var value: Value

    package indirect enum Value {
        case null
        case boolean(Bool)
        case number(Double)
        case text(String)
        case list([OffsetJSON])
        case object([String: OffsetJSON])
    }

    /// Creates a value.
    ///
    /// - Parameters:
    ///   - offset: The offset of the value in the text.
    ///   - value: The value.
    package init(offset: Int, value: Value) {
        self.offset = offset
        self.value = value
    }

    /// Parses a document.
    ///
    /// - Parameters:
    ///   - text: The text of the document.
    ///   - maximumDepth: The maximum number of arrays and objects that contain a value.
    /// - Throws: The first fault of the text.
    package init(parsing text: String, maximumDepth: Int) throws(JSONReader.Fault) {
        var parser = Parser(reader: JSONReader(Array(text.utf8)[...]), maximumDepth: maximumDepth)
        self = try parser.value(depth: 0)
        try parser.reader.expectEnd()
    }

    private struct Parser {
        typealias Fault = JSONReader.Fault

        var reader: JSONReader
        let maximumDepth: Int

        mutating func value(depth: Int) throws(Fault) -> OffsetJSON {
            let first = reader.peek()
            let offset = reader.offset
            guard depth <= maximumDepth else { throw reader.fault(.tooDeep) }
            return OffsetJSON(offset: offset, value: try value(beginningWith: first, depth: depth))
        }

        private mutating func value(
            beginningWith first: Unicode.Scalar?, depth: Int
        ) throws(Fault) -> Value {
            switch first {
            case "{": return .object(try members(depth: depth))
            case "[": return .list(try elements(depth: depth))
            case "\"": return .text(try reader.text())
            case "t": return try word("true", .boolean(true))
            case "f": return try word("false", .boolean(false))
            case "n": return try word("null", .null)
            default: return .number(try reader.number())
            }
        }

        private mutating func word(
            _ word: String, _ value: Value
        ) throws(Fault) -> Value {
            try reader.expect(word: word)
            return value
        }

        private mutating func members(depth: Int) throws(Fault) -> [String: OffsetJSON] {
            try reader.expect("{")
            var members: [String: OffsetJSON] = [:]
            if reader.take("}") { return members }
            repeat {
                _ = reader.peek()
                let name = try reader.text()
                guard members[name] == nil else { throw reader.fault(.repeatedName(name)) }
                try reader.expect(":")
                members[name] = try value(depth: depth + 1)
            } while reader.take(",")
            try reader.expect("}")
            return members
        }

        private mutating func elements(depth: Int) throws(Fault) -> [OffsetJSON] {
            try reader.expect("[")
            var elements: [OffsetJSON] = []
            if reader.take("]") { return elements }
            repeat { elements.append(try value(depth: depth + 1)) } while reader.take(",")
            try reader.expect("]")
            return elements
        }
    }
}
