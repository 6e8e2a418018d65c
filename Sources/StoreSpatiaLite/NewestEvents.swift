import Base
import Geo
import StoreEngine

/// A search for the newest events in an area by their cells, from the last day back until enough are found.
///
/// Cost: two index descents for each cell, and one more for each cell and span of days. If the days are similar, the
/// search reads about as many events as it must find. If it would read many more, it stops without a result.
struct NewestEvents {
    /// The maximum length of a span, as a multiple of all later spans together.
    private static let growth = 16

    let session: SpatiaLiteSession
    let box: BoundingBox
    /// The condition that an event must meet, including the exact area.
    let condition: SQL
    let days: ClosedRange<Day>
    /// The number of events to find.
    let count: Int

    /// Returns whether a search with the R*Tree is probably as fast.
    ///
    /// This is so if few of the cells' events meet the condition, or if very many events are on the last days.
    private func isLost(_ looks: Int, _ found: Int) -> Bool {
        let many = 1000 + 20 * count
        return looks > many && (looks > 20 * found || looks > 10 * many)
    }

    /// Returns the keys of the ``count`` newest events, or of all events if there are fewer.
    ///
    /// The result also contains all other events of the same days. It is `nil` if another search is probably as fast.
    func keys() throws -> [Int64]? {
        guard let cells = EventCells.cells(in: box), let history = try history(of: cells) else { return nil }
        let first = max(history.first, days.lowerBound)
        let last = min(history.last, days.upperBound)
        var keys: [Int64] = []
        var length = 1
        // As text, the last day with a space sorts after the day and before the next one.
        var (begin, end) = (last.advanced(by: 1), "\(last) ")
        var looks = 0
        while first < begin, keys.count < count {
            begin = max(first, begin.advanced(by: -length))
            try find(in: history.cells, from: begin, before: end) { key, isInside in
                looks += 1
                if isInside { keys.append(key) }
                return !isLost(looks, keys.count)
            }
            if isLost(looks, keys.count) { return nil }
            // If the earlier days are like the later ones, a span of this length contains the missing events and a
            // quarter more.
            let seen = begin.distance(to: last) + 1
            length = min(seen * (count - keys.count) * 5 / (max(keys.count, 1) * 4) + 1, seen * Self.growth)
            end = begin.description
        }
        return keys.distinct()
    }

    /// Returns the cells that have events, with the first and the last day of these events.
    ///
    /// If no cell has events, the first day is later than the last. The result is `nil` if a day is not a date.
    private func history(of cells: [Int64]) throws -> (cells: [Int64], first: Day, last: Day)? {
        var history = (cells: [Int64](), first: Day.last, last: Day.first)
        var areDays = true
        let sql = """
            SELECT
              asked.value,
              (SELECT min(day) FROM event_cell WHERE cell = asked.value),
              (SELECT max(day) FROM event_cell WHERE cell = asked.value)
            FROM json_each(:cells) AS asked
            """
        try session.query(SQL(sql, ["cells": .list(cells)])) { row in
            guard !row.isNull(1) else { return true }
            guard let first = row.day(1), let last = row.day(2) else {
                areDays = false
                return false
            }
            history.cells.append(row.integer(0))
            history.first = min(history.first, first)
            history.last = max(history.last, last)
            return true
        }
        return areDays ? history : nil
    }

    /// Calls `body` with each event of the cells on some days, and whether the event meets the condition.
    ///
    /// The search ends when `body` returns `false`.
    private func find(
        in cells: [Int64], from first: Day, before end: String, _ body: (Int64, Bool) -> Bool
    ) throws {
        let sql: SQL = """
            SELECT event.id, CASE WHEN \(condition) THEN 1 ELSE 0 END
            FROM json_each(\(.list(cells), as: "cells")) AS asked
            CROSS JOIN event_cell
              ON event_cell.cell = asked.value
              AND event_cell.day >= \(.day(first), as: "first_of_span")
              AND event_cell.day < \(.text(end), as: "end_of_span")
            CROSS JOIN event ON event.id = event_cell.event_id AND event.day = event_cell.day
            """
        try session.query(sql) { row in body(row.integer(0), row.integer(1) != 0) }
    }
}

extension Value {
    /// Returns the numbers as a JSON array for `json_each`.
    static func list(_ numbers: [Int64]) -> Value {
        .text("[\(numbers.map(String.init).joined(separator: ","))]")
    }
}
