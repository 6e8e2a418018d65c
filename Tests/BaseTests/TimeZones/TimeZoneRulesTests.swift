import Foundation
import HabitTestSupport
import Testing

@testable import Base

@Suite(.engineIndependent) struct TimeZoneRulesTests {
    private static func seconds(_ text: String) throws -> Instant { try #require(OffsetInstant(text)).instant }

    /// Foundation accepts these names, some with the opposite sign of POSIX.
    @Test(arguments: ["UTC-3", "GMT+3", "UTC+0300", "PST", "Lisbon"]) func abbreviationIsNotTimeZone(id: String) {
        #expect(TimeZoneRules(id) == nil)
    }

    /// Compares offsets with Python's `zoneinfo`, which reads the same files.
    ///
    /// Instants are in the years 1800 to 2600.
    @Test func offsetsMatchPython() async throws {
        let folder = try TemporaryFolder()
        try folder.write(
            """
            import random, sys, zoneinfo
            from datetime import datetime, timedelta, timezone
            zoneinfo.reset_tzpath(to=["/usr/share/zoneinfo"])
            random.seed(20)
            epoch = datetime(1970, 1, 1, tzinfo=timezone.utc)
            names = sorted(zoneinfo.available_timezones() - {"localtime", "posixrules"})
            for name in names:
                zone = zoneinfo.ZoneInfo(name)
                times = [random.randrange(-5364662400, 19880899200) for _ in range(20)]
                times += [random.randrange(0, 2208988800) for _ in range(20)]
                for time in times:
                    offset = (epoch + timedelta(seconds=time)).astimezone(zone).utcoffset()
                    print(name, time, int(offset.total_seconds()))
            """, to: "offsets.py")
        let result = try await Program.run("/usr/bin/python3", [folder.file("offsets.py")], in: folder.path)
        try #require(result.status == 0, "\(result.errors)")
        let database = TimeZoneDatabase(folders: ["/usr/share/zoneinfo"])
        var zones: Set<Substring> = []
        var differences: [Substring] = []
        for line in result.output.split(separator: "\n") {
            let words = line.split(separator: " ")
            let time = try #require(Int64(words[1]))
            let offset = try #require(Int(words[2]))
            let rules = try #require(database.rules(for: String(words[0])), "\(words[0])")
            zones.insert(words[0])
            if rules.offset(at: Instant(microseconds: time * 1_000_000)) != offset { differences.append(line) }
        }
        #expect(zones.count >= 500)
        #expect(differences.isEmpty, "\(differences.count) differ: \(differences.prefix(10))")
    }

    /// A zone compiled during the test is not in the compiled-in rules.
    @Test func filesOverrideCompiledInRules() async throws {
        let folder = try TemporaryFolder()
        try await Self.compile(
            """
            Rule Shift 2000 only - Jan 1 0:00u 0 S
            Rule Shift 2026 max - Nov lastSun 1:00u 2:00 D
            Rule Shift 2027 max - Mar lastSun 1:00u 0 S
            Zone Test/Shift 5:45 Shift +0545/+0745
            Zone Europe/Lisbon 9:30 - NINE
            """, in: folder)
        let database = TimeZoneDatabase(folders: [folder.path, "/usr/share/zoneinfo"])
        let shift = try #require(database.rules(for: "Test/Shift"))
        let offsets = try [
            "1950-01-01T00:00:00Z", "2026-11-29T00:59:59Z", "2026-11-29T01:00:00Z", "2027-03-28T00:59:59.999Z",
            "2027-03-28T01:00:00Z", "2500-12-25T00:00:00Z", "2900-06-01T00:00:00Z", "9999-12-31T23:59:59Z",
        ].map { shift.offset(at: try Self.seconds($0)) / 60 }
        #expect(offsets == [345, 345, 465, 465, 345, 465, 345, 465])
        let lisbon = try #require(database.rules(for: "Europe/Lisbon"))
        #expect(try lisbon.offset(at: Self.seconds("2026-11-20T12:00:00Z")) == 34_200)
        #expect(try Self.seconds("2026-11-20T14:30:00Z").day(in: lisbon).description == "2026-11-21")
        #expect(database.rules(for: "Pacific/Kiritimati") != nil, "the second folder")
    }

    static func compile(_ source: String, in folder: TemporaryFolder) async throws {
        try folder.write(source + "\n", to: "source.zi")
        let result = try await Program.run("/usr/sbin/zic", ["-d", folder.path, "source.zi"], in: folder.path)
        try #require(result.status == 0, "\(result.errors)")
    }

    @Test func compiledInRulesAreUsedWithoutFiles() throws {
        let empty = try TemporaryFolder()
        let lisbon = try #require(TimeZoneDatabase(folders: [empty.path]).rules(for: "Europe/Lisbon"))
        #expect(try lisbon.offset(at: Self.seconds("2024-07-01T00:00:00Z")) == 3600)
        #expect(TimeZoneDatabase(folders: [empty.path]).rules(for: "Mars/Olympus") == nil)
    }

    @Test(arguments: [
        "", "/", "..", "../zoneinfo/Europe/Lisbon", "/usr/share/zoneinfo/Europe/Lisbon", "Europe/../Europe/Lisbon",
        "Europe//Lisbon", "Europe/Lisbon/", "Europe", "Europe/Lisbon\0", "Europe/Lis bon", "tzdata.zi", "localtime",
        "posixrules", "right/Europe/Lisbon", "leapseconds", "Europe/Lisböa", String(repeating: "a", count: 5000),
    ])
    func invalidIdentifierIsRefused(name: String) {
        #expect(TimeZoneDatabase(folders: ["/usr/share/zoneinfo"]).rules(for: name) == nil)
    }

    @Test func namedPipeIsNotRead() throws {
        let folder = try TemporaryFolder()
        #expect(mkfifo(folder.file("Pipe"), 0o600) == 0)
        #expect(TimeZoneDatabase(folders: [folder.path]).rules(for: "Pipe") == nil)
    }

    @Test func changedFileIsReadAfterItsLifetime() async throws {
        let folder = try TemporaryFolder()
        let noon = try Self.seconds("2026-11-20T12:00:00Z")
        let databases = [Duration.zero, .seconds(3600)].map {
            TimeZoneDatabase(folders: [folder.path], lifetime: $0)
        }
        try await Self.compile("Zone Test/Zone 1:00 - ONE", in: folder)
        #expect(databases.map { $0.rules(for: "Test/Zone")?.offset(at: noon) } == [3600, 3600])
        try await Self.compile("Zone Test/Zone 2:00 - TWO", in: folder)
        #expect(databases.map { $0.rules(for: "Test/Zone")?.offset(at: noon) } == [7200, 3600])
    }

    @Test func sourcesNameFolderAndVersion() throws {
        let folder = try TemporaryFolder()
        try folder.write("# version 2031z\nR x\n", to: "tzdata.zi")
        let sources = TimeZoneDatabase(folders: [folder.path, folder.file("missing")]).sources
        #expect(sources == ["\(folder.path) (tzdata 2031z)", "the rules compiled into the program"])
    }

    @Test func unusableTZIsReported() {
        for zone in ["CET-1CEST", "CET-1CEST,M3.5.0,M10.5.0/3", "<+03>-3", "Mars/Olympus", ":/etc/localtime"] {
            #expect(MachineTimeZone.skippedSetting(environment: ["TZ": zone]) == zone)
        }
        for zone in ["Asia/Tokyo", ":Asia/Tokyo", "/usr/share/zoneinfo/Asia/Tokyo", "", "UTC"] {
            #expect(MachineTimeZone.skippedSetting(environment: ["TZ": zone]) == nil)
        }
        #expect(MachineTimeZone.skippedSetting(environment: [:]) == nil)
    }

    @Test func machineZoneComesFromTZOrLink() throws {
        let folder = try TemporaryFolder()
        func id(_ zone: String?, link: String? = nil) throws -> String {
            let path = folder.file("localtime")
            try? FileManager.default.removeItem(atPath: path)
            if let link { try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: link) }
            return MachineTimeZone.id(environment: zone.map { ["TZ": $0] } ?? [:], localTime: path)
        }
        #expect(try id("Asia/Tokyo", link: "/usr/share/zoneinfo/Europe/Lisbon") == "Asia/Tokyo")
        #expect(try id(":Asia/Tokyo") == "Asia/Tokyo")
        #expect(try id("/usr/share/zoneinfo/Asia/Tokyo") == "Asia/Tokyo")
        #expect(try id(nil, link: "/usr/share/zoneinfo/Europe/Lisbon") == "Europe/Lisbon")
        #expect(try id(nil, link: "../usr/share/zoneinfo/posix/Europe/Lisbon") == "Europe/Lisbon")
        #expect(try id("CET-1CEST", link: "/usr/share/zoneinfo/Europe/Lisbon") == "Europe/Lisbon")
        #expect(try id(":/etc/localtime", link: "/usr/share/zoneinfo/Europe/Lisbon") == "Europe/Lisbon")
        #expect(try id(nil) == "UTC")
        #expect(try id("../../etc/passwd", link: "/etc/passwd") == "UTC")
    }
}
