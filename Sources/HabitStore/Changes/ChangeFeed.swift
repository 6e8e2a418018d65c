import Base
import HabitModel
import StoreEngine

/// The changes that concern a viewer, between two numbers of the log.
///
/// A client that applies them to its copy of the records has the records that the viewer can see.
public struct ChangeFeed: Sendable {
    /// Records of which a client deletes its copies and reads all that the viewer can see now.
    ///
    /// A new or ended follow resets the records of the followed user. A load of many records resets the records of
    /// their owners. If the client copies posts from a day on, a change of an account resets the posts of its user,
    /// because the day of a post can depend on the user's time zone.
    public struct Reset: Sendable, Hashable, Comparable {
        /// The collection of the records.
        public var collection: SyncedCollection
        /// The ID of the owner of the records, or `nil` for the records of all users.
        public var user: String?

        /// Creates a reset of the records of a collection and of a user, or of all users.
        public init(_ collection: SyncedCollection, user: String?) {
            self.collection = collection
            self.user = user
        }

        /// Compares the collections, in the order of references, and then the users.
        public static func < (a: Reset, b: Reset) -> Bool {
            guard a.collection == b.collection else {
                return a.collection < b.collection
            }
            let first = a.user ?? ""
            let second = b.user ?? ""
            return first < second
        }
    }

    /// The change of one record, which may have been deleted or hidden from the viewer.
    public struct Change: Sendable {
        /// The number of the last change of the record.
        public var number: Int64
        /// The collection of the record.
        public var collection: SyncedCollection
        /// The ID of the record.
        ///
        /// The ID of a relation is a ``CompositeID`` of two IDs.
        public var id: String
    }

    /// The resets, sorted.
    public private(set) var resets: [Reset] = []
    /// The changes of records that no reset contains, sorted by number, one for each record.
    public private(set) var changes: [Change] = []
    /// Whether a client reads all records again, because it has no records or because there are too many changes.
    public private(set) var isWhole = false

    /// The number of changes above which a client reads all records again.
    private static let limit = 50_000

    /// Reads the changes after a number.
    ///
    /// - Parameters:
    ///   - viewer: The viewer.
    ///   - number: The number of the last change that the client has, or `nil` if the client has no records.
    ///   - last: The number of the last change to read.
    ///   - filter: The records that the client copies.
    ///   - session: A session of the store.
    /// - Throws: An error of the engine.
    public init(
        for viewer: Viewer,
        after number: Int64?,
        upTo last: Int64,
        of filter: SyncFilter = .everything,
        in session: any Session
    ) throws {
        guard let number else {
            resets = Self.everything(in: filter, for: viewer)
            isWhole = true
            return
        }
        var reader = FeedReader(viewer, filter)
        try reader.readFollows(in: session)
        var count = 0
        let rows = Self.rows(for: viewer, after: number, upTo: last)
        try session.query(rows) { row in
            count += 1
            reader.add(row)
            return count <= Self.limit
        }
        guard count <= Self.limit else {
            resets = Self.everything(in: filter, for: viewer)
            isWhole = true
            return
        }
        resets = reader.remainingResets
        changes = reader.remainingChanges
    }

    /// Returns the time of a change in microseconds, or `nil` if the log does not contain the change.
    ///
    /// A store that was restored from a backup may have another change with the same number, but not at the same time.
    public static func time(of number: Int64, in session: any Session) throws -> Int64? {
        let sql: SQL = "SELECT at FROM change WHERE number = \(.integer(number), as: "number")"
        return try session.first(sql) { row in row.integer(0) }
    }

    /// Returns whether a user's records can be visible: the user is the viewer or followed by the viewer.
    ///
    /// - Parameters:
    ///   - user: The ID of the user, who may have been deleted.
    ///   - viewer: The viewer.
    ///   - session: A session of the store.
    /// - Returns: Whether the user exists and shares records with the viewer.
    /// - Throws: An error of the engine.
    public static func isVisible(_ user: String, to viewer: Viewer, in session: any Session) throws -> Bool {
        var sql: SQL = "SELECT 1 FROM account WHERE account.external_id = \(.text(user), as: "user")"
        if viewer != .operator {
            sql += "\nAND account.id IN (\(Visibility(viewer: viewer).selfAndFollowed))"
        }
        return try session.first(sql) { _ in true } ?? false
    }

