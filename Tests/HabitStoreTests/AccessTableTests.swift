import Base
import HabitModel
import HabitStore
import HabitTestSupport
import StoreEngine
import Testing

/// Tests the permission of every actor for every object and action on a store, and compares it with the lists.
@Suite struct AccessTableTests {
    /// `owner` owns every record.
    ///
    /// `claimer` has claimed the item and received a message about it. The owner blocks `blocked`.
    private static let users = ["owner", "all", "latest", "pending", "rejected", "stranger", "claimer", "blocked"]

    private static func store() throws -> TestStore {
        let store = try TestStore()
        var records: [Record] = users.map { .user($0) }
        records.append(.habit("habit", of: "owner"))
        records.append(.pause(PauseRecord(id: "pause", user: "owner", from: try #require(Day("2030-01-01")))))
        records.append(.event("habit", "2026-11-01", id: "older"))
        records.append(.event("habit", "2026-11-02", id: "newest"))
        records.append(.item(ItemRecord(id: "item", user: "owner", name: "Lamp")))
        records.append(.claim(ClaimRecord(item: "item", user: "claimer")))
        records.append(.post(PostRecord(id: "post", user: "owner")))
        var deleted = PostRecord(id: "deleted", user: "owner")
        deleted.deletedAt = .value(OffsetInstant(Instant(microseconds: 0), offset: nil))
        records.append(.post(deleted))
        var message = MessageRecord(item: "item", sender: "owner", recipient: "claimer", text: "Hello")
        message.id = "message"
        records.append(.message(message))
        records.append(.follow("all", "owner"))
        records.append(.follow("latest", "owner", share: .latest))
        records.append(.follow("pending", "owner", status: .pending))
        records.append(.follow("rejected", "owner", status: .rejected))
        records.append(.block(BlockRecord(blocker: "owner", blocked: "blocked")))
        // A user whom the owner follows does not see more of the owner's records.
        records.append(.follow("owner", "stranger"))
        try store.write(records)
        return store
    }

    /// Each line has an object, an action and the outcomes for the actors in the order of the header.
    ///
    /// + allowed · 0 not-found · y not-yours · s not-signed-in · g post-deleted · o own-item · m message-not-permitted
    private static let table = """
        owner all latest pending rejected stranger claimer blocked nobody operator
        user     owner   view         + + + + + + + 0 s +
        user     owner   view-private + y y y y y y 0 s +
        user     owner   locate       + + + + + + + 0 s +
        user     owner   edit         + y y y y y y 0 s +
        user     owner   delete       + y y y y y y 0 s +
        habit    habit   view         + + + 0 0 0 0 0 s +
        habit    habit   view-private + y y 0 0 0 0 0 s +
        habit    habit   locate       + + + 0 0 0 0 0 s +
        habit    habit   edit         + y y 0 0 0 0 0 s s
        habit    habit   delete       + y y 0 0 0 0 0 s s
        habit    habit   record       + y y 0 0 0 0 0 s s
        pause    pause   view         + + + 0 0 0 0 0 s +
        pause    pause   view-private + y y 0 0 0 0 0 s +
        pause    pause   locate       + + + 0 0 0 0 0 s +
        pause    pause   edit         + y y 0 0 0 0 0 s s
        pause    pause   delete       + y y 0 0 0 0 0 s s
        event    newest  view         + + + 0 0 0 0 0 s +
        event    newest  view-private + y y 0 0 0 0 0 s +
        event    newest  locate       + + + 0 0 0 0 0 s +
        event    newest  edit         + y y 0 0 0 0 0 s s
        event    newest  delete       + y y 0 0 0 0 0 s s
        event    older   view         + + 0 0 0 0 0 0 s +
        event    older   view-private + y 0 0 0 0 0 0 s +
        event    older   locate       + + 0 0 0 0 0 0 s +
        event    older   edit         + y 0 0 0 0 0 0 s s
        event    older   delete       + y 0 0 0 0 0 0 s s
        item     item    view         + + + + + + + 0 s +
        item     item    view-private + y y y y y y 0 s +
        item     item    locate       + y y y y y + 0 s +
        item     item    edit         + y y y y y y 0 s s
        item     item    delete       + y y y y y y 0 s s
        item     item    claim        o + + + + + + 0 s s
        item     item    release      + y y y y y + 0 s s
        item     item    give         + y y y y y y 0 s s
        item     item    withdraw     + y y y y y y 0 s s
        item     item    discuss      m m m m m m m 0 s s
        post     post    view         + + + 0 0 0 0 0 s +
        post     post    view-private + y y 0 0 0 0 0 s +
        post     post    locate       + + + 0 0 0 0 0 s +
        post     post    edit         + y y 0 0 0 0 0 s s
        post     post    delete       + y y 0 0 0 0 0 s s
        post     deleted view         g g g 0 0 0 0 0 s g
        post     deleted view-private g g g 0 0 0 0 0 s g
        post     deleted locate       g g g 0 0 0 0 0 s g
        post     deleted edit         g g g 0 0 0 0 0 s s
        post     deleted delete       g g g 0 0 0 0 0 s s
        message  message view         + 0 0 0 0 0 + 0 s +
        message  message view-private + 0 0 0 0 0 y 0 s +
        message  message locate       + 0 0 0 0 0 + 0 s +
        message  message edit         + 0 0 0 0 0 y 0 s s
        message  message delete       + 0 0 0 0 0 y 0 s s
        """

    private static let actions: [String: Action] = [
        "view": .view, "view-private": .viewPrivate, "locate": .viewPosition, "edit": .edit, "delete": .delete,
        "record": .record,
        "claim": .claim, "release": .release, "give": .give, "withdraw": .withdraw, "discuss": .discuss,
    ]

    private static let marks: [ErrorCode: String] = [
        .notFound: "0", .notYours: "y", .notSignedIn: "s", .postDeleted: "g", .ownItem: "o",
        .messageNotPermitted: "m",
    ]

    private static func mark(_ body: () throws -> Void) -> String {
        do {
            try body()
            return "+"
        } catch let error as HabitError {
            return marks[error.code] ?? error.code.slug
        } catch { return "\(error)" }
    }

    /// Returns the outcome for `actor`.
    ///
    /// A viewer cannot be `nobody`, so that case calls the rule directly.
    private static func outcome(
        for actor: String,
        action: Action,
        kind: AccessObject.Kind,
        id: String,
        in session: any Session
    ) throws -> String {
        guard actor != "nobody" else {
            let object = try AccessChecker(viewer: .operator, in: session).find(kind, id)?.object
            return mark { try Access.require(action, by: .nobody, on: try #require(object)) }
        }
        let viewer: Viewer = actor == "operator" ? .operator : try .user(named: actor, in: session)
        return mark { try AccessChecker(viewer: viewer, in: session).require(action, on: kind, id: id) }
    }

    @Test func accessMatchesTableForEveryActorObjectAndAction() throws {
        let lines = Self.table.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
        let actors = lines[0]
        var checked: Set<String> = []
        let store = try Self.store()
        // A cluster drops the database of a store that is released.
        defer { withExtendedLifetime(store) {} }
        try store.engine.read { session in
            for line in lines.dropFirst() {
                let kind = try #require(AccessObject.Kind(rawValue: line[0]))
                let action = try #require(Self.actions[line[2]])
                checked.insert("\(kind) \(action)")
                for (actor, expected) in zip(actors, line.dropFirst(3)) {
                    let outcome = try Self.outcome(for: actor, action: action, kind: kind, id: line[1], in: session)
                    #expect(outcome == expected, "\(actor) \(line[2]) \(kind.rawValue) \(line[1])")
                }
            }
        }
        for kind in AccessObject.Kind.allCases {
            for action in [Action.view, .viewPrivate, .edit, .delete] { #expect(checked.contains("\(kind) \(action)")) }
        }
        #expect(Set(Self.actions.values) == Set(Action.allCases))
    }

    /// The errors for missing and hidden records are equal.
    @Test func hiddenAndMissingRecordsCauseSameError() throws {
        try Self.store().engine.read { session in
            let checker = AccessChecker(viewer: try .user(named: "stranger", in: session), in: session)
            for (kind, id) in [
                (AccessObject.Kind.habit, "habit"), (.pause, "pause"), (.event, "newest"), (.post, "post"),
                (.message, "message"),
            ] {
                let hidden = #expect(throws: HabitError.self) { try checker.require(.view, on: kind, id: id) }
                let missing = #expect(throws: HabitError.self) {
                    try checker.require(.view, on: kind, id: "no-such-id")
                }
                #expect(hidden?.message == missing?.message.replacing("no-such-id", with: id))
                #expect(hidden?.code == missing?.code)
            }
        }
    }

    /// The report views, and therefore all lists, contain exactly the visible records.
    @Test(.userSQL, arguments: users + ["operator"])
    func viewsContainExactlyVisibleRecords(actor: String) throws {
        let clock = Clock(now: .now)
        try Self.store().analyze(as: actor == "operator" ? nil : actor, clock: clock) { (session, viewer) throws in
            let checker = AccessChecker(viewer: viewer, in: session)
            for (kind, view, ids) in [
                (AccessObject.Kind.habit, "habits", ["habit"]),
                (.pause, "pauses", ["pause"]),
                (.event, "events", ["newest", "older"]),
                (.item, "items", ["item"]),
                (.post, "posts", ["deleted", "post"]),
                (.message, "messages", ["message"]),
            ] {
                let allowed = ids.filter { (try? checker.require(.view, on: kind, id: $0)) != nil }
                let found = try Self.ids(of: view, viewer: viewer, clock: clock, in: session)
                #expect(found == allowed, "\(actor) \(view)")
            }
            #expect(
                try Self.ids(EventQuery.one("older", viewer: viewer, in: session), session).isEmpty
                    == ((try? checker.require(.view, on: .event, id: "older")) == nil))
        }
    }

    private static func ids(
        of view: String,
        viewer: Viewer,
        clock: Clock,
        in session: any Session
    ) throws -> [String] {
        var ids: [String] = []
        let query = AnalysisQuery("SELECT id FROM \(view) ORDER BY id", viewer: viewer, clock: clock)
        try query.run(in: session) { _ in { ids.append($0.text(0) ?? "") } }
        return ids
    }

    private static func ids(_ selection: Selection, _ session: any Session) throws -> [String] {
        var ids: [String] = []
        try session.query(selection.sql) {
            ids.append($0.text(0) ?? "")
            return true
        }
        return ids
    }
}
