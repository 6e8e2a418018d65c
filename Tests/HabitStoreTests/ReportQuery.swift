import Base
import HabitModel
import HabitStore
import HabitTestSupport
import StoreEngine
import Testing

/// Queries of reports on the store of a test.
enum ReportQuery {
    static let now = OffsetInstant("2026-11-20T12:00:00Z")

    /// Returns the rows of a query as texts, with `∅` for null.
    static func run(
        _ sql: String, on store: TestStore, as user: String? = nil, today: Day? = nil, isOver: Bool = false,
        _ values: [String: Value] = [:]
    ) throws -> [[String]] {
        var rows: [[String]] = []
        var clock = Clock(now: try #require(now).instant, today: today)
        clock.countsTodayAsOver = { _ in isOver }
        try store.analyze(as: user, clock: clock) { session, viewer in
            let query = AnalysisQuery(sql, viewer: viewer, clock: clock, parameters: values)
            try query.run(in: session) { shape in
                { row in
                    rows.append(
                        shape.columns.indices.map {
                            row.storage($0) == .number ? "\(row.number($0))" : row.text($0) ?? "∅"
                        })
                }
            }
        }
        return rows
    }
}
