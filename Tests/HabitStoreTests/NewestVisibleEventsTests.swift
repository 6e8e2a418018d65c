import Base
import Geo
import HabitModel
import HabitTestSupport
import Testing

@testable import HabitStore
@testable import StoreEngine

/// Tests that the pages of scope `all` have the same rows in the same order as a sort of all visible events.
@Suite struct NewestVisibleEventsTests {
    private struct SampleEvent {
        var id: String
        var owner: String
        var habit: String
        var day: Day
        var at: OffsetInstant?
    }

    /// The relation between an owner and `u0`.
    private enum Relation: CaseIterable {
        case own, all, latest, pending, rejected, none
    }

    private static func relation(of owner: Int) -> Relation { owner == 0 ? .own : Relation.allCases[1 + owner % 5] }

    /// Returns the events of sixteen users of every relation, with two habits each, many events on some days and long
    /// gaps.
    private static func events(_ random: inout SeededGenerator) throws -> [SampleEvent] {
        let first = try #require(Day("2020-01-01"))
        var events: [SampleEvent] = []
        for owner in 0..<16 {
            for habit in 0..<2 {
                var days: Set<Int> = []
                for _ in 0..<Int.random(in: 0...40, using: &random) {
                    days.insert(Int.random(in: 0..<60, using: &random) * (Bool.random(using: &random) ? 1 : 37))
                }
                // The order of a set differs between runs.
                for number in days.sorted() {
                    let day = first.advanced(by: number)
                    let hour = Int.random(in: 10...13, using: &random)
                    let at = Bool.random(using: &random) ? OffsetInstant("\(day)T\(hour):00:00Z") : nil
                    events.append(
                        SampleEvent(
                            id: "e\(UInt32.random(in: 0...(.max), using: &random))-\(events.count)", owner: "u\(owner)",
                            habit: "u\(owner)-h\(habit)", day: day, at: at))
                }
            }
        }
        return events
    }

    private static func store(_ events: [SampleEvent]) throws -> TestStore {
        var records: [Record] = (0..<16).map { .user("u\($0)") }
        for owner in 0..<16 {
            records += (0..<2).map { .habit("u\(owner)-h\($0)", of: "u\(owner)", title: "H\($0)") }
            switch relation(of: owner) {
            case .own, .none: break
            case .all: records.append(.follow("u0", "u\(owner)"))
            case .latest: records.append(.follow("u0", "u\(owner)", share: .latest))
            case .pending: records.append(.follow("u0", "u\(owner)", status: .pending))
            case .rejected: records.append(.follow("u0", "u\(owner)", status: .rejected))
            }
        }
        for event in events {
            var record = EventRecord(habit: event.habit)
            record.id = event.id
            record.day = event.day
            record.at = event.at.map { .value($0) } ?? .absent
            record.details.comment = .value("on \(event.day)")
            records.append(.event(record))
        }
        let store = try TestStore()
        try store.write(records)
        return store
    }

    /// Returns the events visible to `u0`, newest first.
    private static func visible(_ events: [SampleEvent]) -> [SampleEvent] {
        events.filter { event in
            switch relation(of: Int(event.owner.dropFirst()) ?? -1) {
            case .own, .all: true
            case .latest: !events.contains { $0.habit == event.habit && $0.day > event.day }
            case .pending, .rejected, .none: false
            }
        }.sorted { a, b in
            guard a.day == b.day else { return a.day > b.day }
            let first = a.at?.instant.microseconds ?? .min
            let second = b.at?.instant.microseconds ?? .min
            return first == second ? a.id > b.id : first > second
        }
    }

    /// Returns the ids on all pages of `size` rows, and the number of rows that the engine sorted for each page.
    ///
    /// Unless `isByKeys`, the engine does not look up the rows of a page by their keys.
    private func pages(
        _ store: TestStore, size: Int, isByKeys: Bool = true, _ change: (inout EventQuery) -> Void = { _ in }
    ) throws -> (ids: [String], sorted: [Int]) {
        var ids: [String] = []
        var sorted: [Int] = []
        var page: Page? = Page(limit: size)
        while let current = page {
            page = nil
            try store.engine.read { session in
                var query = EventQuery(viewer: try .user(named: "u0", in: session))
                change(&query)
                query.page = current
                let selection = try query.selection(in: session)
                if case .text(let keys)? = selection.sql.bindings["row_keys"] {
                    // In a PostgreSQL store, the key of an event also contains the key of its user.
                    sorted.append(keys.split(separator: ",").count / (TestServer.isUsed ? 2 : 1))
                }
                #expect((selection.sql.bindings["row_keys"] != nil) == isByKeys)
                var count = 0
                try session.query(selection.sql) { row in
                    count += 1
                    guard count <= size else { return false }
                    ids.append(row.text(0) ?? "")
                    page = count == size ? Page(limit: size, after: Cursor(of: row, in: selection)) : nil
                    return true
                }
            }
        }
        return (ids, sorted)
    }

