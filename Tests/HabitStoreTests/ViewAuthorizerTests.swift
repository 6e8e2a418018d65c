import GRDB
import Testing

@testable import StoreSpatiaLite

/// Tests that the authorizer permits the columns of temporary views only, because the file has views of the same names with
/// the rows of all users.
///
/// For a statement that reads only rows and names the database, SQLite passes the same arguments for both views.
/// `AnalysisQueryTests` tests that such a statement is refused before.
@Suite struct ViewAuthorizerTests {
    /// Returns whether a statement can be compiled in a store whose file has the views `events` and `items`.
    private static func isPermitted(_ sql: String, temporary: [String]) throws -> Bool {
        try DatabaseQueue().inDatabase { db in
            try db.execute(
                sql: """
                    CREATE TABLE event (comment);
                    CREATE VIEW events AS SELECT comment FROM event;
                    CREATE VIEW items AS SELECT comment FROM event;
                    """)
            for name in temporary {
                try db.execute(sql: "CREATE TEMP VIEW \(name) AS SELECT comment FROM event WHERE 0")
            }
            let authorizer = ViewAuthorizer(views: temporary, functions: [], tables: ["event"], modules: [])
            return (try? authorizer.whileInForce(on: db) { try db.makeStatement(sql: sql) }) != nil
        }
    }

    @Test(arguments: [
        "SELECT comment FROM events", "SELECT count(*) FROM events", "SELECT * FROM temp.events",
        "SELECT 1 FROM EVENTS",
        "WITH items AS (SELECT 1 AS comment) SELECT comment FROM items", "SELECT e.comment FROM \"events\" AS e",
        "SELECT count(*) FROM temp.events", "WITH events AS (SELECT 1) SELECT count(*) FROM events",
    ])
    func temporaryViewIsPermitted(sql: String) throws {
        #expect(try Self.isPermitted(sql, temporary: ["events"]))
    }

    @Test(arguments: [
        "SELECT comment FROM main.events", "SELECT max(comment) FROM MAIN.Events", "SELECT * FROM \"main\".\"events\"",
        "SELECT e.comment FROM events, main.events AS e", "SELECT comment FROM items", "SELECT count(*) FROM items",
        "SELECT 1 FROM main.items", "SELECT comment FROM event", "SELECT count(*) FROM events, items",
        "SELECT (SELECT max(comment) FROM main.events) FROM events",
        "WITH events AS (SELECT comment FROM main.events) SELECT comment FROM events",
    ])
    func viewOfFileIsRefused(sql: String) throws {
        #expect(try !Self.isPermitted(sql, temporary: ["events"]))
    }
}
