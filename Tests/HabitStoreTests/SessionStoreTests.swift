import Base
import HabitModel
import HabitTestSupport
import Testing

@testable import HabitStore
@testable import StoreEngine
@testable import StorePostGIS
@testable import StoreSpatiaLite

/// Tests of the sessions of browsers in the store.
@Suite struct SessionStoreTests {
    private static let begin = OffsetInstant("2026-11-20T12:00:00Z").map(\.instant) ?? .now
    private static let day: Int64 = 86_400

    /// Returns the instant a number of seconds after the beginning of a test.
    private static func instant(_ seconds: Int64) -> Instant {
        Instant(microseconds: begin.microseconds + seconds * 1_000_000)
    }

    /// Runs `body` at a time after the beginning of a test, with the viewer `ann`.
    private static func run<Result>(
        _ store: TestStore,
        at seconds: Int64 = 0,
        _ body: (TokenActions, Viewer) throws -> Result
    ) throws -> Result {
        try store.engine.write { session in
            let actions = TokenActions(clock: Clock(now: instant(seconds)), in: session)
            return try body(actions, try Viewer.user(named: "ann", in: session))
        }
    }

    private static func makeStore() throws -> TestStore {
        let store = try TestStore()
        try store.write([.user("ann"), .user("bob")])
        return store
    }

