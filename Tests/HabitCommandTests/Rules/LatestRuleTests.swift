import Foundation
import HabitTestSupport
import Rendering
import Testing

/// Tests of rule C-19: a follower with the share `latest` sees only the newest event of each habit in every output.
///
/// A user whose follow has ended sees nothing.
@Suite struct LatestRuleTests {
    /// The formats of lists.
    private static let formats = OutputFormat.allCases.map(\.rawValue)

    /// The older events of `owner` are r17 and r18.
    ///
    /// One has the comment "rain", and one is at longitude 10.01.
    static let commands: [String] =
        formats.map { "history --scope all --format \($0)" }
        + [
            "--format geojson --include-unlocated", "--format csv --habit RUN", "--format csv --not-habit read",
            "--format csv --user owner",
            "--format csv --comment rain", "--format csv --comment-word rain", "--format csv --near 50,10",
            "--format csv --bbox 9,49,10.015,51",
            "--format csv --from 2026-11-17 --to 2026-11-18", "--format csv --columns id,comment",
        ].map { "history --scope all " + $0 } + [
            "near 50,10 --format geojson", "near 50,10 --nearest 3 --format csv",
            "near 50,10 --kind events,items,posts --format csv",
            "near 50,10 --comment rain --format csv",
            "near --centers centers.csv --format csv", "query SELECT~*~FROM~events --format csv",
            "query SELECT~*~FROM~events~WHERE~id~IN~('r17','r18') --format json", "event show r17 --format csv",
            "event show r18 --format geojson",
        ]

    @Test(arguments: commands) func olderEventsAreHiddenInEveryOutput(command: String) async throws {
        let store = try await RuleStore()
        try store.folder.write("id,longitude,latitude\nhere,10,50\n", to: "centers.csv")
        let all = try await store.run(command, as: "all")
        #expect(all.status == 0, "\(all.errors)")
        // Tables for people contain the comment instead of the ID.
        #expect(["r17", "r18", "rain"].contains { old in all.output.contains(old) }, "\(all.errors)")
        let latest = try await store.run(command, as: "latest")
        #expect(latest.status == (command.hasPrefix("event show") ? 66 : 0))
        for old in ["r17", "r18", "rain"] {
            #expect(!latest.output.contains(old), "\(old): \(latest.output)")
        }
        // In Parquet, the western edge of the box of the position 10.02 is 10.0199995.
        #expect(!latest.output.contains(/10\.01(?!\d)/), "\(latest.output)")
    }

    /// Counts and photos reveal nothing about older events.
    @Test func countsAndPhotosOmitOlderEvents() async throws {
        let store = try await RuleStore()
        #expect(try await store.count("events", as: "latest") == 2)
        #expect(try await store.count("events", as: "all") == 4)
        #expect(try await store.run("event photo r19 --output .", as: "latest").status == 0)
        let old = try await store.run("event photo r17 --output old.png", as: "latest")
        #expect(old.status == 66)
        #expect(old.errors.hasPrefix("error[not-found]: "))
        #expect(!store.folder.names.contains("old.png"))
        #expect(try await store.run("event photo r17 --output old.png", as: "all").status == 0)
        let photo = FileManager.default.contents(atPath: SampleData.path + "/photos/hills.png")
        #expect(FileManager.default.contents(atPath: store.folder.file("old.png")) == photo)
    }

    /// Habits are visible to every follower.
    @Test func habitsAreVisibleToEveryFollower() async throws {
        let store = try await RuleStore()
        for command in ["following", "habit list --user owner", "habit show run"] {
            #expect(try await store.table(command, as: "latest") == (try store.table(command, as: "all")))
        }
    }

    /// The newest event, and with it the visible one, changes with the events.
    @Test func newestEventChangesWithEvents() async throws {
        let store = try await RuleStore()
        func seen() async throws -> [String?] {
            try await store.table("history --scope all --habit run", as: "latest")["day"]
        }
        #expect(try await seen() == ["2026-11-19"])
        let added = try await store.table("event add --habit run", as: "owner").singleCell("id") ?? ""
        #expect(try await seen() == ["2026-11-20"])
        #expect(try await store.run("event show r19", as: "latest").status == 66)
        #expect(try await store.run("event delete \(added) --yes", as: "owner").status == 0)
        #expect(try await store.run("event edit r19 --day 2026-11-16", as: "owner").status == 0)
        #expect(try await seen() == ["2026-11-18"])
    }

    @Test func changedShareTakesEffectImmediately() async throws {
        let store = try await RuleStore()
        let granted = try await store.table("follow accept all --share latest", as: "owner")
        #expect(granted.rows.first?.prefix(4) == ["all", "owner", "accepted", "latest"])
        #expect(try await store.table("history --scope all", as: "all")["id"] == ["r19", "b18"])
        #expect(try await store.run("event show r18", as: "all").status == 66)
        #expect(try await store.run("follow accept all --share all", as: "owner").status == 0)
        #expect(try await store.run("event show r18", as: "all").status == 0)
    }

    /// Either user can end the follow.
    ///
    /// No record stays visible.
    @Test(arguments: [("all", "follow remove owner"), ("owner", "follow drop all")])
    func endedFollowHidesRecordsImmediately(user: String, command: String) async throws {
        let store = try await RuleStore()
        #expect(try await store.run(command, as: user).status == 0)
        for command in [
            "event show r19", "habit show run", "event photo r19 --output x.png",
            "history --scope all --habit run",
        ] {
            #expect(try await store.run(command, as: "all").status == 66, "\(command)")
        }
        for command in [
            "following", "history --scope all", "history --scope friends", "near 50,10",
            "query SELECT~*~FROM~habits", "follow list",
        ] {
            #expect(try await store.table(command, as: "all").rows.isEmpty, "\(command)")
        }
        #expect(try await store.table("history --scope all", as: "latest").rows.count == 2, "others still follow")
        #expect(try await store.run("follow request owner", as: "all").status == 0, "the user can request again")
    }
}
