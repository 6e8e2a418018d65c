import Base
import HabitModel
import HabitTestSupport
import Testing

@testable import HabitStore
@testable import StoreEngine

/// Tests of one-time links in the store.
@Suite struct SignInLinkStoreTests {
    private static let begin = OffsetInstant("2026-11-20T12:00:00Z").map(\.instant) ?? .now

    private static func clock(at seconds: Int64) -> Clock {
        Clock(now: Instant(microseconds: begin.microseconds + seconds * 1_000_000))
    }

    /// Runs `body` at a time after the beginning of a test, with the viewer `ann`.
    private static func run<Result>(
        _ engine: any Engine,
        at seconds: Int64 = 0,
        _ body: (TokenActions, Viewer) throws -> Result
    ) throws -> Result {
        try engine.write { session in
            let actions = TokenActions(clock: clock(at: seconds), in: session)
            return try body(actions, try Viewer.user(named: "ann", in: session))
        }
    }

    private static func makeStore() throws -> TestStore {
        let store = try TestStore()
        try store.write([.user("ann"), .user("bob")])
        return store
    }

    /// Checks that a secret is not a valid link.
    private static func expectInvalid(_ secret: String, _ actions: TokenActions) throws {
        let owner = try actions.linkOwner(secret)
        let redeemed = try actions.redeemLink(secret)
        #expect(owner == nil)
        #expect(redeemed == nil)
    }

    private static func makeLink(_ store: TestStore, _ purpose: LinkPurpose = .invitation) throws -> Token {
        try run(store.engine) { actions, ann in try actions.createLink(for: ann, purpose).token }
    }

    @Test func linkOpensOneSession() throws {
        let store = try Self.makeStore()
        let link = try Self.makeLink(store)
        #expect(link.secret.hasPrefix("hbl_"))
        #expect(link.secret.utf8.count == 47)
        try Self.run(store.engine, at: 60) { actions, ann throws in
            let isLink = try actions.owner(of: link.secret)?.kind == .link
            #expect(isLink)
            let isOfAnn = try actions.linkOwner(link.secret) == LinkOwner(viewer: ann, name: "ann")
            #expect(isOfAnn)
            let redeemed = try actions.redeemLink(link.secret)
            #expect(redeemed == ann)
            let created = try #require(try actions.createSession(for: ann, from: .signIn))
            let owner = try #require(try actions.owner(of: created.token.secret))
            #expect(owner.kind == .session)
            #expect(owner.viewer == ann)
            #expect(!owner.hasSource)
            #expect(owner.lastExpiry == Self.clock(at: 60 + 366 * 86_400).now)
            try Self.expectInvalid(link.secret, actions)
            let hasNoLink = try actions.tokens(of: ann, [.link]).isEmpty
            #expect(hasNoLink)
        }
    }

    @Test func operatorHasNoLink() throws {
        let store = try Self.makeStore()
        _ = try Self.run(store.engine) { actions, _ throws in
            #expect(throws: HabitError.self) { try actions.createLink(for: .operator, .invitation) }
        }
    }

    @Test(arguments: zip(LinkPurpose.allCases, [7 * 86_400, 600, 900] as [Int64]))
    func linkExpires(purpose: LinkPurpose, lifetime: Int64) throws {
        let store = try Self.makeStore()
        let link = try Self.makeLink(store, purpose)
        #expect(link.expires == Self.clock(at: lifetime).now)
        try Self.run(store.engine, at: lifetime) { actions, _ throws in
            try Self.expectInvalid(link.secret, actions)
        }
        try Self.run(store.engine, at: lifetime - 1) { actions, _ throws in
            let isValid = try actions.redeemLink(link.secret) != nil
            #expect(isValid)
        }
    }

    private enum End: CaseIterable {
        case id, all, account
    }

    @Test(arguments: End.allCases) private func revokedLinkOpensNothing(end: End) throws {
        let store = try Self.makeStore()
        let link = try Self.makeLink(store)
        try store.engine.write { session throws in
            let actions = TokenActions(clock: Self.clock(at: 0), in: session)
            let ann = try Viewer.user(named: "ann", in: session)
            switch end {
            case .id: try actions.revoke(id: link.id, by: .operator)
            case .all: _ = try actions.revokeAll(of: ann)
            case .account: _ = try AccountActions(.operator, in: session).delete("ann")
            }
            try Self.expectInvalid(link.secret, actions)
        }
    }

