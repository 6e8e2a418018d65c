import Base
import HabitModel
import HabitTestSupport
import StoreEngine
import Testing

@testable import HabitStore

/// Tests that users pause and resume habits, and that followers see the pauses (C-32).
///
/// `bob` follows `ann` and sees all events, `cleo` sees only the newest event of each habit, and `dan` sees nothing.
@Suite struct PauseActionTests {
    private let scene: ChangeScene

    init() throws {
        scene = try ChangeScene([
            .user("ann"), .user("bob"), .user("cleo"), .user("dan"),
            .follow("bob", "ann"), .follow("cleo", "ann", share: .latest), .follow("dan", "ann", status: .pending),
            .habit("run", of: "ann", title: "Run"), .habit("read", of: "ann", title: "Read"),
            .habit("swim", of: "bob", title: "Swim"),
            .event("run", "2026-11-16", id: "monday"), .event("run", "2026-11-18", id: "wednesday"),
            .event("read", "2026-11-18", id: "page"),
        ])
    }

    private static func draft(_ habit: String?, from: String? = nil, to: String? = nil) -> PauseDraft {
        var draft = PauseDraft()
        draft.habit = habit.map { habit in .value(habit) } ?? .null
        draft.from = from.flatMap { text in Day(text) }
        draft.to = to.flatMap { text in Day(text) }.map { day in .value(day) } ?? .null
        return draft
    }

    /// Performs an action of `ann` and returns the code of its error, or `nil` if it succeeds.
    private func refusal(as name: String = "ann", _ body: (PauseActions) throws -> Void) throws -> String? {
        do {
            try scene.act(as: name) { user in try body(PauseActions(user)) }
            return nil
        } catch let error as HabitError {
            return error.code.slug
        }
    }

    private func add(_ draft: PauseDraft, id: String) throws {
        _ = try scene.act(as: "ann") { user in try PauseActions(user).add(draft, id: "ann:\(id)") }
    }

    /// Returns the pauses that a user sees, as `id habit from to`.
    private func pauses(as user: String? = "ann") throws -> [String] {
        let rows = try scene.store.rows(as: user, columns: ["id", "habit", "from", "to"]) { session, viewer in
            try PauseQuery(viewer: viewer).selection(in: session)
        }
        return rows.map { row in row.joined(separator: " ") }
    }

    private func unplanned() throws -> Set<String> { try PauseMarks.unplanned(in: scene.store) }

    // MARK: Own pauses

    @Test func pauseMarksEventsOfItsHabit() throws {
        try add(Self.draft("Run", from: "2026-11-17", to: "2026-11-18"), id: "p")
        #expect(try pauses() == ["ann:p run 2026-11-17 2026-11-18"])
        #expect(try unplanned() == ["run 2026-11-18"])
        #expect(try PauseMarks.areConsistent(in: scene.store))
    }

    @Test func pauseOfAllHabitsMarksEventsOfAllHabits() throws {
        try add(Self.draft(nil, from: "2026-11-18"), id: "p")
        #expect(try pauses() == ["ann:p ∅ 2026-11-18 ∅"])
        #expect(try unplanned() == ["run 2026-11-18", "read 2026-11-18"])
    }

    @Test func pauseBeginsTodayByDefault() throws {
        try add(Self.draft("run"), id: "p")
        #expect(try pauses() == ["ann:p run 2026-11-20 ∅"])
    }

    @Test func changedPauseMarksEventsAgain() throws {
        try add(Self.draft("run", from: "2026-11-16", to: "2026-11-18"), id: "p")
        #expect(try unplanned() == ["run 2026-11-16", "run 2026-11-18"])
        var change = PauseDraft()
        change.from = Day("2026-11-17")
        #expect(try refusal { pauses in try pauses.edit("ann:p", change) } == nil)
        #expect(try unplanned() == ["run 2026-11-18"])
        #expect(try pauses() == ["ann:p run 2026-11-17 2026-11-18"])
    }

    @Test func deletedPauseLeavesMarksOfOverlappingPause() throws {
        try add(Self.draft(nil, from: "2026-11-16", to: "2026-11-18"), id: "all")
        try add(Self.draft("run", from: "2026-11-18"), id: "one")
        #expect(try refusal { pauses in try pauses.delete("ann:all") } == nil)
        #expect(try unplanned() == ["run 2026-11-18"])
        #expect(try refusal { pauses in try pauses.delete("ann:one") } == nil)
        #expect(try unplanned().isEmpty)
    }

