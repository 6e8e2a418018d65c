import Foundation
import HabitTestSupport
import Testing

/// Tests of rules C-01 to C-06 and C-22: habits.
@Suite(.engineIndependent) struct HabitRuleTests {
    static let columns = [
        "id", "user", "title", "reason", "days", "start", "end", "status", "color", "completion_rate", "streak_current",
        "streak_longest", "score", "times", "period_days", "target_amount", "unit", "tint",
        "symbol", "rank", "remind_at",
    ]
    private static let long = String(repeating: "x", count: 21)
    private static let longReason = String(repeating: "x", count: 31)

    static let refused: [Refusal] = [
        // C-01
        Refusal("owner", "habit add", status: 65, slug: "title-empty"),
        Refusal("owner", "habit add --days mon", status: 65, slug: "title-empty"),
        Refusal("owner", "habit add --days mon --title ''", status: 65, slug: "title-empty"),
        Refusal("owner", "habit add --days mon --title ~~~", status: 65, slug: "title-empty"),
        Refusal("owner", "habit add --days mon --title \u{3000}\t", status: 65, slug: "title-empty"),
        Refusal("owner", "habit add --days mon --title \(long)", status: 65, slug: "title-too-long"),
        Refusal("owner", "habit add --days mon --title x --reason \(longReason)", status: 65, slug: "reason-too-long"),
        Refusal("owner", "habit add --title x", status: 65, slug: "schedule-empty"),
        Refusal("owner", "habit add --title x --days ''", status: 65, slug: "schedule-empty"),
        Refusal("owner", "habit add --title x --days 0000000", status: 65, slug: "schedule-empty"),
        Refusal("owner", "habit add --title x --days mon,someday", status: 65, slug: "schedule-invalid"),
        Refusal("owner", "habit add --title x --days 8", status: 65, slug: "schedule-invalid"),
        Refusal("owner", "habit add --title x --days mon --start 2026-02-30", status: 64, slug: "date-invalid"),
        Refusal(
            "owner", "habit add --title x --days mon --start 2026-12-02 --end 2026-12-01", status: 65,
            slug: "day-invalid"),
        Refusal("owner", "habit add --title x --days mon --output none/x.csv", status: 73, slug: "output-not-writable"),
        Refusal(nil, "habit add --title x --days mon", status: 77, slug: "not-signed-in"),
        Refusal("", "habit add --title x --days mon", status: 77, slug: "not-signed-in"),
        Refusal("nobody", "habit add --title x --days mon", status: 77, slug: "not-signed-in"),
        // C-02
        Refusal("pending", "habit show run", status: 66, slug: "not-found"),
        Refusal("rejected", "habit show run", status: 66, slug: "not-found"),
        Refusal("stranger", "habit show read", status: 66, slug: "not-found"),
        Refusal("owner", "habit show none", status: 66, slug: "not-found"),
        Refusal("owner", "habit show other", status: 66, slug: "not-found"),
        Refusal("owner", "habit show twin", status: 64, slug: "usage"),
        Refusal("nobody", "habit show run", status: 77, slug: "not-signed-in"),
        Refusal("owner", "habit show run --weeks 0", status: 64, slug: "parameter-invalid"),
        // C-03
        Refusal("owner", "habit edit run --title ''", status: 65, slug: "title-empty"),
        Refusal("owner", "habit edit run --reason new --title \(long)", status: 65, slug: "title-too-long"),
        Refusal("owner", "habit edit run --title New --reason \(longReason)", status: 65, slug: "reason-too-long"),
        Refusal("owner", "habit edit run --title New --days ''", status: 65, slug: "schedule-empty"),
        Refusal("owner", "habit edit run --title New --days someday", status: 65, slug: "schedule-invalid"),
        Refusal("owner", "habit edit run --days mon --end 2026-08-31", status: 65, slug: "day-invalid"),
        Refusal("owner", "habit edit run --end soon", status: 64, slug: "date-invalid"),
        Refusal("owner", "habit edit none --title New", status: 66, slug: "not-found"),
        Refusal("all", "habit edit run --title New", status: 77, slug: "not-yours"),
        Refusal("latest", "habit edit run --title New", status: 77, slug: "not-yours"),
        Refusal("pending", "habit edit run --title New", status: 66, slug: "not-found"),
        Refusal("rejected", "habit edit run --title New", status: 66, slug: "not-found"),
        Refusal("stranger", "habit edit read --title New", status: 66, slug: "not-found"),
        Refusal("nobody", "habit edit run --title New", status: 77, slug: "not-signed-in"),
        Refusal(nil, "habit edit run --title New", status: 77, slug: "not-signed-in"),
        // C-04
        Refusal("owner", "habit delete run", status: 64, slug: "confirm-required"),
        Refusal("owner", "habit delete none --yes", status: 66, slug: "not-found"),
        Refusal("all", "habit delete run --yes", status: 77, slug: "not-yours"),
        Refusal("latest", "habit delete run --yes", status: 77, slug: "not-yours"),
        Refusal("pending", "habit delete run --yes", status: 66, slug: "not-found"),
        Refusal("rejected", "habit delete run --yes", status: 66, slug: "not-found"),
        Refusal("stranger", "habit delete read --yes", status: 66, slug: "not-found"),
        Refusal(nil, "habit delete run --yes", status: 77, slug: "not-signed-in"),
        // C-05, C-06
        Refusal("nobody", "habit list", status: 77, slug: "not-signed-in"),
        Refusal("", "todo", status: 77, slug: "not-signed-in"),
        Refusal(nil, "todo", status: 77, slug: "not-signed-in"),
    ]

