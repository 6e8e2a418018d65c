import Foundation
import HabitTestSupport
import Testing

/// Tests of rule C-32 with commands: the days of a pause are neither due nor missed.
@Suite(.engineIndependent) struct PauseRuleTests {
    /// The days of a habit in a query, as `outcome due`.
    private static func days(_ store: RuleStore, of habit: String, from: String, to: String) async throws -> [String] {
        let sql = "SELECT outcome, due FROM habit_days('\(from)', '\(to)') AS d WHERE habit = '\(habit)' ORDER BY day"
        let table = try await store.table("query", sql)
        return zip(table["outcome"], table["due"]).map { outcome, due in "\(outcome ?? "∅") \(due ?? "∅")" }
    }

    @Test func pauseIsAddedListedAndDeleted() async throws {
        let store = try await RuleStore()
        let notice = try await store.run("pause list", as: "owner")
        #expect(notice.errors.contains("No pauses match"), "\(notice)")
        let added = try await store.table("habit pause Run --from 2026-11-10 --to 2026-11-12", as: "owner")
        #expect(added.columns == ["id", "user", "habit", "from", "to"])
        #expect(added["habit"] == ["run"])
        #expect(added["from"] == ["2026-11-10"])
        #expect(added["to"] == ["2026-11-12"])
        let id = try #require(try added.singleCell("id"))
        let paused = try await Self.days(store, of: "run", from: "2026-11-10", to: "2026-11-12")
        #expect(paused == ["none 0", "none 0", "none 0"])
        let listed = try await store.table("pause list", as: "owner")
        #expect(listed["id"] == [id])
        let deleted = try await store.run("pause delete \(id) --yes", as: "owner")
        #expect(deleted.status == 0, "\(deleted)")
        #expect(try await store.table("pause list", as: "owner")["id"].isEmpty)
        let again = try await Self.days(store, of: "run", from: "2026-11-10", to: "2026-11-12")
        #expect(again == ["missed 1", "missed 1", "missed 1"])
    }

    @Test func pauseAndResumeAreConfirmedInWords() async throws {
        let store = try await RuleStore()
        let paused = try await store.run("habit pause run --from 2026-11-19", as: "owner")
        #expect(paused.output.contains("Run"), "\(paused)")
        #expect(paused.output.contains("paused from Thu 19 Nov"), "\(paused)")
        #expect(paused.output.contains("without end"), "\(paused)")
        let resumed = try await store.run("habit resume run", as: "owner")
        #expect(resumed.status == 0, "\(resumed)")
        #expect(resumed.output.contains("from today on"), "\(resumed)")
        #expect(try await store.table("pause list", as: "owner")["to"] == ["2026-11-19"])
    }

    @Test func userPauseConcernsAllHabits() async throws {
        let store = try await RuleStore()
        let added = try await store.table("user pause --from today --to 2026-11-30", as: "owner")
        #expect(added["habit"] == [nil])
        #expect(try await store.table("todo", as: "owner")["habit"].isEmpty)
        let single = try await store.run("habit resume run", as: "owner")
        #expect(single.errors.hasPrefix("error[not-found]: "), "\(single)")
        #expect(single.errors.contains("habitat user resume"), "\(single)")
        #expect(try await store.run("user resume", as: "owner").status == 0)
        // The pause began today, so it is deleted.
        #expect(try await store.table("pause list", as: "owner")["id"].isEmpty)
        #expect(try await store.table("todo", as: "owner")["habit"].contains("run"))
    }

    /// The confirmation names the pause of all habits while it continues.
    @Test func resumeOfHabitNamesPauseOfAllHabits() async throws {
        let store = try await RuleStore()
        #expect(try await store.run("habit pause run", as: "owner").status == 0)
        #expect(try await store.run("user pause", as: "owner").status == 0)
        let first = try await store.run("habit resume run", as: "owner")
        #expect(first.status == 0, "\(first)")
        #expect(!first.output.contains("counts again"), "\(first)")
        #expect(first.output.contains("habitat user resume"), "\(first)")
        let second = try await store.run("habit resume run", as: "owner")
        #expect(second.errors.contains("habitat user resume"), "\(second)")
        #expect(!second.errors.contains("habitat habit resume"), "\(second)")
        let all = try await store.run("user resume", as: "owner")
        #expect(all.output.contains("All habits count again"), "\(all)")
    }

    @Test func doneOnPausedDayIsUnplanned() async throws {
        let store = try await RuleStore()
        #expect(try await store.run("habit pause run", as: "owner").status == 0)
        #expect(!(try await store.table("todo", as: "owner")["habit"].contains("run")))
        let done = try await store.run("done run", as: "owner")
        #expect(done.status == 0, "\(done)")
        let events = try await store.table("history --habit run --from today", as: "owner")
        #expect(events["unplanned"] == ["true"])
        let skipped = try await store.run("skip read@today", as: "owner")
        #expect(skipped.status == 0, "\(skipped)")
    }

