import Base
import Foundation
import Geo
import HabitModel
import HabitStore

extension UndoLog.Line {
    /// The line as a JSON object.
    var text: String {
        let line: [String: JSON] = [
            "line": .text(id),
            "store": .text(store),
            "user": .text(user),
            "events": .list(changes.map(\.json)),
        ]
        return JSON.object(line).text
    }

    /// Reads a line, or returns `nil` if it is invalid.
    init?(_ text: String) {
        guard let parser = try? JSONParser() else { return nil }
        guard let root = try? parser.document(copying: text.utf8) else { return nil }
        guard let id = root["line"]?.text else { return nil }
        guard let store = root["store"]?.text else { return nil }
        guard let user = root["user"]?.text else { return nil }
        guard let events = root["events"]?.items else { return nil }
        let changes = events.compactMap(EventJournal.Change.init)
        guard !changes.isEmpty, changes.count == events.count else { return nil }
        self.init(id: id, store: store, user: user, changes: changes)
    }
}

extension EventJournal.Change {
    fileprivate var json: JSON {
        var event: [String: JSON] = [:]
        event["before"] = before?.json
        event["after"] = after?.json
        event["photo"] = removedPhoto.map(JSON.base64)
        return .object(event)
    }

    /// Reads a change, or returns `nil` if an event is invalid or both are missing.
    fileprivate init?(_ node: JSONNode) {
        var events: [String: EventSnapshot] = [:]
        for name in ["before", "after"] {
            guard let member = node[name] else { continue }
            guard let event = EventSnapshot(member) else { return nil }
            events[name] = event
        }
        guard !events.isEmpty else { return nil }
        self.init(
            before: events["before"],
            after: events["after"],
            removedPhoto: node["photo"]?.bytes)
    }
}

extension EventSnapshot {
    /// The event with the names and values of an export.
    ///
    /// The photo is its digest.
    fileprivate var json: JSON {
        var object: [String: JSON] = [
            "id": .text(id),
            "habit": .text(habit),
            "day": .text(day.description),
            "outcome": .text(outcome.rawValue),
        ]
        if let at {
            object["at"] = .text(at.description)
        }
        if let position {
            object["longitude"] = .number(position.longitude)
            object["latitude"] = .number(position.latitude)
        }
        object["comment"] = comment.map(JSON.text)
        object["amount"] = amount.map(JSON.number)
        object["photo"] = photo.map(JSON.base64)
        return .object(object)
    }

    /// Reads an event, or returns `nil` if a required value is missing, or if a value is invalid.
    fileprivate init?(_ node: JSONNode) {
        guard let id = node["id"]?.line else { return nil }
        guard let habit = node["habit"]?.line else { return nil }
        guard let day = node["day"]?.text.flatMap({ text in Day(text) }) else { return nil }
        guard let word = node["outcome"]?.text else { return nil }
        guard let outcome = Outcome(rawValue: word) else { return nil }
        self.init(id: id, habit: habit, day: day, outcome: outcome)
        at = node["at"]?.text.flatMap { text in
            OffsetInstant(text)
        }
        comment = node["comment"]?.text
        if let number = node["amount"]?.number {
            guard number >= 0 else { return nil }
            amount = number
        }
        photo = node["photo"]?.bytes
        if let longitude = node["longitude"]?.number, let latitude = node["latitude"]?.number {
            position = Position(longitude: longitude, latitude: latitude)
        }
    }
}

extension JSON {
    /// Bytes as a text in base64.
    fileprivate static func base64(_ bytes: [UInt8]) -> JSON {
        .text(Data(bytes).base64EncodedString())
    }
}

extension JSONNode {
    /// The text, or `nil` if it contains a control character.
    fileprivate var line: String? {
        guard let text else { return nil }
        let hasControls = text.unicodeScalars.contains { scalar in
            scalar.properties.generalCategory == .control
        }
        return hasControls ? nil : text
    }

    /// The bytes of a text in base64.
    fileprivate var bytes: [UInt8]? {
        guard let text else { return nil }
        guard let data = Data(base64Encoded: text) else { return nil }
        return Array(data)
    }
}
