import Base
import Foundation
import HabitModel
import HabitStore
import HabitTestSupport
import StoreEngine
import Testing

/// Tests of local days and hours, and of dates that never existed in a time zone.
@Suite struct LocalTimeTests {
    private static let clock = Clock(now: Instant(microseconds: 1_795_608_000_000_000))  // 2026-11-25T12:00:00Z

    private static func rows(_ sql: String, on store: TestStore, as user: String? = nil) throws -> [String] {
        var rows: [String] = []
        try store.analyze(as: user, clock: clock) { session, viewer in
            _ = try AnalysisQuery(sql, viewer: viewer, clock: clock).run(in: session) { shape in
                { row in rows.append(shape.columns.indices.map { row.text($0) ?? "∅" }.joined(separator: " ")) }
            }
        }
        return rows
    }

    private static let zones = ["UTC", "Asia/Tokyo", "America/St_Johns", "Europe/Lisbon", "Pacific/Kiritimati"]

    /// Returns the expected day and hour, computed by Foundation.
    private static func expected(_ at: OffsetInstant?, zone: String) throws -> String {
        guard let at else { return "∅ ∅" }
        let seconds = at.offset.map { Int($0.minutes) * 60 }
        let zone = try #require(seconds.map { TimeZone(secondsFromGMT: $0) } ?? TimeZone(identifier: zone))
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        let date = Date(timeIntervalSince1970: Double(at.instant.microseconds) / 1_000_000)
        let parts = calendar.dateComponents([.year, .month, .day, .hour], from: date)
        let year = parts.year ?? 0
        let month = parts.month ?? 0
        let dayOfMonth = parts.day ?? 0
        let day = try #require(Day(year: year, month: month, day: dayOfMonth))
        return "\(day) \(parts.hour ?? -1)"
    }

    private static func randomInstant(_ random: inout SeededGenerator) -> OffsetInstant? {
        guard Int.random(in: 0..<5, using: &random) > 0 else { return nil }
        let seconds = Int64.random(in: 1_700_000_000...1_795_000_000, using: &random)
        let offsets: [Int16?] = [nil, nil, -570, 0, 60, 840]
        let offset = offsets.randomElement(using: &random) ?? nil
        return OffsetInstant(
            Instant(microseconds: seconds * 1_000_000), offset: offset.map { UTCOffset(minutes: $0) })
    }

    @Test(.userSQL) func localTimesOfEveryKindMatchFoundation() throws {
        let seed: UInt64 = 10
        var random = SeededGenerator(seed: seed)
        let store = try TestStore()
        let users = Self.zones.indices.map { "u\($0)" }
        var records: [Record] = zip(users, Self.zones).map { user, zone in .user(user, zone: zone) }
        records += users.dropFirst().map { .follow("u0", $0) } + users.map { .habit("\($0)-h", of: $0) }
        var expected: [String: [String: String]] = [:]
        let first = try #require(Day("2026-01-01"))
        for number in 0..<40 {
            let index = number % users.count
            let user = users[index]
            let zone = Self.zones[index]
            func at(_ kind: String, _ id: String) throws -> FieldInput<OffsetInstant> {
                let at = Self.randomInstant(&random)
                expected[kind, default: [:]][id] = try Self.expected(at, zone: zone)
                return at.map { .value($0) } ?? .absent
            }
            var event = EventRecord(habit: "\(user)-h")
            event.id = "e\(number)"
            event.at = try at("events", "e\(number)")
            let localDay = event.at.value.map { $0.day(in: TimeZoneRules(zone) ?? .utc) }
            event.day = localDay ?? first.advanced(by: number)
            records.append(.event(event))
            var item = ItemRecord(id: "i/\(number)", user: user, name: "Item")
            item.postedAt = try at("items", item.id)
            var post = PostRecord(id: "p\(number)", user: user)
            post.postedAt = try at("posts", post.id)
            let other = users[(index + 1) % users.count]
            var claim = ClaimRecord(item: "i/\(number)", user: user)
            claim.claimedAt = try at("claims", "i/\(number)/\(user)")
            item.user = other
            expected["items"]?[item.id] = try Self.expected(
                item.postedAt.value, zone: Self.zones[(index + 1) % users.count])
            var message = MessageRecord(item: item.id, sender: user, recipient: other, text: "hello")
            message.id = "m\(number)"
            message.sentAt = try at("messages", "m\(number)")
            records += [.item(item), .post(post), .claim(claim), .message(message)]
        }
        try store.write(records)
        let ids = [
            "events": "id", "items": "id", "posts": "id", "claims": "item || '/' || \"user\"", "messages": "id",
        ]
        for (kind, id) in ids {
            let rows = try Self.rows("SELECT id, day, hour FROM local_times('\(kind)') AS l ORDER BY id", on: store)
            #expect(rows == expected[kind]?.map { "\($0) \($1)" }.sorted(), "\(kind), seed \(seed)")
            for user in [nil, "u0", "u2"] {
                let visible = try Self.rows("SELECT \(id) AS id FROM \(kind) ORDER BY 1", on: store, as: user)
                let local = try Self.rows("SELECT id FROM local_times('\(kind)') AS l ORDER BY id", on: store, as: user)
                #expect(local == visible, "\(kind) as \(user ?? "operator")")
                let joined = try Self.rows(
                    """
                    SELECT l.id, l.day, l.hour FROM \(kind) AS v
                    JOIN local_times('\(kind)') AS l ON l.id = \(id.replacing("item", with: "v.item").replacing("\"user\"", with: "v.\"user\"").replacing(#/^id/#, with: "v.id"))
                    ORDER BY l.id
                    """, on: store, as: user)
                #expect(joined == rows.filter { row in visible.contains { row.hasPrefix("\($0) ") } })
                #expect(!joined.isEmpty)
            }
        }
    }

