import Geo
import HabitModel
import HabitStore
import HabitTestSupport
import Testing

/// The newest events of a place, found by their cells, are the first of all that the R*Tree finds there.
@Suite(.onFilesAlone) struct NewestEventsTests {
    private static let centers = [(-9.1, 38.7), (179.99, -16.8), (-179.98, 51.2), (12.5, 89.95), (-60, -90), (0, 0)]
        .compactMap { Position(longitude: $0.0, latitude: $0.1) }
    private static let habitsOfCenter = 36

    /// Around each centre: three years of days, two months ten years apart long before them, and one day on which many happened.
    private static func days() throws -> [(habit: Int, day: Day)] {
        let (first, long, many) = (
            try #require(Day("2021-01-01")), try #require(Day("1991-11-10")), try #require(Day("2021-10-10"))
        )
        let often = (0..<1000).filter { $0 % 4 != 0 }.map { (habit: $0 % 3, day: first.advanced(by: $0)) }
        let seldom = (0..<20).flatMap { [(3, long.advanced(by: $0)), (4, long.advanced(by: 3650 + $0))] }
        return often + seldom + (5..<habitsOfCenter).map { ($0, many) }
    }

    private static func store(_ random: inout SeededGenerator) throws -> TestStore {
        let days = try days()
        var records: [Record] = [.user("u")]
        for (number, center) in centers.enumerated() {
            records += (0..<habitsOfCenter).map { .habit("h\(number)-\($0)", of: "u") }
            for (habit, day) in days {
                let place = place(near: center, &random)
                records.append(
                    .event("h\(number)-\(habit)", day.description, id: "e\(records.count)", at: place))
            }
        }
        let store = try TestStore()
        try store.write(records)
        return store
    }

    private static func place(near center: Position, _ random: inout SeededGenerator) -> Position {
        Geodesic.destination(
            from: center, azimuth: .random(in: 0..<360, using: &random),
            distance: .meters(.random(in: 0...12_000, using: &random)))
    }

    private typealias Filter = (inout EventQuery) -> Void

    private static func places() throws -> [Filter] {
        var places: [Filter] = []
        for center in centers {
            for meters in [1, 900, 5000, 20_000] as [Double] {
                places.append { $0.near = Near(center: center, within: .meters(meters)) }
            }
        }
        for text in ["-9.2,38.6,-9.0,38.75", "179.9,-17,-179.9,-16.7", "-0.05,-0.05,0,0", "12,89.9,13,90", "1,1,1,1"] {
            let box = try #require(BoundingBox(text))
            places.append { $0.box = box }
        }
        return places
    }

    private func rows(_ store: TestStore, _ place: Filter, _ change: Filter) throws -> [[String]] {
        try store.rows { session, viewer in
            var query = EventQuery(viewer: viewer)
            place(&query)
            change(&query)
            return try query.selection(in: session)
        }
    }

    private func expectTheFirstOfAll(_ store: TestStore, _ place: Filter) throws -> Int {
        let (first, last) = (try #require(Day("1999-12-31")), try #require(Day("2021-10-10")))
        var most = 0
        for filter in [{ _ in }, { $0.from = first }, { $0.to = last }, { ($0.from, $0.to) = (first, last) }]
            as [Filter]
        {
            let all = try rows(store, place, filter)
            most = max(most, all.count)
            for count in [1, 7, 50, 700] {
                let some = try rows(store, place) {
                    filter(&$0)
                    $0.limit = count
                }
                #expect(some == Array(all.prefix(count)), "\(count) of \(all.count)")
            }
        }
        return most
    }

    @Test func areTheFirstOfAll() throws {
        var random = SeededGenerator(seed: 50)
        let store = try Self.store(&random)
        let found = try Self.places().map { try expectTheFirstOfAll(store, $0) }
        #expect(found.filter { $0 > 300 }.count > 10 && found.contains(0), "\(found)")
    }

    /// What is moved, put on another day or deleted is found where and when it is.
    @Test func areThoseOfToday() throws {
        var random = SeededGenerator(seed: 51)
        let store = try Self.store(&random)
        let center = Self.centers[0]
        let day = try #require(Day("2025-01-01"))
        var changes: [Record] = []
        for number in 0..<60 {
            let habit = "h0-\(number % 3)"
            changes.append(
                .event(
                    habit, day.advanced(by: number).description, id: "x\(number)", at: Self.place(near: center, &random)
                ))
        }
        try store.write(changes)
        try store.write((0..<20).map { .event("h0-\($0 % 3)", day.advanced(by: $0).description, at: Self.centers[5]) })
        try store.engine.write { session in
            let actor = try ActingUser(.user(named: "u", in: session), clock: Clock(now: .now), in: session)
            for number in 20..<40 {
                var change = EventDraft()
                change.day = day.advanced(by: number - 1000)
                try EventActions(actor).edit("x\(number)", change)
            }
            for number in 40..<50 { try EventActions(actor).delete("x\(number)") }
        }
        for place in try Self.places() { _ = try expectTheFirstOfAll(store, place) }
        let newest = try rows(store, { $0.near = Near(center: center, within: .kilometers(12.1)) }) { $0.limit = 11 }
        #expect(newest.prefix(10).map { $0[0] } == (50..<60).reversed().map { "x\($0)" }, "\(newest)")
        #expect(try StoreDoctor(store.engine).examine().allSatisfy { $0.status == .ok })
    }

    /// Each page is found in the same way from where the one before it ended.
    @Test func pagesFollowEachOther() throws {
        var random = SeededGenerator(seed: 52)
        let store = try Self.store(&random)
        for place in try Self.places() {
            let all = try rows(store, place) { _ in }.map { $0[0] }
            var ids: [String] = []
            var page: Page? = Page(limit: 40)
            while let asked = page {
                page = nil
                try store.engine.read { session in
                    var query = EventQuery(viewer: .operator)
                    place(&query)
                    query.page = asked
                    let selection = try query.selection(in: session)
                    // What lies round a pole lies in all columns of the grid.
                    let latitude = query.near?.center.latitude ?? query.box?.north ?? 0
                    #expect(selection.sql.text.contains(":newest") || abs(latitude) > 89)
                    var count = 0
                    try session.query(selection.sql) { row in
                        count += 1
                        guard count <= asked.limit else { return false }
                        ids.append(row.text(0) ?? "")
                        page = count == asked.limit ? Page(limit: 40, after: Cursor(of: row, in: selection)) : nil
                        return true
                    }
                }
            }
            #expect(ids == all)
        }
    }

    /// What else narrows the events may leave few of those in a place: the R*Tree finds them all.
    @Test func otherFiltersGoThroughTheTree() throws {
        let store = try TestStore()
        try store.write([.user("u"), .habit("h", of: "u")])
        let center = Self.centers[0]
        let changes: [(String?, Filter)] = [
            ("u", { _ in }), (nil, { $0.users = ["u"] }), (nil, { $0.habits = ["h"] }), (nil, { $0.notHabits = ["h"] }),
            (nil, { $0.comment = "x" }), (nil, { $0.commentWord = "x" }), (nil, { $0.sort = .distance }),
            (nil, { $0.sort = .stored }), (nil, { $0.limit = nil }), (nil, { $0.limit = 100_000 }),
        ]
        for (user, change) in changes {
            let plan = try store.plan(as: user) { session, viewer in
                var query = EventQuery(viewer: viewer)
                query.near = Near(center: center)
                query.limit = 50
                change(&query)
                return try query.selection(in: session)
            }
            #expect(plan.contains { $0.contains("SCAN idx_event_geometry") }, "\(plan)")
        }
    }
}
