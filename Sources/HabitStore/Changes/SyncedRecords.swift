import Base
import HabitModel
import StoreEngine

/// A record as clients copy it, with the properties that are stored with the record.
///
/// Properties that depend on other records or on the date, such as the status of a habit, would be out of date.
public struct SyncedRecord<Content> {
    /// The collection of the record.
    public var collection: SyncedCollection
    /// The ID of the record.
    ///
    /// The ID of a relation is a ``CompositeID`` of two IDs.
    public var id: String
    /// A text that differs after each change of the record.
    ///
    /// The version of a record that the viewer may not edit differs after each change that the viewer can see.
    public var version: String
    /// The values of the record, in the form that the reader of the records has chosen.
    public var content: Content
}

extension SyncedRecord: Sendable where Content: Sendable {}

/// Reads the records that a client copies, for one viewer.
public struct SyncedRecords<Content> {
    /// The records that the client copies, among those that the viewer can see.
    package let filter: SyncFilter
    private let viewer: Viewer
    private let clock: Clock
    private let tags: LogTags
    private let session: any Session
    private let content: (any Row, ResultShape) throws -> Content

    /// Creates a reader.
    ///
    /// - Parameters:
    ///   - viewer: The viewer of the records.
    ///   - clock: The current time.
    ///   - tags: The tags of the viewer's part of the log.
    ///   - filter: The records that the client copies.
    ///   - session: A session of the store.
    ///   - content: Reads the values of a record from a row with a shape, whose columns are the stored properties.
    package init(
        for viewer: Viewer,
        clock: Clock,
        tags: LogTags,
        filter: SyncFilter = .everything,
        in session: any Session,
        content: @escaping (any Row, ResultShape) throws -> Content
    ) {
        self.viewer = viewer
        self.clock = clock
        self.tags = tags
        self.filter = filter
        self.session = session
        self.content = content
    }

    /// Returns a record, or `nil` if the viewer cannot see a record with the ID that meets the filter.
    ///
    /// - Parameters:
    ///   - collection: The collection of the record.
    ///   - id: The ID of the record. The ID of a relation is a ``CompositeID`` of two IDs.
    /// - Returns: The record, or `nil`.
    /// - Throws: An error of the engine.
    public func one(_ collection: SyncedCollection, _ id: String) throws -> SyncedRecord<Content>? {
        do {
            guard let selection = try selection(of: id, collection) else { return nil }
            return try read(selection, of: collection, atMost: 1).records.first
        } catch let error as HabitError where [.notFound, .postDeleted].contains(error.code) {
            return nil
        }
    }

    /// Returns the selection of one record, or `nil` if the collection can contain no record with the ID.
    private func selection(of id: String, _ collection: SyncedCollection) throws -> Selection? {
        switch collection {
        case .user:
            guard let ownID, ownID == id else { return nil }
            return try UserQuery.one(id, viewer: viewer, in: session)
        case .users:
            var query = UserQuery(viewer: viewer)
            query.id = id
            return try query.selection(in: session)
        case .habits:
            return try HabitQuery.one(id, viewer: viewer, clock: clock, in: session)
        case .pauses:
            return try PauseQuery.one(id, viewer: viewer, in: session)
        case .events:
            // The status of the habit is not read, because it costs a read of all events of the habit.
            var query = events
            query.filter.id = id
            query.page = Page(limit: 1)
            return try query.selection(in: session)
        case .items:
            var query = items
            query.id = id
            return try query.selection(in: session)
        case .posts:
            var query = posts
            query.id = id
            return try query.selection(in: session)
        case .messages:
            return try MessageQuery.one(id, viewer: viewer, in: session)
        case .follows:
            guard let pair = CompositeID.pair(id) else { return nil }
            return try FollowQuery.one(of: (pair.first, pair.second), viewer: viewer, in: session)
        case .claims:
            guard let pair = CompositeID.pair(id) else { return nil }
            return try ClaimQuery.one(of: (pair.first, pair.second), viewer: viewer, in: session)
        case .reads:
            guard let pair = CompositeID.pair(id) else { return nil }
            return try ReadQuery.one(of: (pair.first, pair.second), viewer: viewer, in: session)
        }
    }

    // MARK: Queries with the conditions of the filter

    /// The ID of the viewer, or `nil` for the operator.
    private var ownID: String? {
        guard case .user(_, let id) = viewer else { return nil }
        return id
    }

    private var events: EventQuery {
        var query = EventQuery(viewer: viewer)
        query.filter.from = filter.from
        return query
    }

    private var items: ItemQuery {
        var query = ItemQuery(viewer: viewer, clock: storedState)
        query.states = []
        query.near = filter.near
        return query
    }

    private var posts: PostQuery {
        var query = PostQuery(viewer: viewer)
        query.during = filter.from.map { day in
            var span = TimeSpan(from: nil, to: nil)
            span.firstDay = day
            return span
        }
        return query
    }

