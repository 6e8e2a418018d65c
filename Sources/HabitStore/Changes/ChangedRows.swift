import Base
import HabitModel
import StoreEngine

/// The rows that a ``RecordWriter`` has inserted or updated.
final class ChangedRows {
    /// The number of rows of a kind above which the log has one row for each user instead of one for each record.
    static let limit = 10_000

    private let session: any Session
    /// Whether the store had no users before the load, so that no reader has older records.
    private let isInitialLoad: Bool
    private var rows: [RecordKind: ChangedKeys] = [:]

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

    /// Returns the set of the keys of one kind.
    func of(_ kind: RecordKind) -> ChangedKeys {
        if let keys = rows[kind] {
            return keys
        }
        let keys = ChangedKeys()
        rows[kind] = keys
        return keys
    }

    /// Writes the rows into the log of changes.
    func log() throws {
        // An engine with a pipeline knows the keys of new rows only after it has sent them.
        if session.pipeline != nil {
            try session.flush()
        }
        let log = ChangeLog(session)
        let sorted = rows.sorted { first, second in
            first.key < second.key
        }
        for (kind, keys) in sorted where keys.count > 0 {
            if keys.count <= Self.limit {
                try log.add(kind, keys: keys.all)
            } else if let day = Self.day(of: kind), !isInitialLoad {
                let users = try users(of: kind, keys, day: day)
                try log.addAll(of: kind, users: users)
            } else {
                try log.addAll(of: kind)
            }
        }
    }

    /// The expression for the day of a record that belongs to one user, or `nil` for records that concern several.
    private static func day(of kind: RecordKind) -> String? {
        switch kind {
        case .events: "day"
        case .schedules: "from_day"
        case .habits, .posts: "NULL"
        case .settings, .users, .follows, .items, .claims, .messages: nil
        }
    }

    /// Returns the owners of the rows, with the first day of a changed row.
    ///
    /// The query reads all rows from the first changed row on. A load usually appends rows.
    private func users(of kind: RecordKind, _ keys: ChangedKeys, day: String) throws -> [Int64: Day?] {
        var users: [Int64: Day?] = [:]
        let sql: SQL = """
            SELECT id, user_id, \(raw: day)
            FROM \(raw: kind.table)
            WHERE id >= \(.integer(keys.first), as: "first")
            """
        try session.query(sql) { row in
            guard keys.contains(row.integer(0)) else { return true }
            let user = row.integer(1)
            let day = row.day(2)
            let known = users[user] ?? nil
            let first = [known, day].compactMap(\.self).min()
            users.updateValue(first, forKey: user)
            return true
        }
        return users
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
