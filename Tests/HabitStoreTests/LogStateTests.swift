import Base
import Foundation
import Geo
import HabitModel
import HabitTestSupport
import Testing

@testable import HabitStore
@testable import StoreEngine

/// Tests that the newest change of a viewer's part of the log depends only on records that the viewer can see.
@Suite struct LogStateTests {
    private static let clock = Clock(now: Instant(microseconds: 1_795_608_000_000_000))
    private static let viewers = ["ann", "full", "latest", "stranger"]

    /// Returns a store in which `ann` has a habit with two events, a post and an item.
    ///
    /// `full` and `latest` follow `ann`.
    private static func store() throws -> TestStore {
        let store = try TestStore()
        var item = ItemRecord(id: "pot", user: "ann", name: "Pot")
        item.position = .value(try #require(Position(longitude: 12.5021, latitude: 41.9001)))
        try store.write([
            .user("ann"),
            .user("full"),
            .user("latest"),
            .user("stranger"),
            .user("other"),
            .follow("full", "ann"),
            .follow("latest", "ann", share: .latest),
            .follow("other", "stranger"),
            .habit("run", of: "ann"),
            .event("run", "2026-11-01", id: "old"),
            .event("run", "2026-11-02", id: "new"),
            .item(item),
            .post(PostRecord(id: "view", user: "ann")),
        ])
        return store
    }

    /// A change, and the viewers who see it.
    struct Change: Sendable, CustomTestStringConvertible {
        var name: String
        var viewers: [String]
        var run: @Sendable (TestStore) throws -> Void
        var testDescription: String { name }

        init(_ name: String, seenBy viewers: [String], _ run: @escaping @Sendable (TestStore) throws -> Void) {
            self.name = name
            self.viewers = viewers
            self.run = run
        }
    }

    private static func act(_ name: String, in store: TestStore, _ body: (ActingUser) throws -> Void) throws {
        try store.engine.write { session in
            let viewer = try Viewer.user(named: name, in: session)
            try body(try ActingUser(viewer, clock: clock, in: session))
        }
    }

    private static func edit(_ change: @escaping @Sendable (inout UserDraft) -> Void)
        -> @Sendable (TestStore) throws -> Void
    {
        { store in
            var draft = UserDraft()
            change(&draft)
            try store.engine.write { session in
                let viewer = try Viewer.user(named: "ann", in: session)
                try AccountActions(viewer, in: session).edit("ann", draft)
            }
        }
    }

    private static let morning: FieldInput<TimeOfDay> = TimeOfDay("07:30").map { time in .value(time) } ?? .null

    /// Returns a change of the fields of the habit `run`.
    private static func changeHabit(_ change: @escaping @Sendable (inout HabitRecord) -> Void)
        -> @Sendable (TestStore) throws -> Void
    {
        { store in
            var habit = HabitRecord(id: "run", user: "ann", title: "run", schedule: .everyDay)
            change(&habit)
            try store.write([.habit(habit)])
        }
    }

    static let changes: [Change] = [
        Change("name of an account", seenBy: viewers, edit { $0.name = .value("Ann") }),
        Change("email of an account", seenBy: ["ann"], edit { $0.email = .value("ann@example.org") }),
        Change(
            "time zone of an account", seenBy: ["ann", "full", "latest"], edit { $0.timeZone = .value("Asia/Tokyo") }),
        Change("permission to store positions", seenBy: ["ann"], edit { $0.sharesLocation = .value(false) }),
        Change("private place without records", seenBy: ["ann"]) { store in
            try store.engine.write { session in
                let viewer = try Viewer.user(named: "ann", in: session)
                let place = try PrivatePlace(name: "cabin", position: .nullIsland)
                try AccountActions(viewer, in: session).setPrivatePlace(place, of: "ann")
            }
        },
        Change("comment of an older event", seenBy: ["ann", "full"]) { store in
            try store.write([.event("run", "2026-11-01", id: "old", comment: "rain")])
        },
        Change("comment of the newest event", seenBy: ["ann", "full", "latest"]) { store in
            try store.write([.event("run", "2026-11-02", id: "new", comment: "rain")])
        },
        Change("an event between two others", seenBy: ["ann", "full"]) { store in
            try store.write([.event("run", "2026-10-01", id: "between")])
        },
        Change("a new newest event", seenBy: ["ann", "full", "latest"]) { store in
            try store.write([.event("run", "2026-11-03", id: "newer")])
        },
        Change("deletion of an older event", seenBy: ["ann", "full"]) { store in
            try act("ann", in: store) { user in try EventActions(user).delete("old") }
        },
        Change("deletion of the newest event", seenBy: ["ann", "full", "latest"]) { store in
            try act("ann", in: store) { user in try EventActions(user).delete("new") }
        },
        Change("newest event gets the earliest day", seenBy: ["ann", "full", "latest"]) { store in
            try store.write([.event("run", "2026-10-01", id: "new")])
        },
        Change("older event gets another older day", seenBy: ["ann", "full"]) { store in
            try store.write([.event("run", "2026-10-01", id: "old")])
        },
        Change("older event becomes the newest", seenBy: ["ann", "full", "latest"]) { store in
            try store.write([.event("run", "2026-11-05", id: "old")])
        },
        Change("a habit", seenBy: ["ann", "full", "latest"]) { store in
            try store.write([.habit("run", of: "ann", title: "Walk")])
        },
        Change("reason of a habit", seenBy: ["ann"]) { store in
            var habit = HabitRecord(id: "run", user: "ann", title: "run", schedule: .everyDay)
            habit.reason = .value("health")
            try store.write([.habit(habit)])
        },
        Change("rank of a habit", seenBy: ["ann"], changeHabit { habit in habit.rank = .value(2) }),
        Change("reminder of a habit", seenBy: ["ann"], changeHabit { habit in habit.remindAt = morning }),
        Change(
            "all private fields of a habit", seenBy: ["ann"],
            changeHabit { habit in
                habit.reason = .value("health")
                habit.rank = .value(2)
                habit.remindAt = morning
            }),
        Change(
            "tint of a habit", seenBy: ["ann", "full", "latest"], changeHabit { habit in habit.tint = .value(3) }),
        Change(
            "symbol and rank of a habit", seenBy: ["ann", "full", "latest"],
            changeHabit { habit in
                habit.symbol = .value("🏃")
                habit.rank = .value(2)
            }),
        Change("a post", seenBy: ["ann", "full", "latest"]) { store in
            try store.write([.post(PostRecord(id: "sea", user: "ann"))])
        },
        Change("description of an item", seenBy: viewers) { store in
            var item = ItemRecord(id: "pot", user: "ann", name: "Pot")
            item.description = .value("blue")
            try store.write([.item(item)])
        },
        Change("position of an item within its cell", seenBy: ["ann"]) { store in
            var item = ItemRecord(id: "pot", user: "ann", name: "Pot")
            item.position = .value(try #require(Position(longitude: 12.5022, latitude: 41.9001)))
            try store.write([.item(item)])
        },
        Change("a follow of two others", seenBy: ["stranger"]) { store in
            try store.write([.follow("other", "stranger", share: .latest)])
        },
        Change("a habit of a user whom nobody follows", seenBy: []) { store in
            try store.write([.habit("swim", of: "other"), .event("swim", "2026-11-04")])
        },
        Change("a setting", seenBy: viewers) { store in
            _ = try store.engine.write { session in
                try session.writeRecords { writer in try writer.write(.setting(.limit(.commentLimit, 200))) }
            }
        },
    ]

    @Test(arguments: changes) func changeIsNewestOnlyForItsViewers(change: Change) throws {
        let store = try Self.store()
        let before = try Self.states(store)
        try change.run(store)
        let after = try Self.states(store)
        let changed = Self.viewers.filter { viewer in before[viewer] != after[viewer] }
        #expect(changed == change.viewers)
    }

    private static func states(_ store: TestStore) throws -> [String: LogState] {
        try store.engine.read { session in
            var states: [String: LogState] = [:]
            for name in viewers {
                let viewer = try Viewer.user(named: name, in: session)
                states[name] = try LogState(of: .viewer(viewer), in: session)
            }
            return states
        }
    }

    /// An item expires at the end of a day of its poster, so everyone sees the time zone of its poster.
    @Test func timeZoneOfPosterOfExpiringItemIsSeenByAll() throws {
        let store = try Self.store()
        var item = ItemRecord(id: "pot", user: "ann", name: "Pot")
        item.expires = .value(try #require(Day("2026-12-01")))
        try store.write([.item(item)])
        let before = try Self.states(store)
        var draft = UserDraft()
        draft.timeZone = .value("Asia/Tokyo")
        try store.engine.write { session in
            try AccountActions(.operator, in: session).edit("ann", draft)
        }
        let after = try Self.states(store)
        let changed = Self.viewers.filter { viewer in before[viewer] != after[viewer] }
        #expect(changed == Self.viewers)
    }

    /// A message has the date of its sender.
    @Test func timeZoneIsSeenByPartiesOfMessagesClaimsAndRequests() throws {
        for record in [
            Record.claim(ClaimRecord(item: "pot", user: "stranger")), .follow("stranger", "ann", status: .pending),
            .message(MessageRecord(item: "pot", sender: "stranger", recipient: "ann", text: "Hello")),
        ] {
            let store = try Self.store()
            try store.write([record])
            let before = try Self.states(store)
            try store.write([.user("stranger", zone: "Asia/Tokyo")])
            let after = try Self.states(store)
            let changed = Self.viewers.filter { viewer in before[viewer] != after[viewer] }
            #expect(changed == ["ann", "stranger"], "\(record)")
        }
    }

    /// The lookup in the index and the list of changes agree about the newest change.
    @Test func newestChangeIsLastOfFeed() throws {
        var random = SeededGenerator(seed: 5)
        let store = try Self.store()
        for _ in 0..<60 {
            guard let change = Self.changes.randomElement(using: &random) else { continue }
            try? change.run(store)
            let share: Share = Bool.random(using: &random) ? .all : .latest
            let status: FollowStatus = Bool.random(using: &random) ? .accepted : .pending
            try store.write([.follow("latest", "ann", status: status, share: share)])
            try store.engine.read { session in
                for name in Self.viewers {
                    let viewer = try Viewer.user(named: name, in: session)
                    var last: Int64 = 0
                    try session.query(ChangeFeed.rows(for: viewer, after: 0, upTo: .max)) { row in
                        last = row.integer(0)
                        return true
                    }
                    let state = try LogState(of: .viewer(viewer), in: session)
                    #expect(state.newest.number == last, "\(name)")
                }
                let operatorState = try LogState(of: .viewer(.operator), in: session)
                let all = try session.first("SELECT max(number) FROM change") { row in row.integer(0) }
                #expect(operatorState.newest.number == all)
            }
        }
    }

    @Test func largeLoadLogsOneRowForEachParty() throws {
        let store = try Self.store()
        let before = try Self.states(store)
        let day = try #require(Day("1990-01-01"))
        let events = (0...ChangedRows.limit).map { number in
            Record.event("run", day.advanced(by: number).description)
        }
        try store.engine.load { writer in
            for event in events { _ = try writer.write(event) }
        }
        let after = try Self.states(store)
        let changed = Self.viewers.filter { viewer in before[viewer] != after[viewer] }
        #expect(changed == ["ann", "full", "latest"])
        try store.engine.read { session in
            var rows: [String] = []
            try session.query("SELECT kind, user_id, day FROM change WHERE record_id IS NULL") { row in
                rows.append("\(row.text(0) ?? "") \(row.isNull(1) ? "nobody" : "user") \(row.text(2) ?? "")")
                return true
            }
            #expect(rows == ["events user 1990-01-01"])
        }
    }

    /// A client of a store without users has no records, so the first load needs no log.
    @Test func initialLoadBeginsNewLog() throws {
        let store = try TestStore()
        let before = try store.engine.read { session in try LogState(of: .everyone, in: session) }
        try store.engine.load { writer in _ = try writer.write(.user("ann")) }
        let after = try store.engine.read { session in try LogState(of: .everyone, in: session) }
        #expect(before.log != after.log)
        #expect(before.key == after.key)
        #expect(after.newest == LogPosition(number: 0, time: 0))
        #expect(after.key.count == 32)
    }

    /// A change can leave the log after 91 days, so it counts as the beginning before that.
    @Test func changeOlderThan90DaysIsNotRecent() throws {
        let store = try Self.store()
        let state = try Self.everyone(store.engine)
        #expect(state.recent == state.newest)
        let day: Int64 = 86_400_000_000
        for (age, isRecent) in [(89 * day, true), (90 * day + 1, false)] {
            var old = state
            old.newest.time = Instant.now.microseconds - age
            #expect((old.recent == old.newest) == isRecent)
            #expect(isRecent || old.recent == LogPosition(number: 0, time: 0))
        }
    }

    @Test(arguments: [([RecordKind.events, .habits], true), ([.posts], false)])
    func sharedPartContainsOnlyVisibleChangesOfItsKinds(kinds: [RecordKind], isChanged: Bool) throws {
        let store = try Self.store()
        let before = try store.engine.read { session in try LogState(of: .shared(kinds), in: session) }
        var habit = HabitRecord(id: "run", user: "ann", title: "run", schedule: .everyDay)
        habit.reason = .value("health")
        try store.write([.habit(habit)])
        let hidden = try store.engine.read { session in try LogState(of: .shared(kinds), in: session) }
        #expect(hidden == before)
        try store.write([.event("run", "2026-10-01", id: "older")])
        let after = try store.engine.read { session in try LogState(of: .shared(kinds), in: session) }
        #expect((after != before) == isChanged)
    }

    @Test func eachStoreHasItsOwnKey() throws {
        let keys = try (0..<2).map { _ in
            let folder = try TemporaryFolder()
            let location = StoreLocation(try TestServer.store(at: folder.file("habitat.db")))
            let engine = try location.open(.create, wait: .seconds(5))
            return try engine.read { session in try LogState(of: .everyone, in: session).key }
        }
        #expect(keys[0] != keys[1])
    }

    // MARK: New logs

    private static func everyone(_ engine: any Engine) throws -> LogState {
        try engine.read { session in try LogState(of: .everyone, in: session) }
    }

    /// The links of the server stay valid, but the clients of the copy read all records again.
    @Test func copyKeepsKeyAndBeginsNewLog() throws {
        let source = try Self.store()
        let target = try TestStore()
        let created = try Self.everyone(target.engine)
        _ = try StoreCopy(from: source.engine, to: target.engine).run()
        let original = try Self.everyone(source.engine)
        let copied = try Self.everyone(target.engine)
        #expect(copied.key == original.key)
        #expect(copied.log != original.log)
        #expect(copied.log != created.log)
        #expect(copied.newest.number == 0)
    }

    @Test func repairBeginsNewLog() throws {
        let store = try Self.store()
        let before = try Self.everyone(store.engine)
        _ = try store.engine.write { session in
            try session.run("UPDATE event SET comment_folded = 'x' WHERE comment IS NULL")
        }
        let results = try StoreDoctor(store.engine).repair()
        #expect(results.contains { result in result.status == .repaired })
        let after = try Self.everyone(store.engine)
        #expect(after.log != before.log)
        #expect(after.key == before.key)
    }

    @Test(.fileStoreOnly) func restoredCopyBeginsNewLog() throws {
        let store = try Self.store()
        let before = try Self.everyone(store.engine)
        let path = store.folder.file("copy.db")
        try #require(FileManager.default.createFile(atPath: path, contents: nil))
        try StoreFile(store.folder.file("habitat.db")).copy(to: path, named: "backup") {}
        let results = try StoreFile(path).examineCopy(named: "backup")
        #expect(results.allSatisfy { result in result.status == .ok })
        #expect(store.folder.names.filter { name in name.hasPrefix("copy.db") } == ["copy.db"])
        let after = try Self.everyone(try StoreLocation(path).open(.read, wait: .zero))
        #expect(after.log != before.log)
        #expect(after.key == before.key)
        #expect(after.newest.number == 0)
    }
}
