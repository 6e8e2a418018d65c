import Base
import HabitModel
import HabitTestSupport
import Testing

@testable import HabitStore
@testable import StoreEngine
@testable import StorePostGIS
@testable import StoreSpatiaLite

/// Tests of the schema step that removes control characters and line breaks from texts with one line.
@Suite struct SingleLineMigrationTests {
    /// The steps before the migration.
    private static let earlier = SchemaStep.all.prefix { step in
        guard case .spatiaLite(let file, isRequired: _) = step else { return true }
        return file != HabitStore.PackageResources._14_single_lines_sql
    }

    /// Opens a store with the schema before the migration, or with the current one.
    private static func open(_ location: StoreLocation, isEarlier: Bool) throws -> any Engine {
        let steps = isEarlier ? Array(earlier) : SchemaStep.all
        switch location {
        case .file(let path):
            return try SpatiaLiteEngine(
                path: path, access: isEarlier ? .create : .write, wait: .zero, schema: steps.ofSpatiaLite)
        case .database(let url):
            return try PostGISEngine(
                url: url, access: isEarlier ? .create : .write, wait: .zero, schema: steps.ofPostGIS)
        }
    }

    private static func fill(_ session: any Session) throws {
        let texts: [String: Value] = [
            "name": .text("M\nx,a@evil.example\r\n\u{1b}[31m"), "blank": .text("\u{1}\u{2028}"),
            "title": .text("Été\r\nà\u{85}VÉLO\u{7f}"), "folded": .text("Été\r\nà\u{85}VÉLO\u{7f}".folded),
            "control": .text("\u{1}\u{3000}"), "reason": .text("a\u{2029}b\tc"), "unit": .text("\u{9b}km"),
            "item": .text("Lamp\u{7}\u{1f}"), "zero": .blob([UInt8](repeating: 0, count: 32)),
            "one": .blob([UInt8](repeating: 1, count: 32)),
        ]
        for statement in [
            """
            INSERT INTO account (id, external_id, name, email)
            VALUES (1, 'ann', :name, 'ann@example.org'), (2, 'bob', :blank, '-oQ@example.org'), (3, 'cy', 'Cy', NULL),
              (4, 'dee', NULL, 'a,b@example.org'), (5, 'eve', 'Ève', 'ève@example.org')
            """,
            """
            INSERT INTO habit (id, external_id, user_id, title, title_folded, reason, unit, weekdays)
            VALUES (1, 'h1', 1, :title, :folded, NULL, NULL, 127), (2, 'h2', 1, :control, :control, :reason, :unit, 127),
              (3, 'h3', 2, 'Plain', 'plain', 'one line', 'km', 127), (4, 'h4', 2, 'Blank', 'blank', :blank, :blank, 127)
            """,
            """
            INSERT INTO item (id, external_id, user_id, name, description, state)
            VALUES (1, 'i1', 1, :item, :name, 'available'), (2, 'i2', 1, 'Pot', NULL, 'available')
            """,
            """
            INSERT INTO token (id, external_id, user_id, sha256, label, created_at, expires_at)
            VALUES (1, 't1', 1, :zero, :item, 0, 0), (2, 't2', 1, :one, 'phone', 0, 0)
            """,
            """
            INSERT INTO identity (issuer, subject, user_id, email)
            VALUES ('i', 's', 1, 'ann@example.org'), ('i', 't', 2, 'a b@example.org')
            """,
        ] {
            let names = texts.keys.filter { statement.contains(":\($0)") }
            try session.run(SQL(statement, texts.filter { names.contains($0.key) }))
        }
    }

    private static func rows(_ sql: String, _ columns: Int, in session: any Session) throws -> [[String?]] {
        var rows: [[String?]] = []
        try session.query(SQL(sql)) { row in
            rows.append((0..<columns).map { row.text($0) })
            return true
        }
        return rows
    }

    @Test(.disabled(if: TestServer.isCluster, "a new store of a cluster has the current schema"))
    func migrationReplacesBreaks() throws {
        let folder = try TemporaryFolder()
        let location = StoreLocation(try TestServer.store(at: folder.file("habitat.db")))
        try Self.open(location, isEarlier: true).write { try Self.fill($0) }
        let engine = try Self.open(location, isEarlier: false)
        try engine.read { session in
            let accounts = try Self.rows("SELECT name, email FROM account ORDER BY id", 2, in: session)
            #expect(
                accounts == [
                    ["M x,a@evil.example  [31m", "ann@example.org"], [nil, nil], ["Cy", nil], [nil, nil],
                    ["Ève", "ève@example.org"],
                ])
            let habits = try Self.rows(
                "SELECT title, title_folded, reason, unit FROM habit ORDER BY id", 4, in: session)
            #expect(
                habits == [
                    ["Été à VÉLO ", "été à vélo ", nil, nil], ["untitled", "untitled", "a b c", " km"],
                    ["Plain", "plain", "one line", "km"], ["Blank", "blank", nil, nil],
                ])
            for habit in habits { #expect(habit[0]?.folded == habit[1]) }
            let items = try Self.rows("SELECT name, description FROM item ORDER BY id", 2, in: session)
            #expect(items == [["Lamp  ", "M\nx,a@evil.example\r\n\u{1b}[31m"], ["Pot", nil]])
            #expect(try Self.rows("SELECT label FROM token ORDER BY id", 1, in: session) == [["Lamp  "], ["phone"]])
            let identities = try Self.rows("SELECT email FROM identity ORDER BY subject", 1, in: session)
            #expect(identities == [["ann@example.org"], [nil]])
        }
        #expect(try StoreDoctor(engine).examine().allSatisfy { $0.status == .ok })
    }
}
