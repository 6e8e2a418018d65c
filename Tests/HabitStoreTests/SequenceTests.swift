import Base
import HabitModel
import HabitStore
import HabitTestSupport
import Testing

/// Tests random sequences of actions against a simple model.
///
/// Each outcome and the visible records of each user are compared.
@Suite struct SequenceTests {
    fileprivate static let users = ["ann", "bob", "cem", "dia"]
    fileprivate static let clock = Clock(now: OffsetInstant("2026-11-20T12:00:00Z")?.instant ?? .now)

    @Test(arguments: 1...12 as ClosedRange<UInt64>) func storeMatchesModelAfterRandomActions(seed: UInt64) throws {
        let store = try TestStore()
        try store.write(Self.users.map { .user($0) })
        var run = Run(store: store, random: SeededGenerator(seed: seed))
        for step in 1...120 {
            let action = try run.step()
            try run.compare("seed \(seed), step \(step): \(action)")
        }
    }

    private struct Run {
        let store: TestStore
        var random: SeededGenerator
        var model = SequenceModel()
        var made = 0

        /// Performs a random action on the store and the model, and returns its description.
        mutating func step() throws -> String {
            let user = SequenceTests.users.randomElement(using: &random) ?? ""
            let other = SequenceTests.users.randomElement(using: &random) ?? ""
            let habit = model.habits.keys.sorted().randomElement(using: &random) ?? "no-habit"
            let event = model.events.keys.sorted().randomElement(using: &random) ?? "no-event"
            let item = model.items.keys.sorted().randomElement(using: &random) ?? "no-item"
            let day = SequenceModel.today.advanced(by: Int.random(in: -9...1, using: &random))
            var next = model
            var id: String?
            let choice = Int.random(in: 0..<15, using: &random)
            let expected: ErrorCode?
            let actual: ErrorCode?
            switch choice {
            case 0:
                made += 1
                let name = "habit-\(made)"
                let mask = UInt8.random(in: 1...127, using: &random)
                actual = try act(user) { try HabitActions($0).add(Self.habit(name, mask), id: "\(user):\(name)") }
                next.habits["\(user):\(name)"] = .init(owner: user, title: name, days: mask)
                expected = nil
            case 1, 2, 3:
                actual = try act(user) {
                    var draft = EventDraft()
                    draft.day = day
                    id = try EventActions($0).add(habit: habit, draft)
                }
                expected = next.add(event: id, to: habit, on: day, outcome: .done, by: user)
            case 4:
                actual = try act(user) {
                    var draft = EventDraft()
                    draft.day = day
                    id = try EventActions($0).skip(habit: habit, draft)
                }
                expected = next.add(event: id, to: habit, on: day, outcome: .skipped, by: user)
            case 5:
                let comment =
                    Bool.random(using: &random) ? nil : String(repeating: "x", count: Int(day.number % 3) + 19)
                let newDay = Bool.random(using: &random) ? nil : day
                actual = try act(user) {
                    var draft = EventDraft()
                    draft.day = newDay
                    draft.details.comment = comment.map { .value($0) } ?? .absent
                    try EventActions($0).edit(event, draft)
                }
                expected = next.edit(event: event, day: newDay, comment: comment, by: user)
            case 6:
                actual = try act(user) { try EventActions($0).delete(event) }
                expected = next.delete(event: event, by: user)
            case 7:
                guard Int.random(in: 0..<4, using: &random) == 0 else { return "nothing" }
                actual = try act(user) { _ = try HabitActions($0).delete(habit) }
                expected = next.delete(habit: habit, by: user)
            case 8:
                actual = try act(user) { try FollowActions($0).request(other) }
                expected = next.request(other, by: user)
            case 9:
                let share = [nil, Share.all, .latest].randomElement(using: &random) ?? nil
                actual = try act(user) { try FollowActions($0).accept(other, share: share) }
                expected = next.respond(other, .accepted, share: share, by: user)
            case 10:
                let byFollower = Bool.random(using: &random)
                actual = try act(user) {
                    if byFollower { try FollowActions($0).remove(other) } else { try FollowActions($0).drop(other) }
                }
                expected = next.endFollow(
                    follower: byFollower ? user : other, followee: byFollower ? other : user, byFollower: byFollower)
            case 11:
                actual = try act(user) { try FollowActions($0).reject(other) }
                expected = next.respond(other, .rejected, share: nil, by: user)
            case 12:
                made += 1
                let name = "item-\(made)"
                try store.write([.item(ItemRecord(id: name, user: user, name: name))])
                next.items[name] = .init(owner: user, state: .available)
                expected = nil
                actual = nil
            case 13:
                let move = [nil, ItemState.available, .given, .withdrawn].randomElement(using: &random) ?? nil
                actual = try act(user) {
                    switch move {
                    case .available: try ItemActions($0).release(item)
                    case .given: try ItemActions($0).give(item)
                    case .withdrawn: try ItemActions($0).withdraw(item)
                    default: try ItemActions($0).claim(item)
                    }
                }
                if let move {
                    expected = next.changeState(item, to: move, by: user)
                } else {
                    expected = next.claim(item, by: user)
                }
            default:
                actual = try act(user) {
                    _ = try MessageActions($0).send(item: item, to: other, text: "Hello \(made)")
                }
                expected = next.send(item, to: other, by: user)
            }
            #expect(actual == expected, "\(choice) by \(user), \(other), \(habit), \(event), \(item), \(day)")
            if expected == nil { model = next }
            return "\(choice) by \(user)"
        }

        private static func habit(_ title: String, _ mask: UInt8) -> HabitDraft {
            var draft = HabitDraft()
            draft.title = .value(title)
            draft.schedule = Weekdays(mask: Int(mask)).map { .value(.weekdays($0)) } ?? .absent
            draft.start = .value(SequenceModel.today.advanced(by: -100))
            return draft
        }

        /// Returns the error code of a refused action, or `nil` if it succeeds.
        private func act(_ user: String, _ body: (ActingUser) throws -> some Any) throws -> ErrorCode? {
            do {
                try store.engine.write { session in
                    let viewer = try Viewer.user(named: user, in: session)
                    _ = try body(try ActingUser(viewer, clock: SequenceTests.clock, in: session))
                }
                return nil
            } catch let error as HabitError {
                return error.code
            }
        }

        /// Compares the visible records of each user and of the operator.
        func compare(_ step: String) throws {
            for user in SequenceTests.users {
                let events = try store.rows(as: user, columns: ["id", "day", "outcome", "comment"]) { session, viewer in
                    try EventQuery(viewer: viewer).selection(in: session)
                }
                let expected = model.events.filter { model.canSee(user, event: $0.key) }.map {
                    [$0.key, $0.value.day.description, $0.value.outcome.rawValue, $0.value.comment ?? "∅"]
                }
                #expect(Set(events) == Set(expected), "\(step), events of \(user)")
            }
            let items = try store.rows(columns: ["id", "user", "state", "claimed_by"]) { session, viewer in
                var query = ItemQuery(viewer: viewer, clock: SequenceTests.clock)
                query.states = []
                return try query.selection(in: session)
            }
            let expected = model.items.map {
                [$0.key, $0.value.owner, $0.value.state.rawValue, $0.value.holder ?? "∅"]
            }
            #expect(Set(items) == Set(expected), "\(step), items")
        }
    }
}
