import Base
import HabitModel
import HabitTestSupport
import StoreEngine
import Testing

@testable import HabitStore

/// Tests of blocks (C-35): for both users, a block looks like the deletion of the other account.
@Suite struct BlockTests {
    typealias Scene = BlockScene

    /// A user who looks at a store in which one of two users blocks the other.
    struct Side: Sendable, CustomTestStringConvertible {
        var blocker: String
        var blocked: String
        var viewer: String

        /// The user whom the block hides from the viewer.
        var hidden: String { viewer == blocker ? blocked : blocker }
        var testDescription: String { "\(blocker) blocks \(blocked), seen by \(viewer)" }

        func blockedScene() throws -> Scene { try Scene(.block(by: blocker, of: blocked)) }
        func deletedScene() throws -> Scene { try Scene(.deletion(of: hidden)) }
    }

    static let sides = Scene.directions.flatMap { blocker, blocked in
        [blocker, blocked].map { viewer in Side(blocker: blocker, blocked: blocked, viewer: viewer) }
    }

    // MARK: Reading

    @Test(arguments: sides) func blockedUserIsHiddenInEveryList(side: Side) throws {
        let blocked = try side.blockedScene()
        let deleted = try side.deletedScene()
        for path in Scene.paths {
            let rows = try blocked.rows(path, as: side.viewer)
            #expect(rows == (try deleted.rows(path, as: side.viewer)), "\(path.name)")
        }
    }

    @Test(arguments: sides) func thirdUserSeesSameRecordsExceptReleasedItem(side: Side) throws {
        let before = try Scene()
        let blocked = try side.blockedScene()
        for path in Scene.paths where !path.name.contains("item") {
            #expect(try blocked.rows(path, as: "cat") == (try before.rows(path, as: "cat")), "\(path.name)")
        }
        #expect(try blocked.changes(for: "cat") == ["items lamp"])
    }

    @Test(.userSQL, arguments: sides) func blockedUserIsHiddenInViewsAndFunctions(side: Side) throws {
        let statements = [
            "SELECT * FROM users ORDER BY id", "SELECT * FROM items ORDER BY id", "SELECT * FROM habits ORDER BY id",
            "SELECT * FROM events ORDER BY id", "SELECT * FROM posts ORDER BY id",
            "SELECT * FROM follows ORDER BY 1, 2", "SELECT * FROM claims ORDER BY 1, 2",
            "SELECT * FROM messages ORDER BY id", "SELECT * FROM local_times('items') ORDER BY id",
            "SELECT * FROM local_times('messages') ORDER BY id", "SELECT count(*) FROM users",
            "SELECT * FROM local_times('claims') ORDER BY id", "SELECT * FROM local_times('follows') ORDER BY id",
            "SELECT * FROM items_near(10, 50, 5000) ORDER BY id", "SELECT * FROM events_near(10, 50, 5000) ORDER BY id",
            "SELECT * FROM posts_near(10, 50, 5000) ORDER BY id", "SELECT * FROM user_standings(NULL) ORDER BY 1",
        ]
        let blocked = try side.blockedScene()
        let deleted = try side.deletedScene()
        for sql in statements {
            let rows = try Self.rows(sql, of: blocked, as: side.viewer)
            #expect(rows == (try Self.rows(sql, of: deleted, as: side.viewer)), "\(sql)")
        }
    }

    private static func rows(_ sql: String, of scene: Scene, as user: String) throws -> [[String?]] {
        var rows: [[String?]] = []
        try scene.store.analyze(as: user, clock: Scene.clock) { session, viewer in
            let query = AnalysisQuery(sql, viewer: viewer, clock: Scene.clock)
            try query.run(in: session) { shape in
                { row in rows.append(shape.columns.map { column in row.text(column.index) }) }
            }
        }
        return rows
    }

