import Base
import HabitModel
import StoreEngine

/// Writes the log of changes.
///
/// Each function is called in the transaction of the change. Readers find rows by ``ChangeFeed``.
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

    /// Logs the records of a kind that meet a condition.
    ///
    /// Call this function before the records are deleted, or after they were written.
    ///
    /// - Parameters:
    ///   - kind: The kind of the records.
    ///   - condition: A SQL condition on the columns of the table of the kind.
    /// - Throws: An error of the engine.
    func add(_ kind: RecordKind, where condition: SQL) throws {
        let table: SQL = "\(raw: kind.table)"
        for party in LoggedParty.all(of: kind) {
            let count = try session.run(
                """
                INSERT INTO change (at, kind, user_id, record_id, day)
                SELECT \(time), '\(raw: party.kind.rawValue)', \(party.user), \(party.id), \(party.day)
                FROM (SELECT * FROM \(table) WHERE \(condition)) AS \(table)
                \(party.joins)
                ORDER BY \(table).id
                """)
            try prune(after: count)
        }
    }

    /// Logs the records of a kind with these keys.
    func add(_ kind: RecordKind, keys: [Int64]) throws {
        for start in stride(from: 0, to: keys.count, by: Self.rowsPerStatement) {
            let part = keys[start...].prefix(Self.rowsPerStatement)
            try add(kind, where: .membership(of: "id", in: Array(part), as: "key"))
        }
    }

    /// Logs that any record of a kind may have changed.
    func addAll(of kind: RecordKind) throws {
        try session.run("INSERT INTO change (at, kind) VALUES (\(time), '\(raw: kind.logged.rawValue)')")
    }

    /// Logs that any record of a kind may have changed, for each of these users.
    ///
    /// - Parameters:
    ///   - kind: The kind of the records.
    ///   - users: The keys of the users, with the first day of a changed record if the records have days.
    /// - Throws: An error of the engine.
    func addAll(of kind: RecordKind, users: [Int64: Day?]) throws {
        let kind = kind.logged.rawValue
        let sorted = users.sorted { first, second in
            first.key < second.key
        }
        let rows = sorted.map { user, day in
            let day = day.map { day in "'\(day)'" }
            return "(\(now), '\(kind)', \(user), \(day ?? "NULL"))"
        }
        for start in stride(from: 0, to: rows.count, by: Self.rowsPerStatement) {
            let part = rows[start...].prefix(Self.rowsPerStatement)
            let values = part.joined(separator: ", ")
            try session.run("INSERT INTO change (at, kind, user_id, day) VALUES \(raw: values)")
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
        try addAll(of: kind, users: [0: day])
    }

    /// Logs the change of the setting with this name.
    func add(setting name: String) throws {
        let kind = RecordKind.settings.rawValue
        let values: SQL = "\(time), '\(raw: kind)', \(.text(name), as: "name")"
        try session.run("INSERT INTO change (at, kind, record_id) VALUES (\(values))")
    }

    /// Deletes the log of a user whose account is deleted, because it contains IDs and days of the user's records.
    ///
    /// The rows of the account and the items stay, because all users could see them and must delete their copies.
    func forget(user: Int64) throws {
        try session.run(
            """
            DELETE FROM change
            WHERE user_id = \(.integer(user), as: "user") AND NOT \(raw: RecordKind.sharedCondition)
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

/// A user whom the change of a record concerns: the owner, or one of two parties.
private struct LoggedParty {
    /// The kind in the log.
    var kind: RecordKind
    /// The expressions for the key of the user, the ID of the feature and its day.
    var user: SQL
    var id: SQL
    var day: SQL = "NULL"
    var joins: SQL = ""

    /// Returns the parties of a kind, or nothing for settings, which have no rows with keys.
    static func all(of kind: RecordKind) -> [LoggedParty] {
        switch kind {
        case .settings: []
        case .users:
            [.init(kind: kind, user: "account.id", id: "account.external_id")]
        case .habits:
            [.init(kind: kind, user: "habit.user_id", id: "habit.external_id")]
        case .schedules:
            [
                .init(
                    kind: kind.logged,
                    user: "habit.user_id",
                    id: "habit.external_id",
                    day: "habit_schedule.from_day",
                    joins: ScheduleTable.join)
            ]
        case .follows:
            all(
                of: kind,
                users: ["follow.follower_id", "follow.followee_id"],
                id: pair("follower", "followee"),
                joins: FollowTable.joins)
        case .events:
            [.init(kind: kind, user: "event.user_id", id: "event.external_id", day: "event.day")]
        case .items:
            [.init(kind: kind, user: "item.user_id", id: "item.external_id")]
        case .claims:
            all(
                of: kind,
                users: ["claim.user_id", "item.user_id"],
                id: pair("item", "claimant"),
                joins: ClaimTable.joins)
        case .messages:
            all(
                of: kind,
                users: ["message.sender_id", "message.recipient_id"],
                id: "message.external_id")
        case .posts:
            [.init(kind: kind, user: "post.user_id", id: "post.external_id")]
        }
    }

    /// Returns one party for each expression in `users`.
    private static func all(of kind: RecordKind, users: [SQL], id: SQL, joins: SQL = "") -> [LoggedParty] {
        users.map { user in
            LoggedParty(kind: kind, user: user, id: id, joins: joins)
        }
    }

    /// The ID of a relation over HTTP.
    private static func pair(_ first: String, _ second: String) -> SQL {
        SQL(CompositeID.sql("\(first).external_id", "\(second).external_id"))
    }
}

extension RecordKind {
    /// The kinds whose records all users can see.
    static let shared: [RecordKind] = [.items, .users]

    /// The condition on `kind` that selects ``shared``.
    ///
    /// SQLite uses the index `change_shared` only for exactly the condition of the index.
    static let sharedCondition: String = {
        let names = shared.map { kind in "'\(kind.rawValue)'" }
        return "kind IN (\(names.joined(separator: ", ")))"
    }()

    /// The kinds whose records belong to one user, who shares them with followers.
    static let owned: [RecordKind] = [.habits, .events, .posts]

    /// The kind under which the change of a record is logged: a schedule is a part of its habit.
    var logged: RecordKind {
        self == .schedules ? .habits : self
    }
}
