import HabitModel

/// Finds the stored event with an id, and that of a habit on a day, through the store's indexes.
final class EventKeys {
    private let byID: any Statement
    private let byDay: any Statement

    init(_ session: any Session) throws {
        byID = try session.prepare("SELECT id, user_id FROM event WHERE external_id = :id")
        byDay = try session.prepare("SELECT id, external_id FROM event WHERE habit_id = :habit AND day = :day")
    }

    /// The event of a habit on a day.
    func find(habit: Int64, day: Day) throws -> (key: Int64, id: String)? {
        try byDay.bind([.integer(habit), .day(day)])
        return try byDay.firstRow { ($0.integer(0), $0.text(1) ?? "") }
    }

    /// The event with an id, and the key of its user.
    func find(id: String) throws -> (key: Int64, owner: Int64)? {
        try byID.bind([.text(id)])
        return try byID.firstRow { ($0.integer(0), $0.integer(1)) }
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
}
