import Foundation
import HabitTestSupport
import Testing

/// Tests of rules C-12 to C-16 and C-23: the history for each actor and each filter.
@Suite(.engineIndependent) struct HistoryRuleTests {
    static let refused: [Refusal] = [
        // C-13
        Refusal(nil, "history --scope friends", status: 77, slug: "not-signed-in"),
        Refusal("", "history", status: 77, slug: "not-signed-in"),
        Refusal("nobody", "history", status: 77, slug: "not-signed-in"),
        Refusal("owner", "history --scope theirs", status: 64, slug: "usage"),
        // C-14
        Refusal("owner", "history --habit none", status: 66, slug: "not-found"),
        Refusal("owner", "history --not-habit none", status: 66, slug: "not-found"),
        Refusal("all", "history --scope all --habit other", status: 66, slug: "not-found"),
        Refusal("pending", "history --scope all --habit run", status: 66, slug: "not-found"),
        Refusal("rejected", "history --scope all --not-habit run", status: 66, slug: "not-found"),
        Refusal("stranger", "history --scope all --habit straße", status: 66, slug: "not-found"),
        Refusal("owner", "history --user none", status: 66, slug: "not-found"),
        // C-15
        Refusal("owner", "history --comment ''", status: 64, slug: "search-text-empty"),
        Refusal("owner", "history --comment-word ''", status: 64, slug: "search-text-empty"),
        Refusal(nil, "near 50,10 --comment ''", status: 64, slug: "search-text-empty"),
        // C-16
        Refusal("owner", "history --within 5km", status: 64, slug: "usage"),
        Refusal("owner", "history --sort distance", status: 64, slug: "usage"),
        Refusal("owner", "history --near 91,0", status: 64, slug: "position-invalid"),
        Refusal("owner", "history --near 50,10 --within far", status: 64, slug: "distance-invalid"),
        Refusal("owner", "near 50,10 --within -1km", status: 64, slug: "distance-invalid"),
        Refusal("pending", "history --near last", status: 69, slug: "location-unavailable"),
        Refusal("latest", "near last", status: 69, slug: "location-unavailable"),
        Refusal(nil, "near last", status: 77, slug: "not-signed-in"),
        Refusal("nobody", "near 50,10", status: 77, slug: "not-signed-in"),
    ]

    @Test(arguments: refused) func invalidHistoryCommandIsRefused(refusal: Refusal) async throws {
        try await RuleStore().expectRefusal(refusal)
    }

    /// The expected event ids of each actor's history.
    @Test(arguments: RuleCases.historyScopes)
    func historyDependsOnActorAndScope(user: String?, options: String, ids: String) async throws {
        #expect(try await RuleStore().table("history \(options)", as: user)["id"] == Self.list(ids))
    }

    /// The expected event ids of each filter, for the owner with `--scope all` and for the operator.
    @Test(arguments: RuleCases.historyFilters)
    func historyAppliesFilters(user: String?, options: String, ids: String) async throws {
        #expect(try await RuleStore().table("history --scope all \(options)", as: user)["id"] == Self.list(ids))
    }

    private static func list(_ ids: String) -> [String] { ids.split(separator: " ").map(String.init) }

    /// Rule C-12: events are sorted by day, instant and id, all descending.
    ///
    /// An event without an instant is the last of its day.
    @Test func historyIsSortedByDayInstantAndID() async throws {
        let store = try await RuleStore()
        let file = try store.folder.write(
            """
            id,habit,day,at
            t1,run,2026-10-01,2026-10-01T07:00:00Z
            t4,twin-1,2026-10-01,
            t3,gone,2026-10-01,2026-10-01T09:00:00+05:00
            t2,read,2026-10-01,2026-10-01T07:00:00Z
            t5,twin-2,2026-10-01,

            """, to: "events.csv")
        #expect(try await store.run("ingest", file).status == 0)
        let found = try await store.table("history --from 2026-10-01 --to 2026-10-01", as: "owner")
        #expect(found["id"] == ["t2", "t1", "t3", "t5", "t4"])
        #expect(found["unplanned"] == ["true", "false", "false", "true", "true"])
    }

