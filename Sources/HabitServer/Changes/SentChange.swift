import Foundation
import HabitIngest
import HabitModel
import HabitStore
import StoreEngine

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
    /// The properties of the feature that the client has sent.
    ///
    /// They are JSON values, which no code changes.
    nonisolated(unsafe) var properties: [String: Any] = [:]
    /// The record to write, or the error of an invalid record; the record is `nil` if the change deletes it.
    var record: Result<RecordPayload?, any Error>

    /// Parses the changes in a body: one JSON object in each line, or a GeoJSON FeatureCollection.
    ///
    /// The members of an object are those of ``ChangePage``. A feature of a FeatureCollection has the members
    /// `collection` and `version`.
    ///
    /// - Throws: `row-invalid` if the body has no such form or too many changes, and `field-invalid` with the number of
    ///   the change if a member is invalid.
    static func all(in body: [UInt8]) throws -> [SentChange] {
        let objects = try features(in: body) ?? lines(in: body)
        guard (1...countLimit).contains(objects.count) else {
            throw HabitError(
                .rowInvalid, "the body has \(objects.count) changes: send 1 to \(countLimit) changes in one request")
        }
        return try objects.enumerated().map { index, object in try SentChange(object, number: index + 1) }
    }

    private static func lines(in body: [UInt8]) throws -> [[String: Any]] {
        let lines = body.split(separator: UInt8(ascii: "\n")).filter { line in !line.allSatisfy { $0 <= 0x20 } }
        guard lines.count <= countLimit else {
            throw HabitError(.rowInvalid, "the body has more than \(countLimit) changes: send them in several requests")
        }
        return try lines.enumerated().map { index, line in
            guard let object = try? JSONSerialization.jsonObject(with: Data(line)) as? [String: Any] else {
                throw HabitError(
                    .rowInvalid, "line \(index + 1) of the body is not a JSON object: send one in each line")
            }
            return object
        }
    }

    /// Returns a change for each feature if the body is a FeatureCollection, otherwise `nil`.
    private static func features(in body: [UInt8]) throws -> [[String: Any]]? {
        guard let object = try? JSONSerialization.jsonObject(with: Data(body)) as? [String: Any],
            object["type"] as? String == "FeatureCollection", let features = object["features"] as? [[String: Any]]
        else { return nil }
        return features.map { feature in
            var feature = feature
            var change: [String: Any] = ["action": Action.put.rawValue]
            for name in ["collection", "version"] { change[name] = feature.removeValue(forKey: name) }
            change["feature"] = feature
            return change
        }
    }

    private init(_ object: [String: Any], number: Int) throws {
        func invalid(_ field: String, _ reason: String) -> HabitError {
            HabitError(.fieldInvalid, "change \(number): \(reason)", field: field)
        }
        func text(_ name: String) throws -> String? {
            guard let value = object[name], !(value is NSNull) else { return nil }
            guard let text = value as? String, !text.isEmpty else { throw invalid(name, "'\(name)' is not a text") }
            return text
        }
        guard let action = try Action(rawValue: text("action") ?? Action.put.rawValue) else {
            throw invalid("action", "the action is unknown: use put or delete")
        }
        guard let name = try text("collection"), let collection = FeatureCollection.named(name),
            collection.writes != nil
        else {
            let names = FeatureCollection.all.filter { $0.writes != nil }.map(\.id).joined(separator: ", ")
            throw invalid("collection", "'collection' is not a collection that you can change: use one of \(names)")
        }
        let feature = object["feature"] as? [String: Any]
        guard let id = try text("id") ?? feature?["id"] as? String, !id.isEmpty else {
            throw invalid("id", "the change has no id: choose an id for each new record")
        }
        (self.action, self.collection, self.id, version) = (action, collection, id, try text("version"))
        guard action == .put else {
            record = .success(nil)
            return
        }
        guard let feature else { throw invalid("feature", "'feature' is not a GeoJSON feature: send one") }
        properties = feature["properties"] as? [String: Any] ?? [:]
        record = Result { try Self.record(feature, of: collection) }
    }

    private static func record(_ feature: [String: Any], of collection: FeatureCollection) throws -> RecordPayload {
        var feature = feature
        feature["type"] = "Feature"
        // A change clears omitted members, and a feature must have a geometry.
        feature["geometry"] = feature["geometry"] ?? NSNull()
        let bytes = Array(try JSONSerialization.data(withJSONObject: feature))
        var record = try RecordPayload(bytes, kind: collection.kind, replaces: true, ignored: collection.ignored)
        record.allowsUnplannedEvents = true
        return record
    }
}
