import Base
import HabitModel
import HabitTestSupport
import StoreEngine
import Testing

@testable import HabitStore

/// Tests of the identities of users.
@Suite struct IdentityTests {
    private static func identity(
        _ subject: String,
        issuer: String = "https://id.example",
        email: String? = nil,
        isEmailTrusted: Bool = true
    ) -> VerifiedIdentity {
        VerifiedIdentity(
            issuer: issuer,
            subject: subject,
            email: email,
            isEmailTrusted: isEmailTrusted,
            name: "Ann")
    }

    /// Runs `body` in a store with the users `ann` and `bob`.
    private static func run(_ body: (any Session, _ ann: Viewer, _ bob: Viewer) throws -> Void) throws {
        let store = try TestStore()
        try store.write([.user("ann"), .user("bob")])
        try store.engine.write { session in
            try body(session, .user(named: "ann", in: session), .user(named: "bob", in: session))
        }
    }

    @Test func identityIsAddedListedAndRemoved() throws {
        try Self.run { session, ann, bob in
            let signIn = SignIn(in: session)
            let identities = Identities(in: session)
            #expect(try signIn.add(Self.identity("1", email: "Ann@example.org"), to: ann))
            #expect(try signIn.add(Self.identity("1", issuer: "https://other.example"), to: ann))
            #expect(try !signIn.add(Self.identity("1"), to: ann), "the account has it already")
            let all = try identities.identities(of: ann)
            #expect(all.map(\.issuer) == ["https://id.example", "https://other.example"])
            #expect(all.map(\.subject) == ["1", "1"])
            #expect(all.map(\.email) == ["ann@example.org", nil])
            #expect(Set(all.map(\.id)).count == 2)
            #expect(try identities.identities(of: bob).isEmpty)
            #expect(try identities.identities(of: .operator).isEmpty)
            let first = try #require(all.first)
            #expect(throws: HabitError.self) { try identities.remove(first.id, of: bob) }
            #expect(throws: HabitError.self) { try identities.remove(first.id, of: .operator) }
            #expect(throws: HabitError.self) { try identities.remove("", of: ann) }
            #expect(try identities.remove(first.id, of: ann) == first)
            #expect(try identities.identities(of: ann).map(\.issuer) == ["https://other.example"])
            #expect(throws: HabitError.self) { try identities.remove(first.id, of: ann) }
            // Another account can have it now.
            #expect(try signIn.add(Self.identity("1"), to: bob))
        }
    }

    @Test func identityBelongsToOneAccount() throws {
        try Self.run { session, ann, bob in
            let signIn = SignIn(in: session)
            #expect(try signIn.add(Self.identity("1"), to: ann))
            let error = #expect(throws: HabitError.self) { try signIn.add(Self.identity("1"), to: bob) }
            #expect(error?.code == .userExists)
            #expect(throws: HabitError.self) { try signIn.add(Self.identity("2"), to: .operator) }
            let account = try signIn.account(of: Self.identity("1"), signUp: .invited)
            #expect(account.user == ann)
            #expect(account.change == nil)
        }
    }

    /// An address belongs to one identity, so that a second one is added without it.
    @Test func addressStaysWithFirstIdentity() throws {
        try Self.run { session, ann, bob in
            let signIn = SignIn(in: session)
            let email = "ann@example.org"
            var added: [Bool] = []
            for (subject, email, user) in [
                ("1", email, ann), ("2", email, ann), ("3", email, bob), ("4", "a!b@my_host.example", bob),
            ] {
                added.append(try signIn.add(Self.identity(subject, email: email), to: user))
            }
            #expect(added == [true, true, true, true])
            #expect(try Identities(in: session).identities(of: ann).map(\.email) == [email, nil])
            #expect(try Identities(in: session).identities(of: bob).map(\.email) == [nil, nil])
            #expect(try signIn.account(of: Self.identity("2", email: email), signUp: .invited).user == ann)
            #expect(try signIn.account(of: Self.identity("3", email: email), signUp: .invited).user == bob)
        }
    }

    /// The conversion to NFC makes K of the Kelvin sign.
    @Test(arguments: ["\u{212A}ate@example.org", "e\u{301}va@example.org", "a,b@example.org", "kate", ""])
    func addressThatIsNotOneAddressInNFCCountsAsNone(email: String) throws {
        #expect(Self.identity("1", email: email).email == nil)
        #expect(Self.identity("1", email: "éva@example.org").email == "éva@example.org")
    }

    /// An address that the operator does not trust neither opens an account nor belongs to one.
    @Test func untrustedAddressOpensNoAccount() throws {
        let store = try TestStore()
        var ann = UserRecord(id: "ann")
        ann.email = .value("ann@example.org")
        try store.write([.user(ann)])
        try store.engine.write { session in
            let signIn = SignIn(in: session)
            let untrusted = Self.identity(
                "1", issuer: "https://evil.example", email: "ann@example.org", isEmailTrusted: false)
            #expect(throws: NotInvited.self) { try signIn.account(of: untrusted, signUp: .invited) }
            let other = try signIn.account(of: untrusted, signUp: .anyone)
            #expect(other.change == .create)
            let trusted = try signIn.account(of: Self.identity("1", email: "ann@example.org"), signUp: .invited)
            #expect(trusted.change == .link)
            #expect(trusted.user == (try .user(named: "ann", in: session)))
            #expect(trusted.user != other.user)
        }
    }

