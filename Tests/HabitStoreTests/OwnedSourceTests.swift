import Base
import Geo
import HabitModel
import HabitTestSupport
import Testing

@testable import HabitStore
@testable import StoreEngine

/// Tests that the indexes by owner find the rows of a user that the spatial index and the rules of visibility select.
///
/// The operator's query reads the spatial index, and the test applies the rules to its rows. The positions are at the
/// edges of tiles, on the 180th meridian, at the poles and around the edges of the boxes.
@Suite struct OwnedSourceTests {
    /// The owners of the events, with the share that `me` sees.
    private static let owners: [(id: String, share: Share?)] = [
        ("me", nil), ("all", .all), ("all-too", .all), ("latest", .latest), ("stranger", nil),
    ]
    private static let comments = ["Rain", "rainbow", "no rain today", "STRASSE", "Straße", "", "100 %_\\"]
    private static let habitsOfOwner = 3

    private static let centers = [
        (-9.1393, 38.7223),
        (180, -16.8),
        (-180, 10),
        (12.5, 89.95),
        (-60, -90),
        (0, 0),
        (45, 66.51326044311186),
    ].compactMap { longitude, latitude in Position(longitude: longitude, latitude: latitude) }

    /// Returns the position at the northwestern corner of the tile of zoom 16 that contains `position`.
    private static func corner(of position: Position) -> Position {
        let tile = MapPoint(position).tile(at: 16)
        let longitude = Double(tile.column) / 65536 * 360 - 180
        return Position(longitude: longitude, latitude: position.latitude) ?? position
    }

    private static func position(_ number: Int, _ random: inout SeededGenerator) -> Position {
        let center = centers[number % centers.count]
        switch number % 5 {
        case 0: return center
        case 1: return corner(of: center)
        default:
            return Geodesic.destination(
                from: center,
                azimuth: .random(in: 0..<360, using: &random),
                distance: .meters(.random(in: 0...(number % 2 == 0 ? 900 : 40_000), using: &random)))
        }
    }

    /// Returns a store with events on 40 days, posts, and an event without a position for each habit.
    private static func store(_ random: inout SeededGenerator) throws -> TestStore {
        var records: [Record] = owners.map { owner in .user(owner.id) }
        for owner in owners {
            if let share = owner.share { records.append(.follow("me", owner.id, share: share)) }
            records += (1...habitsOfOwner).map { number in .habit("\(owner.id)-\(number)", of: owner.id) }
        }
        let first = try #require(Day("2026-09-01"))
        var number = 0
        for owner in owners {
            for habit in 1...habitsOfOwner {
                for day in 0..<40 {
                    number += 1
                    records.append(
                        .event(
                            "\(owner.id)-\(habit)",
                            first.advanced(by: day + habit).description,
                            id: "e\(number)",
                            comment: comments[number % comments.count],
                            at: day % 9 == 4 ? nil : position(number, &random)))
                }
            }
            for post in 0..<20 {
                number += 1
                var record = PostRecord(id: "p\(number)", user: owner.id)
                record.position = post % 5 == 4 ? .absent : .value(position(number, &random))
                records.append(.post(record))
            }
        }
        let store = try TestStore()
        try store.engine.load { writer in
            for record in records { _ = try writer.write(record) }
        }
        return store
    }

    private typealias Filter = @Sendable (inout EventQuery) -> Void

    /// Boxes and circles around the centers, with edges at the positions of events and at the edges of tiles.
    private static func areas(_ random: inout SeededGenerator) -> [(name: String, filter: Filter)] {
        var areas: [(String, Filter)] = []
        for center in centers {
            for meters in [0, 1, 900, 5000, 200_000] as [Double] {
                areas.append(
                    ("\(center) \(meters) m", { $0.filter.near = Near(center: center, within: .meters(meters)) }))
            }
            let corner = corner(of: center)
            let edge = MapPoint(center).tile(at: 16).box
            let boxes = [
                BoundingBox(
                    west: center.longitude, south: center.latitude, east: center.longitude, north: center.latitude),
                BoundingBox(
                    west: min(corner.longitude, center.longitude), south: max(center.latitude - 0.2, -90),
                    east: max(corner.longitude, center.longitude), north: min(center.latitude + 0.2, 90)),
                edge,
                BoundingBox(west: 179.9, south: -90, east: -179.9, north: 90),
                BoundingBox(west: -180, south: -20, east: 180, north: 66.6),
                BoundingBox(west: -180, south: -90, east: 10, north: 90),
                BoundingBox(west: 10, south: -20, east: 180, north: 20),
                BoundingBox(west: 170, south: -20, east: -170, north: 20),
            ]
            for box in boxes.compactMap(\.self) {
                areas.append(("\(box)", { $0.filter.box = box }))
            }
        }
        return areas
    }

    private static let texts: [(name: String, filter: Filter)] = [
        ("comment", { $0.filter.comment = "RAIN" }), ("short comment", { $0.filter.comment = "_" }),
        ("backslash", { $0.filter.comment = "%_\\" }), ("folded", { $0.filter.comment = "strasse" }),
        ("word", { $0.filter.commentWord = "Rain" }), ("folded word", { $0.filter.commentWord = "STRASSE" }),
        ("exact", { $0.filter.exactComment = "Rain" }), ("no such comment", { $0.filter.comment = "snow" }),
        (
            "word of an owner",
            {
                $0.filter.commentWord = "rain"
                $0.filter.users = ["all"]
            }
        ),
        (
            "comment of two owners",
            {
                $0.filter.comment = "rain"
                $0.filter.users = ["latest", "stranger"]
            }
        ),
        (
            "word in a circle",
            {
                $0.filter.commentWord = "rain"
                $0.filter.near = Near(center: OwnedSourceTests.centers[0], within: .meters(50_000))
            }
        ),
        (
            "word of a habit",
            {
                $0.filter.commentWord = "rain"
                $0.filter.habitIDs = ["all-1"]
            }
        ),
        (
            "comment in a box of an owner",
            {
                $0.filter.comment = "rain"
                $0.filter.box = BoundingBox(west: -10, south: 38, east: -9, north: 39)
                $0.filter.users = ["me"]
            }
        ),
    ]

