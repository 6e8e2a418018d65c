import Foundation
import HabitTestSupport
import StoreEngine
import Testing

/// Tests that the doctor finds and repairs each kind of damage.
@Suite(.fileStoreOnly) struct DoctorTests {
    struct CheckFindings: CustomTestStringConvertible, Sendable {
        /// Names of the checks that must report the damage.
        ///
        /// Only the first one stays damaged if repair is impossible.
        var checks: [String]
        var statements: [String]
        var isRepairable = true

        var testDescription: String { statements.joined(separator: "; ") }
    }

    static let damages = [
        CheckFindings(checks: ["event-index"], statements: ["DELETE FROM idx_event_geometry WHERE pkid % 100 = 7"]),
        CheckFindings(checks: ["item-index"], statements: ["INSERT INTO idx_item_geometry VALUES (99999, 0, 0, 0, 0)"]),
        CheckFindings(
            checks: ["post-index"],
            statements: [
                "UPDATE idx_post_geometry SET xmin = 10, xmax = 10 WHERE pkid = (SELECT min(pkid) FROM idx_post_geometry)"
            ]),
        CheckFindings(
            checks: ["event-index"],
            statements: [
                "UPDATE idx_event_geometry SET xmin = -180, xmax = 180 WHERE pkid = (SELECT min(pkid) FROM idx_event_geometry)"
            ]),
        CheckFindings(checks: ["event-index"], statements: ["DELETE FROM event_cell WHERE event_id % 100 = 7"]),
        CheckFindings(checks: ["event-index"], statements: ["INSERT INTO event_cell VALUES (1, '2026-01-01', 99999)"]),
        CheckFindings(
            checks: ["event-index"],
            statements: [
                "UPDATE event_cell SET cell = cell + 1 WHERE event_id = (SELECT min(event_id) FROM event_cell)"
            ]),
        CheckFindings(checks: ["event-index"], statements: ["DELETE FROM event_map WHERE user_id = 0 AND cell = 1"]),
        CheckFindings(
            checks: ["event-index"], statements: ["UPDATE event_map SET events = events + 1 WHERE cell % 7 = 0"]),
        CheckFindings(checks: ["event-index"], statements: ["INSERT INTO event_map VALUES (99999, 1, 3)"]),
        CheckFindings(checks: ["event-index"], statements: ["DELETE FROM event_map"]),
        CheckFindings(checks: ["event-index"], statements: ["DELETE FROM event_place"]),
        CheckFindings(checks: ["event-index"], statements: ["DELETE FROM event_place WHERE record_id % 100 = 7"]),
        CheckFindings(
            checks: ["event-index"], statements: ["INSERT INTO event_place VALUES (1, 4294967296, 99999)"]),
        CheckFindings(checks: ["post-index"], statements: ["UPDATE post_place SET cell = cell + 1"]),
        CheckFindings(checks: ["schema"], statements: ["DROP TABLE event_place"]),
        CheckFindings(checks: ["schema"], statements: ["DROP INDEX event_user_comment"]),
        CheckFindings(checks: ["schema"], statements: ["DROP TABLE event_cell"]),
        CheckFindings(checks: ["schema"], statements: ["DROP TABLE event_map"]),
        CheckFindings(checks: ["post-index"], statements: ["DELETE FROM idx_post_geometry_node"]),
        CheckFindings(checks: ["item-index"], statements: ["UPDATE idx_item_geometry_node SET data = zeroblob(1228)"]),
        CheckFindings(checks: ["schema", "item-index"], statements: ["DROP TABLE idx_item_geometry"]),
        CheckFindings(checks: ["schema"], statements: ["DROP INDEX event_day", "DROP INDEX claim_in_force"]),
        CheckFindings(checks: ["schema"], statements: ["DROP INDEX event_skipped"]),
        CheckFindings(
            checks: ["geometry-columns"],
            statements: ["DELETE FROM geometry_columns WHERE f_table_name = 'post'"]),
        CheckFindings(checks: ["comment-index"], statements: ["DELETE FROM event_comment_data WHERE id > 10"]),
        CheckFindings(
            checks: ["comment-index"],
            statements: ["INSERT INTO event_comment (rowid, text) VALUES (99999, 'not there')"]),
        CheckFindings(
            checks: ["folded-comments", "comment-index"],
            statements: ["UPDATE event SET comment_folded = 'not it' WHERE id % 50 = 0"]),
        CheckFindings(
            checks: ["folded-titles"], statements: ["UPDATE habit SET title_folded = upper(title_folded) WHERE id = 1"]),
        CheckFindings(checks: ["unplanned"], statements: ["UPDATE event SET unplanned = 1 - unplanned"]),
        CheckFindings(
            checks: ["event-owners"],
            statements: ["UPDATE event SET user_id = (SELECT max(id) FROM account) WHERE id % 100 = 0"]),
        CheckFindings(
            checks: ["item-states"],
            statements: ["UPDATE item SET state = 'available' WHERE state = 'claimed'"]),
        CheckFindings(
            checks: ["item-states"],
            statements: ["UPDATE item SET state = 'withdrawn' WHERE state = 'claimed'"]),
        CheckFindings(
            checks: ["item-states"],
            statements: ["UPDATE item SET state = 'withdrawn' WHERE state = 'given'"], isRepairable: false),
        CheckFindings(
            checks: ["photo-orphans"],
            statements: [
                "UPDATE post SET photo_id = NULL", "UPDATE item SET photo_id = NULL",
                "UPDATE event SET photo_id = NULL",
            ]),
        CheckFindings(checks: ["photo-types"], statements: ["UPDATE photo SET media_type = 'image/gif' WHERE id = 1"]),
        CheckFindings(
            checks: ["photo-contents"],
            statements: ["UPDATE photo SET bytes = CAST(substr(bytes, 1, 100) || x'00' AS BLOB) WHERE id = 1"],
            isRepairable: false),
        CheckFindings(
            checks: ["foreign-keys"], statements: ["UPDATE claim SET user_id = 99999 WHERE id = 5"], isRepairable: false
        ),
        CheckFindings(
            checks: ["days"], statements: ["UPDATE event SET day = '2026-02-30' WHERE id = 5"], isRepairable: false),
        CheckFindings(
            checks: ["days"], statements: ["UPDATE item SET expires_day = '' WHERE id = 5"], isRepairable: false),
        CheckFindings(
            checks: ["instants"], statements: ["UPDATE message SET sent_at = 9000000000000000000 WHERE id = 5"],
            isRepairable: false),
        CheckFindings(
            checks: ["instants"], statements: ["UPDATE post SET posted_offset = 5000 WHERE id = 5"], isRepairable: false
        ),
        CheckFindings(
            checks: ["instants"], statements: ["UPDATE post SET posted_offset = -1440 WHERE id = 5"],
            isRepairable: false),
        CheckFindings(
            checks: ["positions"],
            statements: [
                "UPDATE event SET geometry = x'0001' WHERE id = (SELECT min(id) FROM event WHERE geometry IS NOT NULL)"
            ],
            isRepairable: false),
    ]

