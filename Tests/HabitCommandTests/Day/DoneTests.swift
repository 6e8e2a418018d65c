import HabitTestSupport
import Testing

/// Tests of `habitat done` and `habitat skip`, on Friday, 2026-11-20.
@Suite(.engineIndependent) struct DoneTests {
    @Test(arguments: [
        ("done ru", "✓ Run · Fri 20 Nov · streak 4"),
        ("done run@tue", "✓ Run · Tue 17 Nov · was already done"),
        ("done run --day mon", "✓ Run · Mon 16 Nov · streak 4"),
        ("done run@yesterday --comment dry", "✓ Run · Thu 19 Nov · streak 3 · \"dry\""),
        ("done Straße -c x -a 2", "✓ Straße · Fri 20 Nov · 2 · streak 2 · \"x\""),
        ("done Straße@thu --unplanned", "✓ Straße · Thu 19 Nov · unplanned"),
        ("done run@2025-12-31 --unplanned", "✓ Run · Wed 31 Dec 2025 · unplanned"),
        ("skip run", "– Run · Fri 20 Nov · skipped"),
        ("skip run@sun -c ill", "– Run · Sun 15 Nov · skipped · \"ill\""),
        ("done run --columns title,day,outcome --format csv", "title,day,outcome\nRun,2026-11-20,done"),
        ("done run Straße@mon --columns title,day --format csv", "title,day\nRun,2026-11-20\nStraße,2026-11-16"),
        ("done run --quiet", ""),
    ])
    func lineConfirmsOutcome(command: String, line: String) async throws {
        let result = try await RuleStore().run(command, as: "owner")
        #expect(result.status == 0, "\(result)")
        #expect(result.output == (line.isEmpty ? "" : line + "\n"))
        #expect(result.errors.isEmpty, "\(result)")
    }

    static let refused: [Refusal] = [
        Refusal("owner", "done", status: 64, slug: "usage"),
        Refusal("owner", "done twin", status: 64, slug: "usage"),
        Refusal("owner", "skip", status: 64, slug: "usage"),
        Refusal("owner", "done run --day soon", status: 64, slug: "date-invalid"),
        Refusal("owner", "done run@soon", status: 64, slug: "date-invalid"),
        Refusal("owner", "done Straße@thu", status: 65, slug: "event-not-due"),
        Refusal("owner", "done soon", status: 65, slug: "event-not-due"),
        Refusal("owner", "done run@tomorrow", status: 65, slug: "day-in-future"),
        Refusal("owner", "done nothing", status: 66, slug: "not-found"),
        Refusal("owner", "done run --comment 123456789012345678901", status: 65, slug: "comment-too-long"),
        Refusal("owner", "done run run@yesterday Straße@thu", status: 65, slug: "event-not-due"),
        Refusal("owner", "skip run@yesterday", status: 76, slug: "event-exists"),
        Refusal("owner", "skip Straße@thu", status: 65, slug: "event-not-due"),
        Refusal("all", "done run", status: 77, slug: "not-yours"),
        Refusal("all", "skip run", status: 77, slug: "not-yours"),
        Refusal("stranger", "done read", status: 66, slug: "not-found"),
        Refusal("hidden", "done walk --position 0,0", status: 77, slug: "location-not-permitted"),
        Refusal(nil, "done run", status: 77, slug: "not-signed-in"),
        Refusal("nobody", "skip run", status: 77, slug: "not-signed-in"),
    ]

    /// A refused habit leaves all habits of the command unchanged.
    @Test(arguments: refused) func invalidCommandIsRefused(refusal: Refusal) async throws {
        try await RuleStore().expectRefusal(refusal)
    }

    @Test(arguments: [
        ("skip run@yesterday", "Run is done on Thu 19 Nov: run 'habitat event delete Run@2026-11-19'"),
        ("skip Straße@thu", "Straße is not due on Thu 19 Nov (mon wed fri): choose a due day"),
        ("done Straße@thu", "Straße is not due on Thu 19 Nov (mon wed fri): pass --unplanned"),
        ("done", "the habit is missing: name a habit, such as 'habitat done walk'"),
        (
            "done run --comment 123456789012345678901",
            "the comment has 21 characters; at most 20 are allowed: shorten it, or allow more as the operator with 'habitat setting set comment-limit 21'"
        ),
        (
            "done run --position Porto",
            "'Porto' is not a position, one of your places or a large city: write LATITUDE,LONGITUDE in degrees, such as 38.7223,-9.1393"
        ),
        (
            "user delete all --yes",
            "only the user 'all' and the operator can do this: omit --as and HABITAT_USER, or add --operator"
        ),
    ])
    func errorNamesTitleAndRemedy(command: String, message: String) async throws {
        let result = try await RuleStore().run(command, as: "owner")
        #expect(result.errors.hasSuffix("]: \(message)\n"), "\(result.errors)")
    }

    @Test func amountOfSameDayReplacesAmount() async throws {
        let store = try await RuleStore()
        _ = try await store.run(
            "habit add Pages --days daily --start 2026-11-01 --target-amount 20 --unit pages", as: "owner")
        func done(_ command: String) async throws -> String { try await store.run(command, as: "owner").output }
        #expect(try await done("done pages -a 12") == "◐ Pages · Fri 20 Nov · 12 of 20 pages\n")
        #expect(try await done("done pages") == "◐ Pages · Fri 20 Nov · 12 of 20 pages\n")
        #expect(try await done("done pages -a 20") == "✓ Pages · Fri 20 Nov · 20 of 20 pages · was 12 · streak 1\n")
        #expect(try await done("done pages -a 20") == "✓ Pages · Fri 20 Nov · was already done\n")
        #expect(try await store.table("event show pages", as: "owner").singleCell("amount") == "20")
    }

