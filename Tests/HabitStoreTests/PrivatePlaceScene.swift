import Base
import Geo
import HabitModel
import HabitTestSupport
import Testing

@testable import HabitStore

/// A store whose user `ann` has a private place, and a model of the positions that each viewer sees.
///
/// `full` follows `ann` and `bob`, and `latest` follows `ann` with the share `latest`. The records of `bob` are in the private place of
/// `ann`, but not private. No position is so near to the border of the place that the model would have to know the hidden area.
struct PrivatePlaceScene {
    /// The time at which the place is written.
    enum Order: CaseIterable {
        case beforeRecords, afterRecords, initialLoad
    }

    /// An event or a post.
    struct Record: Equatable {
        var id: String
        var owner: String
        var position: Position?
        /// Whether the position is in a private place of the owner.
        var isPrivate = false
        /// Whether the record is the newest event of its habit.
        var isNewest = false
    }

    static let seed: UInt64 = 3303
    static let clock = Clock(now: Instant(microseconds: 1_795_000_000_000_000))
    /// The viewers; `nil` stands for the operator.
    static let viewers: [String?] = [nil, "ann", "full", "latest", "stranger"]
    static let center = Position(longitude: 12.5, latitude: 41.9) ?? .nullIsland
    private static let radius = 400.0

    let store: TestStore
    let events: [Record]
    let posts: [Record]

    init(_ order: Order = .beforeRecords) throws {
        store = try TestStore()
        var random = SeededGenerator(seed: Self.seed)
        let run = Self.records("run", of: "ann", count: 41, &random)
        let walk = Self.records("walk", of: "ann", count: 19, &random)
        let swim = Self.records("swim", of: "bob", count: 10, &random)
        events = [run, walk, swim].flatMap { records in Self.markNewest(records) }
        let views = Self.records("view", of: "ann", count: 12, &random)
        let seas = Self.records("sea", of: "bob", count: 3, &random)
        posts = views + seas
        let others = try others()
        switch order {
        case .beforeRecords:
            try store.write([try Self.ann(hasPlace: true)] + others)
        case .afterRecords:
            try store.write([try Self.ann(hasPlace: false)] + others)
            try store.write([try Self.ann(hasPlace: true)])
        case .initialLoad:
            let all = [try Self.ann(hasPlace: true)] + others
            try store.engine.load { writer in
                for record in all { _ = try writer.write(record) }
            }
        }
    }

    /// Returns the account of `ann`, with or without the private place.
    static func ann(hasPlace: Bool) throws -> HabitModel.Record {
        var record = UserRecord(id: "ann")
        var places = PrivatePlaces()
        if hasPlace {
            try places.set(PrivatePlace(name: "home", position: center, radius: .meters(radius)))
        }
        record.privatePlaces = .value(places)
        return .user(record)
    }

    /// Returns records of which half are in the place, a quarter outside, and a quarter without a position.
    private static func records(
        _ name: String,
        of owner: String,
        count: Int,
        _ random: inout SeededGenerator
    ) -> [Record] {
        (0..<count).map { number in
            let isInside = number % 4 < 2
            // The hidden area ends at less than twice the radius and the diagonal of a cell.
            let meters = isInside ? 0...radius : (2 * radius + 700)...(2 * radius + 4000)
            let position = Geodesic.destination(
                from: center,
                azimuth: .random(in: 0..<360, using: &random),
                distance: .meters(.random(in: meters, using: &random)))
            return Record(
                id: "\(name)-\(number)",
                owner: owner,
                position: number % 4 == 3 ? nil : position,
                isPrivate: isInside && owner == "ann")
        }
    }

    private static func markNewest(_ records: [Record]) -> [Record] {
        var records = records
        records[records.count - 1].isNewest = true
        return records
    }

    private func others() throws -> [HabitModel.Record] {
        var records: [HabitModel.Record] = ["bob", "full", "latest", "stranger"].map { id in .user(id) }
        records += [.follow("full", "ann"), .follow("full", "bob"), .follow("latest", "ann", share: .latest)]
        records += [.habit("run", of: "ann"), .habit("walk", of: "ann"), .habit("swim", of: "bob")]
        let first = try #require(Day("2026-01-01"))
        for event in events {
            let parts = event.id.split(separator: "-")
            let day = first.advanced(by: Int(parts[1]) ?? 0)
            records.append(.event(String(parts[0]), day.description, id: event.id, at: event.position))
        }
        for post in posts {
            records.append(Self.post(post.id, of: post.owner, at: post.position))
        }
        return records
    }

    /// Returns a post without a photo.
    static func post(_ id: String, of owner: String, at position: Position?) -> HabitModel.Record {
        var record = PostRecord(id: id, user: owner)
        record.position = position.map { position in .value(position) } ?? .null
        return .post(record)
    }

    // MARK: The model

    /// Returns the events that a viewer sees, with the positions that the viewer sees.
    func events(for viewer: String?) -> [Record] {
        events.compactMap { event in
            if viewer == "latest", !event.isNewest { return nil }
            return Self.shown(event, to: viewer)
        }
    }

    /// Returns the posts that a viewer sees, with the positions that the viewer sees.
    func posts(for viewer: String?) -> [Record] {
        posts.compactMap { post in Self.shown(post, to: viewer) }
    }

    private static func shown(_ record: Record, to viewer: String?) -> Record? {
        let followed = ["full": ["ann", "bob"], "latest": ["ann"]]
        guard let viewer, viewer != record.owner else { return record }
        guard followed[viewer]?.contains(record.owner) == true else { return nil }
        var record = record
        if record.isPrivate { record.position = nil }
        return record
    }
}