    @Test(arguments: damages)
    func doctorFindsAndRepairsDamage(damage: CheckFindings) async throws {
        let folder = try await copyOfSampleData()
        try await RawStore.damage(folder.file("habitat.db"), damage.statements)
        let before = try await RawStore.records(folder.file("habitat.db"))
        let found = try await doctor(folder)
        #expect(found.status == 65, "\(found.errors)")
        #expect(found.errors.hasPrefix("error[store-damaged]: "), "\(found.errors)")
        #expect(found.errors.contains("--repair"))
        #expect(found.errors.contains("backup"))
        let damaged = statuses(found).filter { $0.value == "damaged" }.keys
        #expect(Set(damaged).isSuperset(of: damage.checks), "\(found.output)")
        #expect(try await RawStore.records(folder.file("habitat.db")) == before)
        let repaired = try await doctor(folder, "--repair")
        #expect(repaired.status == (damage.isRepairable ? 0 : 65), "\(repaired.output)\(repaired.errors)")
        let expected = damage.isRepairable ? "repaired" : "damaged"
        for check in damage.checks { #expect(statuses(repaired)[check] == expected, "\(repaired.output)") }
        #expect(try await doctor(folder).status == repaired.status)
        guard damage.isRepairable, damage.checks != ["photo-orphans"], damage.checks != ["item-states"] else { return }
        // The repaired records equal the original ones.
        #expect(
            try await RawStore.records(folder.file("habitat.db"))
                == Self.sampleRecords.value)
    }

    @Test func repairRestoresMissingTriggers() async throws {
        let folder = try await copyOfSampleData()
        let path = folder.file("habitat.db")
        try await RawStore.execute(
            path,
            [
                "DROP TRIGGER gii_event_geometry", "DROP TRIGGER event_comment_insert",
                "DROP TRIGGER event_cell_insert", "DROP TRIGGER event_map_insert", "DROP TRIGGER event_map_empty",
                "DROP VIEW event_map_change", "DROP TRIGGER event_place_insert", "DROP VIEW place_cell_change",
            ])
        #expect(statuses(try await doctor(folder))["schema"] == "damaged")
        #expect(try await doctor(folder, "--repair").status == 0)
        try folder.write("habit,day,comment,longitude,latitude\nalice-run,2019-01-01,zebra,10,10\n", to: "events.csv")
        #expect(try await Program.habitat("ingest", "events.csv", in: folder).status == 0)
        #expect(try await doctor(folder).status == 0)
    }