    @Test(arguments: sides) func extentsDoNotCountHiddenRecords(side: Side) throws {
        let blocked = try side.blockedScene()
        let deleted = try side.deletedScene()
        func extents(_ scene: Scene) throws -> [String] {
            try scene.store.engine.read { session in
                let viewer = try Viewer.user(named: side.viewer, in: session)
                return try [RecordKind.items, .claims, .messages, .events, .posts].map { kind in
                    "\(kind) \(String(describing: try ExtentQuery(kind, viewer: viewer).extent(in: session)))"
                }
            }
        }
        #expect(try extents(blocked) == (try extents(deleted)))
    }

    @Test(arguments: sides) func nameOfHiddenUserStandsForNoUser(side: Side) throws {
        let scene = try side.blockedScene()
        let name = "\(side.hidden.capitalized) Name"
        let id = try scene.act(as: side.viewer) { user in try user.names.userID(name) }
        #expect(id == name)
    }

    @Test func operatorSeesBothUsersAndBlock() throws {
        let scene = try Scene(.block(by: "ann", of: "bob"))
        let users = try scene.store.rows(columns: ["id"]) { session, viewer in
            try UserQuery(viewer: viewer).selection(in: session)
        }
        #expect(users == [["ann"], ["bob"], ["cat"]])
        let blocks = try scene.store.rows(columns: ["blocker", "blocked"]) { session, viewer in
            try BlockQuery(viewer: viewer).selection(in: session)
        }
        #expect(blocks == [["ann", "bob"]])
    }

    @Test func onlyBlockerReadsBlock() throws {
        let scene = try Scene(.block(by: "ann", of: "bob"))
        for (user, blocked) in [("ann", [["bob"]]), ("bob", []), ("cat", [])] {
            let rows = try scene.store.rows(as: user, columns: ["blocked"]) { session, viewer in
                try BlockQuery(viewer: viewer).selection(in: session)
            }
            #expect(rows == blocked, "\(user)")
        }
    }

    // MARK: Errors

    /// An action on a user or on records of a user.
    struct Attempt: Sendable {
        var name: String
        var body: @Sendable (ActingUser, _ other: String, _ item: String) throws -> Void
    }

    static let attempts: [Attempt] = [
        Attempt(name: "follow") { user, other, _ in try FollowActions(user).request(other) },
        Attempt(name: "accept") { user, other, _ in try FollowActions(user).accept(other, share: nil) },
        Attempt(name: "end of follow") { user, other, _ in try FollowActions(user).remove(other) },
        Attempt(name: "removal of follower") { user, other, _ in try FollowActions(user).drop(other) },
        Attempt(name: "claim") { user, _, item in try ItemActions(user).claim(item) },
        Attempt(name: "release") { user, _, item in try ItemActions(user).release(item) },
        Attempt(name: "change of claim") { user, _, item in
            _ = try ItemActions(user).itemOfActiveClaim(CompositeID.text([item, user.id]))
        },
        Attempt(name: "message") { user, _, item in
            _ = try MessageActions(user).send(item: item, to: nil, text: "Hello")
        },
        Attempt(name: "message to user") { user, other, item in
            _ = try MessageActions(user).send(item: item, to: other, text: "Hello")
        },
        Attempt(name: "message about another item") { user, other, _ in
            _ = try MessageActions(user).send(item: "pot", to: other, text: "Hello")
        },
        Attempt(name: "deletion of message") { user, _, _ in try MessageActions(user).delete("m3") },
        Attempt(name: "photo") { user, _, item in
            _ = try PhotoQuery(.item, item, viewer: user.viewer).find(in: user.session)
        },
        Attempt(name: "filter by user") { user, other, _ in
            var query = ItemQuery(viewer: user.viewer, clock: user.clock)
            query.users = [other]
            _ = try query.selection(in: user.session)
        },
        Attempt(name: "filter of events by user") { user, other, _ in
            var query = EventQuery(viewer: user.viewer)
            query.filter.users = [other]
            _ = try query.selection(in: user.session)
        },
        Attempt(name: "messages with user") { user, other, _ in
            var query = MessageQuery(viewer: user.viewer)
            query.user = other
            _ = try query.selection(in: user.session)
        },
        Attempt(name: "end of block") { user, _, _ in try BlockActions(user).unblock("no-such-user") },
    ]