    @Test func resumeEndsCurrentPausesOfHabitOnly() throws {
        try add(Self.draft("run", from: "2026-11-10"), id: "open")
        try add(Self.draft("run", from: "2026-11-15", to: "2026-11-25"), id: "long")
        try add(Self.draft("run", from: "2026-11-20"), id: "today")
        try add(Self.draft("run", from: "2026-12-01"), id: "later")
        try add(Self.draft(nil, from: "2026-11-19"), id: "all")
        let result = try scene.act(as: "ann") { user in try PauseActions(user).resume(habit: "Run") }
        #expect(result.ended == 3)
        #expect(result.leavesPauses, "the pause of all habits contains today")
        #expect(
            try pauses() == [
                "ann:later run 2026-12-01 ∅", "ann:all ∅ 2026-11-19 ∅", "ann:long run 2026-11-15 2026-11-19",
                "ann:open run 2026-11-10 2026-11-19",
            ])
    }

    @Test func resumeEndsPauseOfAllHabits() throws {
        try add(Self.draft(nil, from: "2026-11-19"), id: "all")
        try add(Self.draft("run", from: "2026-11-19"), id: "one")
        #expect(try refusal { pauses in _ = try pauses.resume(habit: nil) } == nil)
        #expect(try pauses() == ["ann:all ∅ 2026-11-19 2026-11-19", "ann:one run 2026-11-19 ∅"])
    }

    @Test func resumeReportsPausesOfSingleHabits() throws {
        try add(Self.draft(nil, from: "2026-11-19"), id: "all")
        try add(Self.draft("run", from: "2026-11-19"), id: "one")
        func resume(_ habit: String?) throws -> Resumption {
            try scene.act(as: "ann") { user in try PauseActions(user).resume(habit: habit) }
        }
        #expect(try resume(nil).leavesPauses)
        #expect(try !resume("run").leavesPauses)
    }

    @Test func resumeWithoutPauseIsRefused() throws {
        #expect(try refusal { pauses in _ = try pauses.resume(habit: "run") } == "not-found")
        #expect(try refusal { pauses in _ = try pauses.resume(habit: nil) } == "not-found")
        try add(Self.draft(nil, from: "2026-11-19"), id: "all")
        let error = #expect(throws: HabitError.self) {
            try scene.act(as: "ann") { user in _ = try PauseActions(user).resume(habit: "run") }
        }
        #expect(error?.remedies == [.take(.resumeAllHabits)])
    }

    @Test func invalidPausesAreRefused() throws {
        let reversed = Self.draft("run", from: "2026-11-20", to: "2026-11-19")
        #expect(try refusal { pauses in _ = try pauses.add(reversed) } == "day-invalid")
        #expect(try refusal { pauses in _ = try pauses.add(Self.draft("none")) } == "not-found")
        #expect(try refusal { pauses in _ = try pauses.add(Self.draft("run"), id: "p") } == "id-invalid")
        try add(Self.draft("run", from: "2026-11-10", to: "2026-11-12"), id: "p")
        #expect(try refusal { pauses in _ = try pauses.add(Self.draft("run"), id: "ann:p") } == "duplicate-key")
        var late = PauseDraft()
        late.from = Day("2026-11-13")
        #expect(try refusal { pauses in try pauses.edit("ann:p", late) } == "day-invalid")
        #expect(try refusal { pauses in try pauses.edit("ann:p", Self.draft("read")) } == "field-invalid")
        #expect(try pauses() == ["ann:p run 2026-11-10 2026-11-12"])
    }

    @Test func deletedHabitHasNoPauses() throws {
        try add(Self.draft("run"), id: "one")
        try add(Self.draft(nil), id: "all")
        _ = try scene.act(as: "ann") { user in try HabitActions(user).delete("run") }
        #expect(try pauses() == ["ann:all ∅ 2026-11-20 ∅"])
    }

    @Test func deletedAccountHasNoPauses() throws {
        try add(Self.draft(nil), id: "all")
        _ = try scene.act(as: "ann") { user in try AccountActions(user.viewer, in: user.session).delete("ann") }
        #expect(try pauses(as: nil).isEmpty)
    }

    // MARK: Paused days

    @Test func pausedHabitIsNotToDo() throws {
        try add(Self.draft("run"), id: "p")
        let rows = try scene.store.rows(as: "ann", columns: ["habit"]) { session, viewer in
            try TodoQuery(viewer: viewer, clock: ChangeScene.clock).selection(in: session)
        }
        #expect(rows == [["read"]])
        let plan = try scene.act(as: "ann") { user in try DayPlan(of: user) }
        #expect(plan.habits.map(\.habit) == ["read"])
    }

    @Test func eventOnPausedDayIsUnplanned() throws {
        try add(Self.draft("run"), id: "p")
        let event = try scene.act(as: "ann") { user in try EventActions(user).add(habit: "run", EventDraft()) }
        let isUnplanned = try scene.row(["unplanned"]) { session, viewer in
            try EventQuery.one(event, viewer: viewer, in: session)
        }
        #expect(isUnplanned == "1")
    }

    @Test func skipOfPausedDayIsRefused() throws {
        try add(Self.draft("run"), id: "p")
        let error = #expect(throws: HabitError.self) {
            _ = try scene.act(as: "ann") { user in try EventActions(user).skip(habit: "run", EventDraft()) }
        }
        #expect(error?.code == .eventNotDue)
        #expect(error?.remedies.last == .take(.resumeHabits))
    }

    @Test func calendarOmitsPausedDays() throws {
        try add(Self.draft("run", from: "2026-11-18", to: "2026-12-01"), id: "p")
        var days: [String] = []
        try scene.store.engine.read { session in
            let viewer = try Viewer.user(named: "ann", in: session)
            try CalendarQuery(viewer, clock: ChangeScene.clock, in: session).forEachDueDays { due in
                guard due.habit == "run", case .weekdays(_, let first, let last, let skipped) = due.days else { return }
                days.append("\(first) \(last?.description ?? "-") \(skipped.count) \(due.changed?.description ?? "-")")
            }
        }
        #expect(days == ["2026-11-16 2026-11-17 0 -", "2026-12-02 - 0 2026-12-02"])
    }

    // MARK: Other users

    @Test(
        arguments: [
            ("ann", true),
            ("bob", true),
            ("cleo", true),
            ("dan", false),
            (nil, true),
        ] as [(String?, Bool)])
    func followersSeePauses(user: String?, isVisible: Bool) throws {
        try add(Self.draft("run", from: "2026-11-17", to: "2026-11-18"), id: "p")
        #expect(try pauses(as: user) == (isVisible ? ["ann:p run 2026-11-17 2026-11-18"] : []))
    }

    @Test func othersCannotChangePauses() throws {
        try add(Self.draft("run", from: "2026-11-17"), id: "p")
        for (user, code) in [("bob", "not-yours"), ("cleo", "not-yours"), ("dan", "not-found")] {
            #expect(try refusal(as: user) { pauses in try pauses.delete("ann:p") } == code, "\(user)")
            #expect(try refusal(as: user) { pauses in try pauses.edit("ann:p", PauseDraft()) } == code, "\(user)")
            let isHidden = code == "not-found"
            let added = try refusal(as: user) { pauses in _ = try pauses.add(Self.draft("run")) }
            #expect(added == (isHidden ? "not-found" : "not-yours"), "\(user)")
        }
    }

    @Test func loadedPauseOfOtherUsersHabitIsRefused() throws {
        var pause = PauseRecord(id: "p", user: "ann", from: try #require(Day("2026-11-17")))
        pause.habit = .value("swim")
        let error = #expect(throws: HabitError.self) { try scene.store.write([.pause(pause)]) }
        #expect(error?.code == .fieldInvalid)
    }

    /// A follower sees the status that the owner sees.
    @Test func followerSeesStatusOfPausedHabit() throws {
        func status(as user: String) throws -> [[String]] {
            try scene.store.rows(as: user, columns: ["status"]) { session, viewer in
                try HabitQuery.one("run", viewer: viewer, clock: ChangeScene.clock, in: session)
            }
        }
        try add(Self.draft("run", from: "2026-10-01", to: "2026-11-15"), id: "p")
        try add(Self.draft("run", from: "2026-11-17", to: "2026-11-17"), id: "q")
        let own = try status(as: "ann")
        #expect(own != [])
        #expect(try status(as: "bob") == own)
        #expect(try status(as: "cleo") == own)
    }

    // MARK: Copies of clients

    private func feed(of user: String, after number: Int64) throws -> (changes: [String], resets: Int) {
        try scene.store.engine.read { session in
            let last = try LogState(of: .viewer(.operator), in: session).newest.number
            let viewer = try Viewer.user(named: user, in: session)
            let feed = try ChangeFeed(for: viewer, after: number, upTo: last, in: session)
            return (feed.changes.map { change in "\(change.collection) \(change.id)" }.sorted(), feed.resets.count)
        }
    }

    @Test func changeIsLoggedWithMarkedEvents() throws {
        let last = try scene.store.engine.read { session in
            try LogState(of: .viewer(.operator), in: session).newest.number
        }
        try add(Self.draft("run", from: "2026-11-16", to: "2026-11-18"), id: "p")
        let events = ["events monday", "events wednesday", "pauses ann:p"]
        #expect(try feed(of: "ann", after: last).changes == events)
        #expect(try feed(of: "bob", after: last).changes == events)
        #expect(try feed(of: "cleo", after: last).changes == ["pauses ann:p"])
        #expect(try feed(of: "cleo", after: last).resets == 1)
        #expect(try feed(of: "dan", after: last).changes.isEmpty)
    }

    private func apply(_ change: SyncChange) throws -> SyncResult {
        try scene.act(as: "ann") { user in
            let state = try LogState(of: .viewer(user.viewer), in: user.session)
            return try SyncActions(user, tags: LogTags(state)).apply(change)
        }
    }

    @Test func clientCreatesChangesAndDeletesPause() throws {
        var record = RecordChange(.pause(Self.draft("run", from: "2026-11-16", to: "2026-11-17")))
        record.id = "ann:p"
        let created = try apply(SyncChange(.pauses, id: "ann:p", record: record))
        #expect(created.outcome == .created)
        #expect(try apply(SyncChange(.pauses, id: "ann:p", record: record)).outcome == .unchanged)
        var later = RecordChange(.pause(Self.draft("run", from: "2026-11-16", to: "2026-11-18")))
        later.id = "ann:p"
        let stale = try apply(SyncChange(.pauses, id: "ann:p", version: "old", record: later))
        #expect(stale.outcome == .conflict)
        let updated = try apply(SyncChange(.pauses, id: "ann:p", version: created.version, record: later))
        #expect(updated.outcome == .updated)
        #expect(try unplanned() == ["run 2026-11-16", "run 2026-11-18"])
        let deleted = try apply(SyncChange(.pauses, id: "ann:p", version: updated.version))
        #expect(deleted.outcome == .deleted)
        #expect(try unplanned().isEmpty)
    }

    /// After any sequence of changes, the union of all pauses determines the marks.
    @Test(arguments: [1, 2, 3] as [UInt64]) func marksFollowRandomChanges(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let first = try #require(Day("2026-11-14"))
        var stored: [String: (habit: String?, first: Day, last: Day?)] = [:]
        for step in 0..<25 {
            let begin = first.advanced(by: Int.random(in: 0..<6, using: &random))
            let end = Bool.random(using: &random) ? begin.advanced(by: Int.random(in: 0..<3, using: &random)) : nil
            let habit = ["run", "read", nil].randomElement(using: &random) ?? nil
            if let id = stored.keys.sorted().randomElement(using: &random), Bool.random(using: &random) {
                #expect(try refusal { pauses in try pauses.delete(id) } == nil)
                stored[id] = nil
            } else {
                try add(Self.draft(habit, from: begin.description, to: end?.description), id: "\(step)")
                stored["ann:\(step)"] = (habit, begin, end)
            }
            var expected: Set<String> = []
            for (habit, text) in [("run", "2026-11-16"), ("run", "2026-11-18"), ("read", "2026-11-18")] {
                let day = try #require(Day(text))
                let isPaused = stored.values.contains { pause in
                    let pausedHabit = pause.habit ?? habit
                    let last = pause.last ?? .last
                    return pausedHabit == habit && pause.first <= day && day <= last
                }
                if isPaused { expected.insert("\(habit) \(day)") }
            }
            #expect(try unplanned() == expected, "step \(step), seed \(seed)")
        }
        #expect(try PauseMarks.areConsistent(in: scene.store))
    }
}