    private static func ids(
        _ store: TestStore,
        as user: String?,
        _ change: Filter
    ) throws -> Set<String> {
        let rows = try store.rows(as: user, columns: ["id"]) { session, viewer in
            var query = EventQuery(viewer: viewer)
            query.scope = .all
            change(&query)
            return try query.selection(in: session)
        }
        #expect(Set(rows.map { row in row[0] }).count == rows.count, "a row occurs twice")
        return Set(rows.map { row in row[0] })
    }

    /// The events that `me` can see in each scope, from the operator's list of all events.
    private struct Visible {
        var ids: [EventQuery.Scope: Set<String>] = [:]

        init(_ store: TestStore) throws {
            let rows = try store.rows(columns: ["id", "user", "habit", "day"]) { session, viewer in
                try EventQuery(viewer: viewer).selection(in: session)
            }
            var newest: [String: (id: String, day: String)] = [:]
            for row in rows where row[3] > newest[row[2]]?.day ?? "" {
                newest[row[2]] = (row[0], row[3])
            }
            let shares = Dictionary(
                uniqueKeysWithValues: OwnedSourceTests.owners.map { owner in (owner.id, owner.share) })
            for row in rows {
                let share = shares[row[1]] ?? nil
                let isNewest = newest[row[2]]?.id == row[0]
                if row[1] == "me" { ids[.mine, default: []].insert(row[0]) }
                if row[1] == "me" || share == .all || share == .latest && isNewest {
                    ids[.all, default: []].insert(row[0])
                }
                if share != nil, isNewest { ids[.friends, default: []].insert(row[0]) }
            }
        }
    }

    @Test(arguments: [1, 2] as [UInt64]) func eventsOfUserAreVisibleEventsOfOperator(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let store = try Self.store(&random)
        let visible = try Visible(store)
        var found = 0
        for (name, filter) in Self.areas(&random) + Self.texts {
            let all = try Self.ids(store, as: nil, filter)
            for scope in EventQuery.Scope.allCases {
                let expected = all.intersection(visible.ids[scope] ?? [])
                let ids = try Self.ids(store, as: "me") { query in
                    query.scope = scope
                    filter(&query)
                }
                #expect(ids == expected, "\(name), \(scope)")
                let page = try Self.ids(store, as: "me") { query in
                    query.scope = scope
                    query.page = Page(limit: max(expected.count, 1))
                    filter(&query)
                }
                #expect(page == expected, "page of \(name), \(scope)")
                found += expected.count
            }
        }
        #expect(found > 500)
    }

    @Test func postsOfUserAreVisiblePostsOfOperator() throws {
        var random = SeededGenerator(seed: 3)
        let store = try Self.store(&random)
        var found = 0
        for center in Self.centers {
            for meters in [0, 900, 50_000] as [Double] {
                func rows(as user: String?) throws -> [[String]] {
                    try store.rows(as: user, columns: ["id", "user"]) { session, viewer in
                        var query = PostQuery(viewer: viewer)
                        query.near = Near(center: center, within: .meters(meters))
                        query.sort = .distance
                        return try query.selection(in: session)
                    }
                }
                let expected = try rows(as: nil).filter { row in row[1] != "stranger" }
                #expect(try rows(as: "me") == expected)
                found += expected.count
            }
        }
        #expect(found > 20)
    }

    /// A row in two ranges would be in the result twice.
    @Test func mergedRangesHaveNoNumberInCommon() {
        let ranges: [ClosedRange<Int64>] = [3...5, 1...2, 9...9, 4...7]
        #expect(ranges.merged() == [1...7, 9...9])
        #expect([1...9, 2...3].merged() == [1...9])
        #expect([ClosedRange<Int64>]().merged().isEmpty)
    }

    /// The rows are equal whether the owners are read by cell or completely.
    ///
    /// A search reads all rows of an owner if the owner has fewer rows than the search has ranges of cells.
    @Test func ownerWithFewRowsIsReadCompletely() throws {
        let box = try #require(BoundingBox(west: 10, south: 50, east: 10.02, north: 50.02))
        let ranges = MapTileRange.covering(box, at: 16).flatMap { tiles in tiles.codes(at: 16) }.merged().count
        #expect(ranges > 2)
        for rows in [ranges - 1, ranges, ranges + 1] {
            let store = try TestStore()
            let day = try #require(Day("2026-01-01"))
            var records: [Record] = [.user("me"), .habit("run", of: "me")]
            for number in 0..<rows {
                let place = Position(longitude: 10 + Double(number % 3) * 0.02, latitude: 50)
                records.append(.event("run", day.advanced(by: number).description, id: "e\(number)", at: place))
            }
            try store.write(records)
            let sql = try store.engine.read { session in
                let viewer = try Viewer.user(named: "me", in: session)
                return try OwnedSource.events(.mine, Visibility(viewer: viewer), in: session).rows(in: box)
            }
            let names = sql.bindings.keys.filter { name in name.hasPrefix("first_cell") }
            #expect(names.count == (rows < ranges ? 1 : ranges))
            let ids = try Self.ids(store, as: "me") { query in query.filter.box = box }
            #expect(ids.count == (0..<rows).count { number in number % 3 != 2 })
        }
    }
}
