import Base
import Geo
import HabitModel
import HabitTestSupport
import StoreEngine

@testable import HabitStore

/// A store in which `ann` and `bob` follow each other, claim items of each other and write messages.
///
/// `cat` is a third user, whom both follow, with a message of `bob`.
struct BlockScene {
    /// The end of the relation of two users.
    enum End {
        case none
        /// A user blocks another user.
        case block(by: String, of: String)
        /// The account of a user is deleted.
        case deletion(of: String)
    }

    /// The blocking and the blocked user, in both directions.
    static let directions = [("ann", "bob"), ("bob", "ann")]
    /// Saturday, 2026-11-21, at noon in UTC.
    static let clock = Clock(now: Instant(microseconds: 1_795_262_400_000_000))

    let store: TestStore
    /// The number of the last change before the end of the relation.
    let last: Int64

    init(_ end: End = .none) throws {
        store = try TestStore()
        try store.write(Self.users + Self.sharedRecords + Self.items + Self.messages + Self.reads)
        last = try store.engine.read { session in
            try LogState(of: .viewer(.operator), in: session).newest.number
        }
        try apply(end)
    }

    /// Ends the relation of two users.
    func apply(_ end: End) throws {
        switch end {
        case .none:
            break
        case .block(let blocker, let blocked):
            try act(as: blocker) { user in try BlockActions(user).block(blocked) }
        case .deletion(let user):
            try store.engine.write { session in
                _ = try AccountActions(.operator, in: session).delete(user)
            }
        }
    }

    private static let users: [Record] = ["ann", "bob", "cat"].map { id in
        var record = UserRecord(id: id)
        record.name = .value("\(id.capitalized) Name")
        return .user(record)
    }

    private static var sharedRecords: [Record] {
        var records: [Record] = [
            .follow("ann", "bob"),
            .follow("bob", "ann", share: .latest),
            .follow("ann", "cat"),
            .follow("bob", "cat"),
        ]
        for user in ["ann", "bob", "cat"] {
            records.append(.habit("\(user)-run", of: user, title: "Run"))
            records.append(.event("\(user)-run", "2026-11-01", id: "\(user)-old", comment: "rain", at: place))
            records.append(.event("\(user)-run", "2026-11-02", id: "\(user)-new", at: place))
            var post = PostRecord(id: "\(user)-post", user: user)
            post.position = place.map { position in .value(position) } ?? .absent
            records.append(.post(post))
        }
        return records
    }

    private static let place = Position(longitude: 10, latitude: 50)

    /// `bob` has claimed the lamp of `ann`, and `ann` has the chair of `bob`.
    private static var items: [Record] {
        let owners = [
            ("lamp", "ann"),
            ("vase", "ann"),
            ("chair", "bob"),
            ("sofa", "bob"),
            ("pot", "cat"),
            ("rug", "cat"),
        ]
        let records = owners.map { id, user in
            var item = ItemRecord(id: id, user: user, name: id.capitalized)
            item.position = place.map { position in .value(position) } ?? .absent
            return Record.item(item)
        }
        return records + [claim("lamp", by: "bob"), claim("chair", by: "ann", state: .given)]
    }

    private static func claim(_ item: String, by user: String, state: ClaimState = .claimed) -> Record {
        var claim = ClaimRecord(item: item, user: user)
        claim.state = .value(state)
        return .claim(claim)
    }

    private static let messages: [Record] = [
        ("m1", "lamp", "bob", "ann"),
        ("m2", "chair", "bob", "ann"),
        ("m3", "chair", "ann", "bob"),
        ("m4", "pot", "bob", "cat"),
    ].map { id, item, sender, recipient in
        var message = MessageRecord(item: item, sender: sender, recipient: recipient, text: "Hello \(id)")
        message.id = id
        return .message(message)
    }

    private static let reads: [Record] = [("lamp", "bob"), ("chair", "ann")].map { item, user in
        .read(ReadRecord(item: item, user: user, readAt: OffsetInstant(clock.now, offset: nil)))
    }

    /// Runs `body` in a transaction of a user.
    @discardableResult
    func act<Result>(as name: String, _ body: (ActingUser) throws -> Result) throws -> Result {
        try store.engine.write { session in
            let viewer = try Viewer.user(named: name, in: session)
            let user = try ActingUser(viewer, clock: Self.clock, in: session)
            return try body(user)
        }
    }

    // MARK: What a user sees

    /// A list of records that a user reads.
    struct ReadPath: Sendable {
        var name: String
        var selection: @Sendable (any Session, Viewer) throws -> Selection
    }

    /// The lists and the single records of every kind.
    static let paths: [ReadPath] = lists + singles

