import Base
import Geo
import StoreEngine

/// A search for the newest rows in an area by their cells, from the last day back until enough are found.
///
/// Cost: two index descents for each cell, and one more for each cell and span of days. If the days are similar, the
/// search reads about as many rows as it must find. If it would read many more, it stops without a result.
struct NewestRowSearch {
    /// The maximum length of a span, as a multiple of all later spans together.
    private static let growth = 16

    let session: SpatiaLiteSession
    let index: SchemaDeclaration.CellIndex
    let box: BoundingBox
    /// The condition that a row must meet, including the exact area.
    let condition: SQL
    let days: ClosedRange<Day>
    /// The number of rows to find.
    let count: Int

    /// The numbers of rows that a search has read and found.
    private struct Progress {
        var read = 0
        var keys: [Int64] = []
    }

    /// The cells with rows, and the days of these rows.
    private struct History {
        var cells: [Int64] = []
        /// The first day, which is later than the last one if no cell has rows.
        var first = Day.last
        var last = Day.first
    }

    /// Days from the first one until before a text that follows the last one.
    private struct Span {
        var first: Day
        var end: String
    }

    /// Returns whether a search with the R*Tree is probably as fast.
    ///
    /// This is so if few of the cells' rows meet the condition, or if very many rows are on the last days.
    private func isLost(_ progress: Progress) -> Bool {
        let many = 1000 + 20 * count
        guard progress.read > many else {
            return false
        }
        return progress.read > 20 * progress.keys.count || progress.read > 10 * many
    }

    /// Returns the keys of the ``count`` newest rows, or of all rows if there are fewer.
    ///
    /// The result also contains all other rows of the same days. It is `nil` if another search is probably as fast.
    func keys() throws -> [Int64]? {
        guard let cells = CellIndex.cells(in: box), let history = try history(of: cells) else {
            return nil
        }
        let first = max(history.first, days.lowerBound)
        let last = min(history.last, days.upperBound)
        var progress = Progress()
        var length = 1
        var begin = last.advanced(by: 1)
        // As text, the last day with a space sorts after the day and before the next one.
        var end = "\(last) "
        while first < begin, progress.keys.count < count {
            begin = max(first, begin.advanced(by: -length))
            try find(in: history.cells, on: Span(first: begin, end: end), &progress)
            if isLost(progress) {
                return nil
            }
            // If the earlier days are like the later ones, a span of this length contains the missing rows and a
            // quarter more.
            let seen = begin.distance(to: last) + 1
            let missing = count - progress.keys.count
            let estimate = seen * missing * 5 / (max(progress.keys.count, 1) * 4) + 1
            length = min(estimate, seen * Self.growth)
            end = begin.description
        }
        return progress.keys.distinct()
    }

    /// Returns the cells that have rows, with the first and the last day of these rows.
    ///
    /// The result is `nil` if a day is not a date.
    private func history(of cells: [Int64]) throws -> History? {
        var history = History()
        var areDays = true
        let sql = """
            SELECT
              asked.value,
              (SELECT min(\(index.day)) FROM \(index.index) WHERE cell = asked.value),
              (SELECT max(\(index.day)) FROM \(index.index) WHERE cell = asked.value)
            FROM json_each(:cells) AS asked
            """
        try session.query(SQL(sql, ["cells": .list(cells)])) { row in
            guard !row.isNull(1) else {
                return true
            }
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

    /// Adds the rows of the cells on some days to the progress, until the search is lost.
    private func find(in cells: [Int64], on span: Span, _ progress: inout Progress) throws {
        let table: SQL = "\(raw: index.table)"
        let entry: SQL = "\(raw: index.index)"
        let day: SQL = "\(raw: index.day)"
        let sql: SQL = """
            SELECT \(table).id, CASE WHEN \(condition) THEN 1 ELSE 0 END
            FROM json_each(\(.list(cells), as: "cells")) AS asked
            CROSS JOIN \(entry)
              ON \(entry).cell = asked.value
              AND \(entry).\(day) >= \(.day(span.first), as: "first_of_span")
              AND \(entry).\(day) < \(.text(span.end), as: "end_of_span")
            CROSS JOIN \(table) ON \(table).id = \(entry).\(raw: index.key) AND \(table).\(day) = \(entry).\(day)
            """
        try session.query(sql) { row in
            progress.read += 1
            if row.integer(1) != 0 {
                progress.keys.append(row.integer(0))
            }
            return !isLost(progress)
        }
    }
}

extension Value {
    /// Returns the numbers as a JSON array for `json_each`.
    static func list(_ numbers: [Int64]) -> Value {
        .text("[\(numbers.map(String.init).joined(separator: ","))]")
    }
}