    /// Returns the resets of all collections of a filter, without an account for the operator.
    private static func everything(in filter: SyncFilter, for viewer: Viewer) -> [Reset] {
        let collections = filter.collections.filter { collection in
            collection != .user || viewer != .operator
        }
        return collections.map { collection in Reset(collection, user: nil) }
    }

    /// Returns the query for the last number of each record, with its kind, its ID, and the ID and key of the user.
    static func rows(for viewer: Viewer, after number: Int64, upTo last: Int64) -> SQL {
        let columns: SQL = """
            SELECT change.number, change.kind, change.user_id, change.record_id
            FROM change
            WHERE change.number > \(.integer(number), as: "after") AND change.number <= \(.integer(last), as: "last")
            """
        var source = columns
        if viewer != .operator {
            let visibility = Visibility(viewer: viewer)
            let fullFollowers = Audience.fullFollowers.rawValue.description
            let followers = Audience.followers.rawValue.description
            let everyone = Audience.everyone.rawValue.description
            source = """
                \(columns) AND change.user_id = \(visibility.key)
                UNION ALL
                \(columns) AND change.audience IN (\(raw: fullFollowers), \(raw: followers)) AND change.user_id IN (
                  \(visibility.followed) AND follow.share = 'all'
                )
                UNION ALL
                \(columns) AND change.audience = \(raw: followers) AND change.user_id IN (
                  \(visibility.followed) AND follow.share <> 'all'
                )
                UNION ALL
                \(columns) AND change.audience = \(raw: everyone) AND \(visibility.loggedForAll)
                """
        }
        return """
            SELECT max(logged.number), logged.kind, logged.record_id, account.external_id, logged.user_id
            FROM (
            \(source)
            ) AS logged
            LEFT JOIN account ON account.id = logged.user_id
            GROUP BY logged.kind, logged.record_id, account.external_id, logged.user_id
            ORDER BY max(logged.number)
            """
    }
}

/// Collects the resets and the changes of a viewer from the rows of the log.
private struct FeedReader {
    private let viewer: Viewer
    private let filter: SyncFilter
    /// The IDs of the followed users.
    private var followed: Set<String> = []
    /// The IDs of the followed users who share only the newest event of each habit.
    private var newestOnly: Set<String> = []
    private var resets: Set<ChangeFeed.Reset> = []
    private var changes: [LoggedChange] = []

    /// A change of a record, and the ID of its user if the account exists.
    private struct LoggedChange {
        var change: ChangeFeed.Change
        var user: String?
    }

    init(_ viewer: Viewer, _ filter: SyncFilter) {
        self.viewer = viewer
        self.filter = filter
    }

    private var ownID: String? {
        guard case .user(_, let id) = viewer else { return nil }
        return id
    }

    /// Reads the users whom the viewer follows.
    mutating func readFollows(in session: any Session) throws {
        guard viewer != .operator else { return }
        let sql: SQL = """
            SELECT account.external_id, follow.share
            FROM follow
            JOIN account ON account.id = follow.followee_id
            WHERE \(Visibility(viewer: viewer).acceptedFollow)
            """
        var ids: Set<String> = []
        var limited: Set<String> = []
        try session.query(sql) { row in
            let id = row.text(0) ?? ""
            ids.insert(id)
            if row.text(1) != Share.all.rawValue {
                limited.insert(id)
            }
            return true
        }
        followed = ids
        newestOnly = limited
    }

    /// Adds a row of the query ``ChangeFeed/rows(for:after:upTo:)``, and ignores kinds that clients do not copy.
    mutating func add(_ row: any Row) {
        guard let name = row.text(1),
            let collection = SyncedCollection(rawValue: name)
        else { return }
        let user = row.text(3)
        let hasUser = !row.isNull(4)
        guard concernsViewer(collection.kind, user: user, hasUser: hasUser) else { return }
        guard let id = row.text(2) else {
            addReset(of: collection, user: user)
            return
        }
        let change = ChangeFeed.Change(number: row.integer(0), collection: collection, id: id)
        add(change, user: user)
    }