    private static let lists: [ReadPath] = [
        ReadPath(name: "users") { session, viewer in try UserQuery(viewer: viewer).selection(in: session) },
        ReadPath(name: "search of users") { session, viewer in
            var query = UserQuery(viewer: viewer)
            query.search = "name"
            return try query.selection(in: session)
        },
        ReadPath(name: "items") { session, viewer in
            var query = ItemQuery(viewer: viewer, clock: clock)
            query.states = []
            return try query.selection(in: session)
        },
        ReadPath(name: "items near") { session, viewer in
            var query = ItemQuery(viewer: viewer, clock: clock)
            query.states = []
            query.near = place.map { center in Near(center: center) }
            return try query.selection(in: session)
        },
        ReadPath(name: "habits") { session, viewer in
            var query = HabitQuery(viewer: viewer, clock: clock)
            query.isOfAll = true
            return try query.selection(in: session)
        },
        ReadPath(name: "following") { session, viewer in
            try FollowingQuery(viewer: viewer, clock: clock).selection(in: session)
        },
        ReadPath(name: "events") { session, viewer in try EventQuery(viewer: viewer).selection(in: session) },
        ReadPath(name: "posts") { session, viewer in try PostQuery(viewer: viewer).selection(in: session) },
        ReadPath(name: "follows") { session, viewer in try FollowQuery(viewer: viewer).selection(in: session) },
        ReadPath(name: "claims") { session, viewer in try ClaimQuery(viewer: viewer).selection(in: session) },
        ReadPath(name: "messages") { session, viewer in try MessageQuery(viewer: viewer).selection(in: session) },
        ReadPath(name: "inbox") { session, viewer in try InboxQuery(viewer: viewer).selection(in: session) },
    ]

    private static let singles: [ReadPath] =
        ["ann", "bob", "cat"].map { id in
            ReadPath(name: "user \(id)") { session, viewer in
                try UserQuery.one(id, viewer: viewer, in: session)
            }
        }
        + ["lamp", "chair", "sofa", "pot"].map { id in
            ReadPath(name: "item \(id)") { session, viewer in
                try ItemQuery.one(id, viewer: viewer, clock: clock, in: session)
            }
        }
        + ["m1", "m3", "m4"].map { id in
            ReadPath(name: "message \(id)") { session, viewer in
                try MessageQuery.one(id, viewer: viewer, in: session)
            }
        }
        + [("lamp", "bob"), ("chair", "ann")].map { item, user in
            ReadPath(name: "claim \(item)/\(user)") { session, viewer in
                try ClaimQuery.one(of: (item, user), viewer: viewer, in: session)
            }
        }

    /// Returns the rows of a list for a user.
    func rows(_ path: ReadPath, as user: String) throws -> [[String]] {
        try store.rows(as: user) { session, viewer in try path.selection(session, viewer) }
    }

    /// Returns the changes after the end of the relation for a user, as `kind id`, and the resets, as `kind user *`.
    func changes(for user: String) throws -> Set<String> {
        Set(try entries(for: user))
    }

    /// Returns the resets, as `kind user *`, and then the changes, as `kind id`, in the order in which a client gets
    /// them.
    ///
    /// - Parameters:
    ///   - user: The ID of the viewer.
    ///   - number: The number of the last change that the client has, or `nil` for the last change of the scene.
    /// - Returns: The entries of the list of changes.
    /// - Throws: An error of the engine.
    func entries(for user: String, after number: Int64? = nil) throws -> [String] {
        try store.engine.read { session in
            let viewer = try Viewer.user(named: user, in: session)
            let now = try LogState(of: .viewer(.operator), in: session).newest.number
            let feed = try ChangeFeed(for: viewer, after: number ?? last, upTo: now, in: session)
            let resets = feed.resets.map { reset in "\(reset.collection.rawValue) \(reset.user ?? "") *" }
            let changes = feed.changes.map { change in "\(change.collection.rawValue) \(change.id)" }
            return resets + changes
        }
    }

    /// Returns the versions of records that a user may edit, by ID.
    func versions(of kind: RecordKind, _ ids: [String], as user: String) throws -> [String: Int64] {
        try store.engine.read { session in
            let viewer = try Viewer.user(named: user, in: session)
            return try RecordVersions(kind, viewer: viewer, in: session).all(of: ids)
        }
    }

    /// Returns the number of the newest change.
    func newest() throws -> Int64 {
        try store.engine.read { session in
            try LogState(of: .viewer(.operator), in: session).newest.number
        }
    }

    /// Returns the number of the newest change that a user can see.
    func newest(for user: String) throws -> Int64 {
        try store.engine.read { session in
            let viewer = try Viewer.user(named: user, in: session)
            return try LogState(of: .viewer(viewer), in: session).newest.number
        }
    }
}
