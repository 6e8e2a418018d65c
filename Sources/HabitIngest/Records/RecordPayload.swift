import Base
import HabitModel
import HabitStore
import Photos
import StoreEngine

/// A record in the body of a write request: a GeoJSON Feature or a JSON object of fields.
///
/// Field names and rules are the same as in input files. ``change()`` converts the record to typed values.
public struct RecordPayload: Sendable {
    private let raw: RawRecord
    private let kind: RecordKind
    /// The omitted fields that are cleared.
    private let cleared: Set<Field>
    /// The verified photo, or `nil` before ``decodingPhoto(_:limit:shrinking:)``.
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
    public init(
        _ bytes: [UInt8],
        kind: RecordKind,
        replaces: Bool,
        ignored: Set<String>
    ) throws {
        let read = try Self.read(bytes, kind)
        var record = read.record
        let unexpected = kind.completionFields.filter(record.contains).map(\.name)
        let unknown = unexpected + read.unknownFields
        if let name = unknown.first(where: { name in !ignored.contains(name) }) {
            throw Self.unknown(name, kind)
        }
        try Self.clearCompletion(of: &record, kind)
        for field in kind.fields {
            try record.requireSentForm(of: field)
        }
        let omitted = kind.fields.filter { field in
            field.isClearedByReplacement && !record.contains(field)
        }
        cleared = replaces ? Set(omitted) : []
        raw = record
        self.kind = kind
    }

    /// The record in a body, and the names of its members that are not fields.
    private struct ReadRecord {
        var record = RawRecord()
        var unknownFields: [String] = []
    }

    /// Reads the only record of a body.
    private static func read(_ bytes: [UInt8], _ kind: RecordKind) throws -> ReadRecord {
        // The body must be a JSON object. The reader would also accept a table or gzip data.
        let first = bytes.first { byte in !byte.isJSONSpace }
        guard first == UInt8(ascii: "{") else { throw notOne }
        let feature = feature(bytes)
        var options = ReaderOptions(kind: kind)
        // The caller limits the size of the body.
        options.recordLimit = max(options.recordLimit, feature.count)
        let source = ByteSource(bytes: feature, name: "the body")
        let reader = try openReader(source, options)
        var read = ReadRecord()
        switch try reader.next(into: &read.record) {
        case .record:
            break
        case .rejected(let problem):
            throw HabitError(problem.code, problem.reason, field: problem.field)
        case .end:
            throw notOne
        }
        var second = RawRecord()
        guard case .end = try reader.next(into: &second) else { throw notOne }
        read.unknownFields = reader.unknownFields
        return read
    }

    /// Removes the fields that specify in files of other programs whether an event took place.
    ///
    /// - Throws: `field-invalid` if `status` is not the status of the habit, which responses contain.
    private static func clearCompletion(of record: inout RawRecord, _ kind: RecordKind) throws {
        if kind.completionFields.contains(.status) {
            var isHabitStatus = false
            if case .text(let text) = record[.status] {
                isHabitStatus = HabitStatus(word: text) != nil
            }
            guard isHabitStatus || record.isMissingOrNull(.status) else {
                throw HabitError(
                    .fieldInvalid,
                    "'status' is the status of the habit: send 'outcome', which is done or skipped",
                    field: Field.status.name)
            }
        }
        for field in kind.completionFields {
            record.replace(.absent, for: field)
        }
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
        let fields = kind == .users ? accountFields : kind.fields
        let names = fields.map(\.name)
        var hint = ""
        if let nearest = names.nearestSpelling(to: name) {
            hint = "did you mean '\(nearest)'? "
        }
        let list = kind == .users ? names.joined(separator: ", ") : kind.fieldList
        return HabitError(
            .fieldInvalid,
            "unknown field '\(name)': \(hint)the fields are \(list)",
            field: name)
    }

    /// The fields of an account that a request can change.
    private static let accountFields: [Field] = [.name, .timeZone, .shareLocation, .privatePlaces]

