import Base
import HabitModel
import HabitStore

/// A simple model of the store after any sequence of actions, with dictionaries only.
struct SequenceModel {
    struct Habit {
        var owner: String
        var title: String
        var days: UInt8
    }
    struct Event: Equatable {
        var habit: String
        var day: Day
        var outcome: Outcome
        var comment: String?
    }
    struct Item: Equatable {
        var owner: String
        var state: ItemState
        var holder: String?
    }

    static let today = Day("2026-11-20") ?? .first

    var habits: [String: Habit] = [:]
    var events: [String: Event] = [:]
    var items: [String: Item] = [:]
    var follows: [String: [String: (status: FollowStatus, share: Share)]] = [:]
    /// Senders and recipients of the messages, by item.
    var messages: [String: [(from: String, to: String)]] = [:]

    // MARK: Visibility

    func grant(to viewer: String, by owner: String) -> Share? {
        if let follow = follows[viewer]?[owner], follow.status == .accepted { follow.share } else { nil }
    }

    func canSee(_ viewer: String, habit id: String) -> Bool {
        habits[id].map { $0.owner == viewer || grant(to: viewer, by: $0.owner) != nil } ?? false
    }

    func canSee(_ viewer: String, event id: String) -> Bool {
        guard let event = events[id], let habit = habits[event.habit] else { return false }
        if habit.owner == viewer { return true }
        let newest = events.values.filter { $0.habit == event.habit }.map(\.day).max()
        return switch grant(to: viewer, by: habit.owner) {
        case .all: true
        case .latest: event.day == newest
        case nil: false
        }
    }

    // MARK: The error of each action, or nil if it succeeds

    mutating func add(
        event id: String?,
        to habit: String,
        on day: Day,
        outcome: Outcome,
        by user: String
    ) -> ErrorCode? {
        guard canSee(user, habit: habit), let stored = habits[habit] else { return .notFound }
        guard stored.owner == user else { return .notYours }
        guard day <= Self.today else { return .dayInFuture }
        guard stored.days >> UInt8(day.weekday - 1) & 1 == 1 else { return .eventNotDue }
        if let (key, old) = events.first(where: { $0.value.habit == habit && $0.value.day == day }) {
            guard old.outcome == .skipped, outcome == .done else { return .eventExists }
            events[key]?.outcome = .done
            return nil
        }
        if let id { events[id] = Event(habit: habit, day: day, outcome: outcome) }
        return nil
    }

    mutating func edit(event id: String, day: Day?, comment: String?, by user: String) -> ErrorCode? {
        guard canSee(user, event: id), let event = events[id], let habit = habits[event.habit] else { return .notFound }
        guard habit.owner == user else { return .notYours }
        if let day, day != event.day {
            guard day <= Self.today else { return .dayInFuture }
            guard habit.days >> UInt8(day.weekday - 1) & 1 == 1 else { return .eventNotDue }
            guard !events.contains(where: { $0.value.habit == event.habit && $0.value.day == day }) else {
                return .eventExists
            }
        }
        guard (comment?.count ?? 0) <= 20 else { return .commentTooLong }
        events[id]?.day = day ?? event.day
        if let comment { events[id]?.comment = comment }
        return nil
    }

    mutating func delete(event id: String, by user: String) -> ErrorCode? {
        guard canSee(user, event: id), let event = events[id] else { return .notFound }
        guard habits[event.habit]?.owner == user else { return .notYours }
        events[id] = nil
        return nil
    }

    mutating func delete(habit id: String, by user: String) -> ErrorCode? {
        guard canSee(user, habit: id) else { return .notFound }
        guard habits[id]?.owner == user else { return .notYours }
        habits[id] = nil
        events = events.filter { $0.value.habit != id }
        return nil
    }

    mutating func request(_ followee: String, by user: String) -> ErrorCode? {
        guard followee != user else { return .selfFollow }
        switch follows[user]?[followee]?.status {
        case .accepted: return .alreadyFollowing
        case .pending: return .alreadyRequested
        case .rejected, nil:
            follows[user, default: [:]][followee] = (.pending, .all)
            return nil
        }
    }

    mutating func respond(_ follower: String, _ status: FollowStatus, share: Share?, by user: String) -> ErrorCode? {
        let current = follows[follower]?[user]?.status
        if status == .accepted, current == .accepted, let share {
            follows[follower]?[user] = (.accepted, share)
            return nil
        }
        if status == .accepted, current == .accepted { return .alreadyFollowing }
        guard current == .pending else { return .notFound }
        follows[follower]?[user] = (status, status == .accepted ? share ?? .all : .all)
        return nil
    }

    mutating func endFollow(follower: String, followee: String, byFollower: Bool) -> ErrorCode? {
        let status = follows[follower]?[followee]?.status
        guard status == .accepted || (byFollower && status == .pending) else { return .notFound }
        follows[follower]?[followee] = nil
        return nil
    }

    mutating func claim(_ id: String, by user: String) -> ErrorCode? {
        guard let item = items[id] else { return .notFound }
        guard item.owner != user else { return .ownItem }
        switch item.state {
        case .claimed: return .itemAlreadyClaimed
        case .given, .withdrawn: return .itemUnavailable
        case .available:
            items[id]?.state = .claimed
            items[id]?.holder = user
            return nil
        }
    }

    mutating func changeState(_ id: String, to state: ItemState, by user: String) -> ErrorCode? {
        guard let item = items[id] else { return .notFound }
        guard item.owner == user || (state == .available && item.holder == user) else { return .notYours }
        let isOpen = item.state == .claimed || (state == .withdrawn && item.state == .available)
        guard isOpen else { return .itemStateConflict }
        items[id]?.state = state
        if state != .given { items[id]?.holder = nil }
        return nil
    }

    mutating func send(_ id: String, to recipient: String, by user: String) -> ErrorCode? {
        guard let item = items[id] else { return .notFound }
        guard recipient != user else { return .fieldInvalid }
        guard item.owner == user || item.owner == recipient else { return .messageNotPermitted }
        let claimer = item.owner == user ? recipient : user
        let hasWritten = messages[id, default: []].contains { $0.from == recipient && $0.to == user }
        guard item.holder == claimer || hasWritten else { return .messageNotPermitted }
        messages[id, default: []].append((user, recipient))
        return nil
    }
}
