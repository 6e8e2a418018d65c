import Foundation
import HabitTestSupport
import Testing

/// The README's commands give what the README says.
@Suite struct ReadmeTests {
    private static let path = Program.repository + "/README.md"

    /// The page, with the output of each `$ habitat …` in its console blocks as it is now.
    private static func rewritten(_ page: String) throws -> String {
        let folder = try TemporaryFolder()
        try FileManager.default.createSymbolicLink(
            atPath: folder.file("sample-data"), withDestinationPath: SampleData.path)
        try FileManager.default.createSymbolicLink(
            atPath: folder.file("habitat"), withDestinationPath: Program.habitat)
        var lines: [String] = []
        var isInBlock = false
        for line in page.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
            if line.hasPrefix("```") {
                if isInBlock, lines.last?.isEmpty == true { lines.removeLast() }
                isInBlock = line == "```console"
            }
            guard isInBlock, !line.hasPrefix("```") else {
                lines.append(line)
                continue
            }
            guard line.hasPrefix("$ ") else { continue }
            lines.append(line)
            guard line.hasPrefix("$ habitat ") else { continue }
            let result = try Program.run(
                "/bin/sh", ["-c", "exec 2>&1; " + line.dropFirst(2)], in: folder.path,
                environment: ["PATH": folder.path + ":/usr/bin:/bin"])
            // Some commands are there to show what is refused, and how that is told.
            #expect(result.status == 0 || result.output.hasPrefix("error["), "\(line): \(result.output)")
            lines += result.output.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
            lines.append("")
        }
        return lines.joined(separator: "\n")
    }

    @Test func theCommandsGiveWhatItSays() throws {
        let page = try String(contentsOfFile: Self.path, encoding: .utf8)
        let rewritten = try Self.rewritten(page)
        if ProcessInfo.processInfo.environment["HABITAT_BLESS"] == "1" {
            try rewritten.write(toFile: Self.path, atomically: true, encoding: .utf8)
            Issue.record("written anew: README.md")
            return
        }
        #expect(page.contains("$ habitat near"))
        #expect(page == rewritten, "HABITAT_BLESS=1 writes the outputs anew")
    }

    @Test(arguments: ["demo", "test", "install", "bench"])
    func makeKnowsTheTargetsItNames(target: String) throws {
        let page = try String(contentsOfFile: Self.path, encoding: .utf8)
        #expect(page.contains("make \(target)"))
        let result = try Program.run("/usr/bin/make", ["-n", target], in: Program.repository)
        #expect(result.status == 0, "\(result.errors)")
    }
}
