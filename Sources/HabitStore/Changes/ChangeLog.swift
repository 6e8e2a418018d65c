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
    private var time: SQL { "\(.integer(now), as: "now")" }

    init(_ session: any Session) {
        self.session = session
        now = Instant.now.microseconds
    }

    /// Begins a new log, because any record may have changed.
    ///
    /// Clients read all records again.
    func begin() throws {
        let id = UUID().uuidString.replacing("-", with: "").lowercased()
        try session.run("DELETE FROM change")
        try session.run("UPDATE store SET log_id = \(.text(id), as: "log")")
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
    func add(_ kind: RecordKind, where condition: SQL, audience: Audience? = nil) throws {
        try add(kind, where: condition, for: LoggedParty.all(of: kind, audience))
        if kind == .schedules {
            try replaceVersions(ofHabitsWithSchedules: condition)
        }
    }

    /// Logs the records of a kind that meet a condition, for some of their parties.
    private func add(_ kind: RecordKind, where condition: SQL, for parties: [LoggedParty]) throws {
        for party in parties {
            let count = try session.run(
                """
                INSERT INTO change (at, kind, user_id, record_id, day, audience)
                SELECT \(time), '\(raw: kind.logged.rawValue)', \(party.user), \(party.id), \(party.day),
                  \(party.audience(session.dialect))
                FROM (SELECT * FROM \(raw: kind.table) WHERE \(condition)) AS \(raw: kind.table)
                \(party.joins)
                ORDER BY \(raw: kind.table).id
                """)
            try prune(after: count)
        }
    }

    /// Logs the records that depend on the time zones of users and that others can see.
    ///
    /// An item expires at the end of a day of its poster. A filter compares the date of a claim, a message or a request
    /// to follow in the zone of the user who has sent it.
    ///
    /// - Parameter users: The keys of the users.
    /// - Throws: An error of the engine.
    func addRecords(inZonesOf users: [Int64]) throws {
        for start in stride(from: 0, to: users.count, by: Self.rowsPerStatement) {
            let part = Array(users[start...].prefix(Self.rowsPerStatement))
            let isOwner: SQL = .membership(of: "user_id", in: part, as: "user")
            try add(.items, where: "\(isOwner) AND expires_day IS NOT NULL")
            try add(.claims, where: isOwner)
            try add(.messages, where: .membership(of: "sender_id", in: part, as: "user"))
            let isFollower: SQL = .membership(of: "follower_id", in: part, as: "user")
            try add(.follows, where: isFollower, for: LoggedParty.all(of: .follows).suffix(1))
        }
    }

    /// Logs the records of a kind with these keys.
    ///
    /// - Parameters:
    ///   - kind: The kind of the records.
    ///   - keys: The keys of the records.
    ///   - audience: The users who can see the changes, or `nil` for the usual audience of each record.
    /// - Throws: An error of the engine.
    func add(_ kind: RecordKind, keys: [Int64], audience: Audience? = nil) throws {
        for start in stride(from: 0, to: keys.count, by: Self.rowsPerStatement) {
            let part = keys[start...].prefix(Self.rowsPerStatement)
            let condition: SQL = .membership(of: "id", in: Array(part), as: "key")
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
    func addAll(of kind: RecordKind, _ keys: ChangedKeys, audience: Audience? = nil) throws {
        for party in LoggedParty.all(of: kind, audience) {
            var parties: [Int64: Day?] = [:]
            let sql: SQL = """
                SELECT \(raw: kind.table).id, \(party.user), \(party.day)
                FROM \(raw: kind.table)
                \(party.joins)
                WHERE \(raw: kind.table).id >= \(.integer(keys.first), as: "first")
                """
            try session.query(sql) { row in
                guard keys.contains(row.integer(0)) else { return true }
                let user = row.integer(1)
                let known = parties[user] ?? nil
                let first = [known, row.day(2)].compactMap(\.self).min()
                parties.updateValue(first, forKey: user)
                return true
            }
            try addAll(of: kind, parties: parties, audience: audience ?? kind.audience)
        }
        if kind == .schedules {
            try replaceVersionsOfHabits(withSchedules: keys.all)
        }
    }

    /// Logs that any record of a kind may have changed, for each of these parties.
    ///
    /// - Parameters:
    ///   - kind: The kind of the records.
    ///   - parties: The keys of the users, with the first day of a changed record if the records have days.
    ///   - audience: The users who can see the changes.
    /// - Throws: An error of the engine.
    private func addAll(of kind: RecordKind, parties: [Int64: Day?], audience: Audience) throws {
        let sorted = parties.sorted { first, second in
            first.key < second.key
        }
        let rows = sorted.map { user, day in
            let day = day.map { day in "'\(day)'" }
            return "(\(now), '\(kind.logged.rawValue)', \(user), \(day ?? "NULL"), \(audience.rawValue))"
        }
        for start in stride(from: 0, to: rows.count, by: Self.rowsPerStatement) {
            let part = rows[start...].prefix(Self.rowsPerStatement)
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

    /// Deletes the records of a kind that meet a condition.
    ///
    /// The caller logs the deletion.
    ///
    /// - Parameters:
    ///   - kind: The kind of the records.
    ///   - condition: A SQL condition on the columns of the table of the kind.
    /// - Returns: The number of deleted records.
    /// - Throws: An error of the engine.
    func deleteUnlogged(_ kind: RecordKind, where condition: SQL) throws -> Int {
        let version: SQL = "\(.integer(RecordVersion.deleted), as: "version")"
        try session.run("UPDATE \(raw: kind.table) SET version = \(version) WHERE \(condition)")
        return try session.run("DELETE FROM \(raw: kind.table) WHERE \(condition)")
    }

    /// Replaces the versions of habits whose schedules meet a condition, because a schedule is a part of its habit.
    private func replaceVersions(ofHabitsWithSchedules condition: SQL) throws {
        var habits: [RowKey] = []
        try session.query("SELECT DISTINCT habit_id, user_id FROM habit_schedule WHERE \(condition)") { row in
            habits.append(RowKey(row.integer(0), partition: row.integer(1)))
            return true
        }
        guard !habits.isEmpty else { return }
        let version: SQL = "\(.integer(RecordVersion.new()), as: "version")"
        let keys: SQL = .membership(of: "id", in: habits.map(\.key), as: "habit")
        let owners: SQL = .membership(of: "user_id", in: habits.map(\.partition), as: "user")
        try session.run("UPDATE habit SET version = \(version) WHERE \(keys) AND \(owners)")
    }

    /// Replaces the versions of the habits that have schedules with these keys.
    private func replaceVersionsOfHabits(withSchedules keys: [Int64]) throws {
        for start in stride(from: 0, to: keys.count, by: Self.rowsPerStatement) {
            let part = keys[start...].prefix(Self.rowsPerStatement)
            try replaceVersions(ofHabitsWithSchedules: .membership(of: "id", in: Array(part), as: "key"))
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
        let kind = RecordKind.settings.rawValue
        let audience = Audience.everyone.rawValue.description
        let values: SQL = "\(time), '\(raw: kind)', \(.text(name), as: "name"), \(raw: audience)"
        try session.run("INSERT INTO change (at, kind, record_id, audience) VALUES (\(values))")
    }

    /// Deletes the log of a user whose account is deleted, because it contains IDs and days of the user's records.
    ///
    /// The rows of the account and the items stay, because all users could see them and must delete their copies.
    func forget(user: Int64) throws {
        try session.run(
            """
            DELETE FROM change
            WHERE user_id = \(.integer(user), as: "user") AND audience < \(raw: Audience.everyone.rawValue.description)
            """)
    }

    /// Deletes some expired rows: up to twice as many as were added.
    private func prune(after count: Int) throws {
        guard count > 0 else { return }
        let kept = Self.retention.components.seconds * 1_000_000
        let oldest = now - kept
        try session.run(
            """
            DELETE FROM change
            WHERE number IN (
              SELECT number FROM change ORDER BY number LIMIT \(.integer(Int64(2 * count)), as: "count")
            ) AND at < \(.integer(oldest), as: "oldest")
            """)
    }
}
