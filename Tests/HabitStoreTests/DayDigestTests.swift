import Base
import Geo
import HabitModel
import HabitTestSupport
import StoreEngine
import Testing

@testable import HabitStore

/// Tests of the digests that decide whether a nightly run is repeated.
@Suite struct DayDigestTests {
    private static func records() -> [Record] {
        [
            .user("ann"), .habit("run", of: "ann"),
            .event("run", "2026-11-18", id: "e1", at: Position(longitude: -9.1393, latitude: 38.7223)),
            .event("run", "2026-11-19", id: "e2", at: nil),
        ]
    }

    /// Stores with equal records have equal digests on both engines, so a copied store repeats no nightly run.
    @Test func digestOfEventsIsTheSameOnEveryEngine() throws {
        let store = try TestStore()
        try store.write(Self.records())
        let day = try #require(Day("2026-11-18"))
        let digests = try store.engine.read { session in
            try DayDigests(day...day.advanced(by: 1), of: [.events], in: session)
        }
        #expect(
            digests.digests(of: day) == [.events: "87950992b4e94e109483c6d5eb0ff269980ef858ddcbfcaac77d58c2f47c7565"])
        #expect(
            digests.digests(of: day.advanced(by: 1)) == [
                .events: "32bd743c77422167e5ea85afe464bd38656bcfba13d9741b4a7729ad351ddc3f"
            ])
    }

    /// A small store has fewer events than there are ranges of keys.
    @Test(arguments: [0, 3, 60]) func digestsDoNotDependOnThreads(count: Int) throws {
        let store = try TestStore()
        let first = try #require(Day("2026-09-01"))
        let events = (0..<count).map { Record.event("run", "\(first.advanced(by: $0))", id: "e\($0)") }
        try store.write([.user("ann"), .habit("run", of: "ann")] + events)
        try store.engine.write { _ = try $0.run("DELETE FROM event WHERE external_id IN ('e1', 'e20', 'e21')") }
        let days = first.advanced(by: 1)...first.advanced(by: 40)
        let kinds: Set<RecordKind> = [.users, .habits, .events]
        func open() throws -> any Engine { try store.location.open(.read, wait: .seconds(5)) }
        let one = try store.engine.read { try DayDigests(days, of: kinds, in: $0) }
        let several = try ReadTeam(open(), helpers: [open(), open()]).read { session, crew in
            try DayDigests(days, of: kinds, in: session, crew: crew)
        }
        var digests: Set<String?> = []
        for day in days {
            #expect(several.digests(of: day) == one.digests(of: day))
            digests.insert(one.digests(of: day)[.events])
        }
        #expect(digests.count == [0: 1, 3: 2, 60: 38][count])
    }
}