    /// An invalid geometry does not count as damage of the spatial index.
    @Test(arguments: ["x'0001'", "CAST(substr(geometry, 1, 2) || x'110F0000' || substr(geometry, 7) AS BLOB)"])
    func doctorReportsInvalidGeometryOnlyOnce(geometry: String) async throws {
        let folder = try await copyOfSampleData()
        let first = "SELECT min(id) FROM event WHERE geometry IS NOT NULL"
        try await RawStore.damage(
            folder.file("habitat.db"), ["UPDATE event SET geometry = \(geometry) WHERE id = (\(first))"])
        let found = try await doctor(folder)
        #expect(statuses(found).filter { $0.value == "damaged" }.keys.sorted() == ["positions"], "\(found.output)")
    }

    /// The definition of a missing object is known only after a new store was created in memory.
    @Test func doctorReportsNoDamageWhenLibraryCannotLoad() async throws {
        let folder = try await copyOfSampleData()
        try folder.write("not a library", to: "libspatialite.so.7")
        let intact = try await Program.habitat("doctor", in: folder, environment: ["LD_LIBRARY_PATH": folder.path])
        #expect(intact.status == 0, "\(intact)")
        try await RawStore.execute(folder.file("habitat.db"), ["DROP INDEX event_day"])
        let result = try await Program.habitat("doctor", in: folder, environment: ["LD_LIBRARY_PATH": folder.path])
        #expect(result.status == 69, "\(result)")
        #expect(result.errors.hasPrefix("error[store-unavailable]: SpatiaLite"), "\(result)")
        #expect(!result.errors.contains("--repair"))
    }

    @Test func doctorReportsNothingWhenStoreIsIntact() async throws {
        let rows = parseCSV(try await SampleData.habitat("doctor", "--format", "csv").output)
        #expect(rows.first == ["check", "status", "found", "detail"])
        #expect(rows.count == 25, "\(rows)")
        #expect(rows.dropFirst().allSatisfy { Array($0[1...]) == ["ok", "0", nil] }, "\(rows)")
        let result = try await SampleData.habitat("doctor")
        #expect(result.status == 0, "\(result.errors)")
        #expect(result.errors.isEmpty, "\(result.errors)")
        #expect(try await SampleData.habitat("doctor", "--as", "alice").status == 77)
    }

    /// Overwrites random bytes or truncates the file.
    ///
    /// The program always ends with an exit status, never with a signal.
    @Test func doctorNeverCrashesOnDamagedPages() async throws {
        var generator = SeededGenerator(seed: 20)
        let folder = try TemporaryFolder()
        let whole = try await SampleData.folder()
        #expect(try await Program.habitat("backup", folder.file("whole.db"), in: whole).status == 0)
        let sound = try #require(folder.contents("whole.db"))
        var exitStatuses: Set<Int32> = []
        for round in 0..<12 {
            var bytes = sound
            for _ in 0..<(round % 3 == 0 ? 20 : 1) {
                let start = Int.random(in: 0..<bytes.count - 64, using: &generator)
                for index in start..<start + 64 { bytes[index] = UInt8.random(in: 0...255, using: &generator) }
            }
            if round % 5 == 4 { bytes = bytes.prefix(bytes.count / 2 & ~4095) }
            try folder.write(bytes, to: "habitat.db")
            for arguments in [["doctor"], ["doctor", "--repair"]] {
                let result = try await Program.habitat(arguments, in: folder)
                #expect(!result.signalled, "round \(round): \(result.errors)")
                #expect([0, 65, 69].contains(result.status), "round \(round): \(result.errors)")
                // SpatiaLite writes messages of SQLite to the standard error.
                #expect(!result.errors.contains("malformed"), "round \(round): \(result.errors)")
                exitStatuses.insert(result.status)
            }
        }
        #expect(exitStatuses.contains(65))
    }

    /// The records of the sample data, as ``RawStore/records(_:)`` returns them.
    private static let sampleRecords = Task {
        try await RawStore.records(SampleData.folder().file("habitat.db"))
    }

    private func copyOfSampleData() async throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        try await SampleData.copy(to: folder.file("habitat.db"))
        return folder
    }

    private func doctor(_ folder: TemporaryFolder, _ arguments: String...) async throws -> ProgramResult {
        try await Program.habitat(["doctor", "--format", "csv"] + arguments, in: folder)
    }

    private func statuses(_ result: ProgramResult) -> [String: String] {
        let rows = parseCSV(result.output).map { row in row.map { $0 ?? "" } }
        return Dictionary(uniqueKeysWithValues: rows.map { ($0[0], $0[1]) })
    }
}