    @Test(arguments: [
        Refusal("owner", "habit pause run --from 2026-11-12 --to 2026-11-11", status: 65, slug: "day-invalid"),
        Refusal("owner", "habit pause run --from soon", status: 64, slug: "date-invalid"),
        Refusal("owner", "habit pause none", status: 66, slug: "not-found"),
        Refusal("owner", "habit resume run", status: 66, slug: "not-found"),
        Refusal("owner", "user resume", status: 66, slug: "not-found"),
        Refusal("owner", "pause delete none --yes", status: 66, slug: "not-found"),
        Refusal("all", "habit pause run", status: 77, slug: "not-yours"),
        Refusal("all", "habit resume run", status: 77, slug: "not-yours"),
        Refusal("stranger", "habit pause read", status: 66, slug: "not-found"),
        Refusal(nil, "user pause", status: 77, slug: "not-signed-in"),
        Refusal(nil, "habit pause run", status: 77, slug: "not-signed-in"),
    ])
    func invalidPauseCommandIsRefused(refusal: Refusal) async throws {
        try await RuleStore().expectRefusal(refusal)
    }

    @Test(arguments: [
        ("owner", 1),
        ("all", 1),
        ("latest", 1),
        ("pending", 0),
        ("rejected", 0),
        ("stranger", 0),
    ])
    func followersSeePauses(user: String, count: Int) async throws {
        let store = try await RuleStore()
        #expect(try await store.run("habit pause run", as: "owner").status == 0)
        #expect(try await store.count("pauses", as: user) == count)
        #expect(try await store.table("pause list --user owner", as: user)["id"].count == count)
    }

    /// The operator loads a file of pauses, and an export contains them.
    @Test func pausesAreLoadedAndExported() async throws {
        let store = try await RuleStore()
        let csv = "id,user,habit,from,to\nflu,owner,run,2026-11-10,2026-11-12\naway,owner,,2026-11-14,\n"
        try store.folder.write(csv, to: "pauses.csv")
        let loaded = try await store.run("ingest pauses.csv")
        #expect(loaded.status == 0, "\(loaded)")
        #expect(try await store.count("events WHERE unplanned = 1 AND habit = 'run'") > 0)
        #expect(try await store.run("export out").status == 0)
        let rows = try store.folder.read("out/pauses.csv").split(separator: "\n").sorted()
        #expect(rows == ["away,owner,,2026-11-14,", "flu,owner,run,2026-11-10,2026-11-12", "id,user,habit,from,to"])
        let again = try await store.table("ingest out/pauses.csv")
        #expect(again["unchanged"] == ["2"])
        let line = #"{"id":"away","user":"owner","from":"2026-11-14","to":"2026-11-15"}"#
        try store.folder.write(line + "\n", to: "pauses.ndjson")
        let changed = try await store.table("ingest pauses.ndjson")
        #expect(changed["updated"] == ["1"])
        #expect(try await store.table("pause list", as: "owner")["to"] == ["2026-11-15", "2026-11-12"])
    }

    @Test(arguments: [
        ("id,user,habit,from,to\nflu,owner,run,2026-11-10,2026-11-09\n", "day-invalid"),
        ("id,user,habit,from,to\nflu,owner,other,2026-11-10,\n", "field-invalid"),
        ("id,user,habit,from,to\nflu,owner,nothing,2026-11-10,\n", "unknown-reference"),
        ("id,user,habit,from,to\nflu,owner,run,,\n", "field-missing"),
        ("id,user,habit,from,to\nflu,owner,run,tomorrow,\n", "day-invalid"),
    ])
    func invalidRowIsRejected(csv: String, slug: String) async throws {
        let store = try await RuleStore()
        try store.folder.write(csv, to: "pauses.csv")
        let result = try await store.run("ingest pauses.csv --errors json")
        #expect(result.status == 65, "\(result)")
        #expect(result.errors.contains("\"\(slug)\""), "\(result)")
        #expect(try await store.count("pauses") == 0)
    }

    @Test func loadedExportContainsPauses() async throws {
        let store = try await RuleStore()
        #expect(try await store.run("user pause --to 2026-12-24", as: "owner").status == 0)
        let export = try await store.run("export out")
        #expect(export.status == 0, "\(export)")
        #expect(try await store.run("ingest out --store other.db --quiet").status == 0)
        let rows = try await store.table("pause list --store other.db")
        #expect(rows["to"] == ["2026-12-24"])
    }
}
