import Base
import HabitModel
import HabitTestSupport
import Testing

@testable import HabitStore

/// Tests of the rules for new and changed records of every kind: owners, fixed fields, and the states of items and claims.
@Suite struct RecordActionTests {
    private static let users: [Record] = [.user("pat"), .user("cleo"), .user("sam")]

    // MARK: New records

    /// The values of a new record, and the field that is wrong or missing.
    struct NewRecord: Sendable {
        var values: RecordChange.Values
        var field: String

        init(_ values: RecordChange.Values, _ field: String) {
            self.values = values
            self.field = field
        }
    }

    /// Creates a record as `sam` and returns the error.
    private static func refusal(of change: RecordChange) throws -> HabitError? {
        let scene = try ChangeScene(users)
        return #expect(throws: HabitError.self) {
            try scene.act(as: "sam") { user in
                try RecordActions(user).create(change)
            }
        }
    }

    @Test(arguments: [
        NewRecord(.habit(HabitDraft()), "user"),
        NewRecord(.event(EventChange()), "user"),
        NewRecord(.item(ItemChange()), "user"),
        NewRecord(.post(PostDraft()), "user"),
        NewRecord(.claim(ClaimChange()), "user"),
        NewRecord(.follow(FollowChange()), "follower"),
        NewRecord(.message(MessageChange()), "sender"),
    ])
    func recordOfAnotherUserIsNotCreated(record: NewRecord) throws {
        var change = RecordChange(record.values)
        change.owner = "pat"
        let error = try Self.refusal(of: change)
        #expect(error?.code == .notYours)
        #expect(error?.field == record.field)
    }

    @Test(arguments: [
        NewRecord(.event(EventChange()), "habit"),
        NewRecord(.claim(ClaimChange()), "item"),
        NewRecord(.follow(FollowChange()), "followee"),
        NewRecord(.message(MessageChange()), "item"),
    ])
    func newRecordNeedsItsReferences(record: NewRecord) throws {
        let change = RecordChange(record.values)
        let error = try Self.refusal(of: change)
        #expect(error?.code == .fieldMissing)
        #expect(error?.field == record.field)
    }

    // MARK: Fixed fields of events

    private static let events: [Record] =
        users + [
            .habit("run", of: "pat"),
            .habit("read", of: "pat"),
            .event("run", "2026-11-19", id: "e"),
            .follow("cleo", "pat"),
        ]

    /// The fixed fields of a change, and the field that the error names.
    struct FixedFields: Sendable {
        var habit: String?
        var outcome: Outcome?
        var field: String?

        static let all = [
            FixedFields(),
            FixedFields(habit: "run", outcome: .done),
            FixedFields(habit: "read", field: "habit"),
            FixedFields(outcome: .skipped, field: "outcome"),
            FixedFields(habit: "run", outcome: .skipped, field: "outcome"),
            FixedFields(habit: "read", outcome: .skipped, field: "habit"),
        ]
    }

    @Test(arguments: FixedFields.all)
    func eventKeepsHabitAndOutcome(fields: FixedFields) throws {
        let scene = try ChangeScene(Self.events)
        var event = EventChange(habit: fields.habit, outcome: fields.outcome)
        event.draft.details.comment = .value("changed")
        let change = RecordChange(.event(event))
        var refused: String?
        do {
            try scene.act(as: "pat") { user in
                try RecordActions(user).update("e", with: change)
            }
        } catch let error as HabitError {
            #expect(error.code == .fieldInvalid)
            refused = error.field
        }
        #expect(refused == fields.field)
        let comment = try scene.row(["comment"]) { session, viewer in
            try EventQuery.one("e", viewer: viewer, in: session)
        }
        let expected = fields.field == nil ? "changed" : "∅"
        #expect(comment == expected)
    }

    /// A user who may not change an event gets no error about its fields.
    @Test(arguments: ["cleo": "not-yours", "sam": "not-found"])
    func permissionIsCheckedBeforeFixedFields(user: String, slug: String) throws {
        let scene = try ChangeScene(Self.events)
        let event = EventChange(habit: "read", outcome: .skipped)
        let refusal = try scene.update("e", to: .event(event), as: user)
        #expect(refusal == slug)
    }

    // MARK: States of items

    /// Returns a scene with an item of `pat` in a state, which `cleo` has claimed if the state is claimed.
    private static func items(_ state: String) throws -> ChangeScene {
        var item = ItemRecord(id: "pot", user: "pat", name: "Pot")
        let stored = ItemState(rawValue: state) ?? .available
        item.state = .value(stored)
        if state == "expired" {
            let day = try #require(Day("2026-11-19"))
            item.expires = .value(day)
        }
        var records = users + [.item(item)]
        if state == "claimed" {
            let claim = ClaimRecord(item: "pot", user: "cleo")
            records.append(.claim(claim))
        }
        return try ChangeScene(records)
    }

    private static let conflict = "item-state-conflict"

    /// The arguments are the stored states, each with the outcomes of the changes to all states in the order of
    /// ``ItemState``.
    @Test(arguments: [
        "available": ["available", conflict, conflict, "withdrawn"],
        "claimed": [conflict, "claimed", "given", "withdrawn"],
        "given": [conflict, conflict, "given", conflict],
        "withdrawn": [conflict, conflict, conflict, "withdrawn"],
        "expired": [conflict, conflict, conflict, conflict],
    ])
    func itemMovesToState(stored: String, outcomes: [String]) throws {
        for (state, outcome) in zip(ItemState.allCases, outcomes) {
            let scene = try Self.items(stored)
            let item = ItemChange(state: state)
            let refusal = try scene.update("pot", to: .item(item), as: "pat")
            let after = try scene.state(ofItem: "pot")
            let result = refusal ?? after
            #expect(result == outcome, "\(stored) to \(state)")
            if refusal != nil {
                #expect(after == stored, "\(stored) to \(state)")
            }
        }
    }

    /// The claimant sees the item, but does not change it.
    @Test(arguments: ItemState.allCases, ["cleo", "sam"])
    func itemIsMovedOnlyByPoster(state: ItemState, user: String) throws {
        let scene = try Self.items("claimed")
        let item = ItemChange(state: state)
        let refusal = try scene.update("pot", to: .item(item), as: user)
        #expect(refusal == "not-yours")
        let after = try scene.state(ofItem: "pot")
        #expect(after == "claimed")
    }

    // MARK: States of claims

    /// The state of a change, and the outcomes for the poster, the claimant and a stranger.
    struct ClaimMove: Sendable {
        var state: ClaimState?
        var outcomes: [String]

        static let all = [
            ClaimMove(outcomes: ["claimed", "claimed", conflict]),
            ClaimMove(state: .claimed, outcomes: ["claimed", "claimed", conflict]),
            ClaimMove(state: .released, outcomes: ["released", "released", conflict]),
            ClaimMove(state: .given, outcomes: ["given", "not-yours", conflict]),
        ]
    }

    @Test(arguments: ClaimMove.all)
    func claimMovesToState(move: ClaimMove) throws {
        let users = ["pat", "cleo", "sam"]
        for (user, outcome) in zip(users, move.outcomes) {
            let scene = try Self.items("claimed")
            let claim = ClaimChange(state: move.state)
            let refusal = try scene.update("pot/cleo", to: .claim(claim), as: user)
            let after = try scene.state(ofClaim: "pot", by: "cleo")
            let result = refusal ?? after
            #expect(result == outcome, "\(user)")
        }
    }

    @Test func endedClaimDoesNotChange() throws {
        let scene = try Self.items("claimed")
        let release = ClaimChange(state: .released)
        let released = try scene.update("pot/cleo", to: .claim(release), as: "cleo")
        #expect(released == nil)
        for state in ClaimState.allCases {
            let claim = ClaimChange(state: state)
            let refusal = try scene.update("pot/cleo", to: .claim(claim), as: "pat")
            #expect(refusal == Self.conflict)
        }
        let deletion = try scene.refusal(as: "cleo") { actions in
            try actions.delete(.claims, id: "pot/cleo")
        }
        #expect(deletion == Self.conflict)
        let state = try scene.state(ofItem: "pot")
        #expect(state == "available")
    }

    @Test func deletedClaimIsReleased() throws {
        let scene = try Self.items("available")
        let claim = RecordChange(.claim(ClaimChange(item: "pot")))
        let refusal = try scene.refusal(as: "cleo") { actions in
            let id = try actions.create(claim)
            #expect(id == "pot/cleo")
            try actions.delete(.claims, id: id)
        }
        #expect(refusal == nil)
        let ofClaim = try scene.state(ofClaim: "pot", by: "cleo")
        #expect(ofClaim == "released")
        let ofItem = try scene.state(ofItem: "pot")
        #expect(ofItem == "available")
    }
}
