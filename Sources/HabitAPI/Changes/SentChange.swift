import Base
import HTTPServing
import HabitIngest
import HabitModel
import HabitStore

/// A change that a client has made to its copy of a record.
struct SentChange: Sendable {
    /// The largest body with changes, in bytes, and the maximum number of changes in it.
    static let bodyLimit = 8 << 20
    static let countLimit = 1000

    enum Action: String, CaseIterable {
        case put, delete
    }

    var action: Action
    var collection: FeatureCollection
    /// The ID of the feature.
    var id: String
    /// The version of the record on which the change is based; `nil` for a record that is new to the client.
    var version: String?
    /// The record to write or the error of an invalid value in it, or `nil` if the change deletes the record.
    private var input: Result<RecordChange, any Error>?

    /// The record to write, or `nil` if the change deletes the record or a value is invalid.
    var record: RecordChange? { try? input?.get() }

    /// The change of the stored record.
    ///
    /// - Throws: The error of the first invalid value.
    var change: SyncChange {
        get throws {
            SyncChange(collection.kind, id: id, version: version, record: try input?.get())
        }
    }

    /// Parses the changes in a body: one JSON object in each line, or a GeoJSON FeatureCollection.
    ///
    /// An object has the members of ``ChangePage``. A feature of a FeatureCollection has the members
    /// `collection` and `version`. Photos are decoded.
    ///
    /// - Parameters:
    ///   - body: The body of a request.
    ///   - isGeoJSON: Whether the body must be a FeatureCollection.
    ///   - settings: The settings of the store, which contain the maximum sizes of photos.
    ///   - sections: The parts of the server. A change in a hidden collection is malformed.
    /// - Returns: The changes, or the errors of malformed changes.
    /// - Throws: `row-invalid` if the body has no such form or too many changes.
    static func all(
        in body: [UInt8],
        isGeoJSON: Bool,
        settings: Settings,
        sections: Sections
    ) throws -> [Result<SentChange, HabitError>] {
        guard String(validating: body, as: UTF8.self) != nil else {
            throw HabitError(.rowInvalid, "the body is not UTF-8: encode it again")
        }
        let features = try features(in: JSONSlice(body[...]))
        guard features != nil || !isGeoJSON else {
            throw HabitError(.rowInvalid, "the body is not a FeatureCollection: send one, or send NDJSON")
        }
        let parts = features ?? lines(of: body)
        guard (1...countLimit).contains(parts.count) else {
            throw HabitError(
                .rowInvalid,
                "the body has \(parts.count) changes: send 1 to \(countLimit) changes in one request")
        }
        let areFeatures = features != nil
        return parts.map { part in
            parse(part, isFeature: areFeatures, settings: settings, sections: sections)
        }
    }

    private static func parse(
        _ part: JSONSlice,
        isFeature: Bool,
        settings: Settings,
        sections: Sections
    ) -> Result<SentChange, HabitError> {
        do {
            let change = try SentChange(part, isFeature: isFeature, settings: settings, sections: sections)
            return .success(change)
        } catch let error as HabitError {
            return .failure(error)
        } catch {
            let error = HabitError(
                .rowInvalid,
                "the change is not a JSON object: send one in each line")
            return .failure(error)
        }
    }

    /// Returns the lines of a body that are not blank.
    private static func lines(of body: [UInt8]) -> [JSONSlice] {
        let lines = body.split(separator: UInt8(ascii: "\n"))
        let filled = lines.filter { line in line.contains(where: isVisible) }
        return filled.map { line in JSONSlice(line) }
    }

    /// Whether a byte is neither a space nor a control character.
    private static func isVisible(_ byte: UInt8) -> Bool {
        byte > UInt8(ascii: " ")
    }

    /// Returns the features if the body is a FeatureCollection, otherwise `nil`.
    private static func features(in body: JSONSlice) throws -> [JSONSlice]? {
        guard let members = try? body.members(),
            let list = members["features"],
            let type = try? members["type"]?.text(),
            type == "FeatureCollection"
        else { return nil }
        guard let features = try? list.elements() else {
            throw HabitError(
                .rowInvalid,
                "'features' is not a list: send a list of features",
                field: "features")
        }
        return features
    }

