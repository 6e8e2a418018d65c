import Foundation
import HabitTestSupport
import Testing

/// Tests of the systemd units.
@Suite(.engineIndependent) struct UnitTests {
    private static let folder = Program.repository + "/Packaging/systemd"

    private static let units = [
        "habitat-nightly.service", "habitat-nightly.timer", "habitat-backup.service", "habitat-backup.timer",
        "habitat-server.service", "habitat-failure@.service",
    ]

    private static func lines(of unit: String) throws -> [Substring] {
        try String(contentsOfFile: "\(folder)/\(unit)", encoding: .utf8).split(separator: "\n")
    }

    /// Returns the value of the first line with `setting`.
    private static func value(of setting: String, in unit: String) throws -> Substring {
        try #require(lines(of: unit).first { $0.hasPrefix("\(setting)=") }).dropFirst(setting.count + 1)
    }

    @Test func folderHasOnlyTestedUnits() throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: Self.folder)
        #expect(Set(names) == Set(Self.units + ["examples", "user"]))
    }

    /// The drop-in of the examples changes only settings of the services that forbid the network.
    @Test(arguments: ["habitat-nightly.service", "habitat-backup.service"])
    func dropInOpensNetworkOfService(unit: String) async throws {
        let lines = try Self.lines(of: "examples/network.conf").filter { !$0.hasPrefix("#") }
        #expect(lines == ["[Service]", "PrivateNetwork=no", "RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6"])
        #expect(try Self.value(of: "PrivateNetwork", in: unit) == "yes")
        #expect(try Self.value(of: "RestrictAddressFamilies", in: unit) == "none")
        // The comment of the drop-in names the path of the unit.
        let text = try Self.lines(of: "examples/network.conf").joined(separator: "\n")
        #expect(text.contains("/etc/systemd/system/\(unit).d/network.conf"))
        guard FileManager.default.isExecutableFile(atPath: "/usr/bin/systemd-analyze") else { return }
        let copy = try TemporaryFolder()
        let service = try String(contentsOfFile: "\(Self.folder)/\(unit)", encoding: .utf8)
        try copy.write(service.replacing(/\/usr\/local\/[\/a-z-]+/, with: "/bin/true"), to: unit)
        try copy.write(text + "\n", to: "\(unit).d/network.conf")
        let result = try await Program.run(
            "/usr/bin/systemd-analyze", ["verify", "--man=no", copy.file(unit)], in: copy.path)
        #expect(!result.errors.contains("network.conf"), "\(result)")
        let security = try await Program.run(
            "/usr/bin/systemd-analyze", ["security", "--offline=true", "--no-pager", copy.file(unit)], in: copy.path)
        #expect(security.output.contains("Service has access to the host's network"), "\(security)")
    }

    /// The shell has the quotes of systemd that the example uses.
    @Test func exampleOfNightlyOptionsKeepsCommandTogether() async throws {
        let settings = try String(
            contentsOfFile: Program.repository + "/Packaging/habitat.default", encoding: .utf8)
        let example = try #require(settings.firstMatch(of: /\n#(HABITAT_NIGHTLY_OPTIONS=.+)\n/)).1
        let result = try await Program.run(
            "/bin/sh", ["-c", example + "\neval \"set -- $HABITAT_NIGHTLY_OPTIONS\"; printf '%s\\n' \"$@\""], in: "/")
        #expect(
            result.lines == [
                "--time-zone", "Europe/Lisbon", "--notify",
                "curl --fail --silent --data @- https://example.org/hook",
            ], "\(result)")
    }

    @Test func nightlyCommandRendersMissingDays() async throws {
        var words = try Self.value(of: "ExecStart", in: "habitat-nightly.service").split(separator: " ").map(
            String.init)
        #expect(words.removeFirst() == "/usr/local/bin/habitat")
        #expect(words.removeLast() == "$HABITAT_NIGHTLY_OPTIONS")
        let storeFolder = try TemporaryFolder()
        words = words.map { $0.replacing("/var/lib/habitat", with: storeFolder.path) }
        let store = try await SampleData.folder().file("habitat.db")
        let result = try await Program.habitat(
            words + ["--now", "2026-11-20T00:10:00Z"], in: storeFolder, environment: ["HABITAT_STORE": store])
        #expect(result.status == 0, "\(result)")
        #expect(result.output == "", "\(result)")
        let nights = try FileManager.default.contentsOfDirectory(atPath: storeFolder.file("nights"))
        #expect(nights.filter { $0.hasPrefix("2026-") }.sorted().first == "2026-11-13")
        #expect(nights.filter { $0.hasPrefix("2026-") }.count == 7)
    }

    /// The units of a person use the configuration file of the person, and no option names a store or a user.
    @Test func userUnitRendersNightsOfConfiguration() async throws {
        let folder = "\(Self.folder)/user"
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: folder).sorted() == [
                "habitat-nightly.service", "habitat-nightly.timer",
            ])
        #expect(try Self.lines(of: "user/habitat-nightly.timer").contains("Persistent=true"))
        var words = try Self.value(of: "ExecStart", in: "user/habitat-nightly.service").split(separator: " ")
            .map(String.init)
        #expect(words.removeFirst() == "/usr/local/bin/habitat")
        let home = try await StoreTemplate.rules.copy()
        try home.write("store = \"~/habitat.db\"\nuser = \"auckland\"\n", to: "config.toml")
        let result = try await Program.habitat(
            words + ["--now", "2026-11-20T12:00:00Z"], in: home,
            environment: ["HABITAT_CONFIG": home.file("config.toml")])
        #expect(result.status == 0, "\(result)")
        // In Auckland, 2026-11-20 is over.
        #expect(result.errors.contains("the nightly reports of 2026-11-20: "), "\(result)")
        #expect(
            result.errors.hasSuffix(" · ~/.local/share/habitat/nights/latest/index.html\n"), "\(result)")
        let earlier = result.errors.split(separator: "\n").filter { line in line.contains("reports of 2026-11-19: ") }
        #expect(earlier.allSatisfy { line in line.hasSuffix("/nights/2026-11-19/index.html") }, "\(result)")
        let latest = home.file(".local/share/habitat/nights/latest")
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: latest) == "2026-11-20")
    }

    @Test(arguments: ["habitat-nightly.service", "habitat-backup.service", "habitat-server.service"])
    func serviceHasDefaultStoreAndReportsFailure(unit: String) throws {
        #expect(try Self.value(of: "Environment", in: unit) == "HABITAT_STORE=/var/lib/habitat/habitat.db")
        #expect(try Self.lines(of: unit).contains("Environment=HABITAT_CONFIG="))
        #expect(try Self.value(of: "EnvironmentFile", in: unit) == "-/etc/default/habitat")
        #expect(try Self.value(of: "OnFailure", in: unit) == "habitat-failure@%n.service")
    }

    @Test(arguments: units)
    func systemdAcceptsUnit(unit: String) async throws {
        for line in try Self.lines(of: unit) where !line.hasPrefix("#") {
            let isSection = ["[Unit]", "[Service]", "[Timer]", "[Install]"].contains(String(line))
            #expect(isSection || line.firstMatch(of: /^[A-Z][A-Za-z]+=/) != nil, "\(line)")
        }
        guard FileManager.default.isExecutableFile(atPath: "/usr/bin/systemd-analyze") else { return }
        let copy = try TemporaryFolder()
        for name in Self.units {
            // systemd requires that the program exists.
            try String(contentsOfFile: "\(Self.folder)/\(name)", encoding: .utf8)
                .replacing(/\/usr\/local\/[\/a-z-]+/, with: "/bin/true").write(
                    toFile: copy.file(name), atomically: true, encoding: .utf8)
        }
        let result = try await Program.run(
            "/usr/bin/systemd-analyze",
            ["verify", "--man=no", copy.file(unit.replacing("@.", with: "@habitat-server.service."))], in: copy.path)
        #expect(!result.errors.contains("Unknown"), "\(result)")
        #expect(!result.errors.contains("habitat"), "\(result)")
    }
}
