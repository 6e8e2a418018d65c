import Base
import HabitModel
import StoreEngine

/// The rows that a ``RecordWriter`` has inserted or updated.
final class ChangedRows {
    /// The number of rows of a kind above which the log has one row for each party instead of one for each record.
    static let limit = 10_000

    private let session: any Session
    /// Whether the store had no users before the load, so that no reader has older records.
    private let isInitialLoad: Bool
    private var rows: [Group: ChangedKeys] = [:]
    /// The keys of the users whose time zones have changed.
    var rezoned: Set<Int64> = []

    /// The rows of one kind whose changes have the same audience.
    private struct Group: Hashable, Comparable {
        var kind: RecordKind
        /// The users who can see the changes, or `nil` for the usual audience.
        var audience: Audience?

        static func < (a: Group, b: Group) -> Bool {
            guard a.kind == b.kind else {
                return a.kind < b.kind
            }
            let first = a.audience ?? .everyone
            let second = b.audience ?? .everyone
            return first < second
        }
    }

    /// Creates an empty set.
    ///
    /// - Parameters:
    ///   - session: The session of the writes.
    ///   - isLoad: Whether many records may follow.
    /// - Throws: An error of the engine.
    init(_ session: any Session, isLoad: Bool) throws {
        self.session = session
        guard isLoad else {
            isInitialLoad = false
            return
        }
        let user = try session.first("SELECT id FROM account LIMIT 1") { row in row.integer(0) }
        isInitialLoad = user == nil
    }

    /// Returns the set of the keys of one kind and audience.
    ///
    /// - Parameters:
    ///   - kind: The kind of the records.
    ///   - audience: The users who can see the changes, or `nil` for the usual audience.
    /// - Returns: The set, to which the caller adds keys.
    func of(_ kind: RecordKind, audience: Audience? = nil) -> ChangedKeys {
        let group = Group(kind: kind, audience: audience)
        if let keys = rows[group] {
            return keys
        }
        let keys = ChangedKeys()
        rows[group] = keys
        return keys
    }

    /// Sends the written rows, because an engine with a pipeline knows the keys of new rows only after that.
    func flush() throws {
        if session.pipeline != nil {
            try session.flush()
        }
    }

    /// Writes the rows into the log of changes, or begins a new log after an initial load.
    func log() throws {
        try flush()
        let log = ChangeLog(session)
        let changed = rows.filter { _, keys in keys.count > 0 }
        guard !isInitialLoad else {
            if !changed.isEmpty {
                try log.begin()
            }
            return
        }
        let sorted = changed.sorted { first, second in
            first.key < second.key
        }
        for (group, keys) in sorted {
            if keys.count <= Self.limit {
                try log.add(group.kind, keys: keys.all, audience: group.audience)
            } else {
                try log.addAll(of: group.kind, keys, audience: group.audience)
            }
        }
        try log.addRecords(inZonesOf: rezoned.sorted())
    }
}

/// The keys of changed rows of one table.
final class ChangedKeys {
    private let keys = KeyBitSet()
    /// The number of keys.
    private(set) var count = 0
    /// The smallest key.
    private(set) var first = Int64.max

    func contains(_ key: Int64) -> Bool {
        keys.contains(key)
    }

    func insert(_ key: Int64) {
        guard !keys.contains(key) else { return }
        keys.insert(key)
        count += 1
        first = min(first, key)
    }

    /// The keys in ascending order.
    var all: [Int64] { keys.all }
}
