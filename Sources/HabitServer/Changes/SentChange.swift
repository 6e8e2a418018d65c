import Base
import HabitIngest
import HabitModel
import HabitStore

/// A change that a client has made to its copy of a record.
struct SentChange: Sendable {
    /// The largest body with changes, in bytes, and the maximum number of changes in it.
    static let bodyLimit = 8 << 20
    static let countLimit = 1000

    enum Action: String, CaseIterable { case put, delete }

    var action: Action
    var collection: FeatureCollection
    /// The ID of the feature.
    var id: String
    /// The version of the record on which the change is based; `nil` for a record that is new to the client.
    var version: String?
    /// The record to write, or `nil` if the change deletes the record.
    var record: RecordPayload?

    /// Parses the changes in a body: one JSON object in each line, or a GeoJSON FeatureCollection.
    ///
    /// An object has the members of ``ChangePage``. A feature of a FeatureCollection has the members
    /// `collection` and `version`. Photos are decoded.
    ///
    /// - Parameters:
    ///   - body: The body of a request.
    ///   - isGeoJSON: Whether the body must be a FeatureCollection.
    /// - Returns: The changes, or the errors of malformed changes.
    /// - Throws: `row-invalid` if the body has no such form or too many changes.
    static func all(in body: [UInt8], isGeoJSON: Bool) throws -> [Result<SentChange, HabitError>] {
        guard String(validating: body, as: UTF8.self) != nil else {
            throw HabitError(.rowInvalid, "the body is not UTF-8: encode it again")
        }
        let features = try features(in: body[...])
        guard features != nil || !isGeoJSON else {
            throw HabitError(.rowInvalid, "the body is not a FeatureCollection: send one, or send NDJSON")
        }
        let lines = body.split(separator: UInt8(ascii: "\n")).filter { line in !line.allSatisfy { $0 <= 0x20 } }
        let parts: [ArraySlice<UInt8>] = features ?? lines
        guard (1...countLimit).contains(parts.count) else {
            throw HabitError(
                .rowInvalid, "the body has \(parts.count) changes: send 1 to \(countLimit) changes in one request")
        }
        return parts.map { parse($0, isFeature: features != nil) }
    }

    private static func parse(_ part: ArraySlice<UInt8>, isFeature: Bool) -> Result<SentChange, HabitError> {
        do {
            return .success(try SentChange(part, isFeature: isFeature))
        } catch let error as HabitError {
            return .failure(error)
        } catch {
            return .failure(HabitError(.rowInvalid, "the change is not a JSON object: send one in each line"))
        }
    }

    /// Returns the features if the body is a FeatureCollection, otherwise `nil`.
    private static func features(in body: ArraySlice<UInt8>) throws -> [ArraySlice<UInt8>]? {
        guard let members = try? JSONParts.members(of: body), let list = members["features"],
            let type = members["type"], (try? JSONParts.text(type)) == "FeatureCollection"
        else { return nil }
        guard let features = try? JSONParts.elements(of: list) else {
            throw HabitError(.rowInvalid, "'features' is not a list: send a list of features", field: "features")
        }
        return features
    }

    private init(_ part: ArraySlice<UInt8>, isFeature: Bool) throws {
        let members = try JSONParts.members(of: part)
        let feature = isFeature ? part : members["feature"]
        let inner = try feature.map(JSONParts.members) ?? [:]
        func text(_ name: String, in members: [String: ArraySlice<UInt8>]) throws -> String? {
            guard let value = members[name], !value.elementsEqual("null".utf8) else { return nil }
            guard let text = try? JSONParts.text(value) else { throw Self.invalid(name, "'\(name)' is not a text") }
            guard !text.isEmpty else { throw Self.invalid(name, "'\(name)' is empty: omit it") }
            return text
        }
        let known: Set = ["action", "collection", "feature", "id", "version"]
        if !isFeature, let other = members.keys.sorted().first(where: { !known.contains($0) }) {
            throw Self.invalid(
                other, "unknown member '\(other)': the members are \(known.sorted().joined(separator: ", "))")
        }
        let name = try isFeature ? Action.put.rawValue : text("action", in: members) ?? Action.put.rawValue
        guard let action = Action(rawValue: name) else {
            throw Self.invalid("action", "the action '\(name)' is unknown: use put or delete")
        }
        collection = try Self.collection(try text("collection", in: members))
        let ids = [try text("id", in: members), try text("id", in: inner)].compactMap(\.self)
        guard let id = ids.first else {
            throw Self.invalid("id", "the change has no id: choose an id for each new record")
        }
        guard ids.allSatisfy({ $0 == id }) else {
            throw HabitError(.idInvalid, "the change and its feature have different ids: send one id", field: "id")
        }
        (self.action, self.id, version) = (action, id, try text("version", in: members))
        guard action == .put else { return }
        guard let feature else { throw Self.invalid("feature", "'feature' is missing: send a GeoJSON feature") }
        record = try Self.record(feature, inner, of: collection)
    }

    private static func invalid(_ field: String, _ reason: String) -> HabitError {
        HabitError(.fieldInvalid, reason, field: field)
    }

    private static func collection(_ name: String?) throws -> FeatureCollection {
        guard let collection = name.flatMap(FeatureCollection.named), collection.writes != nil else {
            let names = FeatureCollection.all.filter { $0.writes != nil }.map(\.id).joined(separator: ", ")
            throw invalid("collection", "'collection' is not a collection that you can change: use one of \(names)")
        }
        return collection
    }

    /// Reads the record of a feature, which may omit `type` and `geometry`.
    private static func record(
        _ feature: ArraySlice<UInt8>, _ members: [String: ArraySlice<UInt8>], of collection: FeatureCollection
    ) throws -> RecordPayload {
        guard feature.count <= HabitatServer.bodyLimit else {
            throw HabitError(.rowInvalid, "the feature is larger than the limit of \(HabitatServer.bodyLimit) bytes")
        }
        var bytes = Array(feature)
        for (name, value) in [("geometry", "null"), ("type", "\"Feature\"")] where members[name] == nil {
            let comma = members.isEmpty && bytes.count < 8 ? "" : ","
            bytes.insert(contentsOf: Array("\"\(name)\":\(value)\(comma)".utf8), at: 1)
        }
        let ignored = collection.ignored.union(["collection", "version"])
        var record = try RecordPayload(bytes, kind: collection.kind, replaces: true, ignored: ignored)
        record.allowsUnplannedEvents = true
        return record.hasPhoto ? try record.decodingPhoto() : record
    }
}