    private init(
        _ part: JSONSlice,
        isFeature: Bool,
        settings: Settings,
        sections: Sections
    ) throws {
        let members = try part.members()
        let feature = isFeature ? part : members["feature"]
        let featureMembers = try feature?.members() ?? [:]
        if !isFeature {
            try Self.requireKnown(members.keys.sorted())
        }
        action = isFeature ? .put : try Self.action(members)
        let name = try Self.text("collection", in: members)
        collection = try Self.collection(named: name, in: sections)
        id = try Self.id(members, ofFeature: featureMembers)
        version = try Self.text("version", in: members)
        guard action == .put else { return }
        guard let feature else {
            throw Self.invalid("feature", "'feature' is missing: send a GeoJSON feature")
        }
        let photoLimit = settings.photoLimit(of: collection.kind)
        let payload = try Self.payload(feature, featureMembers, of: collection, photoLimit: photoLimit)
        input = Result { try payload.change() }
    }

    private typealias Members = [String: JSONSlice]

    /// The members of a change that is not a feature.
    private static let memberNames = ["action", "collection", "feature", "id", "version"]

    private static func requireKnown(_ names: [String]) throws {
        let unknown = names.first { name in !memberNames.contains(name) }
        guard let other = unknown else { return }
        let list = memberNames.joined(separator: ", ")
        throw invalid(other, "unknown member '\(other)': the members are \(list)")
    }

    /// Returns the text of a member, or `nil` if it is missing or null.
    private static func text(_ name: String, in members: Members) throws -> String? {
        guard let value = members[name], !value.isNull else { return nil }
        guard let text = try? value.text() else {
            throw invalid(name, "'\(name)' is not a text")
        }
        guard !text.isEmpty else {
            throw invalid(name, "'\(name)' is empty: omit it")
        }
        return text
    }

    private static func action(_ members: Members) throws -> Action {
        guard let name = try text("action", in: members) else { return .put }
        guard let action = Action(rawValue: name) else {
            throw invalid("action", "the action '\(name)' is unknown: use put or delete")
        }
        return action
    }

    /// Returns the ID, which the change or its feature has.
    private static func id(_ members: Members, ofFeature featureMembers: Members) throws -> String {
        let own = try text("id", in: members)
        let ofFeature = try text("id", in: featureMembers)
        guard let id = own ?? ofFeature else {
            throw invalid("id", "the change has no id: choose an id for each new record")
        }
        guard ofFeature == nil || ofFeature == id else {
            throw HabitError(
                .idInvalid,
                "the change and its feature have different ids: send one id",
                field: "id")
        }
        return id
    }

    private static func invalid(_ field: String, _ reason: String) -> HabitError {
        HabitError(.fieldInvalid, reason, field: field)
    }

    /// Returns the collection with a name, which clients can change and the server shows.
    private static func collection(
        named name: String?,
        in sections: Sections
    ) throws -> FeatureCollection {
        let writable = FeatureCollection.all.filter { collection in
            collection.writes != nil && sections.shows(collection)
        }
        guard let collection = writable.first(where: { collection in collection.id == name }) else {
            let names = writable.map(\.id).joined(separator: ", ")
            throw invalid(
                "collection",
                "'collection' is not a collection that you can change: use one of \(names)")
        }
        return collection
    }

    /// Reads the record of a feature, which may omit `type` and `geometry`.
    private static func payload(
        _ feature: JSONSlice,
        _ members: Members,
        of collection: FeatureCollection,
        photoLimit: Int
    ) throws -> RecordPayload {
        let limit = RequestBodies.recordLimit(photoLimit: photoLimit)
        guard feature.bytes.count <= limit else {
            throw HabitError(
                .rowInvalid,
                "the feature is larger than the limit of \(limit) bytes")
        }
        let ignored = collection.ignored.union(["collection", "version"])
        let payload = try RecordPayload(
            completed(feature, members),
            kind: collection.kind,
            replaces: true,
            ignored: ignored)
        return payload.hasPhoto ? try payload.decodingPhoto(limit: photoLimit) : payload
    }

    /// Returns the bytes of a feature after `type` and `geometry` were added if they are missing.
    private static func completed(_ feature: JSONSlice, _ members: Members) -> [UInt8] {
        var bytes = Array(feature.bytes)
        let defaults = [("geometry", "null"), ("type", "\"Feature\"")]
        for (name, value) in defaults where members[name] == nil {
            let comma = members.isEmpty && bytes.count < 8 ? "" : ","
            let member = "\"\(name)\":\(value)\(comma)"
            bytes.insert(contentsOf: Array(member.utf8), at: 1)
        }
        return bytes
    }
}
