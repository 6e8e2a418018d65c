import Foundation
import HabitModel

/// Finds what records refer to by the ids of their source. Holds a bounded number of answers in memory.
final class References {
    /// A class, so that handing one out costs one reference count and not that of all it holds.
    final class Habit {
        let key: Int64
        let ownerKey: Int64
        let ownerID: String
        let zone: TimeZone
        let history: ScheduleHistory

        init(key: Int64, ownerKey: Int64, ownerID: String, zone: TimeZone, history: ScheduleHistory) {
            self.key = key
            self.ownerKey = ownerKey
            self.ownerID = ownerID
            self.zone = zone
            self.history = history
        }
    }

    private static let capacity = 200_000

    private let account: any Statement
    private let habit: any Statement
    private let item: any Statement
    private let histories: HabitHistoryReader
    private var accounts: [String: Int64] = [:]
    private var habits: [String: Habit] = [:]

    init(_ session: any Session) throws {
        account = try session.prepare("SELECT id FROM account WHERE external_id = :id")
        habit = try session.prepare(
            """
            SELECT habit.id, habit.user_id, account.external_id
            FROM habit
            JOIN account ON account.id = habit.user_id
            WHERE habit.external_id = :id
            """)
        item = try session.prepare("SELECT id, user_id FROM item WHERE external_id = :id")
        histories = try HabitHistoryReader(session)
    }

    /// The key of a user; `unknown-reference` where there is none.
    func user(_ id: String, field: Field) throws -> Int64 {
        if let key = accounts[id] { return key }
        guard let key = try first(account, id, { $0.integer(0) }) else { throw Self.unknown("user", id, field) }
        if accounts.count >= Self.capacity { accounts.removeAll(keepingCapacity: true) }
        accounts[id] = key
        return key
    }

    func habit(_ id: String) throws -> Habit {
        if let habit = habits[id] { return habit }
        guard let found = try first(habit, id, { ($0.integer(0), $0.integer(1), $0.text(2) ?? "") }),
            let (history, zone) = try histories.history(of: found.0)
        else { throw Self.unknown("habit", id, .habit) }
        let result = Habit(
            key: found.0, ownerKey: found.1, ownerID: found.2, zone: TimeZone(identifier: zone) ?? .gmt,
            history: history)
        if habits.count >= Self.capacity { habits.removeAll(keepingCapacity: true) }
        habits[id] = result
        return result
    }

    func item(_ id: String) throws -> (key: Int64, ownerKey: Int64) {
        guard let found = try first(item, id, { ($0.integer(0), $0.integer(1)) }) else {
            throw Self.unknown("item", id, .item)
        }
        return found
    }

    /// What was known of habits may have changed: look again.
    func forgetHabits() { habits.removeAll(keepingCapacity: true) }

    private func first<T>(_ statement: any Statement, _ id: String, _ body: (any Row) -> T) throws -> T? {
        try statement.bind([.text(id)])
        return try statement.firstRow(body)
    }

    private static func unknown(_ what: String, _ id: String, _ field: Field) -> HabitError {
        HabitError(
            .unknownReference, "there is no \(what) '\(id)': load it first, or correct the id", field: field.rawValue)
    }
}

extension Statement {
    /// What `body` makes of the first row; nil where there is none.
    func firstRow<Result>(_ body: (any Row) throws -> Result) throws -> Result? {
        var result: Result?
        try forEach {
            result = try body($0)
            return false
        }
        return result
    }

    /// The key of the record with this id, for a statement that gives key and owner; an id stays with its owner.
    func key(id: String, ownedBy owner: Int64, _ what: String) throws -> Int64? {
        try bind([.text(id)])
        let found = try firstRow { (key: $0.integer(0), owner: $0.integer(1)) }
        guard found.map({ $0.owner == owner }) ?? true else {
            throw HabitError(
                .fieldInvalid, "the \(what) '\(id)' belongs to another user", field: Field.user.rawValue)
        }
        return found?.key
    }

    /// The first column of the first row for these values.
    func key(_ values: [Value]) throws -> Int64? {
        try bind(values)
        return try firstRow { $0.integer(0) }
    }
}
