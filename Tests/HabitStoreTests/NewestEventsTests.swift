import Base
import Geo
import HabitModel
import HabitTestSupport
import Testing

@testable import HabitStore
@testable import StoreEngine

/// Tests that the newest events of an area, found by cells, are the first of all events that the R*Tree finds there.
@Suite(.fileStoreOnly) struct NewestEventsTests {
    private static let centers = [
        (-9.1, 38.7),
        (179.99, -16.8),
        (-179.98, 51.2),
        (12.5, 89.95),
        (-60, -90),
        (0, 0),
    ].compactMap { longitude, latitude in Position(longitude: longitude, latitude: latitude) }
    private static let habitsOfCenter = 36

    /// Returns the days of the events around each center: three years of days, two short periods ten years apart before
    /// them, and one day with many events.
    private static func days() throws -> [(habit: Int, day: Day)] {
        let first = try #require(Day("2021-01-01"))
        let long = try #require(Day("1991-11-10"))
        let many = try #require(Day("2021-10-10"))
        let often = (0..<1000)
            .filter { number in number % 4 != 0 }
            .map { number in (habit: number % 3, day: first.advanced(by: number)) }
        let seldom = (0..<20).flatMap { number in
            [(3, long.advanced(by: number)), (4, long.advanced(by: 3650 + number))]
        }
        return often + seldom + (5..<habitsOfCenter).map { ($0, many) }
    }

    private static func store(_ random: inout SeededGenerator) throws -> TestStore {
        let days = try days()
        var records: [Record] = [.user("u")]
        for (number, center) in centers.enumerated() {
            records += (0..<habitsOfCenter).map { .habit("h\(number)-\($0)", of: "u") }
            for (habit, day) in days {
                let position = randomPosition(near: center, &random)
                records.append(
                    .event("h\(number)-\(habit)", day.description, id: "e\(records.count)", at: position))
            }
        }
        let store = try TestStore()
        try store.write(records)
        return store
    }

    private static func randomPosition(near center: Position, _ random: inout SeededGenerator) -> Position {
        Geodesic.destination(
            from: center, azimuth: .random(in: 0..<360, using: &random),
            distance: .meters(.random(in: 0...12_000, using: &random)))
    }

    private typealias Filter = (inout EventQuery) -> Void

    private static func areas() throws -> [Filter] {
        var areas: [Filter] = []
        for center in centers {
            for meters in [1, 900, 5000, 20_000] as [Double] {
                areas.append { $0.filter.near = Near(center: center, within: .meters(meters)) }
            }
        }
        for text in ["-9.2,38.6,-9.0,38.75", "179.9,-17,-179.9,-16.7", "-0.05,-0.05,0,0", "12,89.9,13,90", "1,1,1,1"] {
            let box = try #require(BoundingBox(text))
            areas.append { $0.filter.box = box }
        }
        return areas
    }

    private func rows(_ store: TestStore, in area: Filter, _ change: Filter) throws -> [[String]] {
        try store.rows(columns: ["id", "day"]) { session, viewer in
            var query = EventQuery(viewer: viewer)
            area(&query)
            change(&query)
            return try query.selection(in: session)
        }
    }

    private func expectFirstRows(_ store: TestStore, _ area: Filter) throws -> Int {
        let first = try #require(Day("1999-12-31"))
        let last = try #require(Day("2021-10-10"))
        let filters: [Filter] = [
            { _ in },
            { query in query.filter.from = first },
            { query in query.filter.to = last },
            { query in
                query.filter.from = first
                query.filter.to = last
            },
        ]
        var most = 0
        for filter in filters {
            let all = try rows(store, in: area, filter)
            most = max(most, all.count)
            for count in [1, 2, 7, 50, 700] {
                let some = try rows(store, in: area) { query in
                    filter(&query)
                    query.limit = count
                }
                #expect(some == Array(all.prefix(count)), "\(count) of \(all.count)")
            }
        }
        return most
    }

    @Test func limitedRowsAreFirstOfAllRows() throws {
        var random = SeededGenerator(seed: 50)
        let store = try Self.store(&random)
        let found = try Self.areas().map { try expectFirstRows(store, $0) }
        #expect(found.filter { $0 > 300 }.count > 10, "\(found)")
        #expect(found.contains(0), "\(found)")
    }

