import Base
import HabitModel
import StoreEngine

/// The calendar date at one moment for the user of each row, as a SQL expression over the table `account`.
///
/// Swift code resolves the time zones, not the engine, so all engines use the time zone rules of the machine.
struct LocalDates {
    /// The expression for the ISO date of the row's `account`, with the values of its parameters.
    let sql: SQL

    /// Creates dates from an expression of a view in a catalog.
    init(expression: String) { sql = SQL(expression) }

    /// Reads the time zones of all accounts, unless the clock has one date for all users.
    ///
    /// The cost is one index lookup for each time zone.
    init(_ clock: Clock, in session: any Session) throws {
        guard clock.commonToday == nil else {
            sql = SQL(":local_day", ["local_day": .day(clock.commonToday)])
            return
        }
        // Accounts in other zones, such as zones without rules, have the date in UTC.
        let common = clock.today(in: .utc)
        var zones: [Day: [String]] = [:]
        for zone in try Self.zones(in: session) {
            let day = clock.today(in: TimeZoneRules(zone) ?? .utc)
            if day != common { zones[day, default: []].append(zone) }
        }
        guard !zones.isEmpty else {
            sql = SQL(":local_day", ["local_day": .day(common)])
            return
        }
        var sql = SQL("CASE", ["local_day": .day(common)])
        for (day, names) in zones.sorted(by: { $0.key < $1.key }) {
            let offset = sql.bindings.count
            let parameters = names.indices.map { "zone_\(offset + $0)" }
            sql.text +=
                " WHEN account.time_zone IN (\(parameters.map { ":\($0)" }.joined(separator: ", "))) THEN :day_\(offset)"
            sql.bind(["day_\(offset)": .day(day)])
            for (parameter, name) in zip(parameters, names) { sql.bind([parameter: .text(name)]) }
        }
        sql.text += " ELSE :local_day END"
        self.sql = sql
    }

    /// Returns the distinct time zones of accounts.
    ///
    /// Each zone costs one lookup in the index on time zones.
    static func zones(in session: any Session) throws -> [String] {
        var names: [String] = []
        try session.query(
            """
            WITH RECURSIVE zone (name) AS (
              SELECT min(account.time_zone) FROM account
              UNION ALL
              SELECT (SELECT min(account.time_zone) FROM account WHERE account.time_zone > zone.name)
              FROM zone
              WHERE zone.name IS NOT NULL
            )
            SELECT name FROM zone WHERE name IS NOT NULL
            """
        ) { row in
            if let name = row.text(0) { names.append(name) }
            return true
        }
        return names
    }
}
