import Base
import Geo
import HabitModel
import HabitTestSupport
import StoreEngine
import Testing

@testable import HabitStore

/// Tests of random filters on every list against a direct evaluation of the filter for each row.
@Suite struct RandomFilterTests {
    private static let clock = Clock(now: Instant(microseconds: 1_795_608_000_000_000))  // 2026-11-25T12:00:00Z

    /// A list with filters.
    struct List: Sendable, CustomTestStringConvertible {
        var name: String
        var properties: [Queryable]
        var selection: @Sendable (FeatureFilter?, any Session, Viewer) throws -> Selection

        var testDescription: String { name }
    }

    private static let lists = [
        List(name: "events", properties: RecordKind.events.queryables) { filter, session, viewer in
            var query = EventQuery(viewer: viewer)
            query.scope = .all
            query.filter.condition = filter
            return try query.selection(in: session)
        },
        List(name: "items", properties: RecordKind.items.queryables) { filter, session, viewer in
            var query = ItemQuery(viewer: viewer, clock: clock)
            query.states = []
            query.condition = filter
            return try query.selection(in: session)
        },
        List(name: "posts", properties: RecordKind.posts.queryables) { filter, session, viewer in
            var query = PostQuery(viewer: viewer)
            query.condition = filter
            return try query.selection(in: session)
        },
        List(name: "habits", properties: RecordKind.habits.queryables) { filter, session, viewer in
            var query = HabitQuery(viewer: viewer, clock: clock)
            query.isOfAll = true
            query.condition = filter
            return try query.selection(in: session)
        },
        List(name: "following", properties: FollowingQuery.queryables) { filter, session, viewer in
            var query = FollowingQuery(viewer: viewer, clock: clock)
            query.condition = filter
            return try query.selection(in: session)
        },
        List(name: "follows", properties: RecordKind.follows.queryables) { filter, session, viewer in
            var query = FollowQuery(viewer: viewer)
            query.condition = filter
            return try query.selection(in: session)
        },
        List(name: "claims", properties: RecordKind.claims.queryables) { filter, session, viewer in
            var query = ClaimQuery(viewer: viewer)
            query.condition = filter
            return try query.selection(in: session)
        },
        List(name: "messages", properties: RecordKind.messages.queryables) { filter, session, viewer in
            var query = MessageQuery(viewer: viewer)
            query.condition = filter
            return try query.selection(in: session)
        },
        List(name: "users", properties: RecordKind.users.queryables) { filter, session, viewer in
            var query = UserQuery(viewer: viewer)
            query.condition = filter
            return try query.selection(in: session)
        },
    ]

    // MARK: Store