    /// A moved, changed or deleted event is found only with its current values.
    @Test func changedEventsAreFoundAtTheirCurrentPositionAndDay() throws {
        var random = SeededGenerator(seed: 51)
        let store = try Self.store(&random)
        let center = Self.centers[0]
        let day = try #require(Day("2025-01-01"))
        var changes: [Record] = []
        for number in 0..<60 {
            let habit = "h0-\(number % 3)"
            changes.append(
                .event(
                    habit, day.advanced(by: number).description, id: "x\(number)",
                    at: Self.randomPosition(near: center, &random)
                ))
        }
        try store.write(changes)
        let eventsOfOtherCenter = (0..<20).map { number in
            Record.event("h0-\(number % 3)", day.advanced(by: number).description, at: Self.centers[5])
        }
        try store.write(eventsOfOtherCenter)
        try store.engine.write { session in
            let actor = try ActingUser(.user(named: "u", in: session), clock: Clock(now: .now), in: session)
            for number in 20..<40 {
                var change = EventDraft()
                change.day = day.advanced(by: number - 1000)
                try EventActions(actor).edit("x\(number)", change)
            }
            for number in 40..<50 { try EventActions(actor).delete("x\(number)") }
        }
        for area in try Self.areas() { _ = try expectFirstRows(store, area) }
        let area: Filter = { query in query.filter.near = Near(center: center, within: .kilometers(12.1)) }
        let newest = try rows(store, in: area) { query in query.limit = 11 }
        let ids = newest.prefix(10).map { row in row[0] }
        let expected = (50..<60).reversed().map { number in "x\(number)" }
        #expect(ids == expected, "\(newest)")
        #expect(try StoreDoctor(store.engine).examine().allSatisfy { $0.status == .ok })
    }

    /// The store has replaced rows, which fire no trigger, invalid days, and a very large key.
    @Test func newestEventsAreFoundInDamagedStore() throws {
        var random = SeededGenerator(seed: 53)
        let store = try Self.store(&random)
        try store.engine.write { session in
            for sql: SQL in [
                """
                INSERT INTO event_cell (cell, day, event_id)
                SELECT cell, '2030-01-01', event_id FROM event_cell WHERE day < '2002-01-01'
                """,
                "UPDATE event SET day = '2021-02-31' WHERE day = '2021-03-03'",
                """
                INSERT INTO event (id, external_id, user_id, habit_id, day, outcome, unplanned, geometry)
                SELECT 1000000000000, 'beyond', user_id, habit_id, '2031-01-01', outcome, unplanned, geometry
                FROM event WHERE geometry IS NOT NULL LIMIT 1
                """,
            ] {
                try session.run(sql)
            }
        }
        for area in try Self.areas() { _ = try expectFirstRows(store, area) }
        // After this large load, all geometries are packed again.
        try store.engine.load { writer in
            for number in 0..<2000 {
                let day = try #require(Day("1995-01-01")).advanced(by: number)
                _ = try writer.write(
                    .event("h0-0", day.description, at: Self.randomPosition(near: Self.centers[0], &random)))
            }
        }
        for area in try Self.areas() { _ = try expectFirstRows(store, area) }
        let damaged = try StoreDoctor(store.engine).examine().filter { $0.status != .ok }.map(\.check)
        #expect(damaged == ["days"])
    }

    /// The first span of days is only the first of March.
    @Test func eventWithInvalidDayIsFoundBetweenSpans() throws {
        let store = try TestStore()
        try store.write(
            [.user("u"), .habit("h", of: "u")]
                + ["2024-03-01", "2024-02-20", "2024-01-10"].map { .event("h", $0, id: $0, at: Self.centers[0]) })
        try store.engine.write { session in
            _ = try session.run("UPDATE event SET day = '2024-02-31' WHERE day = '2024-02-20'")
        }
        #expect(try expectFirstRows(store) { $0.filter.near = Near(center: Self.centers[0]) } == 3)
    }

    /// If the cells contain far more events than the area, the R*Tree returns fewer candidates.
    @Test func treeIsUsedWhenCellsContainManyOtherEvents() throws {
        let inside = try #require(Position(longitude: 10.001, latitude: 10.001))
        let outside = try #require(Position(longitude: 10.049, latitude: 10.049))
        let first = try #require(Day("2020-01-01"))
        var records: [Record] = [.user("u")] + (0..<40).map { .habit("h\($0)", of: "u") }
        for number in 0..<1600 {
            records.append(.event("h\(number % 40)", first.advanced(by: 1 + number / 40).description, at: outside))
        }
        records.append(.event("h0", first.description, id: "it", at: inside))
        let store = try TestStore()
        try store.write(records)
        let searches = [
            (4000, 1, false),
            (4000, 60, true),
            (8000, 1, true),
            (40, 60, false),
        ]
        for (meters, count, isByCell) in searches {
            let select = { (session: any Session, viewer: Viewer) throws -> Selection in
                var query = EventQuery(viewer: viewer)
                query.filter.near = Near(center: inside, within: .meters(Double(meters)))
                query.limit = count
                return try query.selection(in: session)
            }
            let plan = try store.plan(select)
            #expect(plan.contains { $0.contains("SCAN idx_event_geometry") } != isByCell, "\(meters): \(plan)")
            #expect(try store.rows(select).contains { $0[0] == "it" } == (meters < 8000), "\(meters)")
        }
    }

