import Base
import Foundation
import HabitModel
import StoreEngine

/// Writes the log of changes, and deletes records with their changes.
///
/// Each function is called in the transaction of the change. Readers find rows by ``ChangeFeed``. On an engine with
/// triggers, the changes of other programs are logged by triggers: see ``RecordVersion``.
struct ChangeLog {
    /// The time for which changes are kept.
    static let retention: Duration = .seconds(91 * 86_400)
    /// The number of rows that one statement logs.
    private static let rowsPerStatement = 1000

    private let session: any Session
    /// The current instant in microseconds.
    private let now: Int64
    private var time: SQL {
        "\(.integer(now), as: "now")"
    }

    init(_ session: any Session) {
        self.session = session
        now = Instant.now.microseconds
    }

    /// Begins a new log, because any record may have changed.
    ///
    /// Clients read all records again.
    func begin() throws {
        let uuid = UUID().uuidString
        let id = uuid.replacing("-", with: "").lowercased()
        try session.run("DELETE FROM change")
        let value: SQL = "\(.text(id), as: "log")"
        try session.run("UPDATE store SET log_id = \(value)")
    }

    /// Logs the records of a kind that meet a condition.
    ///
    /// Call this function before the records are deleted, or after they were written.
    ///
    /// - Parameters:
    ///   - kind: The kind of the records.
    ///   - condition: A SQL condition on the columns of the table of the kind.
    ///   - audience: The users who can see the changes, or `nil` for the usual audience of each record.
    /// - Throws: An error of the engine.
    func add(
        _ kind: RecordKind,
        where condition: SQL,
        audience: Audience? = nil
    ) throws {
        let parties = LoggedParty.all(of: kind, audience)
        try add(kind, where: condition, for: parties)
        if kind == .schedules {
            try replaceVersions(ofHabitsWithSchedules: condition)
        }
    }

    /// Logs the records of a kind that meet a condition, for some of their parties.
    ///
    /// - Parameters:
    ///   - kind: The kind of the records.
    ///   - condition: A SQL condition on the columns of the table of the kind.
    ///   - parties: The parties.
    ///   - includesHidden: Whether the log includes records that a block hides from their parties, because the block
    ///     begins or ends. Otherwise their changes would reveal hidden records to the parties.
    /// - Throws: An error of the engine.
    private func add(
        _ kind: RecordKind,
        where condition: SQL,
        for parties: [LoggedParty],
        includesHidden: Bool = false
    ) throws {
        let table: SQL = "\(raw: kind.table)"
        let logged: SQL = "\(raw: kind.logged.rawValue)"
        for party in parties {
            let audience = party.audience(session.dialect)
            var filter: SQL = ""
            if let isVisible = party.isVisible, !includesHidden {
                filter = "WHERE \(isVisible)"
            }
            let count = try session.run(
                """
                INSERT INTO change (at, kind, user_id, record_id, day, audience)
                SELECT
                  \(time),
                  '\(logged)',
                  \(party.user),
                  \(party.id),
                  \(party.day),
                  \(audience)
                FROM (
                  SELECT *
                  FROM \(table)
                  WHERE \(condition)
                ) AS \(table)
                \(party.joins)
                \(filter)
                ORDER BY \(table).id
                """)
            try prune(after: count)
        }
    }

