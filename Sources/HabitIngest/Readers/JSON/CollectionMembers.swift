import Base
import HabitModel

/// The members of a FeatureCollection before and after its `features` member.
struct CollectionMembers {
    private let cursor: JSONCursor
    private let records: JSONRecordReader
    private var names: Set<String> = []
    private var isAfterComma = false

    private static let nameLimit = 1000

    init(_ cursor: JSONCursor, _ records: JSONRecordReader) {
        self.cursor = cursor
        self.records = records
    }

    /// Reads the members before `features`, and the opening bracket of the features.
    mutating func moveToFeatures() throws {
        while let name = try nextName() {
            if name == "features" {
                return try cursor.take(UInt8(ascii: "["), "the list of features")
            }
            try readValue(of: name)
        }
        throw cursor.invalid("the FeatureCollection has no \"features\"")
    }

    /// Reads the members after the features, to the end of the object.
    mutating func end() throws {
        isAfterComma = try cursor.peek() == UInt8(ascii: ",")
        if isAfterComma { cursor.take(1) }
        while let name = try nextName() { try readValue(of: name) }
        guard names.contains("type") else {
            throw cursor.invalid("the member \"type\" is missing")
        }
    }

    /// Consumes the next member's name and colon and returns the name.
    ///
    /// Returns `nil` at the end of the object, after consuming the closing brace.
    private mutating func nextName() throws -> String? {
        let isFirst = names.isEmpty
        switch try cursor.peek() {
        case nil: throw cursor.invalid("unexpected end of file in the FeatureCollection")
        case UInt8(ascii: "}"):
            guard !isAfterComma else { throw cursor.invalid("trailing comma in the FeatureCollection") }
            cursor.take(1)
            return nil
        case UInt8(ascii: "\""):
            guard isFirst || isAfterComma else { throw cursor.invalid("a comma is missing between two members") }
        default: throw cursor.invalid("expected the name of a member")
        }
        guard case .text(let name) = try value() else { throw cursor.invalid("expected the name of a member") }
        guard names.count < Self.nameLimit, names.insert(name).inserted else {
            throw cursor.invalid(
                "duplicate member '\(name.prefix(80))', or more than \(Self.nameLimit) members")
        }
        try cursor.take(UInt8(ascii: ":"), "a colon")
        return name
    }

    private mutating func readValue(of name: String) throws {
        guard try cursor.peek() != nil else { throw cursor.invalid("unexpected end of file in the FeatureCollection") }
        let line = cursor.line
        let value = try value()
        if name == "kind" { try records.setKind(value, line: line) }
        if name == "type", value != .text("FeatureCollection") {
            throw cursor.invalid("the member \"type\" must be \"FeatureCollection\"")
        }
        isAfterComma = try cursor.peek() == UInt8(ascii: ",")
        if isAfterComma { cursor.take(1) }
    }

    /// Parses and consumes a JSON value.
    private func value() throws -> RawValue {
        guard case .bytes(let count) = try cursor.value() else {
            throw HabitError(
                .recordTooLong,
                "a member of the FeatureCollection is too long: remove it, because only the features are read",
                file: cursor.file, line: cursor.line)
        }
        do throws(JSONFault) {
            let value = try records.parser.value(cursor.bytes(count))
            cursor.take(count)
            return value
        } catch {
            throw HabitError(error.explanation.code, error.explanation.reason, file: cursor.file, line: cursor.line)
        }
    }
}
