import Base
import Foundation
import HabitModel
import HabitTestSupport
import Testing

/// Tests that the programs, the changelog and the packages have the same version.
@Suite(.engineIndependent) struct VersionTests {
    @Test func newestVersionOfChangelogIsVersionOfProgram() throws {
        let changelog = try String(contentsOfFile: Program.repository + "/CHANGELOG.md", encoding: .utf8)
        let heading = /(?m)^## \[([0-9]+\.[0-9]+\.[0-9]+)\] - (unreleased|\d{4}-\d{2}-\d{2})$/
        let newest = try #require(changelog.firstMatch(of: heading))
        #expect(newest.1 == HabitatVersion.current)
    }

    @Test(arguments: ["habitat", "habitat-server"])
    func programPrintsVersion(name: String) async throws {
        let program = URL(fileURLWithPath: Program.habitat).deletingLastPathComponent().appending(path: name).path
        let result = try await Program.run(program, ["--version"], in: "/")
        #expect(result.status == 0, "\(result)")
        #expect(result.output == HabitatVersion.current + "\n", "\(result)")
    }

    @Test func debianChangelogHasVersion() async throws {
        let script = Program.repository + "/Packaging/debian-changelog"
        let environment = ["SOURCE_DATE_EPOCH": "1795219200"]
        let result = try await Program.run(
            script, [HabitatVersion.current, "A <a@example.org>"], in: "/", environment: environment)
        #expect(result.lines.first == "habitat (\(HabitatVersion.current)-1) unstable; urgency=medium", "\(result)")
        #expect(result.lines.last == " -- A <a@example.org>  Sat, 21 Nov 2026 00:00:00 +0000")
        let wrong = try await Program.run(script, ["99.0.0", "A <a@example.org>"], in: "/", environment: environment)
        #expect(wrong.status == 1, "\(wrong)")
        #expect(wrong.errors.contains("not 99.0.0: add a section"), "\(wrong)")
    }
}