    /// Logs for two users that the shared records and the items of the other begin or end to be hidden.
    ///
    /// The log of each user then has the rows that the deletion of the other account would add, in the same order, so
    /// that they do not reveal which of the two has happened: see ``BlockRule``. Other users have no rows.
    ///
    /// - Parameters:
    ///   - first: The key of a user.
    ///   - second: The key of the other user.
    /// - Throws: An error of the engine.
    func addRecords(between first: Int64, and second: Int64) throws {
        let keys = [first, second]
        let isParty: SQL = .membership(of: "user_id", in: keys, as: "user")
        let ofItem: SQL = .membership(of: "item.user_id", in: keys, as: "user")
        let isSender: SQL = .membership(of: "sender_id", in: keys, as: "user")
        let isRecipient: SQL = .membership(of: "recipient_id", in: keys, as: "user")
        let reads: SQL = """
            \(isParty) AND EXISTS (
              SELECT 1
              FROM item
              WHERE item.id = read_marker.item_id AND item.user_id <> read_marker.user_id AND \(ofItem)
            )
            """
        let claims: SQL = """
            \(isParty) AND EXISTS (
              SELECT 1
              FROM item
              WHERE item.id = claim.item_id AND item.user_id <> claim.user_id AND \(ofItem)
            )
            """
        let conditions: [(RecordKind, SQL)] = [
            (.messages, "\(isSender) AND \(isRecipient)"),
            (.reads, reads),
            (.claims, claims),
        ]
        for (kind, condition) in conditions {
            try add(kind, where: condition, for: LoggedParty.all(of: kind), includesHidden: true)
        }
        try addItems(of: first, for: .party(second))
        try addItems(of: second, for: .party(first))
    }

    /// Logs for two users that the account of the other begins or ends to be hidden.
    ///
    /// - Parameters:
    ///   - first: The key of a user.
    ///   - second: The key of the other user.
    /// - Throws: An error of the engine.
    func addAccounts(of first: Int64, and second: Int64) throws {
        try addAccount(of: first, for: .party(second))
        try addAccount(of: second, for: .party(first))
    }

    /// The user of rows in the log and the users who can see these rows.
    struct Readers {
        /// The key of the user.
        let user: Int64
        /// The users who can see the rows.
        let audience: Audience

        /// The rows concern only the user with this key.
        static func party(_ user: Int64) -> Readers {
            Readers(user: user, audience: .party)
        }

        /// Everyone sees the rows, which are about a deleted account: see ``ChangeLog/newFormerUser()``.
        static func everyone(about former: Int64) -> Readers {
            Readers(user: former, audience: .everyone)
        }
    }

    /// Logs all items of a user.
    ///
    /// The log includes deleted items, which a reader may not have deleted from a copy yet.
    ///
    /// - Parameters:
    ///   - owner: The key of the user.
    ///   - readers: The users who can see the rows.
    /// - Throws: An error of the engine.
    func addItems(of owner: Int64, for readers: Readers) throws {
        let owner: SQL = "\(.integer(owner), as: "owner")"
        let stored: SQL = """
            SELECT item.external_id AS id, item.id AS row_order
            FROM item
            WHERE item.user_id = \(owner)
            """
        let deleted: SQL = """
            SELECT DISTINCT change.record_id AS id, change.record_id AS row_order
            FROM change
            WHERE change.user_id = \(owner)
              AND change.audience = \(Self.everyone)
              AND change.kind = '\(raw: RecordKind.items.rawValue)'
              AND change.record_id IS NOT NULL
              AND NOT EXISTS (SELECT 1 FROM item WHERE item.external_id = change.record_id)
            """
        try add(.items, from: stored, for: readers)
        try add(.items, from: deleted, for: readers)
    }

    /// Logs the account of a user.
    ///
    /// - Parameters:
    ///   - user: The key of the user.
    ///   - readers: The users who can see the row.
    /// - Throws: An error of the engine.
    func addAccount(of user: Int64, for readers: Readers) throws {
        let account: SQL = """
            SELECT account.external_id AS id, account.id AS row_order
            FROM account
            WHERE account.id = \(.integer(user), as: "owner")
            """
        try add(.users, from: account, for: readers)
    }

    /// Logs the records of a query.
    ///
    /// - Parameters:
    ///   - kind: The kind of the records.
    ///   - query: A query with the columns `id`, the ID of the record, and `row_order`, which orders the records.
    ///   - readers: The users who can see the rows.
    /// - Throws: An error of the engine.
    private func add(_ kind: RecordKind, from query: SQL, for readers: Readers) throws {
        let count = try session.run(
            """
            INSERT INTO change (at, kind, user_id, record_id, audience)
            SELECT
              \(time),
              '\(raw: kind.rawValue)',
              \(.integer(readers.user), as: "party"),
              record.id,
              \(raw: readers.audience.rawValue.description)
            FROM (
              \(query)
            ) AS record
            ORDER BY record.row_order
            """)
        try prune(after: count)
    }