    @Test func targetShowsProgressOfPeriod() async throws {
        let store = try await RuleStore()
        _ = try await store.run("habit add Gym --times 3 --start 2026-11-01", as: "owner")
        let both = try await store.run("done gym@wed gym -c with~Anna", as: "owner")
        #expect(
            both.output == """
                ✓ Gym · Wed 18 Nov · 1 of 3 in 7 days · "with Anna"
                ✓ Gym · Fri 20 Nov · 2 of 3 in 7 days · "with Anna"

                """, "\(both)")
    }

    /// The optional values of an event are kept unless an option changes them.
    @Test func optionsChangeExistingEvent() async throws {
        let store = try await RuleStore()
        let at = try await store.table("event show r17", as: "owner").singleCell("at")
        _ = try await store.run("done run@tue --comment fine", as: "owner")
        let event = try await store.table("event show r17", as: "owner")
        #expect(try event.singleCell("comment") == "fine")
        #expect(try event.singleCell("at") == at)
        #expect(try event.singleCell("has_photo") == "true")
        _ = try await store.run("skip run", as: "owner")
        #expect(try await store.run("skip run", as: "owner").output == "– Run · Fri 20 Nov · was already skipped\n")
        #expect(try await store.run("done run", as: "owner").output.hasPrefix("✓ Run · Fri 20 Nov"))
        #expect(try await store.table("event show run", as: "owner").singleCell("outcome") == "done")
    }

    @Test(arguments: ["done run --position last", "event add run --position last"])
    func lastIsPositionOfNewestLocatedEvent(command: String) async throws {
        let store = try await RuleStore()
        let events = try await store.table("history", as: "owner")
        let longitudes = events["longitude"].compactMap(\.self)
        let newest = try #require(longitudes.first)
        #expect(try await store.run(command, as: "owner").status == 0)
        #expect(try await store.table("event show run", as: "owner").singleCell("longitude") == newest)
        _ = try await store.run("event edit r17 --position none", as: "owner")
        #expect(try await store.run("event edit r17 --position last", as: "owner").status == 0)
        #expect(try await store.table("event show r17", as: "owner").singleCell("longitude") == newest)
        _ = try await store.run("habit add Gym --days daily", as: "all")
        try await store.expectRefusal(
            Refusal("all", "done gym --position last", status: 69, slug: "location-unavailable"))
    }

    @Test func questionsRecordOpenHabits() async throws {
        let store = try await RuleStore()
        let arguments = ["--now", RuleStore.now, "--as", "owner", "done"]
        let result = try await Program.onTerminal(
            arguments, columns: 80, in: store.folder, environment: ["LANG": "C.UTF-8", "NO_COLOR": "1"],
            typed: "x\ny\ns\n")
        #expect(result.status == 0, "\(result)")
        #expect(
            result.output == """
                Friday 20 November · 0 of 2 done   (y done · s skip · Enter later · q quit)
                  Run     [y/s/q]   Type y, s or q, or press Enter for later.
                  Run     [y/s/q] ✓ Run · Fri 20 Nov · streak 4
                  Straße  [y/s/q] – Straße · Fri 20 Nov · skipped

                """)
        let quit = try await Program.onTerminal(
            arguments, columns: 80, in: RuleStore().folder, environment: ["LANG": "C.UTF-8"], typed: "\nq\n")
        #expect(quit.status == 0)
        #expect(!quit.output.contains("✓"), "\(quit)")
    }

    @Test func questionsAlignWideTitles() async throws {
        let store = try await RuleStore()
        for title in ["走る~🏃", "👩‍👩‍👧‍👦"] {
            _ = try await store.run("habit add \(title) --days daily", as: "owner")
        }
        let result = try await Program.onTerminal(
            ["--now", RuleStore.now, "--as", "owner", "done"], columns: 80, in: store.folder,
            environment: ["LANG": "C.UTF-8", "NO_COLOR": "1"], typed: "\n\n\n\n")
        #expect(result.status == 0, "\(result)")
        #expect(result.output.contains("  Run      [y/s/q] "), "\(result)")
        #expect(result.output.contains("  Straße   [y/s/q] "), "\(result)")
        #expect(result.output.contains("  走る 🏃  [y/s/q] "), "\(result)")
        #expect(!result.output.contains("\u{fffd}"), "\(result)")
    }

    @Test func questionExplainsRepetition() async throws {
        let store = try await RuleStore()
        let habit = "habit add Pages --days daily --target-amount 20 --unit pages"
        _ = try await store.run(habit, as: "owner")
        let result = try await Program.onTerminal(
            ["--now", RuleStore.now, "--as", "owner", "done"], columns: 80, in: store.folder,
            environment: ["LANG": "C.UTF-8", "NO_COLOR": "1"], typed: "twelve\n12\nq\n")
        #expect(result.status == 0, "\(result)")
        #expect(result.output.contains("Type the number of pages, such as 12 or 2.5, s to skip"), "\(result)")
        #expect(result.output.contains("12 of 20 pages"), "\(result)")
    }

    @Test func missingAmountIsNamed() async throws {
        let store = try await RuleStore()
        let habit = "habit add Pages --days daily --target-amount 20 --unit pages"
        _ = try await store.run(habit, as: "owner")
        let without = try await store.run("done pages", as: "owner")
        #expect(without.output == "◐ Pages · Fri 20 Nov · 0 of 20 pages · -a adds the amount\n")
        let with = try await store.run("done pages -a 5", as: "owner")
        #expect(with.output == "◐ Pages · Fri 20 Nov · 5 of 20 pages\n")
    }
}
