import Base
import Geo
import HabitModel
import HabitStore
import HabitTestSupport
import Photos
import StoreEngine
import Testing

/// Tests that changes of events are reverted completely, and only if the events are as the changes left them.
@Suite struct EventUndoTests {
    private static let clock = Clock(now: OffsetInstant("2026-11-20T12:00:00Z")?.instant ?? .now)
    private static let habits = ["run", "read", "gym"]
    private static let days = (0..<6).map { offset in (Day("2026-11-20") ?? .first).advanced(by: -offset) }

    /// The stored events by ID, each with all its values.
    private typealias State = [String: [String]]

    /// The changes of one command, with the states of its events according to the model.
    private struct Command {
        var changes: [EventJournal.Change]
        var before: State
        var after: State
    }

    private static func store() throws -> TestStore {
        let store = try TestStore()
        var gym = HabitRecord(id: "gym", user: "me", title: "Gym", schedule: .everyDay)
        gym.targetAmount = .value(20)
        try store.write([
            .user("me"),
            .habit("run", of: "me"),
            .habit("read", of: "me", days: 0b001_0101),
            .habit(gym),
        ])
        return store
    }

    private static func state(_ session: any Session) throws -> State {
        let sql: SQL = """
            SELECT event.external_id, habit.external_id, event.day, event.occurred_at, event.utc_offset, event.comment,
              event.outcome, event.amount, event.unplanned, event.geometry, photo.sha256
            FROM event
            JOIN habit ON habit.id = event.habit_id
            LEFT JOIN photo ON photo.id = event.photo_id
            """
        var state: State = [:]
        try session.query(sql) { row in
            let position = row.position(9).map { position in "\(position.longitude) \(position.latitude)" }
            let numbers = [3, 4, 7].map { index in row.isNull(index) ? "" : "\(row.number(index))" }
            let texts = [1, 2, 5, 6].map { index in row.text(index) ?? "" }
            let id = row.text(0) ?? ""
            let others = ["\(row.integer(8))", position ?? "", "\(row.blob(10))"]
            state[id] = texts + numbers + others
            return true
        }
        return state
    }

    /// Returns the events that differ between two states.
    private static func command(_ journal: EventJournal, from before: State, to after: State) -> Command {
        let ids = Set(before.keys).union(after.keys).filter { id in before[id] != after[id] }
        return Command(
            changes: journal.changes, before: before.filter { id, _ in ids.contains(id) },
            after: after.filter { id, _ in ids.contains(id) })
    }

    private static func draft(_ photos: [Photo], _ random: inout SeededGenerator) -> EventDraft {
        var draft = EventDraft()
        draft.day = days.randomElement(using: &random)
        draft.allowsUnplanned = Bool.random(using: &random)
        if Bool.random(using: &random) { draft.details.comment = .value("c\(Int.random(in: 0..<9, using: &random))") }
        if Bool.random(using: &random) { draft.details.amount = .value(Double.random(in: 0..<30, using: &random)) }
        if Int.random(in: 0..<3, using: &random) == 0, let photo = photos.randomElement(using: &random) {
            draft.details.photo = .value(photo)
        }
        if Int.random(in: 0..<4, using: &random) == 0 { draft.details.photo = .null }
        if Int.random(in: 0..<3, using: &random) == 0 {
            let degrees = Double.random(in: -80..<80, using: &random)
            draft.details.position = Position(longitude: degrees, latitude: degrees).map { .value($0) } ?? .null
        }
        return draft
    }

    /// Changes one or two events.
    private static func change(
        _ state: State,
        by actions: EventActions,
        photos: [Photo],
        using random: inout SeededGenerator
    ) throws {
        for _ in 0..<Int.random(in: 1...2, using: &random) {
            let habit = habits.randomElement(using: &random) ?? "run"
            let draft = draft(photos, &random)
            let event = state.keys.sorted().randomElement(using: &random)
            switch (Int.random(in: 0..<6, using: &random), event) {
            case (0, let event?): try actions.delete(event)
            case (1, let event?): try actions.edit(event, draft)
            case (2, _): _ = try actions.put(habit: habit, draft, as: .skipped)
            case (3, _): _ = try actions.add(habit: habit, draft)
            default: _ = try actions.put(habit: habit, draft, as: .done)
            }
        }
    }

    /// Returns the result that the model expects.
    private static func expected(_ command: Command, in state: State) -> String {
        let ids = Set(command.before.keys).union(command.after.keys)
        if ids.allSatisfy({ id in state[id] == command.before[id] }) { return "unnecessary" }
        let isAsLeft = ids.allSatisfy { id in
            let isFree = state.allSatisfy { other, values in
                other == id || command.before[id].map { $0[0...1] != values[0...1] } ?? true
            }
            return state[id] == command.after[id] && isFree
        }
        return isAsLeft ? "undone" : "changed"
    }

