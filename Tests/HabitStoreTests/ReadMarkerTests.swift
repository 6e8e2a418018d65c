import Base
import HabitModel
import HabitTestSupport
import StoreEngine
import Testing

@testable import HabitStore

/// Tests of read markers, which only the reader sees, and of the numbers of unread messages.
@Suite struct ReadMarkerTests {
    /// A store in which `bob` and `cat` have written to `ann` about two items.
    private struct Fixture {
        let store = Result { try TestStore() }

        init() throws {
            let items = [("lamp", "ann"), ("vase", "ann")].map { id, user in
                Record.item(ItemRecord(id: id, user: user, name: id))
            }
            let messages = [
                ("m1", "lamp", "bob", 1),
                ("m2", "lamp", "bob", 2),
                ("m3", "lamp", "cat", 3),
                ("m4", "vase", "bob", 4),
            ].map { id, item, sender, minute in
                var message = MessageRecord(item: item, sender: sender, recipient: "ann", text: "Hello")
                message.id = id
                message.sentAt = .value(Self.instant(minute))
                return Record.message(message)
            }
            try store.get().write([.user("ann"), .user("bob"), .user("cat")] + items + messages)
        }

        /// Returns the instant some minutes after 2026-11-21, noon in UTC.
        static func instant(_ minute: Int) -> OffsetInstant {
            let noon: Int64 = 1_795_262_400_000_000
            return OffsetInstant(Instant(microseconds: noon + Int64(minute) * 60_000_000), offset: .utc)
        }

        /// Marks the messages about an item as read, at a minute.
        func markRead(_ item: String, as name: String = "ann", at minute: Int, until: Int? = nil) throws {
            try store.get().engine.write { session in
                let viewer = try Viewer.user(named: name, in: session)
                let clock = Clock(now: Self.instant(minute).instant)
                let user = try ActingUser(viewer, clock: clock, in: session)
                try MessageActions(user).markRead(item: item, until: until.map(Self.instant))
            }
        }

        /// Returns the unread messages of a user, as `item number`.
        func unread(of name: String = "ann") throws -> [String] {
            try store.get().engine.read { session in
                let viewer = try Viewer.user(named: name, in: session)
                let threads = try UnreadQuery(viewer: viewer).threads(in: session)
                return threads.map { thread in "\(thread.item) \(thread.unread)" }
            }
        }

        /// Returns the markers that a user sees.
        func markers(as name: String?) throws -> [String] {
            try store.get().rows(as: name, columns: ["item"]) { session, viewer in
                try ReadQuery(viewer: viewer).selection(in: session)
            }.flatMap(\.self)
        }

        func newest(for name: String) throws -> Int64 {
            try store.get().engine.read { session in
                let viewer = try Viewer.user(named: name, in: session)
                return try LogState(of: .viewer(viewer), in: session).newest.number
            }
        }
    }

    @Test func messagesAfterMarkerAreUnread() throws {
        let fixture = try Fixture()
        #expect(try fixture.unread() == ["lamp 3", "vase 1"])
        #expect(try fixture.unread(of: "bob").isEmpty)
        try fixture.markRead("lamp", at: 2)
        #expect(try fixture.unread() == ["lamp 1", "vase 1"])
        try fixture.markRead("lamp", at: 10)
        #expect(try fixture.unread() == ["vase 1"])
    }

    @Test func markerNeverMovesBackward() throws {
        let fixture = try Fixture()
        try fixture.markRead("lamp", at: 10)
        let newest = try fixture.newest(for: "ann")
        try fixture.markRead("lamp", at: 11, until: 1)
        #expect(try fixture.unread() == ["vase 1"])
        #expect(try fixture.newest(for: "ann") == newest)
    }

    /// A clock of a client that is fast does not mark later messages as read.
    @Test func markerIsNotInFuture() throws {
        let fixture = try Fixture()
        try fixture.markRead("lamp", at: 2, until: 60)
        #expect(try fixture.unread() == ["lamp 1", "vase 1"])
    }

    @Test func onlyReaderAndOperatorSeeMarker() throws {
        let fixture = try Fixture()
        let before = try ["bob", "cat"].map(fixture.newest)
        try fixture.markRead("lamp", at: 10)
        #expect(try fixture.markers(as: "ann") == ["lamp"])
        #expect(try fixture.markers(as: "bob").isEmpty)
        #expect(try fixture.markers(as: nil) == ["lamp"])
        // Tags and tokens of others do not change.
        #expect(try ["bob", "cat"].map(fixture.newest) == before)
    }

    @Test func otherDevicesReceiveMarker() throws {
        let fixture = try Fixture()
        let last = try fixture.newest(for: "ann")
        try fixture.markRead("lamp", at: 10)
        let newest = try fixture.newest(for: "ann")
        let changes = try fixture.store.get().engine.read { session in
            let viewer = try Viewer.user(named: "ann", in: session)
            return try ChangeFeed(for: viewer, after: last, upTo: newest, in: session).changes
        }
        #expect(changes.map { change in "\(change.collection.rawValue) \(change.id)" } == ["reads lamp/ann"])
    }

    @Test func hiddenItemHasNoMarker() throws {
        let fixture = try Fixture()
        try fixture.markRead("lamp", as: "bob", at: 10)
        #expect(try fixture.markers(as: "bob") == ["lamp"])
        try fixture.store.get().write([.block(BlockRecord(blocker: "ann", blocked: "bob"))])
        #expect(try fixture.markers(as: "bob").isEmpty)
        #expect(try fixture.unread() == ["lamp 1"])
        let error = #expect(throws: HabitError.self) { try fixture.markRead("lamp", as: "bob", at: 11) }
        #expect(error?.code == .notFound)
    }

    @Test func deletedItemDeletesMarkers() throws {
        let fixture = try Fixture()
        try fixture.markRead("lamp", at: 10)
        try fixture.store.get().engine.write { session in
            let viewer = try Viewer.user(named: "ann", in: session)
            let user = try ActingUser(viewer, clock: Clock(now: Fixture.instant(11).instant), in: session)
            _ = try ItemActions(user).delete("lamp")
        }
        #expect(try fixture.markers(as: nil).isEmpty)
    }

    @Test func inboxCountsUnreadMessagesOfThread() throws {
        let fixture = try Fixture()
        try fixture.markRead("lamp", at: 1)
        let rows = try fixture.store.get().rows(as: "ann", columns: ["id", "unread"]) { session, viewer in
            try InboxQuery(viewer: viewer).selection(in: session)
        }
        #expect(
            Set(rows) == [
                ["m1", "2"],
                ["m2", "2"],
                ["m3", "2"],
                ["m4", "1"],
            ])
    }
}
