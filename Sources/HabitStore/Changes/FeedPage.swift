import Base
import HabitModel
import StoreEngine

/// A page of the changes that concern a viewer.
package struct FeedPage<Content> {
    /// A step with which a client updates its copy of the records.
    package enum Entry {
        /// Deletes the copies of all records of a reset. The records that the viewer can see now follow.
        case clear(ChangeFeed.Reset)
        /// Stores a record.
        case put(SyncedRecord<Content>)
        /// Deletes the copy of a record that was deleted, was hidden from the viewer or no longer meets the filter.
        ///
        /// The client may have no copy of it.
        case delete(SyncedCollection, id: String)
    }

    /// The steps, in their order.
    package private(set) var entries: [Entry] = []
    /// The position of a client that has applied this page.
    package private(set) var position: FeedPosition

    private let limit: Int
    private let records: SyncedRecords<Content>
    private var isFull: Bool { entries.count >= limit }

    /// Reads a page.
    ///
    /// - Parameters:
    ///   - position: The position of the client.
    ///   - viewer: The viewer.
    ///   - limit: The maximum number of entries.
    ///   - state: The state of the viewer's part of the log.
    ///   - records: The reader of the records that the client copies.
    ///   - session: A session of the store.
    /// - Throws: `parameter-invalid` if the position contains an invalid cursor, and errors of the engine.
    package init(
        after position: FeedPosition,
        for viewer: Viewer,
        limit: Int,
        state: LogState,
        records: SyncedRecords<Content>,
        in session: any Session
    ) throws {
        self.position = position
        self.limit = limit
        self.records = records
        let newest = state.recent
        let feed = try feed(for: viewer, upTo: newest, in: session)
        let rest = self.position.rest ?? Self.beginning(of: feed, upTo: newest)
        guard try add(feed.resets, from: rest) else { return }
        guard try add(feed.changes, from: rest) else { return }
        self.position.finish(at: rest.lastChange)
    }

    /// Reads the changes after the position.
    ///
    /// A new follow between two pages can add too many changes. The client then begins again.
    private mutating func feed(
        for viewer: Viewer,
        upTo newest: LogPosition,
        in session: any Session
    ) throws -> ChangeFeed {
        let wasWhole = position.rest?.isWhole ?? (position.after == nil)
        let after = wasWhole ? nil : position.after?.number
        let last = position.rest?.last ?? newest.number
        let filter = records.filter
        let feed = try ChangeFeed(for: viewer, after: after, upTo: last, of: filter, in: session)
        guard feed.isWhole, !wasWhole else { return feed }
        position.rest = nil
        return try ChangeFeed(for: viewer, after: nil, upTo: newest.number, of: filter, in: session)
    }

    /// Returns the position before the first entry of a feed.
    private static func beginning(of feed: ChangeFeed, upTo newest: LogPosition) -> FeedPosition.Rest {
        let first = feed.resets.first.map { reset in FeedPosition.ResetPosition(reset) }
        return FeedPosition.Rest(
            last: newest.number,
            time: newest.time,
            isWhole: feed.isWhole,
            reset: first)
    }

    /// Adds the records of resets and returns whether the page has room for more entries.
    private mutating func add(_ resets: [ChangeFeed.Reset], from rest: FeedPosition.Rest) throws -> Bool {
        guard let start = rest.reset, let first = start.reset else { return true }
        var next = rest
        for reset in resets where reset >= first {
            var current = reset == first ? start : FeedPosition.ResetPosition(reset)
            if current.cursor == nil, !isFull {
                entries.append(.clear(reset))
                current.cursor = ""
            }
            next.reset = current
            position.rest = next
            guard !isFull else { return false }
            let page = Page(limit: limit - entries.count, after: try current.lastRecord)
            let added = try records.all(reset, page)
            entries += added.records.map { record in .put(record) }
            guard let cursor = added.next else { continue }
            next.reset?.cursor = cursor.description
            position.rest = next
            return false
        }
        next.reset = nil
        position.rest = next
        return true
    }

    /// Adds the changes of single records and returns whether the page contains all of them.
    private mutating func add(_ changes: [ChangeFeed.Change], from rest: FeedPosition.Rest) throws -> Bool {
        var next = rest
        next.reset = nil
        for change in changes where change.number > rest.changed {
            guard !isFull else { return false }
            let record = try records.one(change.collection, change.id)
            entries.append(record.map { record in .put(record) } ?? .delete(change.collection, id: change.id))
            next.changed = change.number
            position.rest = next
        }
        return true
    }
}
