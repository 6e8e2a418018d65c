import Base
import HabitModel
import HabitStore
import HabitTestSupport
import Testing

/// Tests that prefetching does not change which records are accepted, refused and stored.
@Suite struct PrefetchTests {
    @Test(arguments: 1...8 as ClosedRange<UInt64>) func prefetchDoesNotChangeOutcomes(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let prefetching = try TestStore()
        let single = try TestStore()
        var seen: Set<String> = []
        for load in 1...5 {
            let policy = ConflictPolicy.allCases.randomElement(using: &random) ?? .update
            let batches = (0..<12).map { _ in Self.batch(&random) }
            let expected = try Self.write(batches, to: single, policy) { _, _, body in try body() }
            let outcomes = try Self.write(batches, to: prefetching, policy) { writer, batch, body in
                try writer.withPrefetch(batch, body)
            }
            for (outcome, (expected, record)) in zip(outcomes, zip(expected, batches.joined())) {
                #expect(outcome == expected, "seed \(seed), load \(load), \(policy): \(record)")
            }
            seen.formUnion(outcomes)
        }
        #expect(try prefetching.engine.contents() == single.engine.contents())
        let usual = ["inserted", "unchanged", "duplicate-key", "unknown-reference", "field-invalid"]
        #expect(seen.isSuperset(of: usual), "\(seen)")
    }

    /// A moved event frees its old day and occupies its new day for the following records.
    @Test func movedEventFreesItsDayForFollowingRecords() throws {
        func event(_ id: String, _ day: String) -> Record {
            var record = EventRecord(habit: "run")
            record.id = id
            record.day = Day(day)
            return .event(record)
        }
        let store = try TestStore()
        try store.write([.user("ann"), .habit("run", of: "ann"), event("a", "2026-11-01")])
        let moves = [
            event("a", "2026-11-02"), event("b", "2026-11-01"), event("c", "2026-11-02"),
            event("b", "2026-11-01"),
        ]
        let outcomes = try Self.write([moves], to: store, .update) { writer, batch, body in
            try writer.withPrefetch(batch, body)
        }
        #expect(outcomes == ["updated", "inserted", "event-exists", "unchanged"])
    }

    /// Queries see a row that is still pending.
    @Test func pendingRowIsVisibleToQueries() throws {
        let store = try TestStore()
        try store.engine.write { session in
            try session.writeRecords { writer in
                let records = [Record.user("ann"), .user("bob")]
                try writer.withPrefetch(records) { for record in records { _ = try writer.write(record) } }
                #expect(try session.first("SELECT count(*) FROM account") { $0.integer(0) } == 2)
                _ = try? session.attempt {
                    _ = try writer.write(.user("cem"))
                    throw HabitError(.usage, "as if it were refused")
                }
                _ = try writer.write(.user("dia"))
            }
        }
        let names = try store.rows(columns: ["id"]) { session, viewer in
            try UserQuery(viewer: viewer).selection(in: session)
        }
        #expect(Set(names) == [["ann"], ["bob"], ["dia"]])
    }

    /// Writes the records and returns one word for the outcome of each.
    private static func write(
        _ batches: [[Record]], to store: TestStore, _ policy: ConflictPolicy,
        _ around: (RecordWriter, [Record], () throws -> Void) throws -> Void
    ) throws -> [String] {
        try store.engine.write { session in
            try session.writeRecords(policy: policy) { writer in
                var outcomes: [String] = []
                for batch in batches {
                    try around(writer, batch) {
                        for record in batch {
                            do {
                                outcomes.append("\(try writer.write(record))")
                            } catch let error as HabitError where error.code != .internal {
                                outcomes.append(error.code.rawValue)
                            }
                        }
                    }
                }
                return outcomes
            }
        }
    }

    /// Returns records of one kind with few users, habits and days, so that many of them conflict.
    private static func batch(_ random: inout SeededGenerator) -> [Record] {
        let kind = Int.random(in: 0..<10, using: &random)
        return (0..<Int.random(in: 1...30, using: &random)).map { _ in record(kind, &random) }
    }

    private static func record(_ kind: Int, _ random: inout SeededGenerator) -> Record {
        func one(_ name: String, of count: Int) -> String { "\(name)\(Int.random(in: 0..<count, using: &random))" }
        let note = FieldInput<String>.value(one("note", of: 3))
        let day = SequenceModel.today.advanced(by: -Int.random(in: 0..<12, using: &random))
        switch kind {
        case 0:
            var record = UserRecord(id: one("user", of: 6))
            record.name = note
            return .user(record)
        case 1:
            var record = HabitRecord(
                id: one("habit", of: 8),
                user: one("user", of: 7),
                title: one("title", of: 3),
                schedule: .everyDay)
            record.start = Bool.random(using: &random) ? .value(day) : .absent
            record.end = Bool.random(using: &random) ? .value(day.advanced(by: 5)) : .absent
            return .habit(record)
        case 2:
            return .schedule(
                ScheduleRecord(
                    habit: one("habit", of: 9), from: day, schedule: .weekdays(Weekdays(mask: 31) ?? .everyDay)))
        case 3:
            var record = FollowRecord(follower: one("user", of: 7), followee: one("user", of: 6))
            record.share = .value(Bool.random(using: &random) ? .all : .latest)
            return .follow(record)
        case 4:
            var record = ItemRecord(
                id: one("item", of: 6),
                user: one("user", of: 3),
                name: one("name", of: 2))
            record.description = note
            return .item(record)
        case 5: return .claim(ClaimRecord(item: one("item", of: 7), user: one("user", of: 6)))
        case 6:
            return .message(
                MessageRecord(
                    item: one("item", of: 6),
                    sender: one("user", of: 4),
                    recipient: one("user", of: 4),
                    text: one("text", of: 3)))
        case 7:
            var record = PostRecord(id: one("post", of: 6), user: one("user", of: 3))
            record.caption = note
            return .post(record)
        default:
            var record = EventRecord(habit: one("habit", of: 9))
            record.id = Int.random(in: 0..<3, using: &random) == 0 ? nil : one("event", of: 40)
            record.day = day
            record.details.comment = note
            return .event(record)
        }
    }
}
