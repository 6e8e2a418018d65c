import Base
import Foundation
import Geo
import HabitModel
import HabitTestSupport
import StoreEngine
import Testing

@testable import HabitStore

/// Tests the position at which each viewer sees each item, in every path that reads positions (G-09).
@Suite struct ItemPositionTests {
    private static let seed: UInt64 = 5009
    private static let clock = Clock(now: Instant(microseconds: 1_795_000_000_000_000))
    private static let users = ["ann", "bob", "cleo", "sam"]
    private static let states: [ClaimState?] = [nil, .claimed, .given, .released]

    /// An item with its parties.
    private struct Item: Sendable {
        var id: String
        var poster: String
        var position: Position?
        /// The user who has claimed the item, with the state of the claim.
        var claimer: String?
        var state: ClaimState?

        /// Whether a viewer knows where the item is.
        ///
        /// `nil` stands for the operator.
        func isExact(for viewer: String?) -> Bool {
            guard let viewer else { return true }
            return viewer == poster || (viewer == claimer && (state == .claimed || state == .given))
        }

        /// The position that a viewer sees.
        func shown(to viewer: String?) -> Position? {
            guard let position else { return nil }
            return isExact(for: viewer) ? position : ItemPositionTests.cell(of: position)
        }
    }

    /// The center of a cell, computed in degrees instead of integers.
    private static func cell(of position: Position) -> Position? {
        let row = min(((position.latitude + 90) / 0.0036).rounded(.down), 49_999)
        let latitude = -90 + (row + 0.5) * 0.0036
        let columns = max((100_000 * cos(latitude * .pi / 180)).rounded(), 1)
        let column = ((position.longitude + 180) / 360 * columns).rounded(.down).truncatingRemainder(
            dividingBy: columns)
        func decimals(_ degrees: Double) -> Double { (degrees * 1e7).rounded() / 1e7 }
        return Position(
            longitude: decimals(-180 + (column + 0.5) * 360 / columns), latitude: decimals(latitude))
    }

    private static func isNear(_ a: Position?, _ b: Position?) -> Bool {
        guard let a, let b else { return a == nil && b == nil }
        return abs(a.longitude - b.longitude) < 1.5e-7 && abs(a.latitude - b.latitude) < 1.5e-7
    }

    private static let centers: [(longitude: Double, latitude: Double)] = [
        (-9.14, 38.72),
        (180, -17),
        (-179.9999, 65),
        (30, 90),
        (-60, -89.999),
        (0, 0),
    ]

    /// Returns items around places at which the grid has edges.
    private static func items() -> [Item] {
        var random = SeededGenerator(seed: seed)
        return (0..<120).map { number in
            let place = centers[number % centers.count]
            let center = Position(longitude: place.longitude, latitude: place.latitude) ?? .nullIsland
            let position = Geodesic.destination(
                from: center, azimuth: .random(in: 0..<360, using: &random),
                distance: .meters(.random(in: 0...1500, using: &random)))
            let poster = users[number % 2]
            let state = states[number / 2 % 4]
            let isUnlocated = number % 17 == 0
            return Item(
                id: "i\(number)", poster: poster, position: isUnlocated ? nil : number % 19 == 0 ? center : position,
                claimer: state == nil ? nil : "cleo", state: state)
        }
    }

    private static func store() throws -> (store: TestStore, items: [Item]) {
        let items = items()
        let store = try TestStore()
        var records: [Record] = users.map { .user($0) }
        for item in items {
            var record = ItemRecord(id: item.id, user: item.poster, name: "Lamp")
            record.position = item.position.map { .value($0) } ?? .absent
            records.append(.item(record))
            guard let claimer = item.claimer, let state = item.state else { continue }
            var claim = ClaimRecord(item: item.id, user: claimer)
            claim.state = .value(state)
            records.append(.claim(claim))
        }
        try store.write(records)
        return (store, items)
    }

    private static let viewers: [String?] = [nil] + users.map { $0 }