    private static func makeStore() throws -> TestStore {
        var random = SeededGenerator(seed: 40)
        let users = ["ana", "bea", "cem", "dov"]
        let instants = ["2026-11-01T10:00:00Z", "2026-11-02T23:30:00+09:00", "2026-11-20T07:15:00.250-03:30"]
        let texts = ["run", "Run 100%", "été", "朝ラン", "a_b", ""]
        func instant() -> FieldInput<OffsetInstant> {
            instants.randomElement(using: &random).flatMap { OffsetInstant($0) }.map { .value($0) } ?? .absent
        }
        var records: [Record] = users.map { .user($0) }
        let follows = [
            ("ana", "bea"),
            ("ana", "cem"),
            ("bea", "ana"),
            ("dov", "ana"),
            ("cem", "ana"),
        ]
        for (follower, followee) in follows {
            let status: FollowStatus = follower == "dov" ? .pending : .accepted
            var follow = FollowRecord(follower: follower, followee: followee)
            follow.status = .value(status)
            follow.requestedAt = Bool.random(using: &random) ? instant() : .absent
            records.append(.follow(follow))
        }
        for (number, user) in (users + users).enumerated() {
            let id = "h\(number)"
            var habit = HabitRecord(
                id: id, user: user, title: "Habit \(texts[number % 5])",
                schedule: .weekdays(try #require(Weekdays(mask: Int.random(in: 1...127, using: &random)))))
            if number % 3 == 0 { habit.start = .value(try #require(Day("2026-10-01")).advanced(by: 5 * number)) }
            if number % 2 == 0 { habit.reason = .value(texts[(number + 1) % 5]) }
            records.append(.habit(habit))
            for day in 0..<12 {
                var event = EventRecord(habit: id)
                event.id = "\(id)-\(day)"
                event.day = try #require(Day("2026-11-01")).advanced(by: 2 * day)
                if day % 2 == 0 { event.at = .absent }
                event.outcome = .value(day % 5 == 0 ? .skipped : .done)
                if day % 3 > 0 { event.details.comment = .value(texts[Int.random(in: 0..<6, using: &random)]) }
                if day % 4 > 0 { event.details.amount = .value(Double(Int.random(in: 0...4, using: &random)) / 2) }
                records.append(.event(event))
            }
        }
        for number in 0..<8 {
            var item = ItemRecord(id: "i\(number)", user: users[number % 4], name: "Item \(texts[number % 5])")
            item.postedAt = number % 3 == 0 ? .absent : instant()
            if number % 2 == 0 { item.description = .value(texts[number % 6]) }
            records.append(.item(item))
            var post = PostRecord(id: "p\(number)", user: users[number % 4])
            post.postedAt = number % 3 == 0 ? .absent : instant()
            if number % 2 == 0 { post.caption = .value(texts[number % 6]) }
            records.append(.post(post))
            let other = users[(number + 1) % 4]
            var claim = ClaimRecord(item: item.id, user: other)
            claim.claimedAt = number % 3 == 1 ? .absent : instant()
            records.append(.claim(claim))
            var message = MessageRecord(
                item: item.id, sender: other, recipient: users[number % 4], text: "Hello \(texts[number % 5])")
            message.sentAt = number % 3 == 2 ? .absent : instant()
            records.append(.message(message))
        }
        let store = try TestStore()
        try store.write(records)
        return store
    }

    // MARK: Rows

    /// The value of a property.
    private enum Cell: Equatable {
        case text(String)
        case number(Double)
        case other
    }

    private struct Found {
        var id: String
        /// The values that are not null.
        var cells: [String: Cell]
    }

    private static func rows(
        of list: List, _ filter: FeatureFilter?, in session: any Session, for viewer: Viewer
    ) throws -> [Found] {
        let selection = try list.selection(filter, session, viewer)
        let shape = selection.shape
        var found: [Found] = []
        try session.query(selection.sql) { row in
            var cells: [String: Cell] = [:]
            for property in list.properties {
                guard let column = shape.columns.first(where: { property.columns.contains($0.name) }),
                    !row.isNull(column.index)
                else { continue }
                switch property.kind {
                case .text, .day: cells[property.name] = .text(row.text(column.index) ?? "")
                case .integer, .number: cells[property.name] = .number(row.number(column.index))
                case .boolean, .instant: cells[property.name] = .number(Double(row.integer(column.index)))
                case .point: cells[property.name] = .other
                }
            }
            let id = shape.identity.map { row.text($0.index) ?? "" }.joined(separator: "/")
            found.append(Found(id: id, cells: cells))
            return true
        }
        return found
    }

    // MARK: Filters

    private static func scalar(
        of property: Queryable, _ rows: [Found], _ random: inout SeededGenerator
    ) -> FeatureFilter.Scalar? {
        // The shown rates and scores are rounded.
        if property.kind == .number, property.name != "amount", property.name != "target_amount" {
            return .number(Double.random(in: 0...1, using: &random))
        }
        guard let cell = rows.compactMap({ $0.cells[property.name] }).randomElement(using: &random) else { return nil }
        switch (cell, property.kind) {
        case (.text(let text), .day): return Day(text).map { .day($0) }
        case (.text(let text), _): return .text(text)
        case (.number(let number), .boolean): return .boolean(number != 0)
        case (.number(let number), .instant): return .instant(Instant(microseconds: Int64(number)))
        case (.number(let number), _): return .number(number)
        case (.other, _): return nil
        }
    }

    private static func filter(
        of list: List, rows: [Found], depth: Int, using random: inout SeededGenerator
    ) -> FeatureFilter {
        if depth > 0, Int.random(in: 0..<4, using: &random) > 0 {
            let parts = (0..<Int.random(in: 2...3, using: &random)).map { _ in
                filter(of: list, rows: rows, depth: depth - 1, using: &random)
            }
            switch Int.random(in: 0..<5, using: &random) {
            case 0: return .not(parts[0])
            case 1, 2: return .all(parts)
            default: return .any(parts)
            }
        }
        guard let property = list.properties.randomElement(using: &random), property.kind != .point,
            let value = scalar(of: property, rows, &random), let other = scalar(of: property, rows, &random)
        else { return .constant(Bool.random(using: &random)) }
        let comparisons: [FeatureFilter.Comparison] = [
            .equal, .notEqual, .less, .greater, .lessOrEqual, .greaterOrEqual,
        ]
        let comparison = property.kind == .boolean ? .equal : comparisons.randomElement(using: &random) ?? .equal
        switch Int.random(in: 0..<8, using: &random) {
        case 0: return .isNull(property)
        case 1 where property.kind != .boolean: return .between(.property(property), value, other)
        case 2: return .membership(.property(property), [value, other])
        case 3 where property.kind == .text:
            guard case .text(let text) = value else { return .constant(false) }
            let like = Bool.random(using: &random) ? "%\(text.suffix(2))" : "\(text.prefix(1))_%"
            return .like(.property(property), TextPattern(like: like))
        case 4:
            let same = list.properties.filter { $0.kind == property.kind }
            return .comparison(
                .property(property), comparison, .property(same.randomElement(using: &random) ?? property))
        default: return .comparison(.property(property), comparison, value)
        }
    }

    // MARK: Direct evaluation

    private static func cell(_ scalar: FeatureFilter.Scalar, _ row: Found) -> Cell? {
        switch scalar {
        case .property(let property): row.cells[property.name]
        case .text(let text): .text(text)
        case .number(let number): .number(number)
        case .boolean(let flag): .number(flag ? 1 : 0)
        case .day(let day): .text(day.description)
        case .instant(let instant): .number(Double(instant.microseconds))
        case .folded: nil
        }
    }

    /// Returns the order of two values: -1, 0 or 1, or `nil` if one of them is null.
    private static func order(
        _ first: FeatureFilter.Scalar,
        _ second: FeatureFilter.Scalar,
        in row: Found
    ) -> Int? {
        switch (cell(first, row), cell(second, row)) {
        case (.text(let a), .text(let b)):
            a.utf8.elementsEqual(b.utf8) ? 0 : a.utf8.lexicographicallyPrecedes(b.utf8) ? -1 : 1
        case (.number(let a), .number(let b)): a == b ? 0 : a < b ? -1 : 1
        default: nil
        }
    }

    private static func isTrue(_ filter: FeatureFilter, _ row: Found) -> Bool? {
        switch filter {
        case .constant(let flag): return flag
        case .all(let filters):
            let results = filters.map { isTrue($0, row) }
            return results.contains(false) ? false : results.contains(nil) ? nil : true
        case .any(let filters):
            let results = filters.map { isTrue($0, row) }
            return results.contains(true) ? true : results.contains(nil) ? nil : false
        case .not(let filter): return isTrue(filter, row).map { !$0 }
        case .comparison(let first, let comparison, let second):
            guard let order = order(first, second, in: row) else { return nil }
            return switch comparison {
            case .equal: order == 0
            case .notEqual: order != 0
            case .less: order < 0
            case .greater: order > 0
            case .lessOrEqual: order <= 0
            case .greaterOrEqual: order >= 0
            }
        case .like(let value, let pattern):
            guard case .text(let text)? = cell(value, row) else { return nil }
            return matches(Array(text.unicodeScalars)[...], pattern.parts[...])
        case .between(let value, let low, let high):
            return isTrue(
                .all([.comparison(value, .greaterOrEqual, low), .comparison(value, .lessOrEqual, high)]), row)
        case .membership(let value, let list):
            return isTrue(.any(list.map { .comparison(value, .equal, $0) }), row)
        case .isNull(let property): return row.cells[property.name] == nil
        case .spatial, .temporal: return nil
        }
    }

    private static func matches(_ text: ArraySlice<Unicode.Scalar>, _ parts: ArraySlice<TextPattern.Part>) -> Bool {
        guard let part = parts.first else { return text.isEmpty }
        let rest = parts.dropFirst()
        switch part {
        case .any: return (text.startIndex...text.endIndex).contains { matches(text[$0...], rest) }
        case .one: return !text.isEmpty && matches(text.dropFirst(), rest)
        case .literal(let scalar): return text.first == scalar && matches(text.dropFirst(), rest)
        }
    }

    @Test(arguments: lists)
    func filterFindsRowsForWhichItIsTrue(list: List) throws {
        let seed: UInt64 = 20_261_127
        var random = SeededGenerator(seed: seed)
        let store = try Self.makeStore()
        var count = 0
        try store.engine.read { session in
            let viewer = try Viewer.user(named: "ana", in: session)
            let all = try Self.rows(of: list, nil, in: session, for: viewer)
            #expect(all.count > 1)
            for number in 0..<150 {
                let filter = Self.filter(of: list, rows: all, depth: 2, using: &random)
                let found = try Self.rows(of: list, filter, in: session, for: viewer).map(\.id)
                let expected = all.filter { Self.isTrue(filter, $0) == true }.map(\.id)
                #expect(found == expected, "filter \(number), seed \(seed): \(filter)")
                count += expected.count
            }
        }
        #expect(count > 50)
    }
}