    /// Logs the records that depend on the time zones of users and that others can see.
    ///
    /// An item expires at the end of a day of its poster. A filter compares the date of a claim, a message or a request
    /// to follow in the zone of the user who has sent it.
    ///
    /// - Parameter users: The keys of the users.
    /// - Throws: An error of the engine.
    func addRecords(inZonesOf users: [Int64]) throws {
        let followee = LoggedParty.all(of: .follows).suffix(1)
        for part in users.parts(of: Self.rowsPerStatement) {
            let isOwner: SQL = .membership(of: "user_id", in: part, as: "user")
            let isSender: SQL = .membership(of: "sender_id", in: part, as: "user")
            let isFollower: SQL = .membership(of: "follower_id", in: part, as: "user")
            try add(.items, where: "\(isOwner) AND expires_day IS NOT NULL")
            try add(.claims, where: isOwner)
            try add(.messages, where: isSender)
            try add(.follows, where: isFollower, for: Array(followee))
        }
    }

    /// Logs the records of a kind with these keys.
    ///
    /// - Parameters:
    ///   - kind: The kind of the records.
    ///   - keys: The keys of the records.
    ///   - audience: The users who can see the changes, or `nil` for the usual audience of each record.
    /// - Throws: An error of the engine.
    func add(
        _ kind: RecordKind,
        keys: [Int64],
        audience: Audience? = nil
    ) throws {
        for part in keys.parts(of: Self.rowsPerStatement) {
            let condition: SQL = .membership(of: "id", in: part, as: "key")
            try add(kind, where: condition, audience: audience)
        }
    }

    /// Logs many records of a kind with one row for each party.
    ///
    /// The query reads all rows from the first changed row on. A load usually appends rows.
    ///
    /// - Parameters:
    ///   - kind: The kind of the records.
    ///   - keys: The keys of the records.
    ///   - audience: The users who can see the changes, or `nil` for the usual audience of the kind.
    /// - Throws: An error of the engine.
    func addAll(
        of kind: RecordKind,
        _ keys: ChangedKeys,
        audience: Audience? = nil
    ) throws {
        for party in LoggedParty.all(of: kind, audience) {
            let days = try firstDays(of: kind, keys, by: party)
            try addAll(
                of: kind,
                parties: days,
                audience: audience ?? kind.audience)
        }
        if kind == .schedules {
            try replaceVersionsOfHabits(withSchedules: keys.all)
        }
    }

    /// Returns the users whom a party of some records names, each with the first day of the records.
    private func firstDays(
        of kind: RecordKind,
        _ keys: ChangedKeys,
        by party: LoggedParty
    ) throws -> [Int64: Day?] {
        let table: SQL = "\(raw: kind.table)"
        let isVisible = party.isVisible ?? "TRUE"
        let sql: SQL = """
            SELECT \(table).id, \(party.user), \(party.day)
            FROM \(table)
            \(party.joins)
            WHERE \(table).id >= \(.integer(keys.first), as: "first") AND \(isVisible)
            """
        var days: [Int64: Day?] = [:]
        try session.query(sql) { row in
            let key = row.integer(0)
            guard keys.contains(key) else { return true }
            let user = row.integer(1)
            let day = row.day(2)
            let known = days[user] ?? nil
            let first = [known, day].compactMap(\.self).min()
            days.updateValue(first, forKey: user)
            return true
        }
        return days
    }