    private static func query(_ viewer: Viewer) -> ItemQuery {
        var query = ItemQuery(viewer: viewer, clock: clock)
        query.states = []
        return query
    }

    /// A row of a list: the ID, the position and the distance.
    private struct Row {
        var id: String
        var position: Position?
        var distance: Double?

        init(_ cells: [String]) {
            id = cells[0]
            if let longitude = Double(cells[1]), let latitude = Double(cells[2]) {
                position = Position(longitude: longitude, latitude: latitude)
            }
            distance = cells.count > 3 ? Double(cells[3]) : nil
        }
    }

    private static func rows(
        _ store: TestStore, as viewer: String?, near: Bool = false, _ change: (inout ItemQuery) -> Void
    ) throws -> [Row] {
        let columns = ["id", "longitude", "latitude"] + (near ? ["distance_m"] : [])
        return try store.rows(as: viewer, columns: columns) { session, viewer in
            var query = query(viewer)
            change(&query)
            return try query.selection(in: session)
        }.map { Row($0) }
    }

    // MARK: Lists and distances

    @Test func listsShowCellsToOthers() throws {
        let sample = try Self.store()
        let store = sample.store
        let items = sample.items
        for viewer in Self.viewers {
            let rows = try Self.rows(store, as: viewer) { _ in }
            #expect(Set(rows.map(\.id)) == Set(items.map(\.id)))
            for row in rows {
                let item = try #require(items.first { $0.id == row.id })
                #expect(
                    Self.isNear(row.position, item.shown(to: viewer)),
                    "seed \(Self.seed), \(viewer ?? "operator"): \(row) \(item)")
                if item.isExact(for: viewer) { #expect(row.position == item.position) }
            }
        }
    }

    /// The circle has items at every distance up to its radius, at the poles and at the antimeridian too.
    @Test func distancesAreThoseOfShownPositions() throws {
        let sample = try Self.store()
        let store = sample.store
        let items = sample.items
        for viewer in Self.viewers {
            for (longitude, latitude) in Self.centers {
                let center = try #require(Position(longitude: longitude, latitude: latitude))
                for meters in [300.0, 900, 1400] {
                    let rows = try Self.rows(store, as: viewer, near: true) {
                        $0.near = Near(center: center, within: .meters(meters))
                        $0.sort = .distance
                    }
                    var expected: [String: Double] = [:]
                    for item in items {
                        guard let position = item.shown(to: viewer) else { continue }
                        let distance = Geodesic.distance(from: center, to: position).meters
                        if distance <= meters { expected[item.id] = distance }
                    }
                    #expect(Set(rows.map(\.id)) == Set(expected.keys), "seed \(Self.seed), \(viewer ?? "operator")")
                    for row in rows {
                        let found = row.distance ?? -1
                        let distance = expected[row.id] ?? -2
                        #expect(abs(found - distance) < 0.02)
                    }
                    let distances = rows.map { $0.distance ?? 0 }
                    #expect(distances == distances.sorted())
                    let byFunction = try Self.functionRows(store, as: viewer, around: center, within: meters)
                    #expect(byFunction == Set(expected.keys))
                    let byUnion = try Self.unionRows(store, as: viewer, around: center, within: meters)
                    #expect(byUnion == Set(expected.keys))
                }
            }
        }
    }

    private static func functionRows(
        _ store: TestStore, as viewer: String?, around center: Position, within meters: Double
    ) throws -> Set<String> {
        try store.analyze(as: viewer, clock: clock) { session, viewer in
            var ids: Set<String> = []
            let sql = "SELECT id FROM items_near(\(center.longitude), \(center.latitude), \(meters))"
            try AnalysisQuery(sql, viewer: viewer, clock: clock).run(in: session) { _ in
                { ids.insert($0.text(0) ?? "") }
            }
            return ids
        }
    }

