import Foundation
import Geo
import HabitModel
import HabitTestSupport
import Photos
import Testing

@testable import HabitStore
@testable import StoreEngine

/// A load in which most rows come again finds them in memory: with the outcomes of one that looks each up.
@Suite struct RowDigestTests {
    private static let comments: [Given<String>] = [
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
        try store.write([.user("u")] + (0..<20).map { .habit("h\($0)", of: "u", days: 31) } + events.map { .event($0) })
        return store
    }

    /// What came of each record, by name.
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
    func whatIsRememberedIsWhatIsStored(seed: UInt64, policy: ConflictPolicy) throws {
        var random = SeededGenerator(seed: seed)
        let stored = try (0..<1600).map { try Self.event($0, &random) }
        var again = stored
        // Behind the 1,024 that it takes to remember all.
        for place in 1100..<1600 {
            var event = again[place]
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
            again[place] = event
        }
        // The same in this load once more: as they come, and as they were.
        again += again[1500...] + stored[1400..<1600]
        let (looking, remembering) = (try Self.store(stored), try Self.store(stored))
        let expected = try Self.load(again, into: looking, rest: 0, policy)
        #expect(try Self.load(again, into: remembering, rest: 1_000_000, policy) == expected)
        #expect(try remembering.engine.contents() == looking.engine.contents())
        #expect(Set(expected).count >= 4, "\(Set(expected))")
    }

    /// Memory is asked: it does not hear of what happens behind the writer's back.
    @Test(arguments: [(0, "updated"), (700, "updated"), (1000, "unchanged")], [true, false])
    func manyRowsToComeAreRemembered(_ row: (rest: Int, outcome: String), hasIDs: Bool) throws {
        let (rest, outcome) = row
        var random = SeededGenerator(seed: 5)
        var events = try (0..<1600).map { try Self.event($0, &random) }
        let store = try Self.store(events)
        if !hasIDs { for place in events.indices { events[place].id = nil } }
        try store.engine.write { session in
            try session.writeRecords { writer in
                try writer.withPrefetch([], estimatedRemaining: rest) {
                    for event in events[..<1500] { _ = try writer.write(.event(event)) }
                }
                try session.run("UPDATE event SET comment = 'changed' WHERE external_id = 'e1599'")
                let isRemembered = session.pipeline == nil && outcome == "unchanged"
                #expect(try writer.write(.event(events[1599])) == (isRemembered ? .unchanged : .updated))
            }
        }
    }

    /// What is wrong with a record is said before its photo is decoded, which this one does not survive.
    @Test(arguments: [0, 1000]) func aRefusedPhotoIsNotLookedAt(rest: Int) throws {
        var random = SeededGenerator(seed: 7)
        let events = try (0..<1600).map { try Self.event($0, &random) }
        let store = try Self.store(events)
        let png = "iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAIAAABLbSncAAAAEElEQVR4nGdhcmJhZ2VnYXJiYWdlTDEQawAAAABJRU5ErkJggg=="
        let damaged = try Photo(Array(try #require(Data(base64Encoded: png))))
        var (other, right) = (events[1500], events[1501])
        other.id = "another"
        other.details.photo = .value(damaged)
        right.details.photo = .value(damaged)
        let outcomes = try Self.load(events[..<1500] + [other, right], into: store, rest: rest)
        #expect(outcomes[1500...] == ["event-exists", "photo-invalid"])
    }

    /// On a server each row would come over the wire: there nothing is remembered.
    @Test(.onFilesAlone) func aDigestIsThatOfAllGivenValues() throws {
        var random = SeededGenerator(seed: 6)
        let store = try Self.store(try (0..<100).map { try Self.event($0, &random) })
        let columns = ["external_id", "day", "occurred_at", "comment", "geometry"]
        try store.engine.read { session in
            let digests = try RowDigests(session, table: "event", columns: columns, places: [0, 1, 2, 3, 4])
            var rows: [(key: Int64, values: [Value?])] = []
            try session.query(SQL("SELECT id, \(columns.joined(separator: ", ")) FROM event")) { row in
                rows.append((row.integer(0), (1...4).map(row.value) + [.point(row.position(5))]))
                return true
            }
            #expect(rows.count == 100)
            for (key, values) in rows {
                #expect(digests.key(values) == key)
                for place in values.indices {
                    var other = values
                    other[place] = .text("")
                    #expect(digests.key(other) == nil)
                    other[place] = nil
                    #expect(digests.key(other) == nil, "a column less")
                }
                #expect(digests.key(values + [.null]) == nil, "a column more")
            }
        }
    }
}
