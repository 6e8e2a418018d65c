import Base
import CSimdJSON
import HabitModel

/// A parser for single JSON objects, which converts them to raw records.
///
/// The callers find the end of each object.
final class JSONRecordReader {
    enum Outcome {
        case record
        case rejected(RowProblem)
        /// The bytes are not JSON. In a JSON document, this is an error of the complete input.
        case notJSON(RowProblem)
    }

    /// The kind from the options or the document, or `nil` if each record specifies its kind.
    private(set) var kind: RecordKind?
    let parser: JSONParser
    let file: String
    private let mustBeFeature: Bool
    private var names: [RecordKind: MemberNames] = [:]
    private var lastNames: (kind: RecordKind, names: MemberNames)?
    private var unknown: UnknownNames
    private var hasRecordOfOwnKind = false

    var unknownFields: [String] { unknown.names }

    init(_ options: ReaderOptions, format: InputFormat, file: String) throws {
        self.file = file
        kind = options.kind
        parser = try JSONParser()
        mustBeFeature = format.hasOnlyFeatures
        unknown = UnknownNames(isStrict: options.strictColumns)
    }

    /// Sets the kind that the document specifies.
    ///
    /// - Throws: `header-invalid` if `value` is not a record kind or differs from the kind in the options.
    func setKind(_ value: RawValue, line: Int) throws {
        guard case .text(let text) = value, let own = RecordKind(rawValue: text) else {
            throw HabitError(
                .headerInvalid, "the document has an unknown \"kind\": write one of \(RecordKind.list)",
                field: "kind", file: file, line: line)
        }
        guard kind == nil || kind == own else {
            throw HabitError(
                .headerInvalid,
                "the document contains \(text), but it is read as \(kind?.rawValue ?? text)", field: "kind",
                .give(.kind), .advice("correct the document"), file: file, line: line)
        }
        kind = own
    }

    /// Parses one object, which begins on `line`.
    ///
    /// ``InputWindow/padding`` bytes after the object must be readable.
    func read(_ bytes: UnsafeBufferPointer<UInt8>, line: Int, into record: inout RawRecord) throws -> Outcome {
        let object: habitat_json_record
        do throws(JSONFault) {
            object = try parser.record(bytes, mustBeFeature: mustBeFeature)
        } catch {
            return outcome(of: error, in: bytes.span, line: line)
        }
        let members = UnsafeBufferPointer(start: object.members, count: object.count)
        do throws(RowFault) {
            guard let own = try ownKind(members) else {
                guard hasRecordOfOwnKind else { throw .noKindAnywhere }
                throw RowFault.row(.fieldMissing, "the kind is missing: write one of \(RecordKind.list)", "kind")
            }
            record.begin(own, line: line, original: bytes.span)
            try fill(&record, from: object, members: members, names: names(of: own))
            return .record
        } catch {
            return .rejected(try problem(error, in: bytes.span, line: line))
        }
    }

    /// An error that ends the reading of one record.
    enum RowFault: Error {
        case row(ErrorCode, String, String?)
        case noKindAnywhere
        case unknownName(String)
    }

    private func fill(
        _ record: inout RawRecord,
        from object: habitat_json_record,
        members: UnsafeBufferPointer<habitat_json_member>,
        names: MemberNames
    ) throws(RowFault) {
        var featureID: habitat_json_value?
        for member in members {
            if member.in_feature != 0 {
                if member.is("id") {
                    featureID = member.value
                } else {
                    switch names.meaning(of: member.nameBytes) {
                    case .kind, .ignored: break
                    case .field, .unknown: try noteUnknown(member.nameText, record)
                    }
                }
                continue
            }
            switch names.meaning(of: member.nameBytes) {
            case .field(let field):
                if record.contains(field) { throw Self.twice(field) }
                let value = RawValue(member.value)
                // A rejected row has every field of its kind, so null does not mean "not done" there.
                if record.isRejectedRow, value == .null, record.kind.outcomeFields.contains(field) { continue }
                record.set(value, for: field)
            case .unknown: try noteUnknown(member.nameText, record)
            case .ignored: record.isRejectedRow = true
            case .kind: break
            }
        }
        if object.is_feature != 0 {
            try addID(featureID, to: &record)
            try addGeometry(object, to: &record)
        }
    }

    /// Returns the kind that the record specifies, otherwise ``kind``, or `nil` if both are missing.
    private func ownKind(_ members: UnsafeBufferPointer<habitat_json_member>) throws(RowFault) -> RecordKind? {
        var own = kind
        for member in members where member.is("kind") && member.value.type != HABITAT_JSON_NULL {
            guard case .text(let text) = RawValue(member.value) else {
                throw .row(.fieldInvalid, "the kind is not text: write one of \(RecordKind.list)", "kind")
            }
            if let reason = KindError.reason(text, known: own) { throw .row(.fieldInvalid, reason, "kind") }
            own = RecordKind(rawValue: text)
            hasRecordOfOwnKind = true
        }
        return own
    }

    private func names(of kind: RecordKind) -> MemberNames {
        if let lastNames, lastNames.kind == kind { return lastNames.names }
        let found = names[kind] ?? MemberNames(kind: kind)
        names[kind] = found
        lastNames = (kind, found)
        return found
    }

    func noteUnknown(_ name: String, _ record: borrowing RawRecord) throws(RowFault) {
        do {
            try unknown.note(name, kind: record.kind, file: file, line: record.line)
        } catch {
            throw .unknownName(name)
        }
    }

    private static func twice(_ field: Field) -> RowFault {
        .row(.rowInvalid, "two members have the same meaning (\(field.name)): remove one of them", field.name)
    }
}
