import Base
import HabitModel
import StoreEngine

/// A record as clients copy it, with the properties that are stored with the record.
///
/// Properties that depend on other records or on the date, such as the status of a habit, would be out of date.
public struct SyncedRecord<Content> {
    /// The kind of the record.
    public var kind: RecordKind
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

/// Reads the records that clients copy, for one viewer.
public struct SyncedRecords<Content> {
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
    ///   - session: A session of the store.
    ///   - content: Reads the values of a record from a row with a shape, whose columns are the stored properties.
    package init(
        for viewer: Viewer,
        clock: Clock,
        tags: LogTags,
        in session: any Session,
        content: @escaping (any Row, ResultShape) throws -> Content
    ) {
        self.viewer = viewer
        self.clock = clock
        self.tags = tags
        self.session = session
        self.content = content
    }

    /// Returns a record, or `nil` if the viewer cannot see a record with the ID.
    ///
    /// - Parameters:
    ///   - kind: The kind of the record.
    ///   - id: The ID of the record. The ID of a relation is a ``CompositeID`` of two IDs.
    /// - Returns: The record, or `nil`.
    /// - Throws: An error of the engine; `internal` for a kind that clients do not copy.
    public func one(_ kind: RecordKind, _ id: String) throws -> SyncedRecord<Content>? {
        do {
            guard let selection = try selection(of: id, kind) else { return nil }
            return try read(selection, of: kind, atMost: 1).records.first
        } catch let error as HabitError where [.notFound, .postDeleted].contains(error.code) {
            return nil
        }
    }

    /// Returns the selection of one record, or `nil` if the ID of a relation does not contain two IDs.
    private func selection(of id: String, _ kind: RecordKind) throws -> Selection? {
        switch kind {
        case .users:
            var query = UserQuery(viewer: viewer)
            query.id = id
            return try query.selection(in: session)
        case .habits:
            return try HabitQuery.one(id, viewer: viewer, clock: clock, in: session)
        case .events:
            // The status of the habit is not read, because it costs a read of all events of the habit.
            return try EventQuery.one(id, viewer: viewer, in: session)
        case .items:
            return try ItemQuery.one(id, viewer: viewer, clock: storedState, in: session)
        case .messages:
            return try MessageQuery.one(id, viewer: viewer, in: session)
        case .posts:
            return try PostQuery.one(id, viewer: viewer, in: session)
        case .follows:
            guard let pair = CompositeID.pair(id) else { return nil }
            return try FollowQuery.one(of: (pair.first, pair.second), viewer: viewer, in: session)
        case .claims:
            guard let pair = CompositeID.pair(id) else { return nil }
            return try ClaimQuery.one(of: (pair.first, pair.second), viewer: viewer, in: session)
        case .settings, .schedules:
            throw Self.notCopied(kind)
        }
    }

    private static func notCopied(_ kind: RecordKind) -> HabitError {
        HabitError(.internal, "clients do not copy records of the kind '\(kind.rawValue)'")
    }

    /// The records of a page.
    public struct RecordPage {
        /// The records, in the order of their query.
        public var records: [SyncedRecord<Content>] = []
        /// The cursor of the last record, or `nil` if no record follows the page.
        public var next: Cursor?
    }

    /// Reads the visible records of a kind.
    ///
    /// - Parameters:
    ///   - reset: The kind of the records and their owner.
    ///   - page: The page to read.
    /// - Returns: The records of the page.
    /// - Throws: `parameter-invalid` if the cursor of the page does not belong to the list, and the errors of the engine.
    public func all(_ reset: ChangeFeed.Reset, _ page: Page) throws -> RecordPage {
        if let user = reset.user, try !ChangeFeed.isVisible(user, to: viewer, in: session) {
            return RecordPage()
        }
        let selection = try selection(of: reset, page)
        return try read(selection, of: reset.kind, atMost: page.limit)
    }

    /// Returns the selection of a page.
    private func selection(of reset: ChangeFeed.Reset, _ page: Page) throws -> Selection {
        let users = [reset.user].compactMap(\.self)
        switch reset.kind {
        case .users:
            return try list(UserQuery(viewer: viewer), page)
        case .habits:
            var query = HabitQuery(viewer: viewer, clock: clock)
            query.isOfAll = true
            query.users = users
            query.page = page
            return try query.selection(in: session)
        case .events:
            var query = EventQuery(viewer: viewer)
            query.filter.users = users
            query.page = page
            return try query.selection(in: session)
        case .items:
            var query = ItemQuery(viewer: viewer, clock: storedState)
            query.states = []
            query.users = users
            return try list(query, page)
        case .posts:
            var query = PostQuery(viewer: viewer)
            query.users = users
            return try list(query, page)
        case .follows:
            return try list(FollowQuery(viewer: viewer), page)
        case .claims:
            return try list(ClaimQuery(viewer: viewer), page)
        case .messages:
            return try list(MessageQuery(viewer: viewer), page)
        case .settings, .schedules:
            throw Self.notCopied(reset.kind)
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
        of kind: RecordKind,
        atMost limit: Int
    ) throws -> RecordPage {
        var shape = selection.shape
        let kept = kind.syncedProperties
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
        let records = try versioned(found, of: kind)
        return RecordPage(records: records, next: isFull ? last : nil)
    }

    /// Reads the versions of records.
    private func versioned(_ found: [FoundRecord], of kind: RecordKind) throws -> [SyncedRecord<Content>] {
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
                kind: kind,
                id: record.id,
                version: version,
                content: record.content)
        }
    }
}

extension RecordKind {
    /// The names of the properties that are stored with a record of this kind.
    fileprivate var syncedProperties: Set<String> {
        let privateFields: Set<Field> = self == .users ? [.email, .timeZone, .shareLocation] : []
        let fields = fields.filter { field in !privateFields.contains(field) }
        let names = Set(fields.map(\.name))
        return names.union(["has_photo", "unplanned"])
    }
}