    private static func unionRows(
        _ store: TestStore, as viewer: String?, around center: Position, within meters: Double
    ) throws -> Set<String> {
        let rows = try store.rows(as: viewer, columns: ["id"]) { session, viewer in
            let query = NearQuery(
                kinds: [.items, .posts], events: EventQuery(viewer: viewer), items: Self.query(viewer),
                posts: PostQuery(viewer: viewer))
            return try query.selection(near: Near(center: center, within: .meters(meters)), in: session)
        }
        return Set(rows.map { $0[0] })
    }

    // MARK: Boxes, filters and maps

    private static let boxes = [
        "-9.145,38.715,-9.135,38.725", "179.99,-17.01,-179.99,-16.99", "-180,64.99,-179.9,65.01", "-180,89.9,180,90",
        "-180,-90,180,-89.99", "-0.005,-0.005,0.005,0.005", "-180,-90,180,90",
    ]

    @Test func boxesAndFiltersUseShownPositions() throws {
        let sample = try Self.store()
        let store = sample.store
        let items = sample.items
        for viewer in Self.viewers {
            for text in Self.boxes {
                let box = try #require(BoundingBox(text))
                // A position on an edge can be on either side of it after the rounding of the model.
                let inside = Set(items.filter { $0.shown(to: viewer).map(box.contains) == true }.map(\.id))
                let unlocated = Set(items.filter { $0.position == nil }.map(\.id))
                let found = try Self.rows(store, as: viewer) { $0.box = box }
                #expect(Set(found.map(\.id)) == inside, "seed \(Self.seed), \(viewer ?? "operator"), \(text)")
                let open = try Self.rows(store, as: viewer) { $0.boxOrUnlocated = box }
                #expect(Set(open.map(\.id)) == inside.union(unlocated))
                let filtered = try Self.rows(store, as: viewer) {
                    $0.condition = .spatial(.intersects, Queryable(Queryable.geometry, .point), .box(box))
                }
                #expect(Set(filtered.map(\.id)) == inside)
                let counted = try store.engine.read { session in
                    let viewer = try viewer.map { try Viewer.user(named: $0, in: session) } ?? .operator
                    var count = 0
                    let map = MapQuery(.items(Self.query(viewer)))
                    for cluster in try map.clusters(in: .world, zoom: 2, limit: 100_000, in: session) ?? [] {
                        count += cluster.count
                    }
                    return count
                }
                #expect(counted == items.count - unlocated.count)
            }
        }
    }

    @Test func tilesContainShownPositions() throws {
        let sample = try Self.store()
        let store = sample.store
        let items = sample.items
        for viewer in Self.viewers {
            for item in items {
                guard let shown = item.shown(to: viewer) else { continue }
                let tile = MapPoint(shown).tile(at: 14)
                let content = try store.engine.read { session in
                    let viewer = try viewer.map { try Viewer.user(named: $0, in: session) } ?? .operator
                    return try MapQuery(.items(Self.query(viewer))).content(of: tile, properties: [], in: session)
                }
                guard case .points(let points) = content else {
                    Issue.record("the tile has clusters")
                    continue
                }
                let point = try #require(points.first { $0.id == item.id }, "\(viewer ?? "operator"): \(item)")
                #expect(Self.isNear(point.position, shown))
            }
        }
    }

    @Test func extentContainsShownPositions() throws {
        let sample = try Self.store()
        let store = sample.store
        let items = sample.items
        for viewer in Self.viewers {
            let box = try store.engine.read { session in
                let viewer = try viewer.map { try Viewer.user(named: $0, in: session) } ?? .operator
                return try ExtentQuery(.items, viewer: viewer).extent(in: session)?.box
            }
            let shown = items.compactMap { $0.shown(to: viewer) }
            let south = try #require(shown.map(\.latitude).min())
            let north = try #require(shown.map(\.latitude).max())
            let found = try #require(box)
            #expect(abs(found.south - south) < 1.5e-7, "\(viewer ?? "operator")")
            #expect(abs(found.north - north) < 1.5e-7, "\(viewer ?? "operator")")
        }
    }