    @Test func unknownKindIsRefused() throws {
        let store = try TestStore()
        #expect { try Self.rows("SELECT * FROM local_times('habits') AS l", on: store) } throws: {
            ($0 as? HabitError)?.code == .parameterInvalid
        }
    }

    /// An event at 16:27 in UTC is at 01:27 of the next day in Tokyo.
    @Test func instantInUTCCountsAtHourOfUser() throws {
        let store = try TestStore()
        var event = EventRecord(habit: "h")
        event.day = Day("2026-05-25")
        event.at = try .value(#require(OffsetInstant("2026-05-24T16:27:40Z")))
        try store.write([.user("ana", zone: "Asia/Tokyo"), .habit("h", of: "ana"), .event(event)])
        for user in [nil, "ana"] as [String?] {
            #expect(
                try Self.rows("SELECT * FROM event_hours(NULL, NULL, NULL, NULL) AS h", on: store, as: user) == [
                    "1 1 1"
                ])
        }
    }

    /// The intervals contain exactly the instants whose local date is in the days, also where clocks change at midnight.
    @Test(arguments: [
        "UTC", "Asia/Tokyo", "America/St_Johns", "America/Havana", "Atlantic/Azores", "Pacific/Apia", "Asia/Gaza",
        "America/Scoresbysund",
    ])
    func intervalsOfLocalDaysContainTheirInstants(zone: String) throws {
        let seed: UInt64 = 3
        var random = SeededGenerator(seed: seed)
        let rules = try #require(TimeZoneRules(zone))
        let first = try #require(Day("2011-10-01"))
        for _ in 0..<40 {
            let from = first.advanced(by: Int.random(in: 0...200, using: &random))
            let to = from.advanced(by: Int.random(in: 0...2, using: &random))
            for (from, to) in [(from, to), (nil, to), (from, nil)] as [(Day?, Day?)] {
                let intervals = rules.instants(from: from, to: to)
                let middle = try #require(from ?? to).startInUTC.microseconds
                for step in -300...300 {
                    let instant = Instant(microseconds: middle + Int64(step) * 1_800_000_000)
                    let day = instant.day(in: rules)
                    let earliest = from ?? day
                    let latest = to ?? day
                    let isInside = earliest <= day && day <= latest
                    #expect(
                        intervals.contains { $0.contains(instant.microseconds) } == isInside,
                        "\(instant.microseconds), \(String(describing: from)) to \(String(describing: to)), seed \(seed)"
                    )
                }
            }
        }
    }

    /// A list of posts between two days has the posts whose local date is between them.
    @Test func daysOfListAreLocalDays() throws {
        let seed: UInt64 = 12
        var random = SeededGenerator(seed: seed)
        let store = try TestStore()
        var records: [Record] = Self.zones.indices.map { .user("u\($0)", zone: Self.zones[$0]) }
        records += Self.zones.indices.dropFirst().map { .follow("u0", "u\($0)") }
        var days: [String: Day] = [:]
        let begin = try #require(Day("2026-03-01")).startInUTC.microseconds
        for number in 0..<150 {
            let index = number % Self.zones.count
            let instant = Instant(microseconds: begin + Int64.random(in: 0..<20 * 24, using: &random) * 3_600_000_000)
            let offsets: [Int16?] = [nil, nil, 540, -210]
            let offset = offsets.randomElement(using: &random) ?? nil
            let at = OffsetInstant(instant, offset: offset.map { UTCOffset(minutes: $0) })
            var post = PostRecord(id: "p\(number)", user: "u\(index)")
            post.postedAt = .value(at)
            var item = ItemRecord(id: "p\(number)", user: "u\(index)", name: "Item")
            item.postedAt = .value(at)
            var message = MessageRecord(item: item.id, sender: "u\(index)", recipient: "u0", text: "hello")
            message.id = "p\(number)"
            message.sentAt = .value(at)
            records += [.post(post), .item(item)]
            if index > 0 { records.append(.message(message)) }
            days[post.id] = at.day(in: try #require(TimeZoneRules(Self.zones[index])))
        }
        try store.write(records)
        let first = try #require(Day("2026-03-05"))
        let intervals: [(from: Day?, to: Day?)] = [
            (first, first),
            (first, first.advanced(by: 6)),
            (nil, first),
            (first, nil),
        ]
        for (from, to) in intervals {
            var span = TimeSpan(from: nil, to: nil)
            span.firstDay = from
            span.lastDay = to
            let recordsInSpan = days.filter { record in
                let earliest = from ?? record.value
                let latest = to ?? record.value
                return earliest <= record.value && record.value <= latest
            }
            let expected = recordsInSpan.keys.sorted()
            let posts = try store.rows(as: "u0", columns: ["id"]) { session, viewer in
                var query = PostQuery(viewer: viewer)
                query.during = span
                return try query.selection(in: session)
            }
            let items = try store.rows(as: "u0", columns: ["id"]) { session, viewer in
                var query = ItemQuery(viewer: viewer, clock: Self.clock)
                query.during = span
                return try query.selection(in: session)
            }
            let messages = try store.rows(as: "u0", columns: ["id"]) { session, viewer in
                var query = MessageQuery(viewer: viewer)
                query.during = span
                return try query.selection(in: session)
            }
            #expect(posts.flatMap(\.self).sorted() == expected)
            #expect(items.flatMap(\.self).sorted() == expected)
            #expect(Set(messages.flatMap(\.self)).isSubset(of: expected))
            #expect(!messages.isEmpty)
            #expect(!expected.isEmpty)
        }
    }

    // MARK: Dates that never existed

    @Test(arguments: [
        ("Pacific/Apia", ["2011-12-30"]), ("Pacific/Fakaofo", ["2011-12-30"]), ("Pacific/Kwajalein", ["1993-08-21"]),
        ("Europe/Lisbon", []), ("America/Sao_Paulo", []), ("UTC", []),
    ])
    func datesThatNeverExistedAreKnown(zone: String, dates: [String]) throws {
        let rules = try #require(TimeZoneRules(zone))
        let missing = rules.missingDates.filter { $0 > Day(number: -36_500) }
        #expect(missing.map(\.description) == dates)
        for date in rules.missingDates {
            // No hour of the surrounding days has this local date.
            let hours = (-72...96).map { Instant(microseconds: date.startInUTC.microseconds + $0 * 3_600_000_000) }
            #expect(!hours.contains { $0.day(in: rules) == date })
        }
    }

    @Test func eventOnDateThatNeverExistedIsRefused() throws {
        let store = try TestStore()
        try store.write([.user("u", zone: "Pacific/Apia"), .habit("h", of: "u")])
        try store.engine.write { session in
            let viewer = try Viewer.user(named: "u", in: session)
            let user = try ActingUser(viewer, clock: Clock(now: .now), in: session)
            var draft = EventDraft()
            draft.day = Day("2011-12-30")
            #expect {
                _ = try EventActions(user).add(habit: "h", draft)
            } throws: { error in
                let error = error as? HabitError
                return error?.code == .eventNotDue && error?.message.contains("does not exist") == true
            }
            draft.day = Day("2011-12-31")
            _ = try EventActions(user).add(habit: "h", draft)
        }
    }

    @Test(arguments: ["Pacific/Apia", "UTC"])
    func dateThatNeverExistedIsNeitherDueNorMissed(zone: String) throws {
        let store = try TestStore()
        var target = HabitRecord(id: "t", user: "u", title: "t", schedule: .target(try Target(times: 2, periodDays: 3)))
        target.start = try .value(#require(Day("2011-12-27")))
        try store.write([
            .user("u", zone: zone),
            .habit("h", of: "u"),
            .event("h", "2011-12-28"),
            .event("h", "2011-12-29"),
            .event("h", "2011-12-31"),
            .habit(target),
            .event("t", "2011-12-28"),
            .event("t", "2011-12-31"),
        ])
        let exists = zone == "UTC"
        let sql =
            "SELECT day, due, outcome FROM habit_days('2011-12-28', '2011-12-31') AS d WHERE habit = 'h' ORDER BY day"
        #expect(
            try Self.rows(sql, on: store)
                == ["2011-12-28 1 done", "2011-12-29 1 done"] + (exists ? ["2011-12-30 1 missed"] : [])
                + ["2011-12-31 1 done"])
        let standing = "SELECT habit, due, done, streak_current FROM habit_standings('2011-12-31') AS s ORDER BY habit"
        #expect(
            try Self.rows(standing, on: store)
                == (exists ? ["h 4 3 1", "t 5 0 0"] : ["h 3 3 3", "t 4 3 3"]))
    }
}