    /// Logs that any record of a kind may have changed, for each of these parties.
    ///
    /// - Parameters:
    ///   - kind: The kind of the records.
    ///   - parties: The keys of the users, with the first day of a changed record if the records have days.
    ///   - audience: The users who can see the changes.
    /// - Throws: An error of the engine.
    private func addAll(
        of kind: RecordKind,
        parties: [Int64: Day?],
        audience: Audience
    ) throws {
        let sorted = parties.sorted { first, second in
            first.key < second.key
        }
        let rows = sorted.map { user, day in
            let quoted = day.map { day in "'\(day)'" }
            let values = [
                "\(now)",
                "'\(kind.logged.rawValue)'",
                "\(user)",
                quoted ?? "NULL",
                "\(audience.rawValue)",
            ]
            return "(\(values.joined(separator: ", ")))"
        }
        for part in rows.parts(of: Self.rowsPerStatement) {
            let values = part.joined(separator: ", ")
            try session.run("INSERT INTO change (at, kind, user_id, day, audience) VALUES \(raw: values)")
        }
    }

    /// Deletes the records of a kind that meet a condition, and logs each deletion.
    ///
    /// - Parameters:
    ///   - kind: The kind of the records.
    ///   - condition: A SQL condition on the columns of the table of the kind.
    /// - Returns: The number of deleted records.
    /// - Throws: An error of the engine.
    @discardableResult
    func delete(_ kind: RecordKind, where condition: SQL) throws -> Int {
        try add(kind, where: condition)
        return try deleteUnlogged(kind, where: condition)
    }

    /// Deletes the records of a user that have a version, and logs each deletion.
    ///
    /// - Parameters:
    ///   - kind: The kind of the records, which belong to a user.
    ///   - user: The key of the user.
    ///   - version: The version of the records.
    ///   - condition: A further SQL condition on the columns of the table of the kind.
    /// - Returns: The number of deleted records.
    /// - Throws: An error of the engine.
    func delete(
        _ kind: RecordKind,
        ofUser user: Int64,
        version: Int64,
        where condition: SQL = "TRUE"
    ) throws -> Int {
        let isOwned: SQL = "user_id = \(.integer(user), as: "user")"
        let hasVersion: SQL = "version = \(.integer(version), as: "version")"
        let unchanged: SQL = "\(isOwned) AND \(hasVersion) AND \(condition)"
        try add(kind, where: unchanged)
        let deleted: SQL = "version = \(.integer(RecordVersion.deleted), as: "deleted")"
        return try deleteUnlogged(kind, where: unchanged, marked: "\(isOwned) AND \(deleted)")
    }

    /// Deletes the records of a kind that meet a condition.
    ///
    /// The caller logs the deletion.
    ///
    /// - Parameters:
    ///   - kind: The kind of the records.
    ///   - condition: A SQL condition on the columns of the table of the kind.
    ///   - marked: The condition for the same records after their version is ``RecordVersion/deleted``, or `nil` if
    ///     `condition` does not depend on the version.
    /// - Returns: The number of deleted records.
    /// - Throws: An error of the engine.
    func deleteUnlogged(_ kind: RecordKind, where condition: SQL, marked: SQL? = nil) throws -> Int {
        let table: SQL = "\(raw: kind.table)"
        let version: SQL = "\(.integer(RecordVersion.deleted), as: "version")"
        try session.run("UPDATE \(table) SET version = \(version) WHERE \(condition)")
        return try session.run("DELETE FROM \(table) WHERE \(marked ?? condition)")
    }

    /// Replaces the versions of habits whose schedules meet a condition, because a schedule is a part of its habit.
    private func replaceVersions(ofHabitsWithSchedules condition: SQL) throws {
        let changed: SQL = """
            SELECT DISTINCT habit_id, user_id
            FROM habit_schedule
            WHERE \(condition)
            """
        var habits: [RowKey] = []
        try session.query(changed) { row in
            let key = row.integer(0)
            let user = row.integer(1)
            habits.append(RowKey(key, partition: user))
            return true
        }
        guard !habits.isEmpty else { return }
        let version: SQL = "\(.integer(RecordVersion.new()), as: "version")"
        let keys = habits.map(\.key)
        let owners = habits.map(\.partition)
        let isChanged: SQL = .membership(of: "id", in: keys, as: "habit")
        let isOwned: SQL = .membership(of: "user_id", in: owners, as: "user")
        try session.run("UPDATE habit SET version = \(version) WHERE \(isChanged) AND \(isOwned)")
    }

