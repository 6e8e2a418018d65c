import Base
import Foundation
import Geo
import HabitModel
import HabitTestSupport
import Testing

@testable import HabitStore
@testable import StoreEngine
@testable import StorePostGIS
@testable import StoreSpatiaLite

/// Tests of the schema step that corrects IDs of relations in the log, marks of events, addresses and counts of the map.
@Suite struct ExactRecordsMigrationTests {
    /// The steps before the migration.
    private static let earlier = SchemaStep.all.prefix { step in
        guard case .spatiaLite(let file, isRequired: _) = step else { return true }
        return file != HabitStore.PackageResources._16_exact_records_sql
    }

    private static let laterColumns = [
        ("account", "private_places", "TEXT"),
        ("event", "is_private", "INTEGER NOT NULL DEFAULT 0"),
        ("habit", "tint", "INTEGER"),
        ("habit", "symbol", "TEXT"),
        ("habit", "rank", "INTEGER"),
        ("habit", "remind_time", "TEXT"),
        ("post", "is_private", "INTEGER NOT NULL DEFAULT 0"),
    ]

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

    private static func rows(_ sql: String, _ columns: Int, in session: any Session) throws -> [[String?]] {
        var rows: [[String?]] = []
        try session.query(SQL(sql)) { row in
            rows.append((0..<columns).map { row.text($0) })
            return true
        }
        return rows
    }

    /// Returns the location of a new store with the schema before the migration that contains these records.
    private static func store(
        in folder: TemporaryFolder, _ records: [Record], statements: [SQL] = []
    ) throws -> StoreLocation {
        let location = StoreLocation(try TestServer.store(at: folder.file("habitat.db")))
        try open(location, isEarlier: true).write { session in
            // The program writes columns and reads a table that later steps add.
            for (table, column, type) in laterColumns {
                try session.run(SQL("ALTER TABLE \(table) ADD COLUMN \(column) \(type)"))
            }
            try session.run("CREATE TABLE pause (user_id BIGINT, habit_id BIGINT, from_day TEXT, to_day TEXT)")
            try session.withVersions {
                try session.writeRecords { writer in for record in records { _ = try writer.write(record) } }
            }
            try session.run("DROP TABLE pause")
            for (table, column, _) in laterColumns {
                try session.run(SQL("ALTER TABLE \(table) DROP COLUMN \(column)"))
            }
            for statement in statements { try session.run(statement) }
        }
        return location
    }

    @Test(.disabled(if: TestServer.isCluster, "a new store of a cluster has the current schema"))
    func eventsOnMissingDatesBecomeUnplanned() throws {
        let folder = try TemporaryFolder()
        let users: [Record] = [.user("apia", zone: "Pacific/Apia"), .user("utc")]
        let events = ["apia", "utc"].flatMap { user in
            [.habit("\(user)-h", of: user)]
                + ["2011-12-29", "2011-12-30", "1993-08-21"].map { Record.event("\(user)-h", $0, id: "\(user) \($0)") }
        }
        let location = try Self.store(in: folder, users + events, statements: ["UPDATE event SET unplanned = 0"])
        let engine = try Self.open(location, isEarlier: false)
        try engine.read { session in
            let marked = try Self.rows("SELECT external_id FROM event WHERE unplanned = 1", 1, in: session)
            #expect(marked == [["apia 2011-12-30"]])
        }
        #expect(try StoreDoctor(engine).examine().allSatisfy { $0.status == .ok })
    }

    /// The list of dates in the schema contains all dates that the time zones of the machine lack.
    @Test func schemaKnowsAllMissingDates() throws {
        for step in [
            HabitStore.PackageResources._16_exact_records_sql,
            HabitStore.PackageResources.postgis_010_exact_records_sql,
        ] {
            let sql = String(decoding: step, as: UTF8.self)
            for zone in TimeZone.knownTimeZoneIdentifiers {
                for date in TimeZoneRules(zone)?.missingDates ?? [] {
                    #expect(sql.contains("'\(zone) \(date)'"), "\(zone) \(date)")
                    #expect(sql.contains("'\(date)'"), "\(date)")
                }
            }
        }
    }

    private static let addresses = [
        "ann@example.org", "a@b", "jörg@bücher.example", "用户@例子.广告", "_x@example.org", "a{b}~c@x-y.example",
        "o'neil@e.org",
        "a^#$&*=?_-@b", "a@my_host", "a@-example.org", "a@example-.org", "a@example..org", "a@.org", "a@example.org.",
        "a!b@example.org", "a@b@c", "+x@example.org", "a b@example.org", "a@e\u{3000}x", "a＠b@c", "a\u{200b}b@c",
        "-a@b", "@b",
        "a@", "a", "]a@b", "a@b]", "a%b@c", "a@[127.0.0.1]", "a\u{A0}@c", "a，b@c",
        String(repeating: "a", count: 242) + "@example.org", String(repeating: "a", count: 243) + "@example.org",
        String(repeating: "ö", count: 122) + "@example.org",
    ]

