import HabitModel
import StoreEngine

/// Finds what records refer to by the ids of their source. Holds a bounded number of answers in memory.
final class References {
    /// A class, so that handing one out costs one reference count and not that of all it holds.
    final class Habit {
        let key: Int64
        let ownerKey: Int64
        let ownerID: String
        let zone: TimeZoneRules
        let history: ScheduleHistory

        init(key: Int64, ownerKey: Int64, ownerID: String, zone: TimeZoneRules, history: ScheduleHistory) {
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
    private var items: [String: (key: Int64, ownerKey: Int64)] = [:]

    init(_ session: any Session) throws {
        account = try session.prepare("SELECT id FROM account WHERE external_id = :id")
        habit = try session.prepare(
            """
            SELECT \(HabitHistoryReader.columns.joined(separator: ", ")), habit.user_id, account.external_id
            FROM habit
            \(HabitHistoryReader.join)
            WHERE habit.external_id = :id
            """)
        item = try session.prepare("SELECT id, user_id FROM item WHERE external_id = :id")
        histories = try HabitHistoryReader(session)
    }

    // MARK: Asking ahead, as `PipelinedStatement.askAhead` does

    func prefetch(users ids: [String]) throws {
        try account.pipelined?.askAhead(ids.filter { accounts[$0] == nil }.map { [.text($0)] })
    }

    func prefetch(habits ids: [String]) throws {
        try habit.pipelined?.askAhead(ids.filter { habits[$0] == nil }.map { [.text($0)] })
    }

    func prefetch(items ids: [String]) throws {
        try item.pipelined?.askAhead(ids.filter { items[$0] == nil }.map { [.text($0)] })
    }

    // MARK: Finding

    /// The key of a user; `unknown-reference` where there is none.
    func user(_ id: String, field: Field) throws -> Int64 {
        guard let key = try knownUser(id) else { throw Self.unknown("user", id, field) }
        return key
    }

    /// The key of a user; nil where there is none.
    func knownUser(_ id: String) throws -> Int64? {
        if let key = accounts[id] { return key }
        guard let key = try first(account, id, { $0.integer(0) }) else { return nil }
        if accounts.count >= Self.capacity { accounts.removeAll(keepingCapacity: true) }
        accounts[id] = key
        return key
    }

    /// The habit; `unknown-reference` where there is none.
    func habit(_ id: String) throws -> Habit {
        guard let habit = try knownHabit(id) else { throw Self.unknown("habit", id, .habit) }
        return habit
    }

    /// The habit; nil where there is none.
    func knownHabit(_ id: String) throws -> Habit? {
        if let habit = habits[id] { return habit }
        let count = HabitHistoryReader.columns.count
        let found = try first(habit, id) { row -> Habit? in
            guard let (history, zone) = try histories.history(in: row) else { return nil }
            return Habit(
                key: row.integer(0), ownerKey: row.integer(count), ownerID: row.text(count + 1) ?? "",
                zone: TimeZoneRules(zone) ?? .utc, history: history)
        }
        guard let result = found ?? nil else { return nil }
        if habits.count >= Self.capacity { habits.removeAll(keepingCapacity: true) }
        habits[id] = result
        return result
    }

    func item(_ id: String) throws -> (key: Int64, ownerKey: Int64) {
        if let item = items[id] { return item }
        guard let found = try first(item, id, { ($0.integer(0), $0.integer(1)) }) else {
            throw Self.unknown("item", id, .item)
        }
        if items.count >= Self.capacity { items.removeAll(keepingCapacity: true) }
        items[id] = found
        return found
    }

    /// What was known of habits may have changed: look again.
    func forgetHabits() { habits.removeAll(keepingCapacity: true) }

    private func first<T>(_ statement: any Statement, _ id: String, _ body: (any Row) throws -> T) throws -> T? {
        try statement.bind([.text(id)])
        return try statement.firstRow(body)
    }

    private static func unknown(_ what: String, _ id: String, _ field: Field) -> HabitError {
        HabitError(
            .unknownReference, "there is no \(what) '\(id)': load it first, or correct the id", field: field.name)
    }
}

extension Statement {
    /// The first column of the first row for these values.
    func key(_ values: [Value]) throws -> Int64? {
        try bind(values)
        return try firstRow { $0.integer(0) }
    }
}

extension Row {
    /// Throws where the row, its key with `external_id` and `user_id` behind it, belongs to another user: an id stays with its
    /// owner.
    func checkOwner(_ owner: Int64, of what: String, _ id: String) throws {
        guard integer(2) == owner else {
            throw HabitError(.fieldInvalid, "the \(what) '\(id)' belongs to another user", field: Field.user.name)
        }
    }
}
