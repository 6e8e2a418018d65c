import Base
import HabitModel
import HabitStore
import Photos
import StoreEngine

/// A record in the body of a write request: a GeoJSON Feature or a JSON object of fields.
///
/// Field names and rules are the same as in input files. Functions such as ``event()`` convert the record to a draft.
public struct RecordPayload: Sendable {
    private let raw: RawRecord
    private let kind: RecordKind
    /// The omitted fields that are cleared.
    private let cleared: Set<Field>
    /// Whether omitted fields with a default keep their stored values.
    ///
    /// A client that repeats the creation of a record does not know the values that the program has chosen.
    public var keepsDefaults = false
    /// Whether the record may be an event on a day on which the habit is not due.
    public var allowsUnplannedEvents = false
    /// The verified photo, or `nil` before ``decodingPhoto()``.
    private var decodedPhoto: FieldInput<Photo>?

    /// Parses `bytes` as a record of `kind` and checks the form of all fields.
    ///
    /// - Parameters:
    ///   - bytes: The JSON text in UTF-8.
    ///   - kind: The kind of the record.
    ///   - replaces: Whether omitted fields are cleared instead of kept unchanged.
    ///   - ignored: Names of unknown members that are accepted, because responses contain them.
    /// - Throws: `row-invalid` if `bytes` is not exactly one JSON object, `field-invalid` for an unknown member or a
    ///   value of the wrong type, `day-invalid`, `instant-invalid`, or another error of the JSON reader.
    public init(_ bytes: [UInt8], kind: RecordKind, replaces: Bool, ignored: Set<String>) throws {
        // The body must be a JSON object. The reader would also accept a table or gzip data.
        guard bytes.first(where: { !$0.isJSONSpace }) == UInt8(ascii: "{") else { throw Self.notOne }
        let feature = Self.feature(bytes)
        var options = ReaderOptions(kind: kind)
        // The caller limits the size of the body.
        options.recordLimit = max(options.recordLimit, feature.count)
        let reader = try openReader(ByteSource(bytes: feature, name: "the body"), options)
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
            throw Self.unknown(name, kind)
        }
        // Responses contain the status of the habit.
        if kind.completionFields.contains(.status), case .text(let text) = record[.status],
            HabitStatus(word: text) != nil
        {
            record.replace(.absent, for: .status)
        }
        guard !kind.completionFields.contains(.status) || record.isMissingOrNull(.status) else {
            throw HabitError(
                .fieldInvalid, "'status' is the status of the habit: send 'outcome', which is done or skipped",
                field: Field.status.name)
        }
        for field in kind.completionFields { record.replace(.absent, for: field) }
        for field in kind.fields { try record.requireSentForm(of: field) }
        cleared = replaces ? Set(kind.fields.filter { $0.isClearedByReplacement && !record.contains($0) }) : []
        raw = record
        self.kind = kind
    }

    /// The values of the record: a cleared field is null.
    private var values: RawRecord {
        var values = raw
        for field in cleared where !(keepsDefaults && field.hasDefault) { values.set(.null, for: field) }
        return values
    }

    /// Returns the error of an unknown field, with the fields that a request can contain.
    private static func unknown(_ name: String, _ kind: RecordKind) -> HabitError {
        // A request to change an account cannot change its ID or its email address.
        // A field next to 'properties' is ignored in a Feature, so its name is not the mistake.
        if let field = Field(spelling: name, in: kind), kind.fields.contains(field), kind != .users {
            let position =
                kind.fields.contains(.longitude)
                ? "or send 'longitude' and 'latitude' instead of 'geometry'" : "or omit 'geometry'"
            return HabitError(
                .fieldInvalid,
                "the body is a GeoJSON Feature, because it has the member 'geometry' or 'properties': move '\(name)' into 'properties', \(position)",
                field: "geometry")
        }
        let names = kind == .users ? accountFields.map(\.name) : kind.fields.map(\.name)
        let nearest = names.nearestSpelling(to: name).map { "did you mean '\($0)'? " } ?? ""
        let list = kind == .users ? names.joined(separator: ", ") : kind.fieldList
        return HabitError(.fieldInvalid, "unknown field '\(name)': \(nearest)the fields are \(list)", field: name)
    }

    /// The fields of an account that a request can change.
    private static let accountFields: [Field] = [.name, .timeZone, .shareLocation]

    /// Adds `"type": "Feature"` to an object without a type that has a `geometry` member or `properties` object.
    ///
    /// A client can omit the type, for example in `{"geometry": …}`, which changes only the position. All bytes of the
    /// client are kept unchanged.
    private static func feature(_ bytes: [UInt8]) -> [UInt8] {
        // The reader of the record reports the error of malformed bytes.
        guard let members = try? JSONSlice(bytes[...]).members(), members["type"] == nil,
            members["geometry"] != nil || members["properties"]?.isObject == true,
            let start = bytes.firstIndex(of: UInt8(ascii: "{"))
        else { return bytes }
        let properties = members["properties"] == nil ? #""properties":{},"# : ""
        var whole = bytes
        whole.insert(contentsOf: Array(#""type":"Feature",\#(properties)"#.utf8), at: start + 1)
        return whole
    }

    private static let notOne = HabitError(
        .rowInvalid, "the body is not a single JSON object: send a GeoJSON Feature or an object of fields")

    /// Returns the ID that the client has chosen, or `nil` if the record has no ID.
    ///
    /// - Throws: `field-invalid` if the value is not a text, or the error of an invalid ID.
    public func id() throws -> String? { try raw.optionalID(.id) }

    /// Returns the text of a required field.
    ///
    /// - Parameter field: The field to read.
    /// - Returns: The text, which is not empty.
    /// - Throws: `field-missing` if the field is absent, null or empty.
    public func required(_ field: Field) throws -> String { try raw.required(field) }

    /// Returns the text of a field, or `nil` if the field is absent, null or empty.
    ///
    /// - Parameter field: The field to read.
    /// - Returns: The text, which is not empty, or `nil`.
    /// - Throws: `field-invalid` if the value is not a text.
    public func optional(_ field: Field) throws -> String? { try raw.token(field).value }

    /// Returns the value of a field that has a fixed list of values, or `nil` if the field is absent, null or empty.
    ///
    /// - Parameters:
    ///   - field: The field to read.
    ///   - type: The enumeration of the allowed values.
    /// - Returns: The case whose raw value is the lowercased text, or `nil`.
    /// - Throws: `field-invalid` if the text is not an allowed value.
    public func choice<T: RawRepresentable & CaseIterable>(_ field: Field, _ type: T.Type) throws -> T?
    where T.RawValue == String { try raw.choice(field, type).value }

    /// Returns the record as a draft of a habit.
    ///
    /// - Throws: The error of the first invalid field.
    public func habit() throws -> HabitDraft {
        var draft = HabitDraft()
        let values = values
        draft.title = try values.text(.title)
        draft.schedule = values.hasSchedule ? .value(try values.schedule()) : .absent
        draft.reason = try values.text(.reason)
        draft.start = try values.day(.start)
        draft.end = try values.day(.end)
        draft.targetAmount = try values.targetAmount()
        draft.unit = try values.text(.unit)
        return draft
    }

    /// Returns the record as a draft of an event.
    ///
    /// - Throws: The error of the first invalid field.
    public func event() throws -> EventDraft {
        var draft = EventDraft()
        let values = values
        draft.day = try values.day(.day).value
        draft.at = try values.instant(.at)
        draft.details = try values.eventDetails()
        draft.details.position = try values.position()
        draft.details.photo = try photo()
        draft.allowsUnplanned = allowsUnplannedEvents
        return draft
    }

    /// Returns the record as a draft of an item.
    ///
    /// - Throws: The error of the first invalid field.
    public func item() throws -> ItemDraft {
        var draft = ItemDraft()
        let values = values
        draft.name = try values.text(.name)
        draft.description = try values.text(.description)
        draft.position = try values.position()
        draft.expires = try values.day(.expires)
        draft.photo = try photo()
        return draft
    }

    /// Returns the record as a draft of a photo post.
    ///
    /// - Throws: The error of the first invalid field.
    public func post() throws -> PostDraft {
        var draft = PostDraft()
        let values = values
        draft.caption = try values.text(.caption)
        draft.position = try values.position()
        draft.photo = try photo()
        return draft
    }

    /// Returns the record as a draft of the sender's own account.
    ///
    /// - Throws: `field-invalid` if the record has an ID or an email address, which the account keeps; or the error of
    ///   the first invalid field.
    public func account() throws -> UserDraft {
        for field in [Field.id, .email] {
            guard case .absent = try raw.text(field) else {
                throw HabitError(
                    .fieldInvalid, "'\(field.name)' of an account cannot change: omit it", field: field.name)
            }
        }
        var draft = UserDraft()
        draft.name = try raw.text(.name)
        draft.timeZone = try raw.token(.timeZone)
        draft.sharesLocation = try raw.boolean(.shareLocation)
        return draft
    }

    /// Returns the photo in the record, which is base64 text.
    ///
    /// If the record has no photo, the stored photo stays unchanged, because it has a URL of its own.
    private func photo() throws -> FieldInput<Photo> {
        if let decodedPhoto { return decodedPhoto }
        let keepsEXIF = try keepsEXIF
        return try raw.token(.photo).map { (text: String) throws(HabitError) in
            try PhotoSource(folder: nil).photo(text, keepingEXIF: keepsEXIF)
        }
    }

    /// Whether the record asks to keep the metadata of its photo.
    private var keepsEXIF: Bool { get throws { try raw.boolean(.keepEXIF).value ?? false } }

    /// Returns the file of the photo: `file`, or the bytes of the base64 text in the record.
    ///
    /// - Throws: `photo-invalid` if the record has a photo in addition to `file`, or if its text is not base64.
    private func photoFile(_ file: [UInt8]?) throws -> [UInt8]? {
        let text = try raw.token(.photo).value
        guard let file else {
            return try text.map { try PhotoSource(folder: nil).bytes($0, limit: PhotoFile.sizeLimit) }
        }
        guard text == nil else {
            throw HabitError(
                .photoInvalid, "the request has two photos: omit the field 'photo' of the record", field: "photo")
        }
        return file
    }

    /// Whether the record contains a photo.
    public var hasPhoto: Bool { (try? raw.token(.photo))?.value != nil }

    /// Returns the record with its photo decoded and verified.
    ///
    /// Without this call, the photo is decoded when it is written, within the transaction. Decoding allocates up to 10
    /// bytes of memory per pixel.
    ///
    /// - Parameters:
    ///   - file: The file of the photo if the record does not contain it, as when a form has both.
    ///   - shrinking: Whether a photo that is too large is converted to a smaller JPEG.
    /// - Returns: A copy of the record with the verified photo.
    /// - Throws: `photo-invalid` (`picture-invalid` for an item) or `photo-too-large`.
    public func decodingPhoto(_ file: [UInt8]? = nil, shrinking: Bool = false) throws -> RecordPayload {
        var record = self
        do {
            let keepsEXIF = try keepsEXIF
            guard let bytes = try photoFile(file) else { return self }
            let photo = try HabitError.ofPhoto { () throws(PhotoError) in
                try PhotoFile(bytes).photo(keepingEXIF: keepsEXIF, shrinking: shrinking)
            }
            record.decodedPhoto = .value(photo)
        } catch let error as HabitError {
            throw kind == .items ? error.ofItem : error
        }
        return record
    }
}
