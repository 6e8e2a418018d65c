/// A queue that serves requesters in turn and limits the number of running entries of each requester.
///
/// The entries of one requester are served in the order of their arrival. Each operation costs O(n) for n waiting
/// entries.
package struct FairQueue<Requester: Hashable, Entry: AnyObject> {
    /// Maximum number of running entries of one requester.
    package let share: Int
    /// The waiting entries of each requester, oldest first.
    ///
    /// No value is empty.
    private var waiting: [Requester: [Entry]] = [:]
    /// The requesters with waiting entries.
    ///
    /// The first requester is served next.
    private var turns: [Requester] = []
    /// The number of running entries of each requester.
    ///
    /// No value is zero.
    private var running: [Requester: Int] = [:]

    package init(share: Int) {
        self.share = share
    }

    /// The number of waiting entries.
    package var count: Int {
        waiting.values.reduce(0) { total, entries in
            total + entries.count
        }
    }

    /// The number of waiting entries of a requester.
    package func count(of requester: Requester) -> Int {
        waiting[requester]?.count ?? 0
    }

    package mutating func append(_ entry: Entry, of requester: Requester) {
        if waiting[requester] == nil {
            turns.append(requester)
        }
        waiting[requester, default: []].append(entry)
    }

    /// Removes the next entry and counts it as running until ``finish(_:)``.
    ///
    /// - Returns: `nil` if no entry waits, or if only requesters at their limit have waiting entries.
    package mutating func next() -> (requester: Requester, entry: Entry)? {
        let turn = turns.firstIndex { requester in
            running[requester, default: 0] < share
        }
        guard let turn else { return nil }
        let requester = turns.remove(at: turn)
        let removed = waiting.removeValue(forKey: requester)
        guard var entries = removed, !entries.isEmpty else {
            return nil
        }
        let entry = entries.removeFirst()
        if !entries.isEmpty {
            waiting[requester] = entries
            turns.append(requester)
        }
        running[requester, default: 0] += 1
        return (requester, entry)
    }

    /// Marks one running entry of `requester` as finished.
    ///
    /// The requester has just been served, so all other requesters are served before its next entry.
    package mutating func finish(_ requester: Requester) {
        let count = running[requester, default: 1] - 1
        running[requester] = count > 0 ? count : nil
        guard let turn = turns.firstIndex(of: requester) else {
            return
        }
        turns.remove(at: turn)
        turns.append(requester)
    }

    /// Removes a waiting entry.
    ///
    /// Has no effect if the entry no longer waits.
    package mutating func remove(_ entry: Entry, of requester: Requester) {
        guard var entries = waiting[requester] else {
            return
        }
        entries.removeAll { other in other === entry }
        guard entries.isEmpty else {
            waiting[requester] = entries
            return
        }
        waiting[requester] = nil
        turns.removeAll { turn in turn == requester }
    }

    /// Removes the newest entry of the requester with the most waiting entries, or returns `nil` if no entry waits.
    package mutating func removeNewestOfLongest() -> Entry? {
        // If several requesters have the same number of entries, the last one in turn is chosen.
        let longest = turns.reversed().max { one, other in
            count(of: one) < count(of: other)
        }
        guard let requester = longest,
            let entry = waiting[requester]?.last
        else { return nil }
        remove(entry, of: requester)
        return entry
    }
}
