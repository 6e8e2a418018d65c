import Testing

@testable import HTTPServing
@testable import HabitAPI
@testable import HabitServer

/// Tests of the order in which requesters are served.
@Suite(.engineIndependent) struct FairQueueTests {
    private final class Entry {
        let name: String
        init(_ name: String) { self.name = name }
    }

    private static let alice = Requester.user(1)
    private static let bob = Requester.user(2)
    private static let carol = Requester.user(3)

    private static func queue(share: Int, _ entries: [(Requester, String)]) -> FairQueue<Requester, Entry> {
        var queue = FairQueue<Requester, Entry>(share: share)
        for (requester, name) in entries { queue.append(Entry(name), of: requester) }
        return queue
    }

    /// Returns the names of all entries in order of execution, with one entry at a time.
    private static func drain(_ queue: inout FairQueue<Requester, Entry>) -> [String] {
        var names: [String] = []
        while let (requester, entry) = queue.next() {
            names.append(entry.name)
            queue.finish(requester)
        }
        return names
    }

    @Test func requestersAreServedInTurn() {
        var queue = Self.queue(
            share: 1,
            [
                (Self.alice, "a1"),
                (Self.alice, "a2"),
                (Self.alice, "a3"),
                (Self.bob, "b1"),
                (Self.bob, "b2"),
                (Self.carol, "c1"),
            ])
        #expect(queue.count == 6)
        let names = Self.drain(&queue)
        #expect(names == ["a1", "b1", "c1", "a2", "b2", "a3"])
        #expect(queue.count == 0)
    }

    @Test func requesterWaitsWhenItsShareIsUsedUp() {
        let entries = [
            (Self.alice, "a1"),
            (Self.alice, "a2"),
            (Self.alice, "a3"),
            (Self.alice, "a4"),
            (Self.bob, "b1"),
        ]
        var queue = Self.queue(share: 2, entries)
        let running = [queue.next(), queue.next(), queue.next()].compactMap { $0?.entry.name }
        #expect(running == ["a1", "b1", "a2"])
        let blocked = queue.next()?.entry.name
        #expect(blocked == nil)
        #expect(queue.count == 2)
        queue.finish(Self.bob)
        let stillBlocked = queue.next()?.entry.name
        #expect(stillBlocked == nil)
        queue.finish(Self.alice)
        let next = [queue.next(), queue.next()].map { $0?.entry.name }
        #expect(next == ["a3", nil])
    }

    /// The next entry of a requester waits for a requester who came later, but was not served yet.
    @Test func requesterWhoWasServedWaitsForOthers() {
        var queue = Self.queue(share: 1, [(Self.alice, "a1")])
        let first = queue.next()?.entry.name
        queue.append(Entry("a2"), of: Self.alice)
        queue.append(Entry("b1"), of: Self.bob)
        queue.finish(Self.alice)
        let rest = Self.drain(&queue)
        #expect(first == "a1")
        #expect(rest == ["b1", "a2"])
    }

    @Test func removedEntryIsNotServed() {
        var queue = Self.queue(share: 1, [(Self.alice, "a1")])
        let entry = Entry("b1")
        queue.append(entry, of: Self.bob)
        queue.remove(entry, of: Self.bob)
        queue.remove(entry, of: Self.carol)
        let names = Self.drain(&queue)
        #expect(names == ["a1"])
    }

    @Test func newestEntryOfLongestQueueIsDisplaced() {
        var queue = Self.queue(share: 1, [(Self.alice, "a1"), (Self.alice, "a2"), (Self.bob, "b1")])
        let displaced = queue.removeNewestOfLongest()?.name
        #expect(displaced == "a2")
        let rest = Self.drain(&queue)
        #expect(rest == ["a1", "b1"])
        let none = queue.removeNewestOfLongest()?.name
        #expect(none == nil)
    }
}
