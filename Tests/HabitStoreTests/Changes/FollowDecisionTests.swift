import HabitModel
import HabitTestSupport
import Testing

@testable import HabitStore

/// Tests of the decisions of a followed user on the requests of followers.
@Suite struct FollowDecisionTests {
    /// A follow, a change of it by the followed user, and the follow after the change or the error.
    struct Decision: Sendable, CustomTestStringConvertible {
        var stored: String
        var status: FollowStatus?
        var share: Share?
        var outcome: String
        var testDescription: String

        init(_ row: String) {
            let words = row.split(separator: " ").map(String.init)
            stored = words[0]
            status = FollowStatus(rawValue: words[1])
            share = Share(rawValue: words[2])
            outcome = words[3]
            testDescription = row
        }

        /// The stored record, or `nil` if there is no follow.
        var record: Record? {
            let parts = stored.split(separator: "/").map(String.init)
            guard let status = FollowStatus(rawValue: parts[0]) else { return nil }
            return .follow("bob", "ann", status: status, share: Share(rawValue: parts[1]) ?? .all)
        }
    }

    /// The columns are the stored follow, the status and the share of the change, and the outcome.
    static let decisions: [Decision] = """
        none            -        -      field-invalid
        none            pending  -      field-invalid
        none            accepted -      not-found
        none            accepted all    not-found
        none            rejected -      not-found
        pending/all     -        -      pending/all
        pending/all     -        all    pending/all
        pending/all     -        latest field-invalid
        pending/all     pending  -      pending/all
        pending/all     pending  all    pending/all
        pending/all     pending  latest field-invalid
        pending/all     accepted -      accepted/all
        pending/all     accepted all    accepted/all
        pending/all     accepted latest accepted/latest
        pending/all     rejected -      rejected/all
        pending/all     rejected latest rejected/all
        accepted/all    -        -      accepted/all
        accepted/all    -        latest accepted/latest
        accepted/all    accepted -      accepted/all
        accepted/all    accepted latest accepted/latest
        accepted/all    pending  -      field-invalid
        accepted/all    rejected -      not-found
        accepted/latest -        -      accepted/latest
        accepted/latest -        all    accepted/all
        accepted/latest accepted -      accepted/latest
        accepted/latest accepted all    accepted/all
        accepted/latest pending  all    field-invalid
        accepted/latest rejected -      not-found
        rejected/all    -        -      rejected/all
        rejected/all    -        latest rejected/all
        rejected/all    pending  -      field-invalid
        rejected/all    accepted -      not-found
        rejected/all    accepted latest not-found
        rejected/all    rejected -      rejected/all
        """.split(separator: "\n").map { row in Decision(String(row)) }

    private static func scene(_ decision: Decision) throws -> ChangeScene {
        var records: [Record] = [.user("ann"), .user("bob"), .user("cleo")]
        if let follow = decision.record {
            records.append(follow)
        }
        return try ChangeScene(records)
    }

    /// Makes the change as a user and returns the code of the error.
    private static func decide(
        _ decision: Decision,
        as user: String,
        in scene: ChangeScene
    ) throws -> String? {
        let change = FollowChange(status: decision.status, share: decision.share)
        return try scene.update("bob/ann", to: .follow(change), as: user)
    }

    private static func stored(in scene: ChangeScene) throws -> String {
        let follow = try scene.follow("bob", "ann")
        return follow.replacing(" ", with: "/")
    }

    @Test(arguments: decisions)
    func followedUserDecides(decision: Decision) throws {
        let scene = try Self.scene(decision)
        let refusal = try Self.decide(decision, as: "ann", in: scene)
        let stored = try Self.stored(in: scene)
        let outcome = refusal ?? stored
        #expect(outcome == decision.outcome)
        if refusal != nil {
            #expect(stored == decision.stored)
        }
    }

    @Test(arguments: decisions, ["bob", "cleo"])
    func otherUsersDoNotDecide(decision: Decision, user: String) throws {
        let scene = try Self.scene(decision)
        let refusal = try Self.decide(decision, as: user, in: scene)
        #expect(refusal == "not-yours")
        let stored = try Self.stored(in: scene)
        #expect(stored == decision.stored)
    }

    /// The arguments are the status, the user who ends the follow, and `deleted` or the error.
    ///
    /// The follower withdraws the request or ends the follow, and the followed user removes the follower.
    @Test(arguments: [
        "pending  bob  deleted",
        "accepted bob  deleted",
        "rejected bob  not-found",
        "pending  ann  not-found",
        "accepted ann  deleted",
        "rejected ann  not-found",
        "accepted cleo not-found",
    ])
    func bothUsersEndFollow(row: String) throws {
        let words = row.split(separator: " ").map(String.init)
        let decision = Decision("\(words[0])/all - - -")
        let scene = try Self.scene(decision)
        let refusal = try scene.refusal(as: words[1]) { actions in
            try actions.delete(.follows, id: "bob/ann")
        }
        let outcome = refusal ?? "deleted"
        #expect(outcome == words[2])
        let stored = try Self.stored(in: scene)
        let expected = refusal == nil ? "none" : decision.stored
        #expect(stored == expected)
    }

    @Test(arguments: FollowStatus.allCases)
    func newFollowIsPending(status: FollowStatus) throws {
        let scene = try Self.scene(Decision("none - - -"))
        let follow = FollowChange(followee: "ann", status: status)
        let change = RecordChange(.follow(follow))
        let refusal = try scene.refusal(as: "bob") { actions in
            let id = try actions.create(change)
            #expect(id == "bob/ann")
        }
        let stored = try Self.stored(in: scene)
        let outcome = refusal ?? stored
        #expect(outcome == (status == .pending ? "pending/all" : "field-invalid"))
    }
}
