import Base
import HabitModel
import HabitStore
import StoreEngine

/// The time zones of local times in the rows of tables of other programs.
struct RowZones: Sendable {
    /// The time zone of all rows, or `nil` to use the time zone of the user of each row.
    private let zone: TimeZoneRules?
    private var users: [String: TimeZoneRules] = [:]
    private var titles: HabitTitles?

    /// Creates zones that depend only on an option.
    init(_ zone: TimeZoneRules?) { self.zone = zone }

    /// Creates zones from the users and the habits of a store.
    ///
    /// - Throws: An error of the queries.
    init(titles: HabitTitles, in session: any Session) throws {
        zone = nil
        self.titles = titles
        var zones: [String: TimeZoneRules] = [:]
        var users: [String: TimeZoneRules] = [:]
        try UserZoneQuery.forEach(in: session) { user, name in
            if zones[name] == nil {
                zones[name] = TimeZoneRules(name) ?? .utc
            }
            users[user] = zones[name]
        }
        self.users = users
    }

    /// Returns the time zone of a row, or `nil` if its user is not stored.
    func zone(of record: RawRecord) -> TimeZoneRules? {
        if let zone { return zone }
        if case .text(let user) = record[.user], !user.isEmpty { return users[user.trimmed] }
        guard case .text(let habit) = record[.habit] else { return nil }
        guard let owner = titles?.owner(of: habit.trimmed) else { return nil }
        return users[owner]
    }
}
