import Base
import HabitModel
import StoreEngine

/// The calendar date at one moment for the user of each row, as a SQL expression over the table `account`.
///
/// Swift code resolves the time zones, not the engine, so all engines use the time zone rules of the machine.
struct LocalDates {
    /// The expression for the ISO date of the row's `account`.
    let date: SQL

    /// Creates dates from an expression of a view in a catalog.
    init(expression: SQL) { date = expression }

    /// Reads the time zones of all accounts, unless the clock has one date for all users.
    ///
    /// The cost is one index lookup for each time zone.
    init(_ clock: Clock, in session: any Session) throws {
        if let today = clock.commonToday {
            date = Self.constant(today)
            return
        }
        // Accounts in other zones, such as zones without rules, have the date in UTC.
        let common = clock.today(in: .utc)
        var zones: [Day: [String]] = [:]
        for zone in try Self.zones(in: session) {
            let day = clock.today(in: TimeZoneRules(zone) ?? .utc)
            if day != common {
                zones[day, default: []].append(zone)
            }
        }
        guard !zones.isEmpty else {
            date = Self.constant(common)
            return
        }
        let cases = zones.keys.sorted().map { day -> SQL in
            let names = (zones[day] ?? []).map { name -> SQL in "\(.text(name), as: "zone")" }
            return "WHEN account.time_zone IN (\(names.joined(separator: ", "))) THEN \(.day(day), as: "day")"
        }
        date = "CASE \(cases.joined(separator: " ")) ELSE \(Self.constant(common)) END"
    }

    private static func constant(_ day: Day) -> SQL {
        "\(.day(day), as: "local_day")"
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
            if let name = row.text(0) {
                names.append(name)
            }
            return true
        }
        return names
    }
}
