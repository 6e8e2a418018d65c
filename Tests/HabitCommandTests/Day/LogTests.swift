import HabitTestSupport
import Testing

/// Tests of `habitat log`.
@Suite(.engineIndependent) struct LogTests {
    private static let base = ["log", "--as", "alice", "--today", "2026-11-20"]

    @Test(arguments: [60, 80, 140])
    func calendarsFitTerminal(columns: Int) async throws {
        for more in [[], ["gym"], ["gym", "read", "--weeks", "2"]] {
            let result = try await Program.onTerminal(
                ["--now", SampleData.now] + Self.base + more, columns: columns, in: SampleData.folder(),
                environment: ["LANG": "C.UTF-8", "NO_COLOR": "1"])
            #expect(result.status == 0, "\(result)")
            for line in result.output.split(separator: "\n") { #expect(line.count <= columns, "\(line)") }
        }
    }

    @Test func linesHaveRateAndGridHasHeading() async throws {
        let lines = try await SampleData.habitat(Self.base + ["--width", "80"])
        let gym = try #require(lines.lines.first { line in line.hasPrefix("Gym ") }, "\(lines)")
        #expect(gym.hasSuffix(" %"), "\(gym)")
        #expect(lines.lines.last?.hasPrefix("■ done  □ missed") == true, "\(lines)")
        let grid = try await SampleData.habitat(Self.base + ["gym"])
        let heading = try #require(grid.lines.first)
        let pattern = /Gym · tue thu sat · . [A-Z][a-z ]+, \d+ % · streak \d+, best \d+/
        #expect(heading.wholeMatch(of: pattern) != nil)
        #expect(grid.lines.contains { line in line.hasPrefix("Sun  ") }, "\(grid)")
    }

    /// A rate of 5 of 8 days is between two percentages.
    @Test func rateIsThatOfLists() async throws {
        let list = try await SampleData.habitat([
            "habit", "list", "--columns", "title,rate", "--as", "alice", "--today", "2026-11-20",
        ])
        let log = try await SampleData.habitat(Self.base)
        let todo = try await SampleData.habitat(["todo", "--as", "alice", "--today", "2026-11-20"])
        for match in list.output.matches(of: /(?m)^(\S.*\S) +(\d+ %)$/) {
            let title = match.output.1
            let lines = (log.lines + todo.lines).filter { line in line.contains("\(title) ") && line.hasSuffix("%") }
            #expect(!lines.isEmpty, "\(title)")
            for line in lines { #expect(line.hasSuffix(" \(match.output.2)"), "\(line)") }
        }
        #expect(list.output.contains("Swim 1 km         62 %"), "\(list)")
    }

    @Test func otherFormatsHaveRowsOfReport() async throws {
        let log = try await SampleData.habitat(Self.base + ["--format", "csv"])
        let report = try await SampleData.habitat([
            "report", "run", "calendar", "--as", "alice", "--user", "alice", "--today", "2026-11-20", "--format", "csv",
        ])
        #expect(log.status == 0, "\(log)")
        #expect(log.output == report.output)
        let two = try await SampleData.habitat(
            Self.base + ["gym", "read", "--weeks", "2", "--columns", "title", "--format", "csv"])
        #expect(Set(two.lines) == ["title", "Gym", "Read 20 pages"])
    }

    @Test(arguments: [
        Refusal("owner", "log nothing", status: 66, slug: "not-found"),
        Refusal("owner", "log run --weeks 0", status: 64, slug: "parameter-invalid"),
        Refusal("all", "log run", status: 77, slug: "not-yours"),
        Refusal("stranger", "log read", status: 66, slug: "not-found"),
        Refusal("owner", "log --format geojson", status: 64, slug: "format-not-available"),
        Refusal(nil, "log", status: 77, slug: "not-signed-in"),
        Refusal(nil, "log --format csv", status: 77, slug: "not-signed-in"),
    ])
    func invalidCommandIsRefused(refusal: Refusal) async throws {
        try await RuleStore().expectRefusal(refusal)
    }

    /// A month stands over its first full week, also if the grid begins with the last week of the month before.
    @Test func gridNamesEachMonth() async throws {
        let store = try await RuleStore()
        _ = try await store.run("habit add Swim --days daily --start 2026-09-01", as: "owner")
        let grid = try await store.run("log swim", as: "owner", now: "2026-11-27T12:00:00Z")
        #expect(grid.lines.contains("       Sep     Oct     Nov"), "\(grid)")
        let earlier = try await store.run("log swim", as: "owner", now: "2026-11-20T12:00:00Z")
        #expect(earlier.lines.contains("     Aug Sep     Oct     Nov"), "\(earlier)")
    }
}