    /// Adds `"type": "Feature"` to an object without a type that has a `geometry` member or `properties` object.
    ///
    /// A client can omit the type, for example in `{"geometry": …}`, which changes only the position. All bytes of the
    /// client are kept unchanged.
    private static func feature(_ bytes: [UInt8]) -> [UInt8] {
        // The reader of the record reports the error of malformed bytes.
        guard let members = try? JSONSlice(bytes[...]).members(),
            members["type"] == nil,
            members["geometry"] != nil || members["properties"]?.isObject == true,
            let start = bytes.firstIndex(of: UInt8(ascii: "{"))
        else { return bytes }
        var added = #""type":"Feature","#
        if members["properties"] == nil {
            added += #""properties":{},"#
        }
        var whole = bytes
        whole.insert(contentsOf: Array(added.utf8), at: start + 1)
        return whole
    }

    private static let notOne = HabitError(
        .rowInvalid,
        "the body is not a single JSON object: send a GeoJSON Feature or an object of fields")
}

// MARK: Typed values

extension RecordPayload {
    /// The values of the record: a cleared field is null.
    private var values: RawRecord {
        var values = raw
        for field in cleared {
            values.set(.null, for: field)
        }
        return values
    }

    /// Returns the typed values of the record.
    ///
    /// - Returns: The values of the record.
    /// - Throws: The error of the first invalid field; `internal` for a kind that a user cannot write.
    public func change() throws -> RecordChange {
        var change = RecordChange(try changedValues)
        change.id = try raw.token(.id).value
        change.owner = try raw.token(kind.ownerField).value
        change.clearsDefault = cleared.contains(where: \.hasDefault)
        return change
    }

    private var changedValues: RecordChange.Values {
        get throws {
            switch kind {
            case .habits: .habit(try habit)
            case .pauses: .pause(try pause)
            case .events: .event(try event)
            case .items: .item(try item)
            case .posts: .post(try post)
            case .claims: .claim(try claim)
            case .follows: .follow(try follow)
            case .messages: .message(try message)
            case .settings, .users, .schedules, .blocks, .reads:
                throw HabitError(.internal, "a user cannot write records of the kind '\(kind.rawValue)'")
            }
        }
    }

    private var habit: HabitDraft {
        get throws {
            let values = values
            var draft = HabitDraft()
            draft.title = try values.text(.title)
            if values.hasSchedule {
                draft.schedule = .value(try values.schedule())
            }
            draft.reason = try values.text(.reason)
            draft.start = try values.day(.start)
            draft.end = try values.day(.end)
            draft.targetAmount = try values.targetAmount()
            draft.unit = try values.text(.unit)
            draft.tint = try values.integer(.tint)
            draft.symbol = try values.symbol()
            draft.rank = try values.integer(.rank)
            draft.remindAt = try values.timeOfDay(.remindAt)
            return draft
        }
    }

    private var pause: PauseDraft {
        get throws {
            let values = values
            var draft = PauseDraft()
            draft.habit = try values.token(.habit)
            draft.from = try values.day(.from).value
            draft.to = try values.day(.to)
            return draft
        }
    }

    private var event: EventChange {
        get throws {
            let values = values
            var event = EventChange()
            event.habit = try values.token(.habit).value
            event.draft.day = try values.day(.day).value
            event.draft.at = try values.instant(.at)
            event.draft.details = try values.eventDetails()
            event.draft.details.position = try values.position()
            event.draft.details.photo = try photo
            event.outcome = try values.choice(.outcome, Outcome.self).value
            return event
        }
    }

    private var item: ItemChange {
        get throws {
            let values = values
            var item = ItemChange()
            item.draft.name = try values.text(.name)
            item.draft.description = try values.text(.description)
            item.draft.position = try values.position()
            item.draft.expires = try values.day(.expires)
            item.draft.photo = try photo
            item.state = try values.choice(.state, ItemState.self).value
            return item
        }
    }

    private var post: PostDraft {
        get throws {
            let values = values
            var draft = PostDraft()
            draft.caption = try values.text(.caption)
            draft.position = try values.position()
            draft.photo = try photo
            return draft
        }
    }

