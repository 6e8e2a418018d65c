import Foundation
import HabitTestSupport
import Testing

/// Tests of rules M-06, M-07 and C-28: targets, amounts and limits of habit texts.
@Suite(.engineIndependent) struct TargetRuleTests {
    private static let statistics = "status,completion_rate,streak_current,streak_longest"

    /// Loads habits and events of `owner` into a new store.
    private static func store(habits: String, events: String) async throws -> RuleStore {
        let store = try await RuleStore()
        try store.folder.write(habits, to: "habits-target.csv")
        try store.folder.write(events, to: "events-target.csv")
        let loaded = try await store.run("ingest habits-target.csv events-target.csv")
        try #require(loaded.status == 0, "\(loaded.errors)")
        return store
    }

    /// A habit with the target of 2 completions in 4 days, and events on 3 days.
    private static func gym() async throws -> RuleStore {
        try await store(
            habits: "id,user,title,times,period_days,start\ngym,owner,Gym,2,4,2026-11-09\n",
            events: "habit,day\ngym,2026-11-10\ngym,2026-11-12\ngym,2026-11-18\n")
    }

    private static func statistics(of habit: String, in store: RuleStore) async throws -> [String?] {
        try await store.table("habit show \(habit) --columns \(statistics)", as: "owner").rows[0]
    }

    // MARK: M-06

    @Test func satisfiedDaysGiveRateAndStreaks() async throws {
        let store = try await Self.gym()
        // The period from 9 to 19 November has 11 days. 9 to 13 November are satisfied, because each of them is in a
        // period of 4 days with 2 completions. 20 November is open.
        #expect(try await Self.statistics(of: "gym", in: store) == ["Near goal", "0.454545", "0", "5"])
        #expect(try await store.run("event add --habit gym", as: "owner").status == 0)
        #expect(try await Self.statistics(of: "gym", in: store) == ["Near goal", "0.75", "4", "5"])
    }

    @Test func skippedDayCountsInNoPeriod() async throws {
        let store = try await Self.gym()
        #expect(try await store.run("event skip --habit gym --day 2026-11-16", as: "owner").status == 0)
        #expect(try await Self.statistics(of: "gym", in: store) == ["Near goal", "0.5", "0", "5"])
    }

    @Test func habitWithTargetIsToDoUnlessEarlierDaysSatisfyIt() async throws {
        let store = try await Self.gym()
        #expect(try await store.table("todo", as: "owner")["habit"].contains("gym"))
        #expect(try await store.run("event add --habit gym --day 2026-11-19", as: "owner").status == 0)
        #expect(try await store.table("todo", as: "owner")["habit"].contains("gym") == false)
    }

    /// An event of today is done in every list, even while the period is below its target.
    @Test func listsAgreeThatEventOfTodayIsDone() async throws {
        let store = try await Self.gym()
        for isDone in ["false", "true"] {
            let list = try await store.table("todo", as: "owner").selecting(["habit", "done", "outcome"])
            let report = try await store.table("report todo --user owner", as: "owner")
            #expect(list.first { row in row[0] == "gym" }?[1] == isDone)
            #expect(Set(report.selecting(["habit", "done", "outcome"])) == Set(list))
            #expect(try await store.run("event add --habit gym", as: "owner").status == (isDone == "false" ? 0 : 76))
        }
    }

    @Test func everyDayAcceptsPlannedEvent() async throws {
        let store = try await Self.gym()
        for day in ["2026-11-09", "2026-11-11", "2026-11-20"] {
            let added = try await store.run(
                "event add --habit gym --day \(day) --columns unplanned --plain", as: "owner")
            #expect(added.status == 0, "\(added)")
            #expect(added.output.contains("false"), "\(added)")
        }
        try await store.expectRefusal(
            Refusal("owner", "event add --habit gym --day 2026-11-08", status: 65, slug: "event-not-due"))
    }