    @Test(arguments: refused) func invalidHabitCommandIsRefused(refusal: Refusal) async throws {
        try await RuleStore().expectRefusal(refusal)
    }

    @Test func addPrintsHabitThatStartsToday() async throws {
        let store = try await RuleStore()
        let made = try await store.table("habit add --title Evening~walk --days mon,wed --reason Air", as: "owner")
        #expect(made.columns == Self.columns)
        let id = try #require(try made.singleCell("id"))
        #expect(
            made.rows[0].dropFirst() == [
                "owner", "Evening walk", "Air", "mon wed", "2026-11-20", nil, "New", "#6b726d", nil, "0", "0", "0", nil,
                nil, nil, nil, nil, nil, nil, nil,
            ])
        #expect(try await store.table("habit list", as: "owner")["id"].contains(id))
        let shown = try await store.table("habit show \(id)", as: "owner")
        #expect(shown.rows[0].prefix(21) == made.rows[0][...])
    }

    /// Values at the limits are valid.
    ///
    /// Limits count grapheme clusters, and a schedule has several spellings.
    @Test(arguments: [
        (String(repeating: "x", count: 20), String(repeating: "y", count: 30), "1,3", "mon wed"),
        (String(repeating: "👨‍👩‍👧‍👦", count: 20), String(repeating: "e\u{301}", count: 30), "1010000", "mon wed"),
        ("x", "", "mon,tue,wed,thu,fri,sat,sun", "mon tue wed thu fri sat sun"), ("-x", "-y", "sun,sun", "sun"),
    ])
    func addAcceptsValuesAtLimit(title: String, reason: String, days: String, stored: String) async throws {
        let made = try await RuleStore().table(
            "habit add --start 2026-12-01 --end 2026-12-01", "--title", title, "--reason", reason, "--days", days,
            as: "owner")
        #expect(try made.singleCell("title") == title.precomposedStringWithCanonicalMapping)
        #expect((try made.singleCell("reason") ?? "") == reason.precomposedStringWithCanonicalMapping)
        #expect(made.rows[0][4...6] == [stored, "2026-12-01", "2026-12-01"])
    }

    @Test func showPrintsWeeksOnlyForOwner() async throws {
        let store = try await RuleStore()
        let own = try json(
            try await store.run("habit show RUN --weeks 2 --format json", as: "owner"), as: [String: Any].self)
        #expect(own["reason"] as? String == "secret reason")
        #expect(own["streak_current"] as? Int == 3)
        #expect(own["streak_longest"] as? Int == 3)
        #expect(own["completion_rate"] as? Double == 0.12)
        let weeks = try #require(own["weeks"] as? [[String: Any]])
        #expect(weeks.map { $0["week"] as? String } == ["2026-11-09", "2026-11-16"])
        #expect(weeks.map { $0["due"] as? Int } == [7, 4])
        #expect(weeks.map { $0["done"] as? Int } == [0, 3])
        for follower in ["all", "latest"] {
            let seen = try json(
                try await store.run("habit show run --format json", as: follower), as: [String: Any].self)
            for hidden in ["reason", "completion_rate", "streak_current", "streak_longest", "score"] {
                #expect(seen[hidden] is NSNull, "\(hidden)")
            }
            #expect(seen["title"] as? String == "Run")
            #expect(seen["status"] as? String == "Inactive")
            #expect(seen["color"] as? String == "#9b1c4b")
            #expect(seen["days"] as? String == own["days"] as? String)
            #expect(seen["weeks"] == nil)
        }
        let text = try await store.run("habit show run", as: "owner")
        #expect(text.output.contains("week        due  done  rate"))
    }

    /// The error texts of hidden and missing records are equal.
    @Test func hiddenRecordCausesSameErrorAsMissingRecord() async throws {
        let store = try await RuleStore()
        for command in ["habit show NAME", "habit delete NAME --yes", "event show NAME", "event add --habit NAME"] {
            let name = command.hasPrefix("event show") ? "r19" : "run"
            let hidden = try await store.run(command.replacing("NAME", with: name), as: "pending")
            let missing = try await store.run(command.replacing("NAME", with: "zzz"), as: "pending")
            #expect(errorText(hidden, about: name) == errorText(missing, about: "zzz"))
        }
    }

    @Test func editKeepsOmittedFields() async throws {
        let store = try await RuleStore()
        let before = try await store.table("habit list --habit run", as: "owner").rows[0]
        var expected = before
        (expected[2], expected[3], expected[6]) = ("Jog", nil, "2026-12-31")
        let edited = try await store.table("habit edit run --title Jog --reason '' --end 2026-12-31", as: "owner")
        #expect(edited.rows == [expected])
        #expect(
            try await store.table("habit list --habit jog", as: "owner").rows == [expected],
            "the habit is found by its new title")
        #expect(try await store.table("habit edit run --end none", as: "owner").singleCell("end") == nil)
    }

    @Test func deleteRemovesEventsOfHabit() async throws {
        let store = try await RuleStore()
        let result = try await store.table("habit delete run --yes", as: "owner")
        #expect(result == OutputTable(columns: ["deleted", "events"], rows: [["run", "3"]]))
        #expect(try await store.table("history", as: "owner")["id"] == ["b18"])
        #expect(try await store.count("events") == 2)
        #expect(try await store.count("habits") == 11)
        #expect(try await store.run("habit show run", as: "owner").status == 66)
        #expect(
            try await store.table("near 50,10", as: "all")["id"] == ["b18"], "the spatial index has no deleted events")
    }

    @Test func listContainsOnlyHabitsOfActor() async throws {
        let store = try await RuleStore()
        let own = try await store.table("habit list", as: "owner")
        #expect(own.columns == Self.columns)
        #expect(own["id"] == ["gone", "run", "soon", "read", "twin-1", "twin-2"])
        #expect(own["status"] == ["Inactive", "Inactive", "New", "Inactive", "Inactive", "Inactive"])
        #expect(own["color"] == ["#9b1c4b", "#9b1c4b", "#6b726d", "#9b1c4b", "#9b1c4b", "#9b1c4b"])
        #expect(own["completion_rate"] == ["0", "0.12", nil, "0.125", "0", "0"])
        #expect(
            try await store.count("habits") == (try store.table("habit list").rows.count),
            "the operator sees all habits")
        let none = try await store.run("habit list --format json", as: "all")
        #expect(none.status == 0)
        #expect(none.output == "[]\n")
        #expect(none.errors.contains("habitat habit add"))
    }

    /// Rule C-06: the list depends on schedule, start, end and recorded events.
    @Test func todoListsHabitsDueToday() async throws {
        let store = try await RuleStore()
        let friday = try await store.table("todo", as: "owner")
        #expect(friday.columns == ["habit", "title", "day", "status", "color", "done", "event", "outcome"])
        #expect(
            friday.rows == [
                ["run", "Run", "2026-11-20", "Inactive", "#9b1c4b", "false", nil, nil],
                ["read", "Straße", "2026-11-20", "Inactive", "#9b1c4b", "false", nil, nil],
            ])
        let days = [
            ("2026-08-31", []),
            ("2026-10-31", ["gone", "run"]),
            ("2026-11-17", ["gone", "run", "twin-1", "twin-2"]),
            ("2026-11-18", ["gone", "read", "run"]),
            ("2026-11-19", ["run"]),
            ("2026-11-23", ["read", "run", "soon"]),
        ]
        for (day, due) in days {
            let found = try await store.table("todo --today \(day)", as: "owner")
            #expect(found["habit"].compactMap(\.self).sorted() == due, "\(day)")
        }
        let done = try await store.table("todo --today 2026-11-19", as: "owner")
        #expect(done.rows == [["run", "Run", "2026-11-19", "Inactive", "#9b1c4b", "true", "r19", "done"]])
        #expect(try await store.run("event skip --habit read", as: "owner").status == 0)
        for command in ["todo", "report run todo --user owner"] {
            let skipped = try await store.table(command, as: "owner")
            let row = try #require(skipped["habit"].firstIndex(of: "read"), "\(command)")
            #expect(skipped.columns.last == "outcome")
            #expect(skipped["outcome"][row] == "skipped")
            #expect(skipped["done"][row] == "false")
        }
        #expect(try await store.run("todo --format json", as: "owner").output.contains(#""outcome":"skipped"#))
        let none = try await store.run("todo --format json", as: "all")
        #expect(none.status == 0)
        #expect(none.output == "[]\n")
        #expect(none.errors.contains("No habits are due today"))
    }
}