    private var claim: ClaimChange {
        get throws {
            ClaimChange(
                item: try raw.token(.item).value,
                state: try raw.choice(.state, ClaimState.self).value)
        }
    }

    private var follow: FollowChange {
        get throws {
            FollowChange(
                followee: try raw.token(.followee).value,
                status: try raw.choice(.status, FollowStatus.self).value,
                share: try raw.choice(.share, Share.self).value)
        }
    }

    private var message: MessageChange {
        get throws {
            MessageChange(
                item: try raw.token(.item).value,
                recipient: try raw.token(.recipient).value,
                text: try raw.token(.text).value)
        }
    }

    /// Returns the record as a draft of the sender's own account.
    ///
    /// - Returns: The draft.
    /// - Throws: `field-invalid` if the record has an ID or an email address, which the account keeps; or the error of
    ///   the first invalid field.
    public func account() throws -> UserDraft {
        for field in [Field.id, .email] {
            guard case .absent = try raw.text(field) else {
                throw HabitError(
                    .fieldInvalid,
                    "'\(field.name)' of an account cannot change: omit it",
                    field: field.name)
            }
        }
        var draft = UserDraft()
        draft.name = try raw.text(.name)
        draft.timeZone = try raw.token(.timeZone)
        draft.sharesLocation = try raw.boolean(.shareLocation)
        draft.privatePlaces = try raw.privatePlaces()
        return draft
    }
}

// MARK: Photos

extension RecordPayload {
    /// The photo in the record, which is base64 text.
    ///
    /// If the record has no photo, the stored photo stays unchanged, because it has a URL of its own.
    private var photo: FieldInput<Photo> {
        get throws {
            if let decodedPhoto { return decodedPhoto }
            let keepsEXIF = try keepsEXIF
            return try raw.token(.photo).map { (text: String) throws(HabitError) in
                try PhotoSource(folder: nil).photo(text, keepingEXIF: keepsEXIF, limit: Photo.standardLimit)
            }
        }
    }

    /// Whether the record asks to keep the metadata of its photo.
    private var keepsEXIF: Bool {
        get throws {
            try raw.boolean(.keepEXIF).value ?? false
        }
    }

    /// Returns the file of the photo: `file`, or the bytes of the base64 text in the record.
    ///
    /// - Throws: `photo-invalid` if the record has a photo in addition to `file`, or if its text is not base64.
    private func photoFile(_ file: [UInt8]?) throws -> [UInt8]? {
        let text = try raw.token(.photo).value
        guard let file else {
            return try text.map { text in
                try PhotoSource(folder: nil).bytes(text, limit: PhotoFile.sizeLimit)
            }
        }
        guard text == nil else {
            throw HabitError(
                .photoInvalid,
                "the request has two photos: omit the field 'photo' of the record",
                field: Field.photo.name)
        }
        return file
    }

    /// Whether the record contains a photo.
    public var hasPhoto: Bool {
        let photo = try? raw.token(.photo)
        return photo?.value != nil
    }

    /// Returns the record with its photo decoded and verified.
    ///
    /// Decoding allocates up to 10 bytes of memory per pixel.
    ///
    /// - Parameters:
    ///   - file: The file of the photo if the record does not contain it, as when a form has both.
    ///   - limit: The maximum size of the photo in bytes.
    ///   - shrinking: Whether a photo that is too large is converted to a smaller JPEG.
    /// - Returns: A copy of the record with the verified photo.
    /// - Throws: `photo-invalid` (`picture-invalid` for an item) or `photo-too-large`.
    public func decodingPhoto(
        _ file: [UInt8]? = nil,
        limit: Int,
        shrinking: Bool = false
    ) throws -> RecordPayload {
        var record = self
        do {
            let keepsEXIF = try keepsEXIF
            guard let bytes = try photoFile(file) else { return self }
            let photo = try HabitError.ofPhoto { () throws(PhotoError) in
                try PhotoFile(bytes).photo(keepingEXIF: keepsEXIF, limit: limit, shrinking: shrinking)
            }
            record.decodedPhoto = .value(photo)
        } catch let error as HabitError {
            throw kind == .items ? error.ofItem : error
        }
        return record
    }
}
