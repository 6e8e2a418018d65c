import Foundation
import HabitTestSupport
import Testing

/// Tests of the common rules of `habitat import`, with the real program.
@Suite struct ImportRuleTests {
    /// Creates a store with the user ana.
    private func store(zone: String = "Europe/Lisbon") throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        try #require(try Program.habitat("init", in: folder).status == 0)
        try #require(try Program.habitat("user", "add", "ana", "--time-zone", zone, in: folder).status == 0)
        return folder
    }

    private func sample(_ name: String) -> String { ImportCases.folder + "/" + name }

    /// Imports files for the user ana.
    private func load(_ arguments: String..., in folder: TemporaryFolder) throws -> ProgramResult {
        try Program.habitat(["import"] + arguments + ["--user", "ana"], in: folder)
    }

    /// Returns the rows of a query as CSV, without the header.
    private func rows(_ sql: String, in folder: TemporaryFolder) throws -> [String] {
        let run = try Program.habitat("query", sql, "--format", "csv", in: folder)
        try #require(run.status == 0, "\(run)")
        return Array(run.lines.dropFirst())
    }

    /// Runs a Python script in the folder.
    private func python(_ script: String, in folder: TemporaryFolder) throws {
        let run = try Program.run("/usr/bin/python3", ["-c", "import json, zipfile\n" + script], in: folder.path)
        try #require(run.status == 0, "\(run)")
    }

    // MARK: Days and instants

    @Test func dayOfDistantTimeZoneIsKept() throws {
        let folder = try store(zone: "Pacific/Kiritimati")
        try folder.write("habit,at\nTea,2026-06-01T10:30:00Z\nTea,2026-06-02T12:00:00Z\n", to: "a.csv")
        let run = try load("a.csv", "--create-habits", "--time-zone", "Pacific/Pago_Pago", in: folder)
        #expect(run.status == 0, "\(run)")
        #expect(
            try rows("SELECT day, at FROM events ORDER BY day", in: folder) == [
                "2026-05-31,2026-05-31T23:30:00-11:00", "2026-06-02,2026-06-02T12:00:00Z",
            ])
    }

    @Test func localTimeOfTrackIsInTimeZoneOfUser() throws {
        let folder = try store()
        try folder.write("habit,at\nTea,2026-06-01T10:00:00Z\n", to: "a.csv")
        try folder.write(
            """
            <kml><Placemark><gx:Track><when>2026-06-01T11:00:00</when><gx:coord>-9.5 38.5 0</gx:coord></gx:Track>
            </Placemark></kml>
            """, to: "a.kml")
        let run = try load("a.csv", "--create-habits", "--places-from", "a.kml", in: folder)
        #expect(run.status == 0, "\(run)")
        #expect(try rows("SELECT longitude, latitude FROM events", in: folder) == ["-9.5,38.5"])
    }
}