    private static func word(_ undo: EventUndo) -> String {
        switch undo {
        case .undone: "undone"
        case .undoneWithoutPosition: "undone without position"
        case .unnecessary: "unnecessary"
        case .changedSince: "changed"
        }
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func randomSequencesAgreeWithModel(seed: UInt64) throws {
        let store = try Self.store()
        let photos = try [200, 300, 400].map { size in try Photo(Array(TestImage.png(byteCount: size))) }
        var random = SeededGenerator(seed: seed)
        var log: [Command] = []
        var counts: [String: Int] = [:]
        for step in 0..<350 {
            let state = try store.engine.read { session in try Self.state(session) }
            let choice = Int.random(in: 0..<10, using: &random)
            let isJournaled = choice < 6
            if choice >= 7, let command = log.popLast() {
                let result = try store.engine.write { session in
                    let viewer = try Viewer.user(named: "me", in: session)
                    let user = try ActingUser(viewer, clock: Self.clock, in: session)
                    return Self.word(try EventActions(user).undo(command.changes))
                }
                #expect(result == Self.expected(command, in: state), "seed \(seed), step \(step)")
                counts[result, default: 0] += 1
                var restored = state
                if result == "undone" {
                    for id in command.after.keys { restored[id] = nil }
                    restored.merge(command.before) { _, before in before }
                }
                let now = try store.engine.read { session in try Self.state(session) }
                #expect(now == restored, "seed \(seed), step \(step), \(result)")
                continue
            }
            let journal = EventJournal()
            do {
                try store.engine.write { session in
                    let viewer = try Viewer.user(named: "me", in: session)
                    let user = try ActingUser(viewer, clock: Self.clock, in: session)
                    let actions = EventActions(user, journal: isJournaled ? journal : nil)
                    try Self.change(state, by: actions, photos: photos, using: &random)
                }
            } catch is HabitError {
                continue
            }
            guard isJournaled else { continue }
            let now = try store.engine.read { session in try Self.state(session) }
            let command = Self.command(journal, from: state, to: now)
            #expect(command.changes.isEmpty == (command.before.isEmpty && command.after.isEmpty))
            if !command.changes.isEmpty { log.append(command) }
        }
        #expect(counts["undone", default: 0] > 20, "\(counts)")
        #expect(counts["changed", default: 0] > 0, "\(counts)")
    }

    /// An undo of another value keeps the position, although the account no longer allows positions.
    @Test func unchangedPositionIsKeptAgainstAccount() throws {
        let store = try Self.store()
        let journal = EventJournal()
        func act(_ body: (ActingUser) throws -> Void) throws {
            try store.engine.write { session in
                let viewer = try Viewer.user(named: "me", in: session)
                try body(ActingUser(viewer, clock: Self.clock, in: session))
            }
        }
        let position = try #require(Position(longitude: 1, latitude: 2))
        var draft = EventDraft()
        draft.details.position = .value(position)
        try act { user in _ = try EventActions(user).put(habit: "run", draft, as: .done) }
        try act { user in
            var edit = EventDraft()
            edit.details.comment = .value("rain")
            _ = try EventActions(user, journal: journal).put(habit: "run", edit, as: .done)
        }
        var account = UserRecord(id: "me")
        account.sharesLocation = .value(false)
        try store.write([.user(account)])
        try act { user in
            let result = try EventActions(user).undo(journal.changes)
            #expect(Self.word(result) == "undone")
            let last = try LastPosition(viewer: user.viewer).find(in: user.session)
            #expect(last == position)
            let day = try HabitDay.of(habit: "run", on: user.today, of: user)
            #expect(day?.comment == nil)
        }
    }

    /// A position cannot come back after the account no longer allows stored positions.
    @Test func positionIsNotRestoredAgainstAccount() throws {
        let store = try Self.store()
        let journal = EventJournal()
        func act(_ body: (ActingUser) throws -> Void) throws {
            try store.engine.write { session in
                let viewer = try Viewer.user(named: "me", in: session)
                try body(ActingUser(viewer, clock: Self.clock, in: session))
            }
        }
        var draft = EventDraft()
        draft.details.position = Position(longitude: 1, latitude: 2).map { .value($0) } ?? .null
        try act { user in _ = try EventActions(user).put(habit: "run", draft, as: .done) }
        try act { user in
            var edit = EventDraft()
            edit.details.position = .null
            _ = try EventActions(user, journal: journal).put(habit: "run", edit, as: .done)
        }
        var account = UserRecord(id: "me")
        account.sharesLocation = .value(false)
        try store.write([.user(account)])
        try act { user in
            let result = try EventActions(user).undo(journal.changes)
            #expect(Self.word(result) == "undone without position")
            let position = try LastPosition(viewer: user.viewer).find(in: user.session)
            #expect(position == nil)
            let day = try HabitDay.of(habit: "run", on: user.today, of: user)
            #expect(day?.outcome == .done)
        }
    }
}
