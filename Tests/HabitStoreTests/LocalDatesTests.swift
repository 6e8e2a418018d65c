import Base
import HabitModel
import HabitStore
import HabitTestSupport
import Testing

/// Tests that an item expires at the end of a day in its poster's time zone.
@Suite struct LocalDatesTests {
    private static let zones = ["Pacific/Kiritimati", "UTC", "Pacific/Pago_Pago", "Asia/Tokyo", "Europe/Lisbon"]

    private static func user(in zone: String) -> String { zone.replacing("/", with: "-").lowercased() }

    private static func store() throws -> TestStore {
        let store = try TestStore()
        var records: [Record] = []
        for zone in zones {
            let user = user(in: zone)
            records.append(.user(user, zone: zone))
            for day in ["2026-11-18", "2026-11-19", "2026-11-20"] {
                var item = ItemRecord(id: "\(user)-\(day)", user: user, name: "Thing")
                item.expires = .value(try #require(Day(day)))
                records.append(.item(item))
            }
        }
        try store.write(records)
        return store
    }

    @Test(arguments: ["2026-11-20T10:30:00Z", "2026-11-20T00:30:00Z", "2026-11-19T23:30:00Z", "2026-11-20T12:00:00Z"])
    func itemsExpireInZonesOfTheirOwners(now: String) throws {
        let store = try Self.store()
        let clock = Clock(now: try #require(OffsetInstant(now)).instant)
        let expected = Self.zones.flatMap { zone in
            let today = clock.today(in: TimeZoneRules(zone) ?? .utc).description
            return ["2026-11-18", "2026-11-19", "2026-11-20"].map {
                ["\(Self.user(in: zone))-\($0)", $0 < today ? "expired" : "available"]
            }
        }.sorted { first, second in first[0] < second[0] }
        let rows = try store.rows(columns: ["id", "state"]) { session, viewer in
            var query = ItemQuery(viewer: viewer, clock: clock)
            query.states = []
            return try query.selection(in: session)
        }
        let sortedRows = rows.sorted { first, second in first[0] < second[0] }
        #expect(sortedRows == expected)
        let open = try store.rows(columns: ["id", "state"]) { session, viewer in
            try ItemQuery(viewer: viewer, clock: clock).selection(in: session)
        }
        let sortedOpen = open.sorted { first, second in first[0] < second[0] }
        let available = expected.filter { row in row[1] == "available" }
        #expect(sortedOpen == available)
        var reported: [[String]] = []
        try store.engine.read { session in
            let query = AnalysisQuery(
                "SELECT id, state FROM items ORDER BY id", viewer: .operator, clock: clock, parameters: [:])
            try query.run(in: session) { _ in
                { row in
                    let id = row.text(0) ?? ""
                    let state = row.text(1) ?? ""
                    reported.append([id, state])
                }
            }
        }
        #expect(reported == expected)
    }

    @Test func todayOfClockOverridesZones() throws {
        let store = try Self.store()
        let now = try #require(OffsetInstant("2026-11-20T10:30:00Z")).instant
        let open = try store.rows(columns: ["id"]) { session, viewer in
            try ItemQuery(viewer: viewer, clock: Clock(now: now, today: Day("2026-11-20"))).selection(in: session)
        }
        #expect(open.count == Self.zones.count)
    }
}
