import Foundation
import HabitTestSupport
import Testing

/// Tests that time zones come from the files of the machine and not from rules in the program or the database server.
@Suite struct TimeZoneTests {
    /// Creates a folder with zones 20 hours ahead of UTC, which no real zone is.
    private static func folder() async throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        try folder.write("Zone Test/Ahead 20:00 - AHEAD\nZone Europe/Lisbon 20:00 - AHEAD\n", to: "source.zi")
        let zones = folder.file("zones")
        try #require(try await Program.run("/usr/sbin/zic", ["-d", zones, "source.zi"], in: folder.path).status == 0)
        try folder.write("# version 2031z\n", to: "zones/tzdata.zi")
        try folder.write("id,time_zone\nann,Test/Ahead\nlis,Europe/Lisbon\nutc,UTC\n", to: "users.csv")
        try folder.write(
            "id,user,title,days\nann-run,ann,Run,1111111\nlis-run,lis,Run,1111111\nutc-run,utc,Run,1111111\n",
            to: "habits.csv")
        try folder.write(
            "id,user,name,expires\na,ann,Lamp,2026-11-20\nl,lis,Lamp,2026-11-20\nu,utc,Lamp,2026-11-20\n",
            to: "items.csv")
        try folder.write("habit,at\nann-run,2026-11-20T05:00:00Z\n", to: "events.csv")
        return folder
    }

    /// Runs a command whose words are separated by spaces, with the zones of the folder.
    private static func run(
        _ command: String, _ more: String..., in folder: TemporaryFolder
    ) async throws -> ProgramResult {
        try await Program.habitat(
            RuleStore.words(command) + more + ["--now", "2026-11-20T12:00:00Z", "--format", "csv"],
            in: folder, environment: ["TZDIR": folder.file("zones")])
    }

    @Test func zonesOfTZDIRDecideDays() async throws {
        let folder = try await Self.folder()
        let names = "users.csv habits.csv items.csv events.csv"
        #expect(try await Self.run("ingest \(names)", in: folder).status == 0)
        for (user, day) in [("ann", "2026-11-21"), ("lis", "2026-11-21"), ("utc", "2026-11-20")] {
            #expect(try await Self.run("todo --as \(user) --columns day", in: folder).lines == ["day", day], "\(user)")
        }
        #expect(
            try await Self.run("history --columns habit,day", in: folder).lines == ["habit,day", "ann-run,2026-11-21"])
        let open = try await Self.run("item list --state available --columns id", in: folder)
        #expect(open.lines == ["id", "u"], "\(open)")
        let expired = try await Self.run("item list --state expired --columns id", in: folder)
        #expect(expired.lines.sorted() == ["a", "id", "l"], "\(expired)")
        let claim = try await Self.run("item claim a --as utc", in: folder)
        #expect(claim.status == 76, "\(claim)")
        #expect(claim.errors.contains("item-unavailable"), "\(claim)")
        #expect(try await Self.run("item claim u --as ann", in: folder).status == 0)
        let reported = try await Self.run(
            "query", "SELECT id, state FROM items ORDER BY id", in: folder)
        #expect(reported.lines == ["id,state", "a,expired", "l,expired", "u,claimed"], "\(reported)")
    }

    @Test func unknownZoneIsRefused() async throws {
        let folder = try await Self.folder()
        #expect(try await Self.run("ingest users.csv", in: folder).status == 0)
        for zone in ["Test/Missing", "../zones/Test/Ahead", "zones/Test/Ahead", ""] {
            let result = try await Program.habitat(
                ["user", "add", "x", "--time-zone", zone], in: folder, environment: ["TZDIR": folder.file("zones")])
            #expect(result.status == 65, "\(zone): \(result)")
            #expect(result.errors.contains("time-zone-invalid"), "\(zone): \(result)")
        }
    }

    @Test func newAccountHasZoneOfMachine() async throws {
        let folder = try await Self.folder()
        #expect(try await Self.run("ingest users.csv", in: folder).status == 0)
        func zone(_ id: String, in environment: [String: String], _ options: String...) async throws -> String? {
            let command = ["user", "add", id, "--columns", "time_zone", "--format", "csv"] + options
            return try await Program.habitat(command, in: folder, environment: environment).lines.last
        }
        #expect(try await zone("a", in: ["TZ": "Asia/Tokyo"]) == "Asia/Tokyo")
        #expect(try await zone("b", in: ["TZ": "Asia/Tokyo"], "--time-zone", "Europe/Lisbon") == "Europe/Lisbon")
        #expect(try await zone("c", in: ["TZ": "Test/Ahead", "TZDIR": folder.file("zones")]) == "Test/Ahead")
    }

    @Test func versionNamesTimeZoneSources() async throws {
        let folder = try await Self.folder()
        let result = try await Program.habitat(
            "--version", "--verbose", in: folder, environment: ["TZDIR": folder.file("zones")])
        #expect(result.status == 0)
        #expect(result.lines.dropFirst().first == "time zones: \(folder.file("zones")) (tzdata 2031z)")
        #expect(result.lines.last == "time zones: the rules compiled into the program")
    }
}
