import CSimdJSON
import HabitModel

/// Makes raw records of the bytes of single JSON objects, for the readers that know where each one ends.
final class JSONRecordReader {
    enum Outcome {
        case record
        case rejected(RowProblem)
        /// Refused because it is no JSON: in a document this is a fault of the whole.
        case notJSON(RowProblem)
    }

    /// The kind that the options or the document say; nil: each record says its own.
    private(set) var kind: RecordKind?
    let parser: JSONParser
    private let file: String
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
        mustBeFeature = format == .geojson || format == .geojsonseq
        unknown = UnknownNames(isStrict: options.strictColumns)
    }

    /// Takes the kind that the document itself says; throws `header-invalid` where that is none, or another one.
    func setKind(_ value: RawValue, line: Int) throws {
        guard case .text(let text) = value, let own = RecordKind(rawValue: text) else {
            throw HabitError(
                .headerInvalid, "the document's \"kind\" is no kind of record: write one of \(RecordKind.list)", field: "kind",
                file: file, line: line)
        }
        guard kind == nil || kind == own else {
            throw HabitError(
                .headerInvalid,
                "the document says that it is of \(text), but it is read as \(kind?.rawValue ?? text): give --kind \(text), or mend the document",
                field: "kind", file: file, line: line)
        }
        kind = own
    }

    /// Reads one object, which begins on `line`; ``InputWindow/padding`` bytes behind it must be readable.
    func read(_ bytes: UnsafeBufferPointer<UInt8>, line: Int, into record: inout RawRecord) throws -> Outcome {
        let object: habitat_json_record
        do throws(JSONParser.Fault) {
            object = try parser.record(bytes, mustBeFeature: mustBeFeature)
        } catch {
            return outcome(of: error, bytes, line)
        }
        let members = UnsafeBufferPointer(start: object.members, count: object.count)
        do throws(RowFault) {
            guard let own = try ownKind(members) else {
                guard hasRecordOfOwnKind else { throw .noKindAnywhere }
                throw RowFault.row(.fieldMissing, "the kind is missing: write one of \(RecordKind.list)", "kind")
            }
            record.begin(own, line: line, original: bytes)
            try fill(&record, object, members, names(of: own))
            return .record
        } catch {
            return .rejected(try problem(error, bytes, line))
        }
    }

    /// What ends the reading of one record.
    private enum RowFault: Error {
        case row(ErrorCode, String, String?)
        case noKindAnywhere
        case unknownName(String)
    }

    private func fill(
        _ record: inout RawRecord, _ object: habitat_json_record, _ members: UnsafeBufferPointer<habitat_json_member>,
        _ names: MemberNames
    ) throws(RowFault) {
        var featureID: habitat_json_value?
        for member in members {
            if member.in_feature != 0 {
                if member.is("id") {
                    featureID = member.value
                } else if !member.is("kind"), !member.is("rejected") {
                    try noteUnknown(member.nameText, record)
                }
                continue
            }
            switch names.meaning(of: member.nameBytes) {
            case .field(let field):
                if record.contains(field) { throw Self.twice(field) }
                record.set(RawValue(member.value), for: field)
            case .unknown: try noteUnknown(member.nameText, record)
            case .kind, .ignored: break
            }
        }
        if object.is_feature != 0 {
            try addID(featureID, to: &record)
            try addGeometry(object, to: &record)
        }
    }

    /// The Feature's own id, which may be repeated in its properties.
    private func addID(_ value: habitat_json_value?, to record: inout RawRecord) throws(RowFault) {
        guard let value, value.type != HABITAT_JSON_NULL else { return }
        let id = RawValue(value)
        guard let text = id.idText else { throw .row(.fieldInvalid, "the Feature's id is neither a string nor a number", "id") }
        guard record.kind.fields.contains(.id) else { return try noteUnknown("id", record) }
        if record.contains(.id), record[.id] != .null, record[.id].idText != text {
            throw .row(.fieldInvalid, "the Feature's id is not the id in its properties: remove one of them", "id")
        }
        if !record.contains(.id) || record[.id] == .null { record.set(id, for: .id) }
    }

    /// RFC 7946, 3.2: a geometry, or null for an unlocated Feature.
    private func addGeometry(_ object: habitat_json_record, to record: inout RawRecord) throws(RowFault) {
        let hasPosition = record.kind.fields.contains(.longitude)
        switch object.geometry {
        case HABITAT_JSON_MISSING:
            throw .row(.fieldMissing, "the geometry is missing: write a Point, or null for no place", "geometry")
        case HABITAT_JSON_UNLOCATED:
            guard hasPosition else { return }
            for field in [Field.longitude, .latitude] where !record.contains(field) { record.set(.null, for: field) }
        case HABITAT_JSON_POINT:
            guard hasPosition else { return try noteUnknown("geometry", record) }
            for field in [Field.longitude, .latitude] where record.contains(field) {
                throw .row(
                    .rowInvalid, "the place is in the geometry and in the properties: remove \(field.rawValue) from these",
                    field.rawValue)
            }
            record.set(.number(object.longitude.degrees), for: .longitude)
            record.set(.number(object.latitude.degrees), for: .latitude)
        default:
            throw .row(
                .fieldInvalid, "the geometry is not a Point of longitude and latitude: write one, or null for no place", "geometry")
        }
    }

    /// The kind of a record, which may say it itself; nil where nothing does.
    private func ownKind(_ members: UnsafeBufferPointer<habitat_json_member>) throws(RowFault) -> RecordKind? {
        var own = kind
        for member in members where member.is("kind") && member.value.type != HABITAT_JSON_NULL {
            guard case .text(let text) = RawValue(member.value) else {
                throw .row(.fieldInvalid, "the kind is not a text: write one of \(RecordKind.list)", "kind")
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

    private func noteUnknown(_ name: String, _ record: borrowing RawRecord) throws(RowFault) {
        do {
            try unknown.note(name, kind: record.kind, file: file, line: record.line)
        } catch {
            throw .unknownName(name)
        }
    }

    private static func twice(_ field: Field) -> RowFault {
        .row(.rowInvalid, "two members are spellings of \(field.rawValue): remove one of them", field.rawValue)
    }

    /// The row problem that a fault is; throws where it is a fault of the whole input.
    private func problem(_ fault: RowFault, _ bytes: UnsafeBufferPointer<UInt8>, _ line: Int) throws -> RowProblem {
        switch fault {
        case .row(let code, let reason, let field):
            return RowProblem(
                line: line, column: nil, field: field, code: code, reason: reason, original: beginning(of: bytes), kind: kind)
        case .noKindAnywhere:
            throw HabitError(
                .headerInvalid,
                "nothing before this record says what kind it is: put the member \"kind\" before the records, name the file after it (events.geojson), or give --kind (\(RecordKind.list))",
                field: "kind", file: file, line: line)
        case .unknownName(let name):
            throw HabitError(
                .headerInvalid, "'\(name.prefix(80))' is no field: remove it, or read without --strict-columns", field: String(name.prefix(80)),
                file: file, line: line)
        }
    }
}

extension JSONRecordReader {
    /// What a parser's fault means for the record that `bytes` are.
    private func outcome(of fault: JSONParser.Fault, _ bytes: UnsafeBufferPointer<UInt8>, _ line: Int) -> Outcome {
        let (code, reason) = fault.explanation
        var problem = RowProblem(
            line: line, column: nil, field: nil, code: code, reason: reason, original: beginning(of: bytes), kind: kind)
        guard fault == .syntax else { return .rejected(problem) }
        guard firstIndex(of: 0, in: bytes, from: 0) == nil else {
            (problem.code, problem.reason) = JSONParser.Fault.nul.explanation
            return .rejected(problem)
        }
        return .notJSON(problem)
    }
}
