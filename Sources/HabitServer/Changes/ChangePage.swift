import Base
import HabitModel
import HabitStore
import StoreEngine

/// A page of the changes that concern a viewer.
struct ChangePage: Sendable {
    /// The maximum number of entries of a page.
    static let limit = 1000

    /// The entries: JSON objects with the members `action` and `collection`.
    private(set) var entries: [[UInt8]] = []
    /// The token of a client that has applied this page.
    private(set) var token: ChangeToken
    /// Whether another page follows without a further change of the store.
    var hasMore: Bool { token.rest != nil }

    private let limit: Int

    /// Reads a page.
    ///
    /// - Parameters:
    ///   - token: The position of the client.
    ///   - viewer: The viewer.
    ///   - limit: The maximum number of entries.
    ///   - clock: The current time.
    ///   - session: A session of the store.
    /// - Throws: `parameter-invalid` if the token contains an invalid cursor, and errors of the engine.
    init(after token: ChangeToken, for viewer: Viewer, limit: Int, clock: Clock, in session: any Session) throws {
        var token = token
        let newest = try ChangeFeed.last(in: session)
        let wasWhole = token.rest?.isWhole ?? (token.after == nil)
        var feed = try ChangeFeed(
            for: viewer, after: wasWhole ? nil : token.after, upTo: token.rest?.last ?? newest, in: session)
        // A new follow between two pages has added too many changes: the client begins again.
        if feed.isWhole, !wasWhole {
            (token.rest, feed) = (nil, try ChangeFeed(for: viewer, after: nil, upTo: newest, in: session))
        }
        let last = token.rest?.last ?? newest
        let records = SyncedRecords(viewer: viewer, clock: clock, session: session)
        self.token = token
        self.token.created = clock.now.microseconds / 1_000_000
        self.limit = limit
        let rest = token.rest ?? .init(last: last, isWhole: feed.isWhole, reset: feed.resets.first.map { .init($0) })
        guard try add(feed.resets, from: rest, records) else { return }
        for change in feed.changes where change.number > rest.changed {
            guard entries.count < limit else { return }
            try add(change, records)
            self.token.rest = .init(last: last, isWhole: feed.isWhole, changed: change.number)
        }
        try self.token.finish(at: last, in: session)
    }

    /// Adds the records of resets and returns whether the page has room for more entries.
    private mutating func add(
        _ resets: [ChangeFeed.Reset], from rest: ChangeToken.Rest, _ records: SyncedRecords
    ) throws -> Bool {
        guard let position = rest.reset, let first = position.reset else { return true }
        for reset in resets where reset >= first {
            var place = reset == first ? position : .init(reset)
            if place.cursor == nil, entries.count < limit {
                try entries.append(Self.clear(reset))
                place.cursor = ""
            }
            guard entries.count < limit else {
                token.rest = .init(last: rest.last, isWhole: rest.isWhole, reset: place)
                return false
            }
            var added: [[UInt8]] = []
            let page = Page(limit: limit - entries.count, after: try place.lastRecord)
            let next = try records.all(reset, page) { added.append($0.entry) }
            entries += added
            guard let next else { continue }
            place.cursor = next.description
            token.rest = .init(last: rest.last, isWhole: rest.isWhole, reset: place)
            return false
        }
        token.rest = .init(last: rest.last, isWhole: rest.isWhole)
        return true
    }

    /// Returns the entry after which clients delete their copies.
    private static func clear(_ reset: ChangeFeed.Reset) throws -> [UInt8] {
        var entry: [String: JSON] = [
            "action": "clear", "collection": .text(try SyncedRecords.collection(reset.kind).id),
        ]
        entry["user"] = reset.user.map { .text($0) }
        return JSON.object(entry).bytes
    }

    private mutating func add(_ change: ChangeFeed.Change, _ records: SyncedRecords) throws {
        if let record = try records.one(change.kind, change.id) {
            entries.append(record.entry)
        } else {
            let collection = try SyncedRecords.collection(change.kind).id
            entries.append(
                JSON.object(["action": "delete", "collection": .text(collection), "id": .text(change.id)]).bytes)
        }
    }
}
