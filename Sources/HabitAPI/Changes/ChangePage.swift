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
    /// The text of ``token``.
    var tokenText: String { key.text(of: token) }

    private let key: TokenKey
    private let limit: Int
    private var isFull: Bool { entries.count >= limit }

    /// Reads a page.
    ///
    /// - Parameters:
    ///   - token: The position of the client.
    ///   - viewer: The viewer.
    ///   - limit: The maximum number of entries.
    ///   - clock: The current time.
    ///   - session: A session of the store.
    /// - Throws: `parameter-invalid` if the token contains an invalid cursor, and errors of the engine.
    init(
        after token: ChangeToken,
        for viewer: Viewer,
        limit: Int,
        clock: Clock,
        in session: any Session
    ) throws {
        let state = try LogState(of: .viewer(viewer), in: session)
        self.token = token
        self.token.day = ChangeToken.day(of: clock)
        self.limit = limit
        key = TokenKey(state, viewer)
        let feed = try feed(for: viewer, upTo: state.recent, in: session)
        let rest = self.token.rest ?? Self.beginning(of: feed, upTo: state.recent)
        let records = SyncedRecords(
            for: viewer,
            clock: clock,
            tags: LogTags(state),
            in: session,
            content: SyncedFeature.bytes)
        guard try add(feed.resets, from: rest, records) else { return }
        guard try add(feed.changes, from: rest, records) else { return }
        self.token.finish(at: rest.lastChange)
    }

    /// Reads the changes after the token.
    ///
    /// A new follow between two pages can add too many changes. The client then begins again.
    private mutating func feed(
        for viewer: Viewer,
        upTo newest: LogPosition,
        in session: any Session
    ) throws -> ChangeFeed {
        let wasWhole = token.rest?.isWhole ?? (token.after == nil)
        let after = wasWhole ? nil : token.after?.number
        let last = token.rest?.last ?? newest.number
        let feed = try ChangeFeed(for: viewer, after: after, upTo: last, in: session)
        guard feed.isWhole, !wasWhole else { return feed }
        token.rest = nil
        return try ChangeFeed(for: viewer, after: nil, upTo: newest.number, in: session)
    }

    /// Returns the position before the first entry of a feed.
    private static func beginning(of feed: ChangeFeed, upTo newest: LogPosition) -> ChangeToken.Rest {
        let first = feed.resets.first.map { reset in ChangeToken.Position(reset) }
        return ChangeToken.Rest(
            last: newest.number,
            time: newest.time,
            isWhole: feed.isWhole,
            reset: first)
    }

    /// Adds the records of resets and returns whether the page has room for more entries.
    private mutating func add(
        _ resets: [ChangeFeed.Reset],
        from rest: ChangeToken.Rest,
        _ records: SyncedRecords<[UInt8]>
    ) throws -> Bool {
        guard let position = rest.reset, let first = position.reset else { return true }
        var next = rest
        for reset in resets where reset >= first {
            var place = reset == first ? position : ChangeToken.Position(reset)
            if place.cursor == nil, !isFull {
                try entries.append(Self.clear(reset))
                place.cursor = ""
            }
            next.reset = place
            token.rest = next
            guard !isFull else { return false }
            let page = Page(limit: limit - entries.count, after: try place.lastRecord)
            let added = try records.all(reset, page)
            entries += try added.records.map(Self.put)
            guard let cursor = added.next else { continue }
            next.reset?.cursor = cursor.description
            token.rest = next
            return false
        }
        next.reset = nil
        token.rest = next
        return true
    }

    /// Adds the changes of single records and returns whether the page contains all of them.
    private mutating func add(
        _ changes: [ChangeFeed.Change],
        from rest: ChangeToken.Rest,
        _ records: SyncedRecords<[UInt8]>
    ) throws -> Bool {
        var next = rest
        next.reset = nil
        for change in changes where change.number > rest.changed {
            guard !isFull else { return false }
            try add(change, records)
            next.changed = change.number
            token.rest = next
        }
        return true
    }

    /// Returns the entry after which clients delete their copies.
    private static func clear(_ reset: ChangeFeed.Reset) throws -> [UInt8] {
        let collection = try SyncedFeature.collection(reset.kind)
        var entry: [String: JSON] = [
            "action": "clear",
            "collection": .text(collection.id),
        ]
        entry["user"] = reset.user.map { user in .text(user) }
        return JSON.object(entry).bytes
    }

    /// Returns the entry with which clients store a record.
    private static func put(_ record: SyncedRecord<[UInt8]>) throws -> [UInt8] {
        let collection = try SyncedFeature.collection(record.kind)
        let entry: JSON = [
            "action": "put",
            "collection": .text(collection.id),
            "feature": .verbatim(record.content),
            "version": .text(record.version),
        ]
        return entry.bytes
    }

    private mutating func add(_ change: ChangeFeed.Change, _ records: SyncedRecords<[UInt8]>) throws {
        if let record = try records.one(change.kind, change.id) {
            try entries.append(Self.put(record))
            return
        }
        let collection = try SyncedFeature.collection(change.kind)
        let entry: JSON = [
            "action": "delete",
            "collection": .text(collection.id),
            "id": .text(change.id),
        ]
        entries.append(entry.bytes)
    }
}
