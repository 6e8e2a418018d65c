import Base
import Foundation
import Geo
import HabitModel
import HabitTestSupport
import Photos
import Testing

@testable import HabitStore
@testable import StoreEngine

/// Tests that a repeated load, which compares most rows with digests in memory, has the outcomes of single lookups.
@Suite struct RowDigestTests {
    private static let comments: [FieldInput<String>] = [
        .absent, .null, .value("rain"), .value("雨 ☔️"), .value("say \"hi\",\nthen go"),
        .value(String(repeating: "long ", count: 300)),
    ]

    private static func event(_ number: Int, _ random: inout SeededGenerator) throws -> EventRecord {
        var event = EventRecord(habit: "h\(number % 20)")
        event.id = "e\(number)"
        let day = try #require(Day("2020-01-01")).advanced(by: number / 20)
        event.day = day
        event.at = .value(try #require(OffsetInstant("\(day)T10:00:00+01:00")))
        event.details.comment = comments[Int.random(in: 1..<comments.count, using: &random)]
        event.outcome = .value(number % 9 == 0 ? .skipped : .done)
        event.details.position =
            number % 3 == 0
            ? .null
            : .value(
                try #require(
                    Position(
                        longitude: .random(in: -180...180, using: &random),
                        latitude: .random(in: -90...90, using: &random))))
        return event
    }

    private static func store(_ events: [EventRecord]) throws -> TestStore {
        let store = try TestStore()
        let habits = (0..<20).map { number in Record.habit("h\(number)", of: "u", days: 31) }
        let records: [Record] = events.map { event in .event(event) }
        try store.write([.user("u")] + habits + records)
        return store
    }

    /// Loads the events and returns the name of each outcome.
    private static func load(
        _ events: [EventRecord], into store: TestStore, rest: Int, _ policy: ConflictPolicy = .update
    ) throws -> [String] {
        try store.engine.write { session in
            try session.writeRecords(policy: policy) { writer in
                var outcomes: [String] = []
                try writer.withPrefetch([], estimatedRemaining: rest) {
                    for event in events {
                        do {
                            outcomes.append("\(try writer.write(.event(event)))")
                        } catch let error as HabitError {
                            outcomes.append(error.code.rawValue)
                        }
                    }
                }
                return outcomes
            }
        }
    }

    @Test(arguments: [1, 2] as [UInt64], ConflictPolicy.allCases)
    func cachedRowsProduceSameOutcomes(seed: UInt64, policy: ConflictPolicy) throws {
        var random = SeededGenerator(seed: seed)
        let stored = try (0..<1600).map { try Self.event($0, &random) }
        var again = stored
        // These rows follow the first 1,024, after which the writer caches all rows.
        for index in 1100..<1600 {
            var event = again[index]
            switch Int.random(in: 0..<12, using: &random) {
            case 0: event.details.comment = .value("another")
            case 1: event.details.position = .null
            case 2: event.day = event.day?.advanced(by: 1000)
            case 3: event.id = "other"
            case 4: event.id = nil
            case 5: event.details.comment = .absent
            case 6: event.at = .absent
            case 7: event.outcome = .value(.skipped)
            case 8: event.habit = "nobody's"
            default: break
            }
            again[index] = event
        }
        // The load repeats changed and original rows.
        again += again[1500...] + stored[1400..<1600]
        let uncached = try Self.store(stored)
        let cached = try Self.store(stored)
        let expected = try Self.load(again, into: uncached, rest: 0, policy)
        #expect(try Self.load(again, into: cached, rest: 1_000_000, policy) == expected)
        #expect(try cached.engine.contents() == uncached.engine.contents())
        #expect(Set(expected).count >= 4, "\(Set(expected))")
    }

    /// The writer compares with its cache, which does not contain changes made by other statements.
    @Test(arguments: [(0, "updated"), (700, "updated"), (1000, "unchanged")], [true, false])
    func rowsAreCachedWhenManyRemain(_ row: (rest: Int, outcome: String), hasIDs: Bool) throws {
        let rest = row.rest
        let outcome = row.outcome
        var random = SeededGenerator(seed: 5)
        var events = try (0..<1600).map { try Self.event($0, &random) }
        let store = try Self.store(events)
        if !hasIDs { for index in events.indices { events[index].id = nil } }
        try store.engine.write { session in
            try session.writeRecords { writer in
                try writer.withPrefetch([], estimatedRemaining: rest) {
                    for event in events[..<1500] { _ = try writer.write(.event(event)) }
                }
                try session.run("UPDATE event SET comment = 'changed' WHERE external_id = 'e1599'")
                let isCached = session.pipeline == nil && outcome == "unchanged"
                #expect(try writer.write(.event(events[1599])) == (isCached ? .unchanged : .updated))
            }
        }
    }

    /// A record is validated before its photo is decoded.
    ///
    /// This photo cannot be decoded.
    @Test(arguments: [0, 1000]) func photoIsDecodedOnlyWhenRecordIsValid(rest: Int) throws {
        var random = SeededGenerator(seed: 7)
        let events = try (0..<1600).map { try Self.event($0, &random) }
        let store = try Self.store(events)
        let png = "iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAIAAABLbSncAAAAEElEQVR4nGdhcmJhZ2VnYXJiYWdlTDEQawAAAABJRU5ErkJggg=="
        let damaged = try Photo(Array(try #require(Data(base64Encoded: png))))
        var other = events[1500]
        var right = events[1501]
        other.id = "another"
        other.details.photo = .value(damaged)
        right.details.photo = .value(damaged)
        let outcomes = try Self.load(events[..<1500] + [other, right], into: store, rest: rest)
        #expect(outcomes[1500...] == ["event-exists", "photo-invalid"])
    }

    /// A PostgreSQL store is not cached, because each row would have to be transferred.
    @Test(.fileStoreOnly) func digestDependsOnAllGivenValues() throws {
        var random = SeededGenerator(seed: 6)
        let store = try Self.store(try (0..<100).map { try Self.event($0, &random) })
        let columns = ["external_id", "day", "occurred_at", "comment", "geometry"]
        try store.engine.read { session in
            let digests = try RowDigests(session, table: "event", columns: columns, columnIndices: [0, 1, 2, 3, 4])
            var rows: [(key: Int64, values: [Value?])] = []
            try session.query(SQL("SELECT id, \(raw: columns.joined(separator: ", ")) FROM event")) { row in
                let values: [Value?] = (1...4).map(row.value) + [.point(row.position(5))]
                rows.append((row.integer(0), values))
                return true
            }
            #expect(rows.count == 100)
            for (key, values) in rows {
                #expect(digests.key(values) == key)
                for index in values.indices {
                    var other = values
                    other[index] = .text("")
                    #expect(digests.key(other) == nil)
                    other[index] = nil
                    #expect(digests.key(other) == nil, "a column less")
                }
                #expect(digests.key(values + [.null]) == nil, "a column more")
            }
        }
    }
}