    /// Creates a bearer token and a session from it.
    private static func open(
        _ store: TestStore,
        tokenDays: Int64 = 366
    ) throws -> (token: Token, session: Token) {
        try run(store) { actions, ann in
            let token = try actions.create(for: ann, label: nil, lifetime: .seconds(tokenDays * day))
            let made = try actions.createSession(for: ann, from: .token(secret: token.secret))
            return (token, try #require(made).token)
        }
    }

    @Test func sessionHasOwnKindAndPrefix() throws {
        let store = try Self.makeStore()
        let opened = try Self.open(store)
        let token = opened.token
        let session = opened.session
        #expect(session.secret.hasPrefix("hbs_"))
        #expect(session.secret.utf8.count == 47)
        let first = try Self.run(store) { actions, _ in try actions.owner(of: token.secret) }
        let second = try Self.run(store) { actions, _ in try actions.owner(of: session.secret) }
        #expect(first?.kind == .bearer)
        #expect(second?.kind == .session)
        #expect(second?.viewer == first?.viewer)
        #expect(session.expires == Self.instant(30 * Self.day))
    }

    /// The expiry moves at most once a day, and to at most 366 days after the sign-in.
    @Test func expiryMovesDaily() throws {
        let store = try Self.makeStore()
        let session = try Self.open(store).session
        func renewed(at seconds: Int64) throws -> Instant? {
            try Self.run(store, at: seconds) { actions, _ in
                let owner = try #require(try actions.owner(of: session.secret))
                let next = owner.renewedExpiry(at: Self.instant(seconds))
                if let next { try actions.renewSession(session.secret, until: next) }
                return next
            }
        }
        #expect(try renewed(at: Self.day - 1) == nil)
        #expect(try renewed(at: Self.day) == Self.instant(31 * Self.day))
        #expect(try renewed(at: Self.day) == nil)
        #expect(try renewed(at: 2 * Self.day - 1) == nil)
        var days: Int64 = 29
        while days < 336 {
            #expect(try renewed(at: days * Self.day) == Self.instant((days + 30) * Self.day))
            days += 29
        }
        #expect(try renewed(at: 340 * Self.day) == Self.instant(366 * Self.day))
        #expect(try renewed(at: 365 * Self.day) == nil)
        let end = try Self.run(store, at: 366 * Self.day) { actions, _ in try actions.owner(of: session.secret) }
        #expect(end == nil)
    }

    @Test func unusedSessionEndsAfter30Days() throws {
        let store = try Self.makeStore()
        let session = try Self.open(store).session
        for (seconds, isValid) in [(30 * Self.day - 1, true), (30 * Self.day, false)] {
            let owner = try Self.run(store, at: seconds) { actions, _ in try actions.owner(of: session.secret) }
            #expect((owner != nil) == isValid, "\(seconds)")
        }
    }

    @Test func sessionExpiresWithItsToken() throws {
        let store = try Self.makeStore()
        let opened = try Self.open(store, tokenDays: 5)
        let token = opened.token
        let session = opened.session
        #expect(session.expires == token.expires)
        let owner = try Self.run(store, at: 4 * Self.day) { actions, _ in try actions.owner(of: session.secret) }
        #expect(owner?.renewedExpiry(at: Self.instant(4 * Self.day)) == nil)
    }

    private enum Revocation: CaseIterable {
        case secret, id, all, session
    }

    @Test(arguments: Revocation.allCases) private func revocationEndsSession(_ revocation: Revocation) throws {
        let store = try Self.makeStore()
        let opened = try Self.open(store)
        let token = opened.token
        let session = opened.session
        let other = try Self.open(store).session
        let left = try Self.run(store) { actions, ann in
            switch revocation {
            case .secret: try actions.revoke(secret: token.secret)
            case .id: try actions.revoke(id: token.id, by: ann)
            case .all: _ = try actions.revokeAll(of: ann)
            case .session: try actions.revoke(id: session.id, Token.Kind.ofSessions, by: ann)
            }
            let all = [token, session, other]
            return try all.map { token in try actions.owner(of: token.secret) != nil }
        }
        switch revocation {
        case .secret, .id: #expect(left == [false, false, true])
        case .all: #expect(left == [false, false, false])
        case .session: #expect(left == [true, false, true])
        }
    }

    @Test func revocationCountsSessions() throws {
        let store = try Self.makeStore()
        _ = try Self.open(store)
        _ = try Self.open(store)
        let count = try Self.run(store) { actions, ann in try actions.revokeAll(of: ann) }
        #expect(count == 4)
    }

    @Test func onlyValidBearerTokenOpensSession() throws {
        let store = try Self.makeStore()
        let session = try Self.open(store).session
        let made = try Self.run(store) { actions, ann in
            let calendar = try actions.createCalendar(for: ann, label: nil).token
            let expired = try actions.create(for: ann, label: nil, lifetime: .zero)
            let secrets = [session.secret, calendar.secret, expired.secret, "hbt_unknown", ""]
            return try secrets.map { secret in try actions.createSession(for: ann, from: .token(secret: secret)) != nil
            }
        }
        #expect(made == [false, false, false, false, false])
    }

    @Test func operatorSessionEndsAfter8Hours() throws {
        let store = try Self.makeStore()
        let digest = Token.digest(of: "file")
        let sessions = try Self.run(store) { actions, _ in
            let token = try actions.create(for: .operator, label: nil, lifetime: .seconds(90 * Self.day))
            let stored = try actions.createSession(for: .operator, from: .token(secret: token.secret))
            let file = try actions.createSession(for: .operator, from: .operatorFile(digest: digest))
            return (stored: try #require(stored).token, file: try #require(file).token)
        }
        for session in [sessions.stored, sessions.file] {
            #expect(session.expires == Self.instant(8 * 3600))
            let owner = try Self.run(store, at: 7 * 3600) { actions, _ in try actions.owner(of: session.secret) }
            #expect(owner?.viewer == .operator)
            #expect(owner?.renewedExpiry(at: Self.instant(7 * 3600)) == nil)
            #expect(owner?.operatorDigest == (session.id == sessions.file.id ? digest : nil))
        }
    }

    @Test func newSessionEndsOldest() throws {
        let store = try Self.makeStore()
        let opened = try Self.open(store)
        let token = opened.token
        let first = opened.session
        let result = try Self.run(store, at: 1) { actions, ann in
            var revoked: [String] = []
            for _ in 0..<TokenActions.sessionLimit {
                let made = try #require(try actions.createSession(for: ann, from: .token(secret: token.secret)))
                revoked += made.revoked
            }
            let kinds = try actions.tokens(of: ann, Token.Kind.ofSessions).map(\.kind)
            return (revoked: revoked, kinds: kinds)
        }
        #expect(result.revoked == [first.id])
        #expect(result.kinds.count(where: { kind in kind == .session }) == TokenActions.sessionLimit)
        #expect(result.kinds.count(where: { kind in kind == .bearer }) == 1)
    }

    // MARK: Migration

    /// The steps before the migration.
    private static let earlier = SchemaStep.all.prefix { step in
        guard case .spatiaLite(let file, isRequired: _) = step else { return true }
        return file != HabitStore.PackageResources._20_sessions_sql
    }

    /// Opens a store with the schema before the migration, or with the current one.
    private static func open(_ location: StoreLocation, isEarlier: Bool) throws -> any Engine {
        let steps = isEarlier ? Array(earlier) : SchemaStep.all
        let access: StoreAccess = isEarlier ? .create : .write
        switch location {
        case .file(let path):
            return try SpatiaLiteEngine(path: path, access: access, wait: .zero, schema: steps.ofSpatiaLite)
        case .database(let url):
            return try PostGISEngine(url: url, access: access, wait: .zero, schema: steps.ofPostGIS)
        }
    }

    /// Secrets of the earlier version stay valid for their purpose.
    @Test(.disabled(if: TestServer.isCluster, "a new store of a cluster has the current schema"))
    func migrationKeepsTokens() throws {
        let folder = try TemporaryFolder()
        let location = StoreLocation(try TestServer.store(at: folder.file("habitat.db")))
        let secrets = ["hbt_bearer", "hbt_sign-in", "hbc_calendar"]
        try Self.open(location, isEarlier: true).write { session in
            try session.run("INSERT INTO account (id, external_id) VALUES (1, 'ann')")
            for (index, secret) in secrets.enumerated() {
                let digest: SQL = "\(.blob(Token.digest(of: secret)), as: "digest")"
                let flags = ["0, 0", "1, 0", "0, 1"][index]
                try session.run(
                    """
                    INSERT INTO token
                      (external_id, user_id, sha256, label, created_at, expires_at, is_session, is_calendar)
                    VALUES ('\(raw: secret)', 1, \(digest), NULL, 0, 253402300799000000, \(raw: flags))
                    """)
            }
        }
        let engine = try Self.open(location, isEarlier: false)
        try engine.write { session in
            let actions = TokenActions(clock: Clock(now: Self.begin), in: session)
            let owners = try secrets.map { secret in try #require(try actions.owner(of: secret)) }
            #expect(owners.map(\.kind) == [.bearer, .signIn, .calendar])
            #expect(owners.allSatisfy { owner in owner.viewer == .user(key: 1, id: "ann") })
            let ann = Viewer.user(key: 1, id: "ann")
            #expect(try actions.createSession(for: ann, from: .token(secret: "hbt_sign-in")) != nil)
            let view = try actions.createView(for: ann, try ViewDefinition(layers: [.events]), label: nil)
            #expect(try actions.owner(of: view.secret)?.kind == .view)
        }
        #expect(try StoreDoctor(engine).examine().allSatisfy { check in check.status == .ok })
    }
}