    @Test func viewsShowCellsToOthers() throws {
        let sample = try Self.store()
        let store = sample.store
        let items = sample.items
        for viewer in Self.viewers {
            var rows: [Row] = []
            try store.analyze(as: viewer, clock: Self.clock) { session, viewer in
                let sql = "SELECT id, longitude, latitude FROM items WHERE longitude IS NOT NULL"
                try AnalysisQuery(sql, viewer: viewer, clock: Self.clock).run(in: session) { _ in
                    { row in rows.append(Row([row.text(0) ?? "", "\(row.number(1))", "\(row.number(2))"])) }
                }
            }
            #expect(rows.count == items.filter { $0.position != nil }.count)
            for row in rows {
                let item = try #require(items.first { $0.id == row.id })
                #expect(Self.isNear(row.position, item.shown(to: viewer)), "\(viewer ?? "operator"): \(row)")
            }
        }
    }

    /// A client without a token sees less than the operator, in whose name the collection is read.
    @Test func publicRowsShowCells() throws {
        let sample = try Self.store()
        let store = sample.store
        let items = sample.items
        let rows = try Self.rows(store, as: nil) { $0.isPublic = true }
        for row in rows {
            let item = try #require(items.first { $0.id == row.id })
            #expect(Self.isNear(row.position, item.position.flatMap { Self.cell(of: $0) }))
        }
        let center = try #require(Position(longitude: -9.14, latitude: 38.72))
        let near = try Self.rows(store, as: nil, near: true) {
            $0.isPublic = true
            $0.near = Near(center: center, within: .meters(900))
        }
        for row in near {
            let position = try #require(row.position)
            #expect(abs((row.distance ?? -1) - Geodesic.distance(from: center, to: position).meters) < 0.01)
        }
    }

    // MARK: Changes

    @Test func moveOfItemMovesShownPosition() throws {
        let sample = try Self.store()
        let store = sample.store
        let items = sample.items
        let item = try #require(items.first { $0.position != nil })
        let place = try #require(Position(longitude: 7.123456, latitude: 45.123456))
        for position: Position? in [place, nil, place] {
            var record = ItemRecord(id: item.id, user: item.poster, name: "Lamp")
            record.position = position.map { .value($0) } ?? .null
            try store.write([.item(record)])
            let row = try #require(try Self.rows(store, as: "sam") { $0.id = item.id }.first)
            #expect(Self.isNear(row.position, position.flatMap { Self.cell(of: $0) }))
            let near = try Self.rows(store, as: "sam", near: true) { $0.near = Near(center: place) }
            #expect(near.map(\.id) == (position == nil ? [] : [item.id]))
        }
        #expect(try StoreDoctor(store.engine).examine().allSatisfy { $0.status == .ok })
    }

    /// The doctor restores the shown positions after another program has changed an item.
    @Test func doctorRepairsShownPositions() throws {
        let sample = try Self.store()
        let store = sample.store
        let items = sample.items
        let before = try Self.rows(store, as: "sam") { _ in }.map { [$0.id, "\($0.position.debugDescription)"] }
        try store.engine.write { session in
            try session.run(SQL("UPDATE item SET shown = geometry WHERE id % 3 = 0"))
            try session.run(SQL("UPDATE item SET shown = NULL WHERE id % 3 = 1"))
        }
        let found = try StoreDoctor(store.engine).examine().filter { $0.status == .damaged }
        #expect(found.map(\.check) == ["shown-positions"], "\(found)")
        let repaired = try StoreDoctor(store.engine).repair()
        #expect(repaired.allSatisfy { $0.status != .damaged }, "\(repaired)")
        let after = try Self.rows(store, as: "sam") { _ in }.map { [$0.id, "\($0.position.debugDescription)"] }
        #expect(after == before)
        #expect(items.count == after.count)
    }
}