    /// Random texts of the characters that the rule distinguishes.
    private static func randomAddresses(_ random: inout SeededGenerator) -> [String] {
        let characters = [
            "a", "Z", "9", ".", "-", "_", "@", "+",
            "ö", "，", "\u{2028}", "%", "]", "^", "名",
        ]
        return (0..<600).map { _ -> String in
            let length = Int.random(in: 1...7, using: &random)
            var address = ""
            for _ in 0..<length {
                address += characters.randomElement(using: &random) ?? "a"
            }
            if Bool.random(using: &random) { address += "@b" }
            return address
        }
    }

    @Test(.disabled(if: TestServer.isCluster, "a new store of a cluster has the current schema"))
    func migrationKeepsExactlyValidAddresses() throws {
        let folder = try TemporaryFolder()
        var random = SeededGenerator(seed: 16)
        let addresses = Array(Set(Self.addresses + Self.randomAddresses(&random))).sorted()
        let users = addresses.indices.map { Record.user("u\($0)") }
        var statements: [SQL] = addresses.indices.map { index in
            SQL(
                "UPDATE account SET email = :email WHERE external_id = :id",
                ["email": .text(addresses[index]), "id": .text("u\(index)")])
        }
        statements.append(
            "INSERT INTO identity (issuer, subject, user_id, email) SELECT 'i', external_id, id, email FROM account")
        let location = try Self.store(in: folder, users, statements: statements)
        try Self.open(location, isEarlier: false).read { session in
            for (table, id) in [("account", "external_id"), ("identity", "subject")] {
                let stored = try Self.rows("SELECT \(id), email FROM \(table)", 2, in: session)
                #expect(stored.count == addresses.count)
                for row in stored {
                    let index = try #require(Int((row[0] ?? "").dropFirst()))
                    let address = addresses[index]
                    #expect(row[1] == (EmailAddress.isValid(address) ? address : nil), "\(address.debugDescription)")
                }
            }
        }
    }

    @Test(.disabled(if: TestServer.isCluster, "a new store of a cluster has the current schema"))
    func migrationCountsMeridianInFirstColumn() throws {
        let folder = try TemporaryFolder()
        var records: [Record] = [
            .user("u"),
            .user("v"),
            .habit("h", of: "u"),
            .habit("g", of: "v"),
        ]
        let positions: [(Double, Double)] = [
            (180, 10),
            (180, 10),
            (-180, 10),
            (180, -90),
            (179.9, 10),
            (0, 0),
        ]
        for (number, (longitude, latitude)) in positions.enumerated() {
            let position = try #require(Position(longitude: longitude, latitude: latitude))
            records.append(.event(number % 2 == 0 ? "h" : "g", "2026-01-0\(number + 1)", at: position))
        }
        let location = try Self.store(in: folder, records)
        let engine = try Self.open(location, isEarlier: false)
        #expect(try StoreDoctor(engine).examine().allSatisfy { $0.status == .ok })
        // The triggers of the migrated store use the same columns.
        try engine.write { session in
            try session.writeRecords { writer in
                _ = try writer.write(
                    .event("h", "2026-02-01", id: "new", at: Position(longitude: 180, latitude: 10)))
            }
        }
        #expect(try StoreDoctor(engine).examine().allSatisfy { $0.status == .ok })
        try engine.write { _ = try $0.run("DELETE FROM event") }
        #expect(try engine.read { try Self.rows("SELECT 1 FROM event_map", 1, in: $0) } == [])
    }

    // MARK: IDs

    @Test(.disabled(if: TestServer.isCluster, "a new store of a cluster has the current schema"))
    func doctorNamesIDsThatLoadsRefuse() throws {
        let store = try TestStore()
        try store.write([.user("u"), .habit("h", of: "u"), .habit("plain", of: "u")])
        let id = SQL("UPDATE habit SET external_id = :id WHERE external_id = 'h'", ["id": .text("a\u{2028}b")])
        try store.engine.write { _ = try $0.run(id) }
        let result = try #require(try StoreDoctor(store.engine).examine().first { $0.check == "ids" })
        #expect(result.status == .ok)
        #expect(result.detail?.contains("habit a b") == true, "\(result)")
        #expect(result.detail?.contains("files of an export") == true, "\(result)")
        #expect(result.detail?.contains("plain") == false, "\(result)")
    }
}

extension Session {
    /// Runs `body`, which writes records into a store with an earlier schema, with the columns that writers need.
    fileprivate func withVersions(_ body: () throws -> Void) throws {
        let tables = RecordKind.allCases.filter { kind in ![.settings, .blocks, .reads].contains(kind) }.map(\.table)
        let columns = tables.map { table in "\(table) version" } + ["change audience"]
        let names = columns.map { $0.split(separator: " ") }
        for name in names {
            try run("ALTER TABLE \(raw: String(name[0])) ADD COLUMN \(raw: String(name[1])) BIGINT NOT NULL DEFAULT 0")
        }
        try run("CREATE TABLE block (blocker_id BIGINT, blocked_id BIGINT)")
        try body()
        try run("DROP TABLE block")
        for name in names {
            try run("ALTER TABLE \(raw: String(name[0])) DROP COLUMN \(raw: String(name[1]))")
        }
    }
}