    /// Returns the error of an action, in words that contain every part that a client can see.
    private static func refusal(of attempt: Attempt, by side: Side, in scene: Scene) throws -> String {
        let item = side.hidden == "ann" ? "lamp" : "chair"
        do {
            try scene.act(as: side.viewer) { user in try attempt.body(user, side.hidden, item) }
            return "none"
        } catch let error as HabitError {
            return "\(error.code.slug): \(error.message) (\(error.field ?? ""), \(error.remedies))"
        }
    }

    @Test(arguments: sides) func everyActionFailsAsForDeletedUser(side: Side) throws {
        let blocked = try side.blockedScene()
        let deleted = try side.deletedScene()
        for attempt in Self.attempts {
            let error = try Self.refusal(of: attempt, by: side, in: blocked)
            #expect(error != "none", "\(attempt.name)")
            #expect(error == (try Self.refusal(of: attempt, by: side, in: deleted)), "\(attempt.name)")
        }
    }

    /// The blocked user cannot block the blocker, who is as an unknown user.
    @Test(arguments: Scene.directions) func blockedUserCannotBlockBlocker(blocker: String, blocked: String) throws {
        let side = Side(blocker: blocker, blocked: blocked, viewer: blocked)
        let attempt = Attempt(name: "block") { user, other, _ in try BlockActions(user).block(other) }
        let error = try Self.refusal(of: attempt, by: side, in: try side.blockedScene())
        #expect(error.hasPrefix("not-found: "))
        #expect(error == (try Self.refusal(of: attempt, by: side, in: try side.deletedScene())))
    }