    /// Each page is read from the cursor of the previous page.
    @Test func pagesContainAllRowsInOrder() throws {
        var random = SeededGenerator(seed: 52)
        let store = try Self.store(&random)
        for area in try Self.areas() {
            let all = try rows(store, in: area) { _ in }.map { $0[0] }
            var ids: [String] = []
            var page: Page? = Page(limit: 40)
            while let current = page {
                page = nil
                try store.engine.read { session in
                    var query = EventQuery(viewer: .operator)
                    area(&query)
                    query.page = current
                    let selection = try query.selection(in: session)
                    // An area around a pole covers all columns of the grid.
                    if let near = query.filter.near, abs(near.center.latitude) < 89, near.distance.meters >= 5000 {
                        #expect(selection.sql.text.contains(":newest"))
                    }
                    var count = 0
                    try session.query(selection.sql) { row in
                        count += 1
                        guard count <= current.limit else { return false }
                        ids.append(row.text(0) ?? "")
                        page = count == current.limit ? Page(limit: 40, after: Cursor(of: row, in: selection)) : nil
                        return true
                    }
                }
            }
            #expect(ids == all)
        }
    }

    /// Cells find the newest events of the operator for every filter except text filters.
    ///
    /// The R*Tree finds all events of an area. Cells and R*Tree find no events of a user, because both contain the events of all users.
    @Test func cellsServeEveryFilterOfOperator() throws {
        let store = try TestStore()
        try store.write([.user("u"), .habit("h", of: "u")])
        let center = Self.centers[0]
        let changes: [(isByCell: Bool, Filter)] = [
            (true, { _ in }),
            (true, { $0.scope = .mine }),
            (true, { $0.scope = .friends }),
            (true, { $0.filter.users = ["u"] }),
            (true, { $0.filter.habits = ["h"] }),
            (false, { $0.filter.comment = "xyz" }),
            (false, { $0.filter.commentWord = "x" }),
            (true, { $0.filter.during = TimeSpan(from: .now, to: nil) }),
            (true, { $0.page = Page(limit: 100) }),
            (false, { $0.sort = .distance }),
            (false, { $0.sort = .stored }),
            (false, { $0.limit = nil }),
            (false, { $0.limit = 100_000 }),
        ]
        for user in ["u", nil] {
            for (number, (isByCell, change)) in changes.enumerated() {
                let plan = try store.plan(as: user) { session, viewer in
                    var query = EventQuery(viewer: viewer)
                    query.filter.near = Near(center: center)
                    query.limit = 50
                    change(&query)
                    return try query.selection(in: session)
                }
                let isByTree = plan.contains { $0.contains("SCAN idx_event_geometry") }
                #expect(isByTree == (user == nil && !isByCell), "\(number): \(plan)")
            }
        }
    }

    /// The R*Tree finds the events of a user who has few of many events in an area.
    @Test func treeFindsFewEventsAmongManyOfOthers() throws {
        let center = Self.centers[0]
        let first = try #require(Day("2020-01-01"))
        var records: [Record] = [.user("few"), .habit("few", of: "few"), .user("many")]
        records += (0..<40).map { .habit("h\($0)", of: "many") }
        for number in 0..<1600 {
            records.append(.event("h\(number % 40)", first.advanced(by: number / 40 + 1).description, at: center))
        }
        records.append(.event("few", first.description, id: "it", at: center))
        let store = try TestStore()
        try store.write(records)
        for (user, isByCell) in [("few", false), ("many", true)] {
            let select = { (session: any Session, viewer: Viewer) throws -> Selection in
                var query = EventQuery(viewer: viewer)
                query.filter.users = [user]
                query.filter.near = Near(center: center)
                query.limit = 1
                return try query.selection(in: session)
            }
            let plan = try store.plan(select)
            #expect(plan.contains { $0.contains("SCAN idx_event_geometry") } != isByCell, "\(user): \(plan)")
            let ids = try store.rows(columns: ["id"], select)
            #expect(user == "few" ? ids == [["it"]] : ids.count == 1)
        }
    }
}