    @Test func listAndViewsShowTarget() async throws {
        let store = try await Self.gym()
        let columns = "id,days,times,period_days"
        let row = ["gym", nil, "2", "4"]
        #expect(try await store.table("habit list --columns \(columns)", as: "owner").rows.contains(row))
        #expect(
            try await store.table("query", "SELECT id, days, times, period_days FROM habits WHERE id = 'gym'").rows == [
                row
            ])
        #expect(
            try await store.table("habit list --user owner --columns \(columns)", as: "all").rows.contains(row),
            "a follower sees the schedule")
    }

    @Test func textShowsTargetInWords() async throws {
        let store = try await Self.gym()
        for command in ["habit list", "habit list --columns id,days", "habit show gym", "report run habits"] {
            let text = try await store.run(command, as: "owner").output
            #expect(text.contains("2 in 4 days"), "\(command): \(text)")
        }
        #expect(try await store.run("habit list --columns id,days --plain", as: "owner").output.contains("gym\t\n"))
        let report = try await store.table("report run habits", as: "owner")
        let row = try #require(report["habit"].firstIndex(of: "gym"))
        #expect(["days", "times", "period_days"].map { report[$0][row] } == [nil, "2", "4"])
    }

    @Test func reportsCountSatisfiedDays() async throws {
        let store = try await Self.gym()
        let days = try await store.table(
            "query",
            "SELECT day, due, done, outcome FROM habit_days('2026-11-13', NULL) WHERE habit = 'gym' ORDER BY day")
        #expect(days["outcome"] == ["none", "missed", "missed", "missed", "missed", "done", "missed", "open"])
        #expect(days["due"] == ["1", "1", "1", "1", "1", "1", "1", "0"])
        #expect(days["done"] == ["1", "0", "0", "0", "0", "0", "0", "0"])
        let report = try await store.table(
            "report run completion --by habit --user owner --from 2026-11-09 --to 2026-11-19")
        let index = try #require(report["name"].firstIndex(of: "gym"))
        #expect(report["completion_rate"][index] == "0.454545")
    }

    @Test func newTargetAppliesFromToday() async throws {
        let store = try await RuleStore()
        let before = try await store.table(
            "query", "SELECT day, due FROM habit_days('2026-09-01', '2026-11-19') WHERE habit = 'run'")
        let edited = try await store.run(
            "habit edit run --times 1 --period-days 7 --columns days,times,period_days", as: "owner")
        #expect(edited.status == 0, "\(edited.errors)")
        #expect(
            try await store.table("habit show run --columns days,times,period_days", as: "owner").rows == [
                [nil, "1", "7"]
            ])
        let after = try await store.table(
            "query", "SELECT day, due FROM habit_days('2026-09-01', '2026-11-19') WHERE habit = 'run'")
        #expect(before == after)
        let rewritten = try await store.run("habit edit run --times 2 --period-days 7 --rewrite-past", as: "owner")
        #expect(rewritten.status == 0)
        #expect(
            try await store.table(
                "query", "SELECT sum(done) AS done FROM habit_days('2026-11-16', '2026-11-19') WHERE habit = 'run'")[
                    "done"] == ["4"])
    }

    // MARK: M-07

    @Test func amountBelowTargetIsStoredAndNotDone() async throws {
        let store = try await Self.store(
            habits: "id,user,title,days,start,target_amount,unit\nwater,owner,Water,1111111,2026-11-17,8,glasses\n",
            events: "habit,day,amount\nwater,2026-11-17,\nwater,2026-11-18,7.5\nwater,2026-11-19,8\n")
        #expect(try await Self.statistics(of: "water", in: store) == ["Inactive", "0.333333", "1", "1"])
        let events = try await store.table("history --habit water --columns day,outcome,unplanned,amount", as: "owner")
        #expect(
            events.rows == [
                ["2026-11-19", "done", "false", "8"], ["2026-11-18", "done", "false", "7.5"],
                ["2026-11-17", "done", "false", nil],
            ])
        let shown = try await store.table("habit show water --columns target_amount,unit", as: "owner")
        #expect(shown.rows == [["8", "glasses"]])
        #expect(
            try await store.table("habit show water --columns target_amount,unit", as: "all").rows == [[nil, nil]],
            "only the owner sees the amounts of a habit")
        #expect(try await store.run("event edit water@2026-11-18 --amount 9", as: "owner").status == 0)
        #expect(try await Self.statistics(of: "water", in: store) == ["Near goal", "0.666667", "2", "2"])
        #expect(try await store.run("habit edit water --target-amount none", as: "owner").status == 0)
        #expect(try await Self.statistics(of: "water", in: store) == ["On track", "1", "3", "3"])
    }

    @Test(
        arguments: [
            (nil, false, "0 of 2.5 km"), ("1", false, "1 of 2.5 km"), ("2.5", true, "2.5 of 2.5 km"),
        ] as [(String?, Bool, String)])
    func todoIsDoneOnlyIfAmountReachesTarget(amount: String?, isDone: Bool, progress: String) async throws {
        let store = try await Self.store(
            habits: "id,user,title,days,start,target_amount,unit\nswim,owner,Swim,1111111,2026-11-17,2.5,km\n",
            events: "habit,day,amount\nswim,2026-11-20,\(amount ?? "")\n")
        for command in ["todo", "report run todo --user owner"] {
            let todo = try await store.table(command, as: "owner")
            let row = try #require(todo["habit"].firstIndex(of: "swim"), "\(command)")
            #expect(todo["done"][row] == "\(isDone)", "\(command)")
        }
        let text = try await store.run("todo", as: "owner").output
        #expect(text.split(separator: "\n").contains { $0.hasSuffix(progress) }, "\(text)")
    }

    @Test(
        arguments: [("", "0 of 2.5 km"), (" --amount 1", "1 of 2.5 km"), (" --amount 2.5", nil)] as [(String, String?)])
    func addBelowTargetAmountPrintsNotice(option: String, progress: String?) async throws {
        let store = try await Self.store(
            habits: "id,user,title,days,start,target_amount,unit\nswim,owner,Swim,1111111,2026-11-17,2.5,km\n",
            events: "habit,day,amount\nswim,2026-11-19,3\n")
        let added = try await store.run("event add --habit swim" + option, as: "owner")
        #expect(added.status == 0, "\(added)")
        let notice = progress.map {
            "The day does not count as done yet (\($0)): "
                + "change the amount with 'habitat event edit swim@2026-11-20 --amount NUMBER'.\n"
        }
        #expect(added.errors == (notice ?? ""))
        let edited = try await store.run("event edit swim@2026-11-20 --amount 2", as: "owner")
        #expect(edited.errors.contains("(2 of 2.5 km)"), "\(edited)")
        let again = try await store.run("event add --habit swim", as: "owner")
        #expect(again.errors.contains("already has the event 'swim@2026-11-20' on 2026-11-20"), "\(again)")
    }

    @Test func todoShowsProgressOfTargetInText() async throws {
        let store = try await Self.gym()
        let before = try await store.run("todo --columns habit,progress", as: "owner").output
        #expect(before.split(separator: "\n").contains { $0.hasPrefix("gym") && $0.hasSuffix("1 of 2") }, "\(before)")
        #expect(try await store.run("event add --habit gym", as: "owner").status == 0)
        let after = try await store.run("todo", as: "owner").output
        #expect(
            after.split(separator: "\n").contains { $0.contains("Gym") && $0.hasSuffix("2 of 2 in 4 days") }, "\(after)"
        )
        #expect(try await store.table("todo", as: "owner").columns.contains("progress") == false)
    }

    @Test(arguments: ["csv", "json", "text"])
    func progressCanBeSelectedWhenNoHabitHasTarget(format: String) async throws {
        let store = try await RuleStore()
        let todo = try await store.run("todo --columns habit,progress --format \(format)", as: "owner")
        #expect(todo.status == 0, "\(todo.errors)")
        #expect(todo.output.contains("progress"), "\(todo.output)")
    }

    @Test func exportCarriesTargetsAndAmounts() async throws {
        let store = try await Self.store(
            habits: """
                id,user,title,days,times,period_days,start,target_amount,unit
                gym,owner,Gym,,2,4,2026-11-09,1.5,h
                walk,owner,Walk,mon,,,2026-11-09,,

                """,
            events: "habit,day,amount\ngym,2026-11-10,1.25\n")
        try store.folder.write("habit,from,times,period_days\nwalk,2026-11-16,3,7\n", to: "schedules.csv")
        #expect(try await store.run("ingest schedules.csv").status == 0)
        #expect(try await store.run("export copy").status == 0)
        #expect(try await store.run("init --store second.db").status == 0)
        let loaded = try await store.run("ingest copy --store second.db")
        #expect(loaded.status == 0, "\(loaded.errors)")
        #expect(try await store.run("export again --store second.db").status == 0)
        for name in try FileManager.default.contentsOfDirectory(atPath: store.folder.file("copy"))
        where name != "photos" {
            let texts = ["copy", "again"].map {
                FileManager.default.contents(atPath: store.folder.file("\($0)/\(name)"))
            }
            #expect(texts[0] == texts[1], "\(name)")
        }
        let sql =
            "SELECT id, times, period_days, target_amount, unit FROM habits WHERE user = 'owner' AND times IS NOT NULL ORDER BY id"
        let rows = try await store.table("query", sql, "--store", "second.db").rows
        #expect(rows == [["gym", "2", "4", "1.5", "h"], ["walk", "3", "7", nil, nil]])
    }

    static let refused: [Refusal] = [
        Refusal("owner", "habit add --title x --times 3 --per 2", status: 65, slug: "schedule-invalid"),
        Refusal("owner", "habit add --title x --times 3 --per fortnight", status: 64, slug: "parameter-invalid"),
        Refusal("owner", "habit add --title x --times 3 --per week --period-days 7", status: 64, slug: "usage"),
        Refusal("owner", "habit add --title x --period-days 7", status: 65, slug: "schedule-invalid"),
        Refusal("owner", "habit add --title x --times 8 --period-days 7", status: 65, slug: "schedule-invalid"),
        Refusal("owner", "habit add --title x --times 0 --period-days 7", status: 65, slug: "schedule-invalid"),
        Refusal("owner", "habit add --title x --times 1 --period-days 10000", status: 65, slug: "schedule-invalid"),
        Refusal(
            "owner", "habit add --title x --days mon --times 1 --period-days 7", status: 65, slug: "schedule-invalid"),
        Refusal("owner", "habit add --title x --days mon --target-amount 0", status: 65, slug: "field-invalid"),
        Refusal("owner", "habit add --title x --days mon --target-amount many", status: 65, slug: "field-invalid"),
        Refusal(
            "owner", "habit add --title x --days mon --unit \(String(repeating: "x", count: 21))", status: 65,
            slug: "field-invalid"),
        Refusal("owner", "event add --habit run --amount=-1", status: 65, slug: "field-invalid"),
        Refusal("owner", "event add --habit run --amount inf", status: 65, slug: "field-invalid"),
    ]

    @Test(arguments: refused) func invalidTargetOrAmountIsRefused(_ refusal: Refusal) async throws {
        try await RuleStore().expectRefusal(refusal)
    }

    @Test func fileWithInvalidTargetIsRejectedRowByRow() async throws {
        let store = try await RuleStore()
        try store.folder.write(
            """
            id,user,title,days,times,period_days,target_amount
            a,owner,A,mon,1,7,
            b,owner,B,,3,,
            c,owner,C,,x,7,
            d,owner,D,,1,7,-2
            e,owner,E,,1,7,2.5

            """, to: "habits-bad.csv")
        let result = try await store.run("ingest habits-bad.csv")
        #expect(result.status == 65)
        for (line, slug) in [
            (2, "schedule-invalid"), (3, "schedule-invalid"), (4, "schedule-invalid"), (5, "field-invalid"),
        ] {
            #expect(result.errors.contains("habits-bad.csv:\(line)"), "\(result.errors)")
            #expect(result.errors.contains("(\(slug))"))
        }
        #expect(try await store.count("habits WHERE id = 'e'") == 1)
    }

    // MARK: C-28

    @Test func limitsOfHabitTextsAreSettings() async throws {
        let store = try await RuleStore()
        let text = String(repeating: "x", count: 40)
        for (setting, command, slug) in [
            ("title-limit", "habit add --days mon --title \(text)", "title-too-long"),
            ("reason-limit", "habit add --days mon --title Short --reason \(text)", "reason-too-long"),
            ("comment-limit", "event add --habit run --comment \(text)", "comment-too-long"),
        ] {
            try await store.expectRefusal(Refusal("owner", command, status: 65, slug: slug))
            #expect(try await store.run("setting set \(setting) 40").status == 0)
            let added = try await store.run(command, as: "owner")
            #expect(added.status == 0, "\(added.errors)")
        }
    }
}
