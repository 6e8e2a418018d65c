import Geo
import HabitModel
import StoreEngine

/// Finds the newest events of a place by their cells: from the last day back, until there are enough.
///
/// Cost: two descents for each cell, and one more for each span of days that is looked at; of the events it reads about as many
/// as it looks for, where the days are alike, and gives up where it would read many more.
struct NewestEvents {
    /// How much longer than all spans before it one may be.
    private static let growth = 16

    let session: SpatiaLiteSession
    let box: BoundingBox
    /// What holds of an event in the place.
    let condition: SQL
    let days: ClosedRange<Day>
    /// The events that are looked for.
    let count: Int

    /// Whether the R*Tree is likely to find them as soon: hardly any of the cells' events lie in the place, or very many are of
    /// the last days.
    private func isLost(_ looks: Int, _ found: Int) -> Bool {
        let many = 1000 + 20 * count
        return looks > many && (looks > 20 * found || looks > 10 * many)
    }

    /// The keys of ``count`` events, or of all there are, and of all others of the same days; nil where something else finds them.
    func keys() throws -> [Int64]? {
        guard let cells = EventCells.cells(in: box), let history = try history(of: cells) else { return nil }
        let first = max(history.first, days.lowerBound)
        let last = min(history.last, days.upperBound)
        var keys: [Int64] = []
        var length = 1
        // Behind the last day, as a text.
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
            // As long as it takes where the days before are like those behind, and a quarter more.
            let seen = begin.distance(to: last) + 1
            length = min(seen * (count - keys.count) * 5 / (max(keys.count, 1) * 4) + 1, seen * Self.growth)
            end = begin.description
        }
        return keys.distinct()
    }

    /// Those of the cells that have events, and from when until when, which is no time where none has; nil where a day is none.
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

    /// Hands over the cells' events of some days, and whether each lies in the place, until `body` returns false.
    private func find(
        in cells: [Int64], from first: Day, before end: String, _ body: (Int64, Bool) -> Bool
    ) throws {
        let sql = """
            SELECT event.id, CASE WHEN \(condition.text) THEN 1 ELSE 0 END
            FROM json_each(:cells) AS asked
            CROSS JOIN event_cell
              ON event_cell.cell = asked.value AND event_cell.day >= :first_of_span AND event_cell.day < :end_of_span
            CROSS JOIN event ON event.id = event_cell.event_id AND event.day = event_cell.day
            """
        var question = SQL(sql, condition.bindings)
        question.bind(["cells": .list(cells), "first_of_span": .day(first), "end_of_span": .text(end)])
        try session.query(question) { row in body(row.integer(0), row.integer(1) != 0) }
    }
}

extension Value {
    /// As `json_each` takes them apart.
    static func list(_ numbers: [Int64]) -> Value {
        .text("[\(numbers.map(String.init).joined(separator: ","))]")
    }
}