    /// Replaces the versions of the habits that have schedules with these keys.
    private func replaceVersionsOfHabits(withSchedules keys: [Int64]) throws {
        for part in keys.parts(of: Self.rowsPerStatement) {
            let isChanged: SQL = .membership(of: "id", in: part, as: "key")
            try replaceVersions(ofHabitsWithSchedules: isChanged)
        }
    }

    /// Logs that a user's account was deleted with all records of a kind.
    ///
    /// The row has the key 0, because a new account may get the key of the deleted account.
    ///
    /// - Parameters:
    ///   - kind: The kind of the records.
    ///   - day: The first day of a deleted record, or `nil`.
    /// - Throws: An error of the engine.
    func addDeletedAccount(_ kind: RecordKind, day: Day?) throws {
        try addAll(of: kind, parties: [0: day], audience: .party)
    }

    /// Logs the change of the setting with this name.
    func add(setting name: String) throws {
        let kind: SQL = "'\(raw: RecordKind.settings.rawValue)'"
        let record: SQL = "\(.text(name), as: "name")"
        let values = [time, kind, record, Self.everyone].joined(separator: ", ")
        try session.run("INSERT INTO change (at, kind, record_id, audience) VALUES (\(values))")
    }

    /// Returns the number that replaces the key of a deleted account in the log.
    ///
    /// A new account may get the key of the deleted account, but no account and no other deletion has this number.
    func newFormerUser() throws -> Int64 {
        let newest = try session.first("SELECT max(number) FROM change") { row in row.integer(0) }
        return Int64.min + (newest ?? 0)
    }

    /// Logs which users do not see the rows about a deleted account, because a block has hidden the account from them.
    ///
    /// The rows concern no user: see ``Visibility/hiddenFormerUsers``.
    ///
    /// - Parameters:
    ///   - former: The number of the deleted account: see ``newFormerUser()``.
    ///   - users: The keys of the users.
    /// - Throws: An error of the engine.
    func hide(former: Int64, from users: [Int64]) throws {
        let kind: SQL = "'\(raw: RecordKind.blocks.rawValue)'"
        let record: SQL = "\(.text(former.description), as: "former")"
        let audience: SQL = "\(raw: Audience.party.rawValue.description)"
        for user in users {
            let hidden: SQL = "\(.integer(-user), as: "hidden")"
            let values = [time, kind, hidden, record, audience].joined(separator: ", ")
            try session.run("INSERT INTO change (at, kind, user_id, record_id, audience) VALUES (\(values))")
        }
    }

    /// Deletes the log of a user whose account is deleted, because it contains IDs and days of the user's records.
    ///
    /// The rows about the deletion of the account and of the items stay, because all users could see them and must
    /// delete their copies.
    func forget(user: Int64) throws {
        let keys: SQL = .membership(of: "user_id", in: [user, -user], as: "user")
        try session.run("DELETE FROM change WHERE \(keys)")
    }

    /// The stored number of ``Audience/everyone``.
    private static let everyone: SQL = "\(raw: Audience.everyone.rawValue.description)"

    /// Deletes some expired rows: up to twice as many as were added.
    private func prune(after count: Int) throws {
        guard count > 0 else { return }
        let kept = Self.retention.components.seconds * 1_000_000
        let oldest = now - kept
        let limit = Int64(2 * count)
        try session.run(
            """
            DELETE FROM change
            WHERE number IN (
              SELECT number
              FROM change
              ORDER BY number
              LIMIT \(.integer(limit), as: "count")
            )
              AND at < \(.integer(oldest), as: "oldest")
            """)
    }
}

extension Array {
    /// Returns the elements in parts of at most `count` elements.
    fileprivate func parts(of count: Int) -> some Sequence<[Element]> {
        stride(from: 0, to: self.count, by: count).lazy.map { start in
            let rest = self[start...]
            return Array(rest.prefix(count))
        }
    }
}
