import Base
import Geo
import HabitModel
import HabitTestSupport
import StoreEngine
import Testing

@testable import HabitStore

/// Tests that the plan of a user's query on PostgreSQL reads no rows of users whom the user cannot see.
@Suite(.singleServerOnly) struct HiddenRecordPlanTests {
    /// Returns the names of the indexes that contain the positions or the comments of all users.
    private static func sharedIndexes(in session: any Session) throws -> Set<String> {
        let sql: SQL = """
            SELECT index.relname
            FROM pg_index
            JOIN pg_class AS index ON index.oid = indexrelid
            JOIN pg_am ON pg_am.oid = index.relam
            WHERE pg_am.amname IN ('gist', 'gin')
            """
        var names: Set<String> = []
        try session.query(sql) { row in
            names.insert(row.text(0) ?? "")
            return true
        }
        return names
    }

    /// The indexes of a plan, and the number of rows that filters removed.
    private struct Steps {
        var indexes: Set<String> = []
        var removedRows = 0

        init(_ lines: [String]) {
            for line in lines {
                if let match = line.firstMatch(of: /(?:using|Bitmap Index Scan on) (\w+)/) {
                    indexes.insert(String(match.output.1))
                }
                if let match = line.firstMatch(of: /Rows Removed by Filter: (\d+)/) {
                    removedRows += Int(match.output.1) ?? 0
                }
            }
        }
    }

    /// Runs a query and returns its plan with the numbers of rows.
    private static func analyze(_ sql: SQL, in session: any Session) throws -> [String] {
        let explained: SQL = "EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF) \(sql)"
        var lines: [String] = []
        try session.query(explained) { row in
            lines.append(row.text(0) ?? "")
            return true
        }
        return lines
    }

    @Test(arguments: [false, true]) func userQueryReadsNoRowsOfHiddenUsers(isAnalyzed: Bool) throws {
        let store = try TestStore()
        try store.write([
            .user("me"),
            .user("friend"),
            .user("hidden"),
            .habit("run", of: "me"),
            .habit("swim", of: "friend"),
            .habit("hidden", of: "hidden"),
            .follow("me", "friend"),
            .event("run", "2026-11-20", comment: "morning"),
            .event("swim", "2026-11-20", comment: "morning"),
        ])
        let place = try #require(Position(longitude: 179.99, latitude: -16.8))
        let first = try #require(Day("1996-01-01"))
        try store.engine.load { writer in
            for number in 0..<10_000 {
                _ = try writer.write(
                    .event("hidden", first.advanced(by: number).description, comment: "morning \(number)", at: place))
            }
        }
        if isAnalyzed { try store.engine.write { session in _ = try session.run("ANALYZE event") } }
        try store.engine.read { session in
            let shared = try Self.sharedIndexes(in: session)
            #expect(shared.contains("event_0_geometry_idx"))
            let viewer = try Viewer.user(named: "me", in: session)
            var count = 0
            for (name, user, selection) in try PlanTests.queries() where user != nil {
                guard name.hasPrefix("events") || name.hasPrefix("posts") else { continue }
                let sql = try selection(session, viewer).sql
                let lines = try Self.analyze(sql, in: session)
                let steps = Steps(lines)
                let text = lines.joined(separator: "\n")
                #expect(shared.isDisjoint(with: steps.indexes), "\(name)\n\(text)")
                #expect(steps.removedRows < 100, "\(name)\n\(text)")
                count += 1
            }
            #expect(count > 50)
        }
    }

    /// A followed user has 10,000 events in a private place.
    ///
    /// Searches by position do not read them.
    @Test(arguments: [false, true]) func searchByPositionReadsNoPrivatePositions(isAnalyzed: Bool) throws {
        let store = try TestStore()
        let place = try #require(Position(longitude: 179.9, latitude: -16.8))
        var account = UserRecord(id: "friend")
        var places = PrivatePlaces()
        try places.set(PrivatePlace(name: "home", position: place))
        account.privatePlaces = .value(places)
        try store.write([
            .user("me"),
            .user(account),
            .habit("swim", of: "friend"),
            .follow("me", "friend"),
        ])
        let first = try #require(Day("1996-01-01"))
        try store.engine.load { writer in
            for number in 0..<10_000 {
                _ = try writer.write(.event("swim", first.advanced(by: number).description, at: place))
            }
        }
        if isAnalyzed { try store.engine.write { session in _ = try session.run("ANALYZE event") } }
        try store.engine.read { session in
            var query = EventQuery(viewer: try Viewer.user(named: "me", in: session))
            query.filter.near = Near(center: place, within: .meters(1000))
            let lines = try Self.analyze(try query.selection(in: session).sql, in: session)
            #expect(Steps(lines).removedRows < 100, "\(lines.joined(separator: "\n"))")
        }
    }
}
