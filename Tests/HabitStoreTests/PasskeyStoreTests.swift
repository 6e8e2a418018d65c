import Base
import HabitModel
import HabitTestSupport
import StoreEngine
import Testing

@testable import HabitStore

/// Tests of passkeys in the store.
@Suite struct PasskeyStoreTests {
    private static let now = OffsetInstant("2026-11-20T12:00:00Z").map(\.instant) ?? .now

    private static func makeStore() throws -> TestStore {
        let store = try TestStore()
        try store.write([.user("ann"), .user("bob")])
        return store
    }

    /// Runs `body` with the viewers `ann` and `bob`.
    private static func run<Result>(
        _ store: TestStore,
        _ body: (PasskeyActions, (ann: Viewer, bob: Viewer)) throws -> Result
    ) throws -> Result {
        try store.engine.write { session in
            let ann = try Viewer.user(named: "ann", in: session)
            let bob = try Viewer.user(named: "bob", in: session)
            return try body(PasskeyActions(clock: Clock(now: now), in: session), (ann, bob))
        }
    }

    private static func credential(_ id: UInt8, counter: UInt32 = 0) -> Passkey.Credential {
        Passkey.Credential(
            id: [id, 0, 0xff],
            userHandle: [1, 2],
            publicKey: [3, 0, 4],
            algorithm: .rs256,
            counter: counter)
    }

    @Test func addedPasskeyIsFound() throws {
        let store = try Self.makeStore()
        try Self.run(store) { actions, users in
            let added = try actions.add(Self.credential(1, counter: .max), label: "phone", for: users.ann)
            #expect(try actions.passkeys(of: users.ann) == [added])
            #expect(try actions.passkeys(of: users.bob).isEmpty)
            #expect(try actions.passkeys(of: .operator).isEmpty)
            #expect(try actions.passkey(credential: [1, 0, 0xff]) == added)
            #expect(try actions.passkey(credential: [1, 0]) == nil)
            #expect(try actions.passkey(credential: []) == nil)
            #expect(added.owner == users.ann)
            #expect(added.credential == Self.credential(1, counter: .max))
            #expect(added.id.count == 12)
        }
    }

    @Test func handleIsTheSameForAllPasskeysOfUser() throws {
        let store = try Self.makeStore()
        try Self.run(store) { actions, users in
            let first = PasskeyActions.userHandle(after: [])
            #expect(first.count == 32)
            #expect(PasskeyActions.userHandle(after: []) != first)
            let passkey = try actions.add(Self.credential(1), label: nil, for: users.ann)
            #expect(PasskeyActions.userHandle(after: [passkey]) == [1, 2])
        }
    }

    @Test func credentialBelongsToOneUser() throws {
        let store = try Self.makeStore()
        try Self.run(store) { actions, users in
            _ = try actions.add(Self.credential(1), label: nil, for: users.ann)
            for user in [users.ann, users.bob] {
                #expect(throws: PasskeyRefusal.known) {
                    try actions.add(Self.credential(1), label: nil, for: user)
                }
            }
            #expect(throws: (any Error).self) { try actions.add(Self.credential(2), label: nil, for: .operator) }
            #expect(throws: (any Error).self) { try actions.add(Self.credential(2), label: "a\nb", for: users.ann) }
            #expect(try actions.passkeys(of: users.ann).count == 1)
        }
    }

    @Test func userHasAtMost20Passkeys() throws {
        let store = try Self.makeStore()
        try Self.run(store) { actions, users in
            for number in 1...UInt8(PasskeyActions.limit) {
                _ = try actions.add(Self.credential(number), label: nil, for: users.ann)
            }
            #expect(throws: PasskeyRefusal.tooMany) {
                try actions.add(Self.credential(99), label: nil, for: users.ann)
            }
            _ = try actions.add(Self.credential(99), label: nil, for: users.bob)
        }
    }

    @Test func onlyOwnerChangesPasskey() throws {
        let store = try Self.makeStore()
        try Self.run(store) { actions, users in
            let id = try actions.add(Self.credential(1), label: nil, for: users.ann).id
            for other in [users.bob, .operator] {
                #expect(throws: HabitError.self) { try actions.rename(id: id, to: "x", by: other) }
                #expect(throws: HabitError.self) { try actions.remove(id: id, by: other) }
                #expect(throws: HabitError.self) { try actions.passkey(id: id, of: other) }
            }
            try actions.rename(id: id, to: "key", by: users.ann)
            #expect(try actions.passkey(id: id, of: users.ann).label == "key")
            try actions.remove(id: id, by: users.ann)
            #expect(throws: HabitError.self) { try actions.remove(id: id, by: users.ann) }
            #expect(try actions.passkey(credential: [1, 0, 0xff]) == nil)
        }
    }

    @Test func counterOnlyGrows() throws {
        let store = try Self.makeStore()
        try Self.run(store) { actions, users in
            let passkey = try actions.add(Self.credential(1), label: nil, for: users.ann)
            let uses: [(counter: UInt32, isRecorded: Bool)] = [
                (0, true),
                (3, true),
                (3, false),
                (2, false),
                (0, false),
                (.max, true),
                (.max, false),
            ]
            for use in uses {
                #expect(try actions.recordUse(of: passkey, counter: use.counter) == use.isRecorded, "\(use)")
            }
            let stored = try actions.passkey(id: passkey.id, of: users.ann)
            #expect(stored.credential.counter == .max)
            #expect(stored.used == Self.now)
        }
    }

    @Test func deletedAccountHasNoPasskeys() throws {
        let store = try Self.makeStore()
        try Self.run(store) { actions, users in
            _ = try actions.add(Self.credential(1), label: nil, for: users.ann)
        }
        try store.engine.write { session in _ = try AccountActions(.operator, in: session).delete("ann") }
        let count = try store.engine.read { session in
            try session.first("SELECT count(*) FROM passkey") { row in row.integer(0) }
        }
        #expect(count == 0)
    }

    /// The passkey may belong to a different person.
    @Test func verifiedAddressDoesNotOpenAccountWithPasskey() throws {
        let store = try TestStore()
        let identity = VerifiedIdentity(
            issuer: "i", subject: "s", email: "ann@example.org", isEmailTrusted: true, name: nil)
        try store.engine.write { session in
            var draft = UserDraft()
            draft.email = .value("ann@example.org")
            try AccountActions(.operator, in: session).add("ann", draft)
            let ann = try Viewer.user(named: "ann", in: session)
            let actions = PasskeyActions(clock: Clock(now: Self.now), in: session)
            let passkey = try actions.add(Self.credential(1), label: nil, for: ann)
            let error = #expect(throws: HabitError.self) {
                try SignIn(in: session).account(of: identity, signUp: .anyone)
            }
            #expect(error?.code == .userExists)
            try actions.remove(id: passkey.id, by: ann)
            #expect(try SignIn(in: session).account(of: identity, signUp: .invited).user == ann)
        }
    }
}
