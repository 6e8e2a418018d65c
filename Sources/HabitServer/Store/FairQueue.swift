import HabitStore

/// The party for which a request uses the store.
///
/// Each party has its own queue, so that no party delays another.
enum Requester: Hashable, Sendable {
    case `operator`
    /// A user, by key.
    case user(Int64)
    /// The lookup of the user of a token, by the token's digest.
    case token([UInt8])
    /// A client without a token, by address.
    case client(String)
    /// The server's own work: health checks, sign-in, maintenance.
    case server

    init(_ viewer: Viewer) {
        switch viewer {
        case .operator: self = .operator
        case .user(let key, _): self = .user(key)
        }
    }

    /// Creates the requester of a caller.
    ///
    /// - Parameters:
    ///   - caller: The caller of a request.
    ///   - client: The IP address of the client, which identifies callers without a token.
    init(_ caller: Caller, client: String) {
        switch caller {
        case .nobody: self = .client(client)
        case .viewer(let viewer): self.init(viewer)
        }
    }
}

/// A queue that serves requesters in turn and limits the number of running entries of each requester.
///
/// The entries of one requester are served in the order of their arrival. Each operation costs O(n) for n waiting
/// entries.
struct FairQueue<Entry: AnyObject> {
    /// Maximum number of running entries of one requester.
    let share: Int
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

    init(share: Int) { self.share = share }

    /// The number of waiting entries.
    var count: Int { waiting.values.reduce(0) { $0 + $1.count } }

    /// The number of waiting entries of a requester.
    func count(of requester: Requester) -> Int { waiting[requester]?.count ?? 0 }

    mutating func append(_ entry: Entry, of requester: Requester) {
        if waiting[requester] == nil { turns.append(requester) }
        waiting[requester, default: []].append(entry)
    }

    /// Removes the next entry and counts it as running until ``finish(_:)``.
    ///
    /// - Returns: `nil` if no entry waits, or if only requesters at their limit have waiting entries.
    mutating func next() -> (requester: Requester, entry: Entry)? {
        guard let turn = turns.firstIndex(where: { running[$0, default: 0] < share }) else { return nil }
        let requester = turns.remove(at: turn)
        guard var entries = waiting.removeValue(forKey: requester), !entries.isEmpty else { return nil }
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
    mutating func finish(_ requester: Requester) {
        let count = running[requester, default: 1] - 1
        running[requester] = count > 0 ? count : nil
        guard let turn = turns.firstIndex(of: requester) else { return }
        turns.remove(at: turn)
        turns.append(requester)
    }

    /// Removes a waiting entry.
    ///
    /// Has no effect if the entry no longer waits.
    mutating func remove(_ entry: Entry, of requester: Requester) {
        guard var entries = waiting[requester] else { return }
        entries.removeAll { $0 === entry }
        waiting[requester] = entries.isEmpty ? nil : entries
        if entries.isEmpty { turns.removeAll { $0 == requester } }
    }

    /// Removes the newest entry of the requester with the most waiting entries, or returns `nil` if no entry waits.
    mutating func removeNewestOfLongest() -> Entry? {
        // If several requesters have the same number of entries, the last one in turn is chosen.
        guard
            let requester = turns.reversed().max(by: { waiting[$0, default: []].count < waiting[$1, default: []].count }
            ),
            let entry = waiting[requester]?.last
        else { return nil }
        remove(entry, of: requester)
        return entry
    }
}