    /// The records of a page.
    public struct RecordPage {
        /// The records, in the order of their query.
        public var records: [SyncedRecord<Content>] = []
        /// The cursor of the last record, or `nil` if no record follows the page.
        public var next: Cursor?
    }

    /// Reads the records of a reset that the viewer can see and that meet the filter.
    ///
    /// - Parameters:
    ///   - reset: The collection of the records and their owner.
    ///   - page: The page to read.
    /// - Returns: The records of the page.
    /// - Throws: `parameter-invalid` if the cursor of the page does not belong to the list, and the errors of the engine.
    public func all(_ reset: ChangeFeed.Reset, _ page: Page) throws -> RecordPage {
        if let user = reset.user, try !ChangeFeed.isVisible(user, to: viewer, in: session) {
            return RecordPage()
        }
        guard let selection = try selection(of: reset, page) else { return RecordPage() }
        return try read(selection, of: reset.collection, atMost: page.limit)
    }

    /// Returns the selection of a page, or `nil` for the account of the operator.
    private func selection(of reset: ChangeFeed.Reset, _ page: Page) throws -> Selection? {
        let users = [reset.user].compactMap(\.self)
        switch reset.collection {
        case .user:
            guard let ownID else { return nil }
            var query = UserQuery(viewer: viewer)
            query.id = ownID
            query.showsAccount = true
            return try list(query, page)
        case .users:
            return try list(UserQuery(viewer: viewer), page)
        case .habits:
            var query = HabitQuery(viewer: viewer, clock: clock)
            query.isOfAll = true
            query.users = users
            query.page = page
            return try query.selection(in: session)
        case .pauses:
            var query = PauseQuery(viewer: viewer)
            query.users = users
            return try list(query, page)
        case .events:
            var query = events
            query.filter.users = users
            query.page = page
            return try query.selection(in: session)
        case .items:
            var query = items
            query.users = users
            return try list(query, page)
        case .posts:
            var query = posts
            query.users = users
            return try list(query, page)
        case .follows:
            return try list(FollowQuery(viewer: viewer), page)
        case .claims:
            return try list(ClaimQuery(viewer: viewer), page)
        case .messages:
            return try list(MessageQuery(viewer: viewer), page)
        case .reads:
            return try list(ReadQuery(viewer: viewer), page)
        }
    }

    /// Returns the selection of a page of a query.
    private func list<Records>(_ query: RecordQuery<Records>, _ page: Page) throws -> Selection {
        var query = query
        query.page = page
        return try query.selection(in: session)
    }

    /// A clock with which no item is expired, so that the state of an item is its stored state.
    private var storedState: Clock {
        Clock(now: clock.now, today: .first)
    }

    /// A record without its version.
    private struct FoundRecord {
        var id: String
        var content: Content
    }

    /// Reads records and their versions.
    private func read(
        _ selection: Selection,
        of collection: SyncedCollection,
        atMost limit: Int
    ) throws -> RecordPage {
        var shape = selection.shape
        let kept = collection.properties
        shape.columns.removeAll { column in !kept.contains(column.name) }
        shape.choice = nil
        var found: [FoundRecord] = []
        var last: Cursor?
        var isFull = false
        try session.query(selection.sql) { row in
            isFull = found.count == limit
            guard !isFull else { return false }
            let parts = selection.shape.identity.map { column in
                row.text(column.index) ?? ""
            }
            let record = FoundRecord(
                id: CompositeID.text(parts),
                content: try content(row, shape))
            found.append(record)
            last = Cursor(of: row, in: selection)
            return true
        }
        let records = try versioned(found, of: collection)
        return RecordPage(records: records, next: isFull ? last : nil)
    }

    /// Reads the versions of records.
    private func versioned(
        _ found: [FoundRecord],
        of collection: SyncedCollection
    ) throws -> [SyncedRecord<Content>] {
        let kind = collection.kind
        let ids = found.map(\.id)
        let versions = try RecordVersions(kind, viewer: viewer, in: session).all(of: ids)
        return found.map { record in
            let version =
                if let number = versions[record.id] {
                    tags.version(of: kind, id: record.id, number: number)
                } else {
                    tags.versionOfOthers
                }
            return SyncedRecord(
                collection: collection,
                id: record.id,
                version: version,
                content: record.content)
        }
    }
}

extension SyncedCollection {
    /// The names of the properties that are stored with a record of this collection.
    fileprivate var properties: Set<String> {
        let privateFields: Set<Field> = self == .users ? [.email, .timeZone, .shareLocation, .privatePlaces] : []
        let fields = kind.fields.filter { field in !privateFields.contains(field) }
        let names = Set(fields.map(\.name))
        return names.union(["has_photo", "unplanned"])
    }
}
