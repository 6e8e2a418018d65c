import Base
import HabitModel
import HabitStore
import HabitTestSupport
import Testing

@testable import HabitIngest

/// Tests of the typed values of a record in a body.
@Suite(.engineIndependent) struct RecordPayloadTests {
    private static func change(
        _ body: String,
        _ kind: RecordKind,
        replaces: Bool = false
    ) throws -> RecordChange {
        let payload = try RecordPayload(
            Array(body.utf8),
            kind: kind,
            replaces: replaces,
            ignored: ["id"])
        return try payload.change()
    }

    @Test func eventHasTypedValues() throws {
        let body = """
            {"id": "ann:1", "user": "ann", "habit": "run", "day": "2026-11-20", "outcome": "Skipped", "comment": null}
            """
        let change = try Self.change(body, .events)
        #expect(change.id == "ann:1")
        #expect(change.owner == "ann")
        guard case .event(let event) = change.values else {
            Issue.record("the change is not an event")
            return
        }
        #expect(event.habit == "run")
        #expect(event.outcome == .skipped)
        #expect(event.draft.day == Day("2026-11-20"))
        #expect(event.draft.details.comment == .null)
        #expect(event.draft.details.amount == .absent)
    }

    @Test func followHasTypedValues() throws {
        let body = #"{"follower": "bob", "followee": "ann", "status": "ACCEPTED", "share": "latest"}"#
        let change = try Self.change(body, .follows)
        #expect(change.owner == "bob")
        guard case .follow(let follow) = change.values else {
            Issue.record("the change is not a follow")
            return
        }
        #expect(follow.followee == "ann")
        #expect(follow.status == .accepted)
        #expect(follow.share == .latest)
    }

    @Test func replacementClearsOmittedFields() throws {
        let body = #"{"title": "Run", "days": "mon"}"#
        let change = try Self.change(body, .habits, replaces: true)
        guard case .habit(let habit) = change.values else {
            Issue.record("the change is not a habit")
            return
        }
        #expect(habit.reason == .null)
        #expect(habit.start == .null)
        #expect(change.clearsDefault)
    }

    @Test(arguments: [false, true])
    func givenStartIsNotDefault(replaces: Bool) throws {
        let body = #"{"title": "Run", "days": "mon", "start": null}"#
        let change = try Self.change(body, .habits, replaces: replaces)
        #expect(!change.clearsDefault)
    }

    @Test func updateKeepsOmittedFields() throws {
        let change = try Self.change(#"{"name": "Pot"}"#, .items)
        #expect(!change.clearsDefault)
        guard case .item(let item) = change.values else {
            Issue.record("the change is not an item")
            return
        }
        #expect(item.draft.name == .value("Pot"))
        #expect(item.draft.description == .absent)
        #expect(item.state == nil)
    }

    /// An invalid value is found before the store is read.
    @Test(arguments: [
        (RecordKind.events, #"{"amount": -1}"#, "amount"),
        (.events, #"{"longitude": 10}"#, "latitude"),
        (.items, #"{"longitude": 10, "latitude": 91}"#, "latitude"),
        (.items, #"{"state": "lost"}"#, "state"),
        (.habits, #"{"target_amount": 0}"#, "target_amount"),
        (.habits, #"{"days": ""}"#, "days"),
        (.claims, #"{"state": "lost"}"#, "state"),
        (.messages, #"{"text": 0}"#, "text"),
    ])
    func invalidValueIsRefused(kind: RecordKind, body: String, field: String) throws {
        let error = #expect(throws: HabitError.self) {
            try Self.change(body, kind)
        }
        #expect(error?.field == field)
    }
}