    /// A link has no other purpose, and the other secrets are not links.
    @Test func kindsAreApart() throws {
        let store = try Self.makeStore()
        let link = try Self.makeLink(store)
        try Self.run(store.engine) { actions, ann throws in
            let opensNothing = try actions.createSession(for: ann, from: .token(secret: link.secret)) == nil
            #expect(opensNothing)
            let bearer = try actions.create(for: ann, label: "invitation", lifetime: .seconds(60))
            let calendar = try actions.createCalendar(for: ann, label: "invitation").token
            let session = try #require(try actions.createSession(for: ann, from: .token(secret: bearer.secret)))
            let hasSource = try actions.owner(of: session.token.secret)?.hasSource == true
            #expect(hasSource)
            let secrets = [bearer.secret, calendar.secret, session.token.secret]
            for secret in secrets + ["hbl_unknown", ""] {
                try Self.expectInvalid(secret, actions)
            }
            let isValid = try secrets.map { secret in try actions.owner(of: secret) != nil }
            #expect(isValid == [true, true, true])
        }
        #expect(!Token.Kind.bearers.contains(.link))
    }

    @Test func newLinkRevokesOldestOfSamePurpose() throws {
        let store = try Self.makeStore()
        let invitation = try Self.makeLink(store)
        let mail = try Self.makeLink(store, .mail)
        let first = try Self.makeLink(store, .device)
        let revoked = try (1...3).flatMap { second in
            try Self.run(store.engine, at: Int64(second)) { actions, ann in
                try actions.createLink(for: ann, .device).revoked
            }
        }
        #expect(revoked == [first.id])
        try Self.run(store.engine, at: 4) { actions, ann throws in
            for link in [invitation, mail] {
                let isKept = try actions.linkOwner(link.secret) != nil
                #expect(isKept)
            }
            let hasAllOthers = try actions.tokens(of: ann, [.link]).count == 5
            #expect(hasAllOthers)
        }
    }

    /// Two servers of a store redeem the same link.
    @Test func onlyOneOfTwoServersRedeemsLink() async throws {
        let store = try Self.makeStore()
        for _ in 0..<5 {
            let link = try Self.makeLink(store)
            let opened = await withTaskGroup(of: Bool.self) { group in
                for _ in 0..<2 {
                    group.addTask {
                        let engine = try? store.location.open(.write, wait: .seconds(5))
                        let redeemed = try? engine.flatMap { engine in
                            try Self.run(engine) { actions, _ in try actions.redeemLink(link.secret) }
                        }
                        return redeemed != nil
                    }
                }
                return await group.reduce(into: []) { opened, isOpened in opened.append(isOpened) }
            }
            #expect(opened.count(where: \.self) == 1)
        }
    }

    // MARK: Accounts

    private static func account(_ id: String, email: String) -> Record {
        var record = UserRecord(id: id)
        record.email = .value(email)
        return .user(record)
    }

    private static func recipient(_ address: String, in store: TestStore) throws -> String? {
        try store.engine.read { session in
            let recipient = try LinkRecipient.find(address, in: session)
            guard case .user(_, let id)? = recipient?.viewer else { return nil }
            return "\(id) \(recipient?.address ?? "")"
        }
    }

    @Test func linkIsMailedToAddressOfOneAccount() throws {
        let store = try TestStore()
        try store.write([
            Self.account("ann", email: "Ann@example.org"), Self.account("bob", email: "both@example.org"),
            Self.account("cid", email: "Both@example.org"), Self.account("dan", email: "straße@example.org"),
        ])
        #expect(try Self.recipient("ann@EXAMPLE.org", in: store) == "ann Ann@example.org")
        #expect(try Self.recipient("both@example.org", in: store) == nil)
        #expect(try Self.recipient("nobody@example.org", in: store) == nil)
        #expect(try Self.recipient("", in: store) == nil)
        // Another person may have the address in other letters.
        #expect(try Self.recipient("strasse@example.org", in: store) == nil)
        #expect(try Self.recipient("straße@example.org", in: store) == "dan straße@example.org")
    }

    @Test func verifiedAddressPrecedesEnteredAddress() throws {
        let store = try TestStore()
        let identity = VerifiedIdentity(
            issuer: "i", subject: "s", email: "both@example.org", isEmailTrusted: true, name: "Cid")
        try store.write([Self.account("mallory", email: "other@example.org")])
        try store.engine.write { session throws in
            _ = try SignIn(in: session).account(of: identity, signUp: .anyone)
        }
        try store.write([Self.account("mallory", email: "both@example.org")])
        #expect(try Self.recipient("both@example.org", in: store) == "cid both@example.org")
    }

    /// The address opens a loaded account, although a person has requested a link.
    @Test func unusedLinkDoesNotClaimAccount() throws {
        let store = try TestStore()
        try store.write([Self.account("ann", email: "ann@example.org")])
        let link = try Self.makeLink(store, .mail)
        let identity = VerifiedIdentity(
            issuer: "i", subject: "s", email: "ann@example.org", isEmailTrusted: true, name: "Ann")
        try store.engine.write { session throws in
            let account = try SignIn(in: session).account(of: identity, signUp: .invited)
            let ann = try Viewer.user(named: "ann", in: session)
            #expect(account.user == ann)
            try Self.expectInvalid(link.secret, TokenActions(clock: Self.clock(at: 0), in: session))
        }
    }
}
