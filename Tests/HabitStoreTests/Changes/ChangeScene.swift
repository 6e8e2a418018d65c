import Base
import HabitModel
import HabitTestSupport
import StoreEngine

@testable import HabitStore

/// A store in which users change records, and the results of their changes as texts.
struct ChangeScene {
    let store: TestStore
    /// Friday, 2026-11-20, at noon in UTC.
    static let clock = Clock(now: Instant(microseconds: 1_795_176_000_000_000))

    init(_ records: [Record]) throws {
        store = try TestStore()
        try store.write(records)
    }

    /// Runs `body` in a transaction of a user.
    func act<Result>(as name: String, _ body: (ActingUser) throws -> Result) throws -> Result {
        try store.engine.write { session in
            let viewer = try Viewer.user(named: name, in: session)
            let user = try ActingUser(viewer, clock: Self.clock, in: session)
            return try body(user)
        }
    }

    /// Performs actions of a user and returns the code of their error, or `nil` if they succeed.
    func refusal(as name: String, _ body: (RecordActions) throws -> Void) throws -> String? {
        do {
            try act(as: name) { user in
                let actions = RecordActions(user)
                try body(actions)
            }
            return nil
        } catch let error as HabitError {
            return error.code.slug
        }
    }

    /// Changes a record as a user and returns the code of the error, or `nil` if the change is permitted.
    func update(_ id: String, to values: RecordChange.Values, as name: String) throws -> String? {
        let change = RecordChange(values)
        return try refusal(as: name) { actions in
            try actions.update(id, with: change)
        }
    }

    /// Returns the texts of the columns of the first row, separated by spaces, or `none` without a row.
    func row(
        _ columns: [String],
        _ selection: (any Session, Viewer) throws -> Selection
    ) throws -> String {
        let rows = try store.rows(columns: columns, selection)
        guard let first = rows.first else { return "none" }
        return first.joined(separator: " ")
    }

    /// Returns the state of an item.
    func state(ofItem id: String) throws -> String {
        try row(["state"]) { session, viewer in
            try ItemQuery.one(
                id,
                viewer: viewer,
                clock: Self.clock,
                in: session)
        }
    }

    /// Returns the state of the claim of a user on an item.
    func state(ofClaim item: String, by user: String) throws -> String {
        let pair = (item, user)
        return try row(["state"]) { session, viewer in
            try ClaimQuery.one(of: pair, viewer: viewer, in: session)
        }
    }

    /// Returns the status and the share of a follow.
    func follow(_ follower: String, _ followee: String) throws -> String {
        let pair = (follower, followee)
        return try row(["status", "share"]) { session, viewer in
            try FollowQuery.one(of: pair, viewer: viewer, in: session)
        }
    }
}