    @Test func blockIsRepeatedWithoutEffectAndRefusedForSelfAndUnknownUser() throws {
        let scene = try Scene(.block(by: "ann", of: "bob"))
        let newest = try scene.newest(for: "ann")
        try scene.act(as: "ann") { user in try BlockActions(user).block("bob") }
        #expect(try scene.newest(for: "ann") == newest)
        for (name, code) in [("ann", ErrorCode.fieldInvalid), ("none", .notFound)] {
            let error = #expect(throws: HabitError.self) {
                try scene.act(as: "ann") { user in try BlockActions(user).block(name) }
            }
            #expect(error?.code == code)
            #expect(error?.field == "blocked")
        }
    }

    /// The blocker knows the names in the own list of blocks only.
    @Test func nameStandsForBlockedUserOfOwnBlocks() throws {
        let scene = try Scene(.block(by: "ann", of: "bob"))
        let names = ["bob", "bob name", "Bob Name", "Cat Name"]
        let ids = try scene.act(as: "ann") { user in
            try names.map { name in try BlockActions(user).blockedID(name) }
        }
        #expect(ids == ["bob", "bob", "bob", "Cat Name"])
        let hidden = try scene.act(as: "bob") { user in try BlockActions(user).blockedID("Ann Name") }
        #expect(hidden == "Ann Name")
    }

    // MARK: Changes

    /// The copies of both users lose the same records as after the deletion of the other account.
    @Test(arguments: sides) func changesOfBlockAreThoseOfDeletion(side: Side) throws {
        let changes = try side.blockedScene().changes(for: side.viewer)
        #expect(changes == (try side.deletedScene().changes(for: side.viewer)))
        #expect(changes.contains("users \(side.hidden)"))
        #expect(changes.contains("items lamp"))
        #expect(changes.contains("claims chair/ann"))
        #expect(changes.contains("messages m1"))
    }

    /// The order of the changes does not show which of the two has happened.
    @Test(arguments: sides) func orderOfChangesIsThatOfDeletion(side: Side) throws {
        let entries = try side.blockedScene().entries(for: side.viewer)
        #expect(entries == (try side.deletedScene().entries(for: side.viewer)))
        #expect(entries.count > 10)
    }

    /// A client that has not synchronized before the block must delete a record that was deleted earlier.
    @Test(arguments: sides) func earlierDeletionsAreListedAsAfterDeletion(side: Side) throws {
        let item = side.hidden == "ann" ? "vase" : "sofa"
        func entries(after end: Scene.End) throws -> (all: [String], latest: [String]) {
            let scene = try Scene()
            try scene.act(as: side.hidden) { user in _ = try ItemActions(user).delete(item) }
            let last = try scene.newest()
            try scene.apply(end)
            let all = try scene.entries(for: side.viewer)
            return (all, try scene.entries(for: side.viewer, after: last))
        }
        let blocked = try entries(after: .block(by: side.blocker, of: side.blocked))
        let deleted = try entries(after: .deletion(of: side.hidden))
        #expect(blocked.all == deleted.all)
        #expect(blocked.latest == deleted.latest)
        #expect(blocked.all.contains("items \(item)"))
    }

    /// Changes of hidden records change no tag and no token.
    @Test(arguments: sides) func laterChangesOfHiddenUserAreNotNoticed(side: Side) throws {
        let scene = try side.blockedScene()
        let newest = try scene.newest(for: side.viewer)
        let changes = try scene.changes(for: side.viewer)
        let item = side.hidden == "ann" ? "lamp" : "chair"
        try scene.store.engine.write { session in
            let hidden = try Viewer.user(named: side.hidden, in: session)
            var draft = UserDraft()
            draft.name = .value("New")
            try AccountActions(hidden, in: session).edit(side.hidden, draft)
        }
        try scene.store.write([.item(ItemRecord(id: "new", user: side.hidden, name: "New"))])
        // The item has a message of both users and, in one case, a claim of the viewer.
        try scene.act(as: side.hidden) { user in _ = try ItemActions(user).delete(item) }
        #expect(try scene.newest(for: side.viewer) == newest)
        #expect(try scene.changes(for: side.viewer) == changes)
    }

    /// The deletion of an account that is hidden already has no rows for the other user.
    @Test(arguments: sides) func laterDeletionOfHiddenAccountIsNotNoticed(side: Side) throws {
        let scene = try side.blockedScene()
        try scene.store.write([.item(ItemRecord(id: "new", user: side.hidden, name: "New"))])
        let newest = try scene.newest(for: side.viewer)
        let entries = try scene.entries(for: side.viewer)
        try scene.apply(.deletion(of: side.hidden))
        #expect(try scene.entries(for: side.viewer) == entries)
        // The list of the blocks of the blocker is shorter.
        let isNoticed = side.viewer == side.blocker
        #expect((try scene.newest(for: side.viewer) != newest) == isNoticed)
        let changes = try scene.changes(for: "cat")
        #expect(changes.isSuperset(of: ["users \(side.hidden)", "items new"]))
    }

    /// A later account may have the key of a deleted one, and its changes are not hidden.
    @Test func changesOfUserAfterDeletionOfHiddenAccountAreListed() throws {
        let scene = try Scene(.block(by: "cat", of: "ann"))
        try scene.apply(.deletion(of: "cat"))
        let last = try scene.newest()
        try scene.store.write([.user("dan"), .item(ItemRecord(id: "jar", user: "dan", name: "Jar"))])
        #expect(try scene.entries(for: "ann", after: last) == ["users dan", "items jar"])
        try scene.apply(.deletion(of: "dan"))
        #expect(try scene.entries(for: "ann", after: last) == ["items jar", "users dan"])
    }

    /// A load logs many records with one row for each party, but not for a party that does not see them.
    @Test func largeLoadOfHiddenMessagesIsNotNoticed() throws {
        let scene = try Scene(.block(by: "bob", of: "ann"))
        let newest = try scene.newest(for: "ann")
        let messages = (0...ChangedRows.limit).map { number in
            var message = MessageRecord(item: "chair", sender: "bob", recipient: "ann", text: "Hello")
            message.id = "many-\(number)"
            return Record.message(message)
        }
        try scene.store.engine.load { writer in
            for message in messages { _ = try writer.write(message) }
        }
        #expect(try scene.newest(for: "ann") == newest)
    }

    /// A condition of a request on a hidden record fails as for a deleted record.
    @Test(arguments: sides) func versionsOfHiddenRecordsAreUnknown(side: Side) throws {
        let pairs = ["lamp/bob", "chair/ann"]
        let records: [(kind: RecordKind, ids: [String])] = [
            (.messages, ["m1", "m2", "m3"]), (.claims, pairs), (.reads, pairs),
        ]
        let before = try Scene()
        let blocked = try side.blockedScene()
        for (kind, ids) in records {
            #expect(try !before.versions(of: kind, ids, as: side.viewer).isEmpty, "\(kind)")
            #expect(try blocked.versions(of: kind, ids, as: side.viewer).isEmpty, "\(kind)")
        }
    }

    /// Only a load can store a block by each of two users.
    @Test(arguments: Scene.directions) func secondBlockOfTwoUsersIsNotNoticed(
        blocker: String,
        blocked: String
    ) throws {
        let scene = try Scene(.block(by: blocker, of: blocked))
        let newest = try scene.newest(for: blocker)
        let entries = try scene.entries(for: blocker)
        try scene.store.write([.block(BlockRecord(blocker: blocked, blocked: blocker))])
        #expect(try scene.newest(for: blocker) == newest)
        try scene.act(as: blocked) { user in try BlockActions(user).unblock(blocker) }
        #expect(try scene.newest(for: blocker) == newest)
        #expect(try scene.entries(for: blocker) == entries)
    }

    // MARK: Relations

    @Test(arguments: Scene.directions) func blockEndsFollowsAndReleasesClaims(blocker: String, blocked: String) throws {
        let scene = try Scene(.block(by: blocker, of: blocked))
        let follows = try scene.store.rows(columns: ["follower", "followee"]) { session, viewer in
            try FollowQuery(viewer: viewer).selection(in: session)
        }
        #expect(follows == [["ann", "cat"], ["bob", "cat"]])
        let claims = try scene.store.rows(columns: ["item", "user", "state"]) { session, viewer in
            try ClaimQuery(viewer: viewer).selection(in: session)
        }
        #expect(Set(claims) == [["lamp", "bob", "released"], ["chair", "ann", "given"]])
        let lamp = try scene.store.rows(columns: ["state"]) { session, viewer in
            try ItemQuery.one("lamp", viewer: viewer, clock: Scene.clock, in: session)
        }
        #expect(lamp == [["available"]])
    }

    /// A load cannot begin a relation that a block forbids.
    @Test func loadedFollowAndClaimOfBlockedUsersEnd() throws {
        let scene = try Scene(.block(by: "ann", of: "bob"))
        try scene.store.write([
            .follow("bob", "ann"), .claim(ClaimRecord(item: "vase", user: "bob")), .follow("cat", "bob"),
        ])
        let follows = try scene.store.rows(columns: ["follower", "followee"]) { session, viewer in
            try FollowQuery(viewer: viewer).selection(in: session)
        }
        #expect(follows == [["ann", "cat"], ["bob", "cat"], ["cat", "bob"]])
        let vase = try scene.store.rows(columns: ["state"]) { session, viewer in
            try ItemQuery.one("vase", viewer: viewer, clock: Scene.clock, in: session)
        }
        #expect(vase == [["available"]])
    }

    /// A load of a relation to a deleted user is refused, and neither user notices a load of a relation of blocked users.
    @Test(arguments: sides) func loadedRelationsOfBlockedUsersAreNotNoticed(side: Side) throws {
        let scene = try side.blockedScene()
        let items = ["vase", "sofa"]
        let newest = try scene.newest(for: side.viewer)
        let entries = try scene.entries(for: side.viewer)
        let versions = try scene.versions(of: .items, items, as: side.viewer)
        try scene.store.write([
            .follow("ann", "bob"), .follow("bob", "ann"),
            .claim(ClaimRecord(item: "vase", user: "bob")), .claim(ClaimRecord(item: "sofa", user: "ann")),
        ])
        #expect(try scene.newest(for: side.viewer) == newest)
        #expect(try scene.entries(for: side.viewer) == entries)
        #expect(try scene.versions(of: .items, items, as: side.viewer) == versions)
        #expect(versions.count == 1)
    }

    /// A load of many relations reads all rows from the first written one on.
    @Test func relationsOfBlockedUsersInLargeLoadEnd() throws {
        let scene = try Scene(.block(by: "ann", of: "bob"))
        let others = (0..<1100).map { number in "u\(number)" }
        let users: [Record] = others.map { id in .user(id) }
        let follows: [Record] = others.map { id in .follow(id, "cat") }
        try scene.store.write(users + [.follow("bob", "ann")] + follows)
        let stored = try scene.store.rows(columns: ["follower", "followee"]) { session, viewer in
            try FollowQuery(viewer: viewer).selection(in: session)
        }
        #expect(stored.count == others.count + 2)
        #expect(!stored.contains(["bob", "ann"]))
    }

    @Test(arguments: Scene.directions) func unblockShowsRecordsAgain(blocker: String, blocked: String) throws {
        let scene = try Scene(.block(by: blocker, of: blocked))
        try scene.act(as: blocker) { user in try BlockActions(user).unblock(blocked) }
        let before = try Scene()
        for viewer in [blocker, blocked] {
            let hidden = viewer == blocker ? blocked : blocker
            for path in Scene.paths where path.name.hasPrefix("message") || path.name == "user cat" {
                #expect(try scene.rows(path, as: viewer) == (try before.rows(path, as: viewer)), "\(path.name)")
            }
            let changes = try scene.changes(for: viewer)
            #expect(changes.isSuperset(of: ["users \(hidden)", "items lamp", "messages m1", "claims chair/ann"]))
            let users = try scene.store.rows(as: viewer, columns: ["id", "following"]) { session, viewer in
                try UserQuery(viewer: viewer).selection(in: session)
            }
            #expect(users.contains([hidden, "none"]))
        }
        try scene.act(as: blocked) { user in try FollowActions(user).request(blocker) }
    }

    // MARK: The data of the account

    @Test(arguments: ["ann", "bob"]) func deletionOfAccountDeletesBlocks(user: String) throws {
        let scene = try Scene(.block(by: "ann", of: "bob"))
        try scene.store.engine.write { session in
            let counts = try AccountActions(.operator, in: session).delete(user)
            let blocks = counts.first { count in count.kind == .blocks }
            #expect(blocks?.count == 1)
        }
        let rows = try scene.store.rows { session, viewer in try BlockQuery(viewer: viewer).selection(in: session) }
        #expect(rows.isEmpty)
    }

    /// The confirmation of the deletion of an account counts no hidden record and no block by another user.
    @Test(arguments: sides) func countsOfDeletedAccountAreThoseWithoutHiddenUser(side: Side) throws {
        func counts(in scene: Scene) throws -> [String] {
            try scene.act(as: side.viewer) { user in
                let counts = try AccountActions(user.viewer, in: user.session).delete(side.viewer)
                return counts.map { kind, count in "\(kind) \(count)" }
            }
        }
        var expected = try counts(in: try side.deletedScene())
        if side.viewer == side.blocker {
            expected = expected.map { count in count == "blocks 0" ? "blocks 1" : count }
        }
        #expect(try counts(in: try side.blockedScene()) == expected)
    }

    /// The confirmation of the deletion of an item counts no hidden claim and no hidden message.
    @Test(arguments: sides) func countsOfDeletedItemAreThoseWithoutHiddenUser(side: Side) throws {
        let item = side.viewer == "ann" ? "lamp" : "chair"
        func counts(in scene: Scene) throws -> [Int] {
            try scene.act(as: side.viewer) { user in
                let deleted = try ItemActions(user).delete(item)
                return [deleted.claims, deleted.messages]
            }
        }
        #expect(try counts(in: try Scene()).allSatisfy { count in count > 0 })
        #expect(try counts(in: try side.blockedScene()) == [0, 0])
        #expect(try counts(in: try side.deletedScene()) == [0, 0])
    }

    /// An export of the blocked user contains no block.
    @Test func exportContainsOnlyOwnBlocks() throws {
        let scene = try Scene(.block(by: "ann", of: "bob"))
        for (user, blocks) in [("ann", [["ann", "bob"]]), ("bob", [])] {
            let rows = try scene.store.rows(as: user, columns: ["blocker", "blocked"]) { session, viewer in
                try ExportQuery(ofUser: user, for: viewer, in: session).selection(of: .blocks)
            }
            #expect(rows == blocks, "\(user)")
        }
    }

    /// An export of a user contains the records that the user sees, as if the other account were deleted.
    @Test(arguments: sides) func exportContainsNoHiddenRecords(side: Side) throws {
        let blocked = try side.blockedScene()
        let deleted = try side.deletedScene()
        for kind in [RecordKind.claims, .messages, .reads, .follows, .items] {
            let rows = try Self.export(of: kind, in: blocked, of: side.viewer, as: side.viewer)
            #expect(rows == (try Self.export(of: kind, in: deleted, of: side.viewer, as: side.viewer)), "\(kind)")
        }
    }

    /// The operator's export of a user is complete.
    @Test(arguments: sides) func exportOfOperatorContainsHiddenRecords(side: Side) throws {
        let scene = try side.blockedScene()
        let messages = side.viewer == "ann" ? 3 : 4
        let counts: [(kind: RecordKind, count: Int)] = [(.claims, 2), (.messages, messages), (.reads, 1)]
        for (kind, count) in counts {
            let rows = try Self.export(of: kind, in: scene, of: side.viewer, as: nil)
            #expect(rows.count == count, "\(kind)")
        }
    }

    private static func export(
        of kind: RecordKind,
        in scene: Scene,
        of user: String,
        as viewer: String?
    ) throws -> [[String]] {
        try scene.store.rows(as: viewer) { session, viewer in
            try ExportQuery(ofUser: user, for: viewer, in: session).selection(of: kind)
        }
    }

    @Test func copiedStoreHasBlocks() throws {
        let scene = try Scene(.block(by: "ann", of: "bob"))
        let target = try TestStore()
        _ = try StoreCopy(from: scene.store.engine, to: target.engine).run()
        let rows = try target.rows(columns: ["blocker", "blocked"]) { session, viewer in
            try BlockQuery(viewer: viewer).selection(in: session)
        }
        #expect(rows == [["ann", "bob"]])
    }

    @Test func doctorFindsFollowOfBlockedUsers() throws {
        let scene = try Scene(.block(by: "ann", of: "bob"))
        #expect(try StoreDoctor(scene.store.engine).examine().allSatisfy { check in check.status == .ok })
        _ = try scene.store.engine.write { session in
            try session.run(
                """
                INSERT INTO follow (follower_id, followee_id, status, share)
                SELECT blocked_id, blocker_id, 'accepted', 'all' FROM block
                """)
        }
        let found = try StoreDoctor(scene.store.engine).examine().filter { check in check.status != .ok }
        #expect(found.map(\.check) == ["blocked-follows"])
    }
}