    /// Whether the viewer may see records of a kind and of a user.
    ///
    /// - Parameters:
    ///   - kind: The kind of the record.
    ///   - user: The ID of the user, or `nil` if the account does not exist or the row has no user.
    ///   - hasUser: Whether the row has a user.
    /// - Returns: Whether the change concerns the viewer.
    private func concernsViewer(_ kind: RecordKind, user: String?, hasUser: Bool) -> Bool {
        let isOwn = ownID == nil || user == ownID
        let isVisibleToOthers = RecordKind.owned.contains(kind) || RecordKind.shared.contains(kind)
        return isOwn || !hasUser || isVisibleToOthers
    }

    /// Adds a row that stands for all records of a collection.
    ///
    /// Without a user, the row stands for all users, or for a deleted account, which only the operator sees.
    private mutating func addReset(of collection: SyncedCollection, user: String?) {
        let owner = RecordKind.owned.contains(collection.kind) ? user : nil
        resets.insert(ChangeFeed.Reset(collection, user: owner))
        switch collection {
        case .follows:
            // All follows may have begun or ended.
            resetOwnedRecords(of: nil)
        case .users:
            if let ownID, user == nil || user == ownID {
                resets.insert(ChangeFeed.Reset(.user, user: nil))
            }
            resetPosts(of: user)
        case .user, .habits, .pauses, .events, .items, .claims, .messages, .reads, .posts:
            break
        }
    }

    /// Adds the change of one record of a user.
    private mutating func add(_ change: ChangeFeed.Change, user: String?) {
        if change.collection == .follows,
            let ownID,
            let follow = CompositeID.pair(change.id),
            follow.first == ownID
        {
            resetOwnedRecords(of: follow.second)
        }
        if change.collection == .events, let user, newestOnly.contains(user) {
            // The change of one event may show or hide another event.
            resets.insert(ChangeFeed.Reset(.events, user: user))
        } else if change.collection == .users {
            addAccount(change, user: user)
        } else {
            changes.append(LoggedChange(change: change, user: user))
        }
    }

    /// Adds the change of an account, which is in its own collection for the owner.
    private mutating func addAccount(_ change: ChangeFeed.Change, user: String?) {
        var change = change
        if change.id == ownID {
            change.collection = .user
        }
        changes.append(LoggedChange(change: change, user: user))
        resetPosts(of: change.id)
    }

    /// Resets the records of a user, or of all users, that followers can see.
    private mutating func resetOwnedRecords(of user: String?) {
        for collection in SyncedCollection.owned {
            resets.insert(ChangeFeed.Reset(collection, user: user))
        }
    }

    /// Resets the posts of a user, or of all users, if the client copies posts from a day on.
    ///
    /// The day of a post without a UTC offset depends on the time zone in the account.
    private mutating func resetPosts(of user: String?) {
        guard filter.from != nil else { return }
        if let user {
            let isOwn = ownID == nil || user == ownID
            guard isOwn || followed.contains(user) else { return }
        }
        resets.insert(ChangeFeed.Reset(.posts, user: user))
    }

    /// The collections whose records of all users are reset.
    private var wholeCollections: Set<SyncedCollection> {
        let whole = resets.filter { reset in reset.user == nil }
        return Set(whole.map(\.collection))
    }

    /// The resets of the filter that no other reset contains, sorted.
    var remainingResets: [ChangeFeed.Reset] {
        let whole = wholeCollections
        let remaining = resets.filter { reset in
            let isContained = reset.user != nil && whole.contains(reset.collection)
            return filter.includes(reset.collection) && !isContained
        }
        return remaining.sorted()
    }

    /// The last change of each record of the filter that no reset contains, sorted by number.
    ///
    /// The records need not meet the conditions of the filter.
    var remainingChanges: [ChangeFeed.Change] {
        let whole = wholeCollections
        var last: [String: ChangeFeed.Change] = [:]
        for logged in changes {
            let change = logged.change
            guard filter.includes(change.collection) else { continue }
            guard !whole.contains(change.collection) else { continue }
            if let user = logged.user {
                let reset = ChangeFeed.Reset(change.collection, user: user)
                guard !resets.contains(reset) else { continue }
            }
            last["\(change.collection) \(change.id)"] = change
        }
        return last.values.sorted { first, second in
            first.number < second.number
        }
    }
}