    // MARK: Accounts with an address

    private static let email = "ann@example.org"

    private static func untrusted(_ subject: String) -> VerifiedIdentity {
        identity(subject, issuer: "https://evil.example", email: email, isEmailTrusted: false)
    }

    /// Runs `body` in a store with the user `ann`, whose address the operator has entered.
    private static func runWithAddress(
        _ body: (any Session, _ ann: Viewer, _ actions: TokenActions) throws -> Void
    ) throws {
        let store = try TestStore()
        var ann = UserRecord(id: "ann")
        ann.email = .value(email)
        try store.write([.user(ann)])
        try store.engine.write { session in
            let actions = TokenActions(clock: Clock(now: .now), in: session)
            try body(session, .user(named: "ann", in: session), actions)
        }
    }

    /// An attacker prepares an account with the address of another person, and keeps a link.
    @Test func preparedAccountIsNotOpenedByTrustedAddress() throws {
        let store = try TestStore()
        try store.engine.write { session in
            let signIn = SignIn(in: session)
            let prepared = try signIn.account(of: Self.untrusted("1"), signUp: .anyone).user
            let identities = Identities(in: session)
            try identities.remove(try identities.identities(of: prepared)[0].id, of: prepared)
            let actions = TokenActions(clock: Clock(now: .now), in: session)
            let link = try actions.createLink(for: prepared, .device).token
            #expect(try LinkRecipient.find(Self.email, in: session) == nil)
            let victim = try signIn.account(of: Self.identity("2", email: Self.email), signUp: .anyone)
            #expect(victim.change == .create)
            #expect(victim.user != prepared)
            #expect(try actions.redeemLink(link.secret) == prepared)
            #expect(try LinkRecipient.find(Self.email, in: session)?.viewer == victim.user)
        }
    }

    /// A person with the address at an issuer that the operator does not trust cannot keep the invited person out.
    @Test func untrustedAddressBlocksNoOtherPerson() throws {
        try Self.runWithAddress { session, ann, _ in
            let signIn = SignIn(in: session)
            let other = try signIn.account(of: Self.untrusted("1"), signUp: .anyone).user
            let identities = Identities(in: session)
            try identities.remove(try identities.identities(of: other)[0].id, of: other)
            #expect(try LinkRecipient.find(Self.email, in: session)?.viewer == ann)
            #expect(try signIn.account(of: Self.identity("2", email: Self.email), signUp: .invited).user == ann)
        }
    }

    @Test func firstSignInDeletesOpenLinks() throws {
        try Self.runWithAddress { session, ann, actions in
            let links = try LinkPurpose.allCases.map { purpose in try actions.createLink(for: ann, purpose).token }
            let identity = Self.identity("1", email: Self.email)
            #expect(try SignIn(in: session).account(of: identity, signUp: .invited).user == ann)
            for link in links {
                #expect(try actions.redeemLink(link.secret) == nil)
            }
            // A later sign-in deletes none.
            let later = try actions.createLink(for: ann, .device).token
            _ = try SignIn(in: session).account(of: identity, signUp: .invited)
            #expect(try actions.redeemLink(later.secret) == ann)
        }
    }

    /// A person who has signed in another way does not get a second account with the same address.
    @Test(arguments: [SignUp.invited, .anyone]) func accountInUseIsNeitherOpenedNorDoubled(signUp: SignUp) throws {
        try Self.runWithAddress { session, ann, actions in
            let created = try actions.createSession(for: ann, from: .signIn)
            #expect(created != nil)
            let identity = Self.identity("1", email: "ANN@example.org")
            let error = #expect(throws: HabitError.self) {
                try SignIn(in: session).account(of: identity, signUp: signUp)
            }
            #expect(error?.code == .userExists)
            // The person adds the identity instead.
            #expect(try SignIn(in: session).add(identity, to: ann))
            #expect(try SignIn(in: session).account(of: identity, signUp: signUp).user == ann)
        }
    }

    @Test func addressOfAccountFollowsTrustedIdentity() throws {
        try Self.runWithAddress { session, ann, _ in
            let signIn = SignIn(in: session)
            func recipient(_ address: String) throws -> Viewer? {
                try LinkRecipient.find(address, in: session)?.viewer
            }
            for email in [Self.email, "new@example.org"] {
                #expect(try signIn.account(of: Self.identity("1", email: email), signUp: .invited).user == ann)
            }
            #expect(try recipient("new@example.org") == ann)
            #expect(try recipient(Self.email) == nil)
            // The account keeps its address if another account has the new one.
            var draft = UserDraft()
            draft.email = .value("bob@example.org")
            try AccountActions(.operator, in: session).add("bob", draft)
            _ = try signIn.account(of: Self.identity("1", email: "bob@example.org"), signUp: .invited)
            #expect(try recipient("new@example.org") == ann)
            // An address that the operator has given later stays.
            draft.email = .value("own@example.org")
            try AccountActions(.operator, in: session).edit("ann", draft)
            _ = try signIn.account(of: Self.identity("1", email: "third@example.org"), signUp: .invited)
            #expect(try recipient("own@example.org") == ann)
        }
    }
}
