import Foundation
import HabitTestSupport

/// The stored records of one user as texts that tests compare.
struct ImportedRows: Equatable {
    var habits: [String]
    var events: [String]
    var posts: [String]

    /// Reads the records from the store in a folder.
    init(of user: String, in folder: TemporaryFolder) throws {
        let results = try folder.query(
            [
                """
                SELECT title, reason, days, times, period_days, start, "end", unit, target_amount FROM habits \
                WHERE user = '\(user)' ORDER BY id
                """,
                """
                SELECT title AS habit, day, outcome, comment, amount, at, latitude, longitude FROM events \
                WHERE user = '\(user)' ORDER BY id
                """,
                """
                SELECT posted_at AS at, caption, latitude, longitude, has_photo FROM posts \
                WHERE user = '\(user)' ORDER BY id
                """,
            ], .json
        ).map { Data($0.utf8) }
        let posts = try JSONDecoder().decode([StoredPost].self, from: results[2])
        self.init(
            habits: try JSONDecoder().decode([ImportCase.HabitRow].self, from: results[0]),
            events: try JSONDecoder().decode([ImportCase.EventRow].self, from: results[1]), posts: posts.map(\.row))
    }

    init(expected: ImportCase) {
        self.init(habits: expected.habit_rows, events: expected.event_rows, posts: expected.post_rows)
    }

    private init(
        habits: [ImportCase.HabitRow], events: [ImportCase.EventRow], posts: [ImportCase.PostRow]
    ) {
        self.habits = habits.map { row in
            Self.line([
                row.title, row.reason, Self.mask(row.days), row.times.map(String.init),
                row.period_days.map(String.init), row.start, row.end, row.unit, Self.number(row.target_amount),
            ])
        }.sorted()
        self.events = events.map { row in
            Self.line([
                row.habit, row.day, row.outcome, row.comment, Self.number(row.amount), Self.time(row.at),
                Self.number(row.latitude), Self.number(row.longitude),
            ])
        }.sorted()
        self.posts = posts.map { row in
            Self.line([
                Self.time(row.at), row.caption, Self.number(row.latitude), Self.number(row.longitude),
                row.photo ? "photo" : nil,
            ])
        }.sorted()
    }

    private struct StoredPost: Decodable {
        var at, caption: String?
        var latitude, longitude: Double?
        var has_photo: Int

        var row: ImportCase.PostRow {
            ImportCase.PostRow(
                id: nil, at: at, caption: caption, latitude: latitude, longitude: longitude, photo: has_photo != 0)
        }
    }

    private static func line(_ values: [String?]) -> String { values.map { $0 ?? "" }.joined(separator: " | ") }

    private static func number(_ value: Double?) -> String? { value.map { String(($0 * 1e7).rounded() / 1e7) } }

    /// Returns a time without zeros at the end of its fraction.
    private static func time(_ at: String?) -> String? {
        guard let at, let point = at.firstIndex(of: ".") else { return at }
        let end = at[at.index(after: point)...].firstIndex { !$0.isNumber } ?? at.endIndex
        var fraction = at[point..<end]
        while fraction.last == "0" { fraction.removeLast() }
        return String(at[..<point] + (fraction == "." ? "" : fraction) + at[end...])
    }

    /// Returns weekdays as a mask from Monday.
    private static func mask(_ days: String?) -> String? {
        guard let days, !days.isEmpty, days.contains(where: \.isLetter) else { return days }
        let names = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
        return names.map { days.contains($0) ? "1" : "0" }.joined()
    }
}

/// The rows of the summary of an import.
struct ImportCounts {
    private var counts: [(record: String, result: String, reason: String, count: Int)] = []
    /// The formats in the summary.
    private(set) var formats: Set<String> = []

    /// Parses the summary in CSV, in which no value contains a comma or a quote.
    init(_ run: ProgramResult) {
        for line in run.lines.dropFirst() {
            let cells = line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
            guard cells.count == 6, let count = Int(cells[5]) else { continue }
            formats.insert(cells[1])
            counts.append((cells[2], cells[3], cells[4], count))
        }
    }

    /// Returns the number of entries with a result, of one kind or of events and posts.
    func count(_ result: String, of record: String? = nil) -> Int {
        counts.reduce(0) { sum, row in
            row.result == result && (record.map { $0 == row.record } ?? (row.record != "habits"))
                ? sum + row.count : sum
        }
    }

    /// Returns the numbers of entries by reason, of one kind or of events and posts.
    func reasons(_ result: String, of record: String? = nil) -> [String: Int] {
        var reasons: [String: Int] = [:]
        for row in counts where row.result == result && (record.map { $0 == row.record } ?? (row.record != "habits")) {
            reasons[row.reason, default: 0] += row.count
        }
        return reasons
    }

    /// The number of entries read.
    var read: Int { counts.filter { $0.record != "habits" }.map(\.count).reduce(0, +) }
}
