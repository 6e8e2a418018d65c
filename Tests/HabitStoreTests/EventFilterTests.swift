import Base
import Geo
import HabitModel
import HabitTestSupport
import Testing

@testable import HabitStore
@testable import StoreEngine

/// Tests that each condition selects the same events as a loop over all events, in every scope and for every strategy
/// of the query (a few rows, a page, an area, all rows).
@Suite struct EventFilterTests {
    /// An event with the values that the test needs.
    private struct Sample {
        var id: String
        var user: String
        var habit: String
        var title: String
        var day: Day
        var time: Instant?
        var comment: String?
        var position: Position?

        var record: Record {
            var record = EventRecord(habit: habit)
            record.id = id
            record.day = day
            record.at = time.map { .value(OffsetInstant($0, offset: .utc)) } ?? .absent
            record.details.comment = comment.map { .value($0) } ?? .absent
            record.details.position = position.map { .value($0) } ?? .absent
            return .event(record)
        }
    }

    /// One condition and the same condition as a predicate in Swift.
    private struct Condition: Sendable {
        /// The property of ``EventFilter``.
        var name: String
        var set: @Sendable (inout EventFilter) -> Void
        var matches: @Sendable (Sample) -> Bool
    }

    @Test func filterWithConditionIsNotEmpty() {
        #expect(EventFilter().isEmpty)
        for condition in Self.conditions {
            var filter = EventFilter()
            condition.set(&filter)
            #expect(!filter.isEmpty, "\(condition.name)")
        }
    }

    private static let center = Position(longitude: 179.99, latitude: -16.8) ?? .origin
    private static let firstDay = Day("2026-03-01") ?? .first
    private static let comments: [String?] = [
        nil, "Morning run", "a run in the rain", "running", "Ärger", "morning run",
    ]

    private static let conditions: [Condition] = {
        let near = Near(center: center, within: .kilometers(4))
        let box = near.box
        let from = firstDay.advanced(by: 5)
        let to = firstDay.advanced(by: 25)
        let span = TimeSpan(from: firstDay.advanced(by: 9).startInUTC, to: nil)
        let day = RecordKind.events.queryables.first { $0.name == "day" }
        return [
            Condition(name: "id", set: { $0.id = "e17" }, matches: { $0.id == "e17" }),
            Condition(
                name: "users",
                set: { $0.users = ["ann", "cid"] },
                matches: { ["ann", "cid"].contains($0.user) }),
            Condition(
                name: "habits", set: { $0.habits = ["ann-0", "Title 1"] },
                matches: { $0.habit == "ann-0" || $0.title == "Title 1" }),
            Condition(name: "notHabits", set: { $0.notHabits = ["Title 2"] }, matches: { $0.title != "Title 2" }),
            Condition(
                name: "habitIDs", set: { $0.habitIDs = ["bob-0", "ann-1"] },
                matches: { ["bob-0", "ann-1"].contains($0.habit) }),
            Condition(name: "habitTitles", set: { $0.habitTitles = ["title 1"] }, matches: { $0.title == "Title 1" }),
            Condition(
                name: "exactComment", set: { $0.exactComment = "Morning run" }, matches: { $0.comment == "Morning run" }
            ),
            Condition(
                name: "comment", set: { $0.comment = "RUN" },
                matches: { $0.comment?.lowercased().contains("run") == true }),
            Condition(
                name: "commentWord", set: { $0.commentWord = "run" },
                matches: { $0.comment?.lowercased().split(separator: " ").contains("run") == true }),
            Condition(name: "from", set: { $0.from = from }, matches: { $0.day >= from }),
            Condition(name: "to", set: { $0.to = to }, matches: { $0.day <= to }),
            Condition(
                name: "during", set: { $0.during = span },
                matches: { sample in
                    guard let first = span.from else { return false }
                    return sample.time.map { $0 >= first } ?? (sample.day >= first.day(at: .utc))
                }),
            Condition(
                name: "near", set: { $0.near = near },
                matches: { $0.position.map { Geodesic.distance(from: center, to: $0) <= near.distance } ?? false }),
            Condition(name: "box", set: { $0.box = box }, matches: { $0.position.map(box.contains) ?? false }),
            Condition(
                name: "boxOrUnlocated", set: { $0.boxOrUnlocated = box },
                matches: { $0.position.map(box.contains) ?? true }),
            Condition(
                name: "area", set: { $0.area = diamond },
                matches: { sample in
                    guard let position = sample.position else { return false }
                    let east = (position.longitude - center.longitude).remainder(dividingBy: 360)
                    return abs(east) + abs(position.latitude - center.latitude) <= 0.03
                }),
            Condition(
                name: "condition",
                set: { $0.condition = day.map { .comparison(.property($0), .greaterOrEqual, .day(from)) } },
                matches: { $0.day >= from }),
            Condition(name: "isLocated", set: { $0.isLocated = true }, matches: { $0.position != nil }),
        ]
    }()

