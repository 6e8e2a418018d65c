import Foundation
import HabitTestSupport
import Testing

/// The systemd units that are shipped: their command runs, and systemd takes them where it is there to ask.
@Suite struct ServiceTests {
    private static let folder = Program.repository + "/Sources/habitat/Services"

    @Test func theCommandRuns() throws {
        let unit = try String(contentsOfFile: "\(Self.folder)/habitat-nightly.service", encoding: .utf8)
        let lines = unit.split(separator: "\n")
        let command = try #require(lines.first { $0.hasPrefix("ExecStart=") }?.dropFirst("ExecStart=".count))
        let variable = try #require(lines.first { $0.hasPrefix("Environment=") }?.dropFirst("Environment=".count))
        var words = command.split(separator: " ").map(String.init)
        #expect(words.removeFirst() == "/usr/local/bin/habitat")
        #expect(variable == "HABITAT_STORE=/var/lib/habitat/habitat.db")
        let world = try TemporaryFolder()
        words = words.map { $0.replacing("/var/lib/habitat", with: world.path) }
        let store = try SampleData.folder().file("habitat.db")
        let result = try Program.habitat(
            words + ["--now", "2026-11-20T00:10:00Z"], in: world, environment: ["HABITAT_STORE": store])
        #expect(result.status == 0 && result.output == "", "\(result)")
        let nights = try FileManager.default.contentsOfDirectory(atPath: world.file("nights"))
        #expect(nights.filter { $0.hasPrefix("2026-") }.sorted().first == "2026-11-13")
        #expect(nights.filter { $0.hasPrefix("2026-") }.count == 7)
    }

    @Test(arguments: ["habitat-nightly.service", "habitat-nightly.timer"])
    func onlyKnownSectionsAndSettings(unit: String) throws {
        let text = try String(contentsOfFile: "\(Self.folder)/\(unit)", encoding: .utf8)
        for line in text.split(separator: "\n") where !line.hasPrefix("#") {
            let isSection = ["[Unit]", "[Service]", "[Timer]", "[Install]"].contains(String(line))
            #expect(isSection || line.firstMatch(of: /^[A-Z][A-Za-z]+=/) != nil, "\(line)")
        }
        guard FileManager.default.isExecutableFile(atPath: "/usr/bin/systemd-analyze") else { return }
        // It looks for the program and the man page too.
        let copy = try TemporaryFolder()
        try text.replacing("/usr/local/bin/habitat", with: Program.habitat)
            .replacing("Documentation=man:habitat-nightly(1)\n", with: "")
            .write(toFile: copy.file(unit), atomically: true, encoding: .utf8)
        let other = unit.hasSuffix("timer") ? "habitat-nightly.service" : "habitat-nightly.timer"
        try FileManager.default.copyItem(atPath: "\(Self.folder)/\(other)", toPath: copy.file(other))
        let result = try Program.run(
            "/usr/bin/systemd-analyze", ["verify", "--man=no", copy.file(unit)], in: copy.path)
        #expect(!result.errors.contains("Unknown"), "\(result)")
    }
}