    @Test(.enabled(if: !TestServer.isCluster), arguments: [1, 2, 3] as [UInt64])
    func pagesEqualSortedVisibleEvents(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let events = try Self.events(&random)
        let store = try Self.store(events)
        let visible = Self.visible(events)
        #expect(visible.count > 100)
        for size in [1, 7, 50, 10_000] {
            #expect(try pages(store, size: size).ids == visible.map(\.id), "pages of \(size)")
        }
        let from = try #require(Day("2020-01-20"))
        let to = try #require(Day("2022-06-01"))
        let some = visible.filter { (from...to).contains($0.day) }
        let pagesOfSome = try pages(store, size: 9) { query in
            query.filter.from = from
            query.filter.to = to
        }
        #expect(pagesOfSome.ids == some.map(\.id))
        let users = ["u1", "u2", "u3"]
        #expect(
            try pages(store, size: 9) { $0.filter.users = users }.ids
                == visible.filter { users.contains($0.owner) }.map(\.id))
        #expect(
            try pages(store, size: 9) { $0.filter.notHabits = ["H0"] }.ids
                == visible.filter { $0.habit.hasSuffix("h1") }.map(\.id))
        #expect(
            try pages(store, size: 9, isByKeys: false) { $0.filter.comment = "2020-01" }.ids
                == visible.filter { $0.day.description.hasPrefix("2020-01") }.map(\.id))
        #expect(try pages(store, size: 9) { $0.filter.isLocated = true }.ids == [])
        let limited = try store.rows(as: "u0", columns: ["id"]) { session, viewer in
            var query = EventQuery(viewer: viewer)
            query.limit = 20
            return try query.selection(in: session)
        }
        #expect(limited.map { $0[0] } == visible.prefix(20).map(\.id))
    }

    @Test func userWithoutEventsGetsEmptyPage() throws {
        let store = try TestStore()
        try store.write([
            .user("u0"),
            .user("u1"),
            .follow("u0", "u1"),
            .habit("h", of: "u1"),
        ])
        let rows = try store.rows(as: "u0") { session, viewer in
            var query = EventQuery(viewer: viewer)
            query.page = Page(limit: 10)
            return try query.selection(in: session)
        }
        #expect(rows.isEmpty)
    }

    /// An invalid day is listed in the order of its text.
    ///
    /// A cursor cannot contain such a day, so one page has all rows.
    @Test(.fileStoreOnly, arguments: ["2024-02-31", "0000-00-00", "9999-99-99", ""])
    func damagedDayIsListedInTextOrder(day: String) throws {
        let store = try TestStore()
        try store.write(
            [.user("u0"), .habit("h", of: "u0")]
                + ["2024-03-01", "2024-02-20", "2024-01-10"].map { .event("h", $0, id: $0) })
        try store.engine.write { session in
            _ = try session.run(
                SQL("UPDATE event SET day = :damaged WHERE day = '2024-02-20'", ["damaged": .text(day)]))
        }
        let all = try store.rows(as: "u0", columns: ["id"]) { session, viewer in
            try EventQuery(viewer: viewer).selection(in: session)
        }
        #expect(try pages(store, size: 4).ids == all.map { $0[0] })
    }

    /// The engine does not sort more rows for later pages than for the first page.
    @Test(.enabled(if: !TestServer.isCluster)) func everyPageSortsFewRows() throws {
        let first = try #require(Day("2020-01-01"))
        var records: [Record] = [.user("u0")]
        for owner in 1...20 {
            records += [.user("u\(owner)"), .habit("h\(owner)", of: "u\(owner)"), .follow("u0", "u\(owner)")]
            records += (0..<200).map { .event("h\(owner)", first.advanced(by: $0).description) }
        }
        let store = try TestStore()
        try store.write(records)
        let paged = try pages(store, size: 40)
        let ids = paged.ids
        let sorted = paged.sorted
        #expect(ids.count == 4000)
        #expect(Set(ids).count == 4000)
        #expect(sorted.allSatisfy { $0 <= 160 }, "\(sorted)")
    }
}
