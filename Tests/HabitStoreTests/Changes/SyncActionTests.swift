import Base
import HabitModel
import HabitTestSupport
import Testing

@testable import HabitStore

/// Tests of changes that are based on versions of records.
@Suite struct SyncActionTests {
    private static let records: [Record] = [
        .user("ann"),
        .user("bob"),
        .user("cleo"),
        .follow("bob", "ann"),
        .follow("cleo", "ann", status: .pending),
        .habit("run", of: "ann"),
        .event("run", "2026-11-19", id: "e"),
        .item(ItemRecord(id: "pot", user: "bob", name: "Pot")),
        .claim(ClaimRecord(item: "pot", user: "ann")),
    ]

    private let scene: ChangeScene

    init() throws {
        scene = try ChangeScene(Self.records)
    }

    /// Applies a change of a user.
    private func apply(_ change: SyncChange, as name: String = "ann") throws -> SyncResult {
        try scene.act(as: name) { user in
            let state = try LogState(of: .viewer(user.viewer), in: user.session)
            let actions = SyncActions(user, tags: LogTags(state))
            return try actions.apply(change)
        }
    }

    /// Applies a change of a user that is refused, and returns the error.
    private func refusal(of change: SyncChange, as name: String = "ann") -> HabitError? {
        #expect(throws: HabitError.self) {
            try apply(change, as: name)
        }
    }

    /// Returns the version of the event that a user sees.
    private func version(as name: String = "ann") throws -> String? {
        // A deletion without a version is a conflict, which has the version.
        let change = SyncChange(.events, id: "e")
        return try apply(change, as: name).version
    }

    /// Returns a change of the comment of an event.
    private static func event(_ id: String = "e", basedOn version: String?) -> SyncChange {
        var event = EventChange(habit: "run")
        event.draft.details.comment = .value("new")
        let record = RecordChange(.event(event))
        return SyncChange(.events, id: id, version: version, record: record)
    }

    private func comment() throws -> String {
        try scene.row(["comment"]) { session, viewer in
            try EventQuery.one("e", viewer: viewer, in: session)
        }
    }

    // MARK: Updates

    @Test func changeOfCurrentVersionIsApplied() throws {
        let version = try version()
        let change = Self.event(basedOn: version)
        let updated = try apply(change)
        #expect(updated.outcome == .updated)
        #expect(updated.version != version)
        let stored = try self.version()
        #expect(stored == updated.version)
        let comment = try comment()
        #expect(comment == "new")
    }

    @Test func repeatedChangeIsUnchanged() throws {
        let version = try version()
        let change = Self.event(basedOn: version)
        let first = try apply(change)
        let again = try apply(change)
        let unchanged = SyncResult(.unchanged, version: first.version)
        #expect(again == unchanged)
    }

    @Test(arguments: ["old", nil])
    func changeOfOtherVersionIsConflict(basis: String?) throws {
        let version = try version()
        let change = Self.event(basedOn: basis)
        let result = try apply(change)
        let conflict = SyncResult(.conflict, version: version)
        #expect(result == conflict)
        let comment = try comment()
        #expect(comment == "∅")
    }

    /// The change of another user's record is refused and not a conflict, whatever version it is based on.
    @Test func changeOfRecordOfAnotherUserIsRefused() throws {
        let version = try version(as: "bob")
        for basis in [version, "old", nil] {
            let change = Self.event(basedOn: basis)
            let error = refusal(of: change, as: "bob")
            #expect(error?.code == .notYours)
        }
    }

    // MARK: New records

    private static func newEvent(_ id: String, on day: String) -> RecordChange {
        var event = EventChange(habit: "run")
        event.draft.day = Day(day)
        var record = RecordChange(.event(event))
        record.id = id
        return record
    }

    /// A repeated creation keeps the instant that the program has chosen, and a change of its version clears it.
    @Test func recordIsCreatedOnceWithItsDefaults() throws {
        var record = Self.newEvent("ann:new", on: "2026-11-20")
        if case .event(var event) = record.values {
            event.draft.at = .null
            record.values = .event(event)
        }
        record.clearsDefault = true
        var change = SyncChange(.events, id: "ann:new", record: record)
        let created = try apply(change)
        #expect(created.outcome == .created)
        #expect(created.version != nil)
        let again = try apply(change)
        let unchanged = SyncResult(.unchanged, version: created.version)
        #expect(again == unchanged)
        change.version = created.version
        let updated = try apply(change)
        #expect(updated.outcome == .updated)
    }

    @Test func recordThatWasDeletedMeanwhileIsConflict() throws {
        let change = Self.event("ann:gone", basedOn: "old")
        let result = try apply(change)
        #expect(result == SyncResult(.conflict))
    }

    @Test func newRecordNeedsIDOfChange() throws {
        let follow = FollowChange(followee: "cleo")
        let record = RecordChange(.follow(follow))
        let change = SyncChange(.follows, id: "ann/bob", record: record)
        let error = refusal(of: change)
        #expect(error?.code == .idInvalid)
        let stored = try scene.follow("ann", "cleo")
        #expect(stored == "none")
    }

    @Test(arguments: [Outcome.done, .skipped])
    func secondEventOfDayIsConflictWithFirst(outcome: Outcome) throws {
        var event = EventRecord(habit: "run")
        event.id = "first"
        event.day = Day("2026-11-18")
        event.outcome = .value(outcome)
        try scene.store.write([.event(event)])
        let record = Self.newEvent("ann:second", on: "2026-11-18")
        let change = SyncChange(.events, id: "ann:second", record: record)
        let result = try apply(change)
        let stored = try apply(SyncChange(.events, id: "first"))
        let conflict = SyncResult(.conflict, version: stored.version, otherEvent: "first")
        #expect(result == conflict)
        #expect(stored.version != nil)
        let kept = try scene.row(["outcome"]) { session, viewer in
            try EventQuery.one("first", viewer: viewer, in: session)
        }
        #expect(kept == outcome.rawValue)
    }

    @Test func eventThatMovesToOccupiedDayIsConflict() throws {
        try scene.store.write([.event("run", "2026-11-18", id: "first")])
        let first = try apply(SyncChange(.events, id: "first"))
        let record = Self.newEvent("e", on: "2026-11-18")
        let change = SyncChange(.events, id: "e", version: try version(), record: record)
        let result = try apply(change)
        let conflict = SyncResult(.conflict, version: first.version, otherEvent: "first")
        #expect(result == conflict)
    }

    /// The error of an event on a day of another user's habit names no event.
    @Test func eventOfOtherUserIsNotConflict() throws {
        let record = Self.newEvent("bob:mine", on: "2026-11-19")
        let change = SyncChange(.events, id: "bob:mine", record: record)
        let error = refusal(of: change, as: "bob")
        #expect(error?.code == .notYours)
        #expect(error?.parameters.isEmpty == true)
    }

    @Test func unplannedEventIsAccepted() throws {
        // The habit is due only on Mondays, and the event is on a Thursday.
        try scene.store.write([.habit("run", of: "ann", days: 1)])
        let record = Self.newEvent("ann:thursday", on: "2026-11-12")
        let change = SyncChange(.events, id: "ann:thursday", record: record)
        let result = try apply(change)
        #expect(result.outcome == .created)
    }

    // MARK: Deletions

    @Test func deletionNeedsVersion() throws {
        let version = try version()
        var deletion = SyncChange(.events, id: "e", version: "old")
        let old = try apply(deletion)
        let conflict = SyncResult(.conflict, version: version)
        #expect(old == conflict)
        deletion.version = version
        let deleted = try apply(deletion)
        #expect(deleted == SyncResult(.deleted))
        let again = try apply(deletion)
        #expect(again == SyncResult(.unchanged))
    }

    // MARK: Records of two users

    /// A change of a follow, and whether it has only stored values.
    struct Repetition: Sendable {
        var follow: FollowChange
        var isRepeated: Bool

        static let all = [
            Repetition(follow: FollowChange(), isRepeated: true),
            Repetition(
                follow: FollowChange(followee: "ann", status: .accepted, share: .all),
                isRepeated: true),
            Repetition(follow: FollowChange(share: .latest), isRepeated: false),
            Repetition(follow: FollowChange(status: .pending), isRepeated: false),
        ]
    }

    @Test(arguments: Repetition.all)
    func followerRepeatsOnlyStoredFollow(repetition: Repetition) throws {
        let record = RecordChange(.follow(repetition.follow))
        let change = SyncChange(.follows, id: "bob/ann", record: record)
        guard repetition.isRepeated else {
            let error = refusal(of: change, as: "bob")
            #expect(error?.code == .notYours)
            return
        }
        let result = try apply(change, as: "bob")
        #expect(result.outcome == .unchanged)
    }

    @Test func claimIsRepeated() throws {
        let claim = ClaimChange(item: "pot", state: .claimed)
        var record = RecordChange(.claim(claim))
        record.owner = "ann"
        let change = SyncChange(.claims, id: "pot/ann", record: record)
        let result = try apply(change)
        #expect(result.outcome == .unchanged)
    }

    @Test func releaseOfOldVersionIsConflict() throws {
        let claim = ClaimChange(state: .released)
        let change = SyncChange(
            .claims,
            id: "pot/ann",
            version: "old",
            record: RecordChange(.claim(claim)))
        let result = try apply(change)
        #expect(result.outcome == .conflict)
        let state = try scene.state(ofClaim: "pot", by: "ann")
        #expect(state == "claimed")
    }

    private static func message(_ text: String) -> SyncChange {
        let message = MessageChange(item: "pot", recipient: "bob", text: text)
        var record = RecordChange(.message(message))
        record.id = "ann:m"
        return SyncChange(.messages, id: "ann:m", record: record)
    }

    /// A message never changes.
    ///
    /// Its text is compared in any Unicode form.
    @Test func messageIsSentOnce() throws {
        let message = Self.message("cafe\u{301}")
        let sent = try apply(message)
        #expect(sent.outcome == .created)
        let composed = Self.message("caf\u{E9}")
        for repeated in [message, composed] {
            let result = try apply(repeated)
            let unchanged = SyncResult(.unchanged, version: sent.version)
            #expect(result == unchanged)
        }
        let other = Self.message("tea")
        let result = try apply(other)
        let conflict = SyncResult(.conflict, version: sent.version)
        #expect(result == conflict)
    }
}
