import Base
import Foundation
import Geo
import HabitModel
import HabitTestSupport
import StoreEngine
import Testing

@testable import HabitStore

/// A store whose user `ann` shares views, and a model of the records that a view shows.
///
/// The text of each record is its ID, so that a test can identify the records of a view. `ann` follows `bob`, and `bob`
/// follows `ann`. The positions are random, also at the edges of cells, at the antimeridian and at the poles. No position is
/// near the border of the private place.
struct SharedViewScene {
    /// A record of the model.
    struct Record: Sendable {
        var layer: ViewDefinition.Layer
        var id: String
        var position: Position?
        /// The day of an event or a post.
        var day = Day.first
        var habit = ""
        var isSkipped = false
    }

    static let seed: UInt64 = 2211
    static let clock = Clock(now: OffsetInstant("2026-03-01T12:00:00Z").map(\.instant) ?? .now)
    static let home = Position(longitude: 12.5, latitude: 41.9) ?? .nullIsland
    private static let firstDay = Day("2026-01-01") ?? .first

    let store: TestStore
    /// The records of `ann`, of which only the model knows whether a position is private.
    let records: [Record]
    /// The IDs of all records of `bob`.
    let others: [String]

    init() throws {
        store = try TestStore()
        var random = SeededGenerator(seed: Self.seed)
        var records: [Record] = []
        for number in 0..<120 {
            let day = Self.firstDay.advanced(by: number / 2)
            records.append(
                Record(
                    layer: .events,
                    id: "event-\(number)",
                    position: Self.position(number, &random),
                    day: day,
                    habit: number % 2 == 0 ? "run" : "walk",
                    isSkipped: number % 9 == 0))
        }
        for number in 0..<40 {
            let day = Self.firstDay.advanced(by: number)
            records.append(
                Record(layer: .posts, id: "post-\(number)", position: Self.position(number, &random), day: day))
        }
        for number in 0..<40 {
            records.append(Record(layer: .items, id: "item-\(number)", position: Self.position(number, &random)))
        }
        self.records = records
        others = ["bob-event", "bob-post", "bob-item", "ann-claimed-item"]
        try store.write(try Self.accounts + records.map(Self.stored) + Self.recordsOfOthers)
    }

    /// Returns a position in the private place, none, one at an edge, or one of a few clusters.
    private static func position(_ number: Int, _ random: inout SeededGenerator) -> Position? {
        let edges = [
            (180.0, 10.0),
            (-180, 10),
            (179.9999, -17),
            (-179.9999, -17),
            (0, 90),
            (5, -90),
            (120, 89.9996),
            (0, 0),
            (0.001, 0.001),
            (0.0005, -0.0005),
            (0.1, 0.1),
            (-0.06, 0.05),
            (12.51, 43.0),
            (10, 60.01),
        ]
        switch number % 8 {
        case 0:
            return nil
        case 1:
            return Geodesic.destination(
                from: home,
                azimuth: .random(in: 0..<360, using: &random),
                distance: .meters(.random(in: 0...300, using: &random)))
        case 2, 3:
            let edge = edges[number / 8 % edges.count]
            return Position(longitude: edge.0, latitude: edge.1)
        default:
            let center = [(12.5, 42.5), (-9.14, 38.72), (25.0, 69.9)][number % 3]
            return Position(
                longitude: center.0 + .random(in: -0.2...0.2, using: &random),
                latitude: center.1 + .random(in: -0.2...0.2, using: &random))
        }
    }

    private static var accounts: [HabitModel.Record] {
        get throws {
            var ann = UserRecord(id: "ann")
            var places = PrivatePlaces()
            try places.set(PrivatePlace(name: "home", position: home, radius: .meters(400)))
            ann.privatePlaces = .value(places)
            return [
                .user(ann), .user("bob"), .follow("ann", "bob"), .follow("bob", "ann"),
                .habit("run", of: "ann"), .habit("walk", of: "ann"), .habit("bobs", of: "bob"),
            ]
        }
    }

    private static func stored(_ record: Record) -> HabitModel.Record {
        switch record.layer {
        case .events:
            var event = EventRecord(habit: record.habit)
            event.id = record.id
            event.day = record.day
            event.outcome = .value(record.isSkipped ? .skipped : .done)
            event.details.comment = .value(record.id)
            event.details.position = record.position.map { .value($0) } ?? .absent
            return .event(event)
        case .posts:
            return post(record.id, of: "ann", on: record.day, at: record.position)
        case .items:
            return item(record.id, of: "ann", at: record.position)
        }
    }

    private static func post(_ id: String, of user: String, on day: Day, at position: Position?) -> HabitModel.Record {
        var post = PostRecord(id: id, user: user)
        post.caption = .value(id)
        post.postedAt = OffsetInstant("\(day)T12:00:00Z").map { .value($0) } ?? .absent
        post.position = position.map { .value($0) } ?? .null
        return .post(post)
    }

    private static func item(_ id: String, of user: String, at position: Position?) -> HabitModel.Record {
        var item = ItemRecord(id: id, user: user, name: id)
        item.postedAt = OffsetInstant("2026-02-01T12:00:00Z").map { .value($0) } ?? .absent
        item.position = position.map { .value($0) } ?? .null
        return .item(item)
    }

    /// Records of `bob` at the positions of `ann`, and an item of `ann` that `bob` has claimed.
    private static var recordsOfOthers: [HabitModel.Record] {
        let place = Position(longitude: -9.14, latitude: 38.72)
        var claim = ClaimRecord(item: "ann-claimed-item", user: "bob")
        claim.state = .value(.claimed)
        return [
            .event("bobs", "2026-01-02", id: "bob-event", comment: "bob-event", at: place),
            post("bob-post", of: "bob", on: firstDay, at: place),
            item("bob-item", of: "bob", at: place),
            item("ann-claimed-item", of: "ann", at: place),
            .claim(claim),
        ]
    }

    // MARK: The model

    /// Returns the records of a layer that a view shows, by their IDs, with their rounded positions.
    func expected(_ definition: ViewDefinition, _ layer: ViewDefinition.Layer) throws -> [String: Position?] {
        let days = definition.days(today: try #require(Day("2026-03-01")))
        let first = days.first ?? .first
        let last = days.last ?? .last
        var expected: [String: Position?] = [:]
        for record in records where record.layer == layer && definition.layers.contains(layer) {
            if layer != .items, record.day < first || record.day > last { continue }
            if layer == .events {
                if !definition.habits.isEmpty, !definition.habits.contains(record.habit) { continue }
                if let outcome = definition.outcome, (outcome == .skipped) != record.isSkipped { continue }
                if let comment = definition.comment, !record.id.contains(comment.lowercased()) { continue }
            }
            let position = Self.shown(record).flatMap(definition.rounding.grid.center)
            if let box = definition.box {
                guard let position, box.contains(position) else { continue }
            }
            expected[record.id] = .some(position)
        }
        return expected
    }

    /// Returns the position that strangers see of a record, before it is rounded.
    private static func shown(_ record: Record) -> Position? {
        guard let position = record.position else { return nil }
        if record.layer == .items { return PositionGrid.items.center(of: position) }
        let isPrivate = Geodesic.distance(from: home, to: position).meters < 1000
        return isPrivate ? nil : position
    }
}