    @Test func onlyGeoJSONOmitsUnlocatedEvents() async throws {
        let store = try await RuleStore()
        #expect(try await store.run("history --plain", as: "owner").lines.count == 4)
        #expect(try await store.run("history --format ndjson", as: "owner").lines.count == 4)
        for (options, ids) in [
            ("", ["b18", "r18", "r17"]),
            (" --include-unlocated", ["r19", "b18", "r18", "r17"]),
        ] {
            let collection: [String: Any] = try json(
                try await store.run("history --format geojson" + options, as: "owner"))
            let features = try #require(collection["features"] as? [[String: Any]])
            #expect(features.map { $0["id"] as? String } == ids)
            #expect(
                features.filter { $0["geometry"] is NSNull }.map { $0["id"] as? String } == ids.filter { $0 == "r19" })
        }
    }

    /// Rule C-16: only located events are found, each with its distance.
    ///
    /// The default distance is 5 km and includes the boundary.
    @Test func nearUsesFiveKilometersByDefault() async throws {
        let store = try await RuleStore()
        let positions = ["2026-11-01": "0,0.0449157", "2026-11-02": "0,0.0449158", "2026-11-03": "0,0"]
        for (day, position) in positions {
            #expect(
                try await store.run("event add --habit run --day \(day) --position \(position)", as: "owner").status
                    == 0)
        }
        for command in ["near 0,0", "history --near 0,0 --sort distance"] {
            let found = try await store.table(command, as: "owner")
            #expect(found.columns == EventRuleTests.columns + ["distance_m"])
            #expect(found["day"] == ["2026-11-03", "2026-11-01"])
            #expect(found["distance_m"] == ["0", "4999.993"])
        }
        #expect(try await store.table("near 0,0 --within 5.00001km", as: "owner").rows.count == 3)
        #expect(try await store.table("near 0,0 --habit run --from 2026-11-02", as: "owner")["day"] == ["2026-11-03"])
    }

    /// Rule C-14: the complete title must match, with case folding; otherwise its beginning, without accents.
    ///
    /// The Unicode composition of accents does not matter.
    @Test func habitTitleMatchesWithCaseFolding() async throws {
        let store = try await RuleStore()
        #expect(
            try await store.run("habit add --title Café --days 1111111 --id owner:cafe --start 2026-11-01", as: "owner")
                .status
                == 0)
        #expect(try await store.run("event add --habit owner:cafe --day 2026-11-10", as: "owner").status == 0)
        for title in ["café", "CAFE\u{301}", "CAFÉ"] {
            #expect(
                try await store.table("history --habit \(title)", as: "owner")["habit"] == ["owner:cafe"], "\(title)")
        }
        for beginning in ["cafe", "caf"] {
            #expect(try await store.table("history --habit \(beginning)", as: "owner")["habit"] == ["owner:cafe"])
        }
        for title in ["afé", "cafés"] {
            #expect(try await store.run("history --habit \(title)", as: "owner").status == 66, "\(title)")
        }
    }

    /// Rule C-14: a title selects every visible habit of the actor and of followed users.
    @Test func habitTitleSelectsEveryVisibleHabit() async throws {
        let store = try await RuleStore()
        #expect(try await store.table("history --scope all --habit RUN", as: "stranger")["id"] == ["x18"])
        #expect(try await store.run("follow request owner", as: "stranger").status == 0)
        #expect(try await store.run("follow accept stranger --share latest", as: "owner").status == 0)
        #expect(try await store.table("history --scope all --habit RUN", as: "stranger")["id"] == ["r19", "x18"])
        #expect(try await store.table("history --scope all --not-habit RUN", as: "stranger")["id"] == ["b18"])
    }

    /// Rule C-23: the result of a load does not depend on the order and repetition of rows.
    @Test func ingestIsIdempotent() async throws {
        var generator = SeededGenerator(seed: 23)
        let rows = (1...20).map { "run,2026-10-\($0 < 10 ? "0" : "")\($0),noted \($0)\n" }
        let stores = [try await RuleStore(), try await RuleStore()]
        try stores[0].folder.write("habit,day,comment\n" + rows.joined(), to: "events.csv")
        try stores[1].folder.write(
            "habit,day,comment\n" + rows.reversed().joined() + rows.shuffled(using: &generator).joined(),
            to: "events.csv")
        for store in stores { #expect(try await store.run("ingest events.csv").status == 0) }
        let histories = try await stores.asyncMap { try await $0.table("history", as: "owner") }
        try #require(histories[0] == histories[1])
        #expect(histories[0].rows.count == 24)
        let again = try await stores[0].table("ingest events.csv")
        #expect(again.columns == ["kind", "inserted", "updated", "unchanged", "rejected"])
        #expect(again.rows == [["events", "0", "0", "20", "0"]])
        #expect(try await stores[0].table("history", as: "owner") == histories[0])
    }
}