    /// A diamond around the center in two parts, because it crosses the antimeridian.
    private static let diamond = try? Area(
        geoJSON: #"""
            {"type":"MultiPolygon","coordinates":[
            [[[179.96,-16.8],[179.99,-16.83],[180,-16.82],[180,-16.78],[179.99,-16.77],[179.96,-16.8]]],
            [[[-180,-16.82],[-179.98,-16.8],[-180,-16.78],[-180,-16.82]]]]}
            """#.utf8)

    /// Creates a store and the list of its events.
    ///
    /// Ann sees all events of Bob, the newest of each habit of Dan, and none of Cid, who has not accepted Ann's
    /// request.
    private static func sampleStore() throws -> (store: TestStore, samples: [Sample]) {
        var random = SeededGenerator(seed: 71)
        var records: [Record] = ["ann", "bob", "cid", "dan"].map { .user($0) }
        var samples: [Sample] = []
        for user in ["ann", "bob", "cid", "dan"] {
            for number in 0..<3 { records.append(.habit("\(user)-\(number)", of: user, title: "Title \(number)")) }
            for number in 0..<90 {
                let day = firstDay.advanced(by: number / 3)
                let position =
                    number % 5 == 0
                    ? nil
                    : Geodesic.destination(
                        from: center, azimuth: .random(in: 0..<360, using: &random),
                        distance: .meters(.random(in: 0...8000, using: &random)))
                let time =
                    number % 4 == 0
                    ? nil : Instant(microseconds: (Int64(day.number) * 86_400 + Int64(number)) * 1_000_000)
                let sample = Sample(
                    id: "e\(samples.count)", user: user, habit: "\(user)-\(number % 3)", title: "Title \(number % 3)",
                    day: day, time: time, comment: comments[number % comments.count], position: position)
                samples.append(sample)
                records.append(sample.record)
            }
        }
        records += [
            .follow("ann", "bob"), .follow("ann", "dan", share: .latest), .follow("ann", "cid", status: .pending),
        ]
        let store = try TestStore()
        try store.write(records)
        return (store, samples)
    }

    /// Whether `first` precedes `second` in the order of the query: by day, time and ID, with missing times last.
    private static func isNewer(_ first: Sample, _ second: Sample) -> Bool {
        if first.day != second.day { return first.day > second.day }
        if first.time != second.time {
            let firstTime = first.time?.microseconds ?? .min
            let secondTime = second.time?.microseconds ?? .min
            return firstTime > secondTime
        }
        return first.id > second.id
    }

    private static func visible(_ samples: [Sample], to user: String?, _ scope: EventQuery.Scope) -> [Sample] {
        guard user != nil else { return samples }
        func newest(of users: [String]) -> [Sample] {
            let newest = Dictionary(grouping: samples.filter { users.contains($0.user) }, by: \.habit)
                .compactMapValues { samples in samples.max { first, second in isNewer(second, first) }?.id }
            return samples.filter { newest[$0.habit] == $0.id }
        }
        return switch scope {
        case .mine: samples.filter { $0.user == "ann" }
        case .all: samples.filter { ["ann", "bob"].contains($0.user) } + newest(of: ["dan"])
        case .friends: newest(of: ["bob", "dan"])
        }
    }

    /// This test fails for a new property of ``EventFilter`` until a condition is added above.
    @Test func everyPropertyHasCondition() {
        let properties = Mirror(reflecting: EventFilter()).children.compactMap(\.label)
        #expect(properties == Self.conditions.map(\.name))
        for condition in Self.conditions {
            var filter = EventFilter()
            condition.set(&filter)
            #expect(filter != EventFilter(), "\(condition.name)")
        }
    }

    private static let viewers: [(user: String?, scope: EventQuery.Scope)] = [
        (nil, .all), ("ann", .mine), ("ann", .friends), ("ann", .all),
    ]

    @Test func conditionsSelectSameRowsAsLoop() throws {
        let sample = try Self.sampleStore()
        let store = sample.store
        let samples = sample.samples
        for (user, scope) in Self.viewers {
            let visible = Self.visible(samples, to: user, scope).sorted(by: Self.isNewer)
            for (number, first) in Self.conditions.enumerated() {
                for second in Self.conditions[number...] {
                    let expected = visible.filter { first.matches($0) && second.matches($0) }.map(\.id)
                    for limit in [nil, 3] as [Int?] {
                        let found = try store.rows(as: user, columns: ["id"]) { session, viewer in
                            var query = EventQuery(viewer: viewer)
                            query.scope = scope
                            query.limit = limit
                            first.set(&query.filter)
                            second.set(&query.filter)
                            return try query.selection(in: session)
                        }
                        #expect(
                            found.flatMap(\.self) == Array(expected.prefix(limit ?? expected.count)),
                            "\(user ?? "operator") \(scope) \(first.name) \(second.name) \(limit ?? 0)")
                    }
                }
            }
        }
    }

    /// The pages of an area, each read from the cursor of the previous one, have the rows that the loop finds.
    @Test func pagesHaveSameRowsAsLoop() throws {
        let sample = try Self.sampleStore()
        let store = sample.store
        let samples = sample.samples
        let near = try #require(Self.conditions.first { $0.name == "near" })
        for (user, scope) in Self.viewers {
            let visible = Self.visible(samples, to: user, scope).sorted(by: Self.isNewer)
            for condition in Self.conditions {
                let expected = visible.filter { near.matches($0) && condition.matches($0) }.map(\.id)
                let found = try store.engine.read { session in
                    var query = EventQuery(viewer: try user.map { try .user(named: $0, in: session) } ?? .operator)
                    query.scope = scope
                    near.set(&query.filter)
                    condition.set(&query.filter)
                    return try Self.ids(ofPagesOf: query, in: session)
                }
                #expect(found == expected, "\(user ?? "operator") \(scope) \(condition.name)")
            }
        }
    }

    private static func ids(ofPagesOf query: EventQuery, in session: any Session) throws -> [String] {
        let size = 7
        var ids: [String] = []
        var page: Page? = Page(limit: size)
        while let current = page {
            var query = query
            query.page = current
            page = nil
            let selection = try query.selection(in: session)
            var count = 0
            try session.query(selection.sql) { row in
                count += 1
                guard count <= size else { return false }
                ids.append(row.text(0) ?? "")
                page = count == size ? Page(limit: size, after: Cursor(of: row, in: selection)) : nil
                return true
            }
        }
        return ids
    }
}
