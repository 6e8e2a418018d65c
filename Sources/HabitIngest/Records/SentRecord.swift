import Foundation
import HabitModel
import HabitStore
import Photos
import StoreEngine

/// One record as a program sends it to be stored: a GeoJSON Feature, or a JSON object of its fields.
///
/// Read like a record of an input, by the same names and rules; what is made of it is a draft.
public struct SentRecord: Sendable {
    private let raw: RawRecord
    /// Whether what is not said of a thing is nothing, instead of staying as it is.
    private let replaces: Bool
    private let kind: RecordKind
    private var decodedPhoto: Given<Photo>?

    /// Reads `bytes` as a record of `kind`. Members named in `ignored` may be there, as they are in what was read before.
    ///
    /// Throws `row-invalid` where it is no JSON object, `field-invalid` for a member that no field is named by.
    public init(_ bytes: [UInt8], kind: RecordKind, replaces: Bool, ignored: Set<String>) throws {
        // Nothing but an object: neither a table nor something packed.
        let isSpace: (UInt8) -> Bool = { [0x20, 0x09, 0x0a, 0x0d].contains($0) }
        guard bytes.first(where: { !isSpace($0) }) == UInt8(ascii: "{") else { throw Self.notOne }
        let reader = try openReader(
            ByteSource(bytes: Self.feature(bytes), name: "the body"), ReaderOptions(kind: kind))
        var record = RawRecord()
        switch try reader.next(into: &record) {
        case .record: break
        case .rejected(let problem): throw HabitError(problem.code, problem.reason, field: problem.field)
        case .end: throw Self.notOne
        }
        var second = RawRecord()
        guard case .end = try reader.next(into: &second) else { throw Self.notOne }
        let unknown = kind.completionFields.filter(record.contains).map(\.name) + reader.unknownFields
        if let name = unknown.first(where: { !ignored.contains($0) }) {
            throw HabitError(.fieldInvalid, "there is no field '\(name)': there are \(kind.fieldList)", field: name)
        }
        for field in kind.fields { try record.requireSentForm(of: field) }
        raw = record
        self.replaces = replaces
        self.kind = kind
    }

    /// What has members of a Feature is one, though it does not say so: `{"geometry": …}` changes a place.
    private static func feature(_ bytes: [UInt8]) -> [UInt8] {
        guard let members = try? JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any],
            members["type"] == nil, members.keys.contains("geometry") || members["properties"] is [String: Any]
        else { return bytes }
        let whole = members.merging(["type": "Feature", "properties": [String: Any]()]) { given, _ in given }
        return (try? JSONSerialization.data(withJSONObject: whole)).map(Array.init) ?? bytes
    }

    private static let notOne = HabitError(
        .rowInvalid, "the body must be one JSON object: a GeoJSON Feature, or the fields by their names")

    /// The id that the sender has chosen.
    public func id() throws -> String? { try raw.optionalID(.id) }

    /// A field that must be there.
    public func required(_ field: Field) throws -> String { try raw.required(field) }

    public func optional(_ field: Field) throws -> String? { try raw.token(field).value }

    public func choice<T: RawRepresentable & CaseIterable>(_ field: Field, _ type: T.Type) throws -> T?
    where T.RawValue == String { try raw.choice(field, type).value }

    public func habit() throws -> HabitDraft {
        var draft = HabitDraft()
        draft.title = try raw.text(.title)
        draft.schedule = raw.contains(.days) ? .value(try raw.schedule()) : .absent
        draft.reason = orNull(try raw.text(.reason))
        draft.start = try raw.day(.start)
        draft.end = orNull(try raw.day(.end))
        return draft
    }

    public func event() throws -> EventDraft {
        var draft = EventDraft()
        draft.day = try raw.day(.day).value
        draft.at = try raw.instant(.at).value
        draft.details = try raw.eventDetails()
        draft.details.position = try raw.position()
        draft.details.photo = try photo()
        if replaces { draft.details.clearOmitted() }
        return draft
    }

    public func item() throws -> ItemDraft {
        var draft = ItemDraft()
        draft.name = try raw.text(.name)
        draft.description = orNull(try raw.text(.description))
        draft.position = orNull(try raw.position())
        draft.expires = orNull(try raw.day(.expires))
        draft.photo = try photo()
        return draft
    }

    public func post() throws -> PostDraft {
        var draft = PostDraft()
        draft.caption = orNull(try raw.text(.caption))
        draft.position = orNull(try raw.position())
        draft.photo = try photo()
        return draft
    }

    /// A photo in the record itself, as base64. Where there is none the stored one stays: it has an address of its own.
    private func photo() throws -> Given<Photo> {
        if let decodedPhoto { return decodedPhoto }
        let keepsEXIF = try raw.boolean(.keepEXIF).value ?? false
        return try raw.token(.photo).map { (text: String) throws(HabitError) in
            try PhotoSource(folder: nil).photo(text, keepingEXIF: keepsEXIF)
        }
    }

    /// Whether the record contains a photo.
    public var hasPhoto: Bool { (try? raw.token(.photo))?.value != nil }

    /// Decodes the photo in the record, which is otherwise decoded when it is written, in a transaction.
    ///
    /// Takes up to 10 bytes of memory per pixel.
    /// - Throws: `photo-invalid` (`picture-invalid` for an item), `photo-too-large`.
    public func decodingPhoto() throws -> SentRecord {
        var record = self
        do {
            record.decodedPhoto = try photo().map { (photo: Photo) throws(HabitError) in
                try HabitError.ofPhoto { () throws(PhotoError) in try photo.verified() }
            }
        } catch let error as HabitError {
            throw kind == .items ? error.ofItem : error
        }
        return record
    }

    private func orNull<Value>(_ given: Given<Value>) -> Given<Value> { replaces ? given.orNull : given }
}
