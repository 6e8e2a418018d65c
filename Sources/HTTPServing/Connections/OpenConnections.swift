import NIOCore
import Synchronization

/// The open connections of one listener, limited in total and per client address.
///
/// If a limit is reached, the connection that has been idle longest is closed for the new one. A connection is idle
/// while no request is in progress on it: it is new, kept alive, or has sent only part of a request's head. If no
/// connection is idle, the new one is refused.
package final class OpenConnections: Sendable {
    private struct Entry {
        let channel: any Channel
        let client: String
        /// `nil` while a request is in progress.
        var idleSince: ContinuousClock.Instant?
    }

    private struct State {
        var entries: [ObjectIdentifier: Entry] = [:]
        var countByClient: [String: Int] = [:]
    }

    private let limit: Int
    private let clientLimit: Int?
    private let state = Mutex(State())

    /// Creates an empty set of connections.
    ///
    /// - Parameters:
    ///   - limit: Maximum number of connections.
    ///   - clientLimit: Maximum number of connections per client address; `nil` disables it, for clients behind a
    ///     proxy.
    package init(limit: Int, clientLimit: Int?) {
        self.limit = limit
        self.clientLimit = clientLimit
    }

    /// The number of open connections.
    package var count: Int {
        state.withLock { state in state.entries.count }
    }

    /// Adds a connection and closes an idle one if a limit is reached.
    ///
    /// The cost is O(1), or O(n) in the number of connections at a limit.
    /// - Parameters:
    ///   - channel: The channel of the connection.
    ///   - client: The client's address.
    /// - Returns: Whether the connection may be used.
    package func open(_ channel: any Channel, client: String) -> Bool {
        var replaced: (any Channel)?
        let isAdmitted = state.withLock { state in
            let clientCount = state.countByClient[client, default: 0]
            let isClientFull = clientLimit.map { limit in clientCount >= limit } ?? false
            if isClientFull || state.entries.count >= limit {
                let idle = Self.longestIdle(isClientFull ? client : nil, in: state)
                guard let idle else { return false }
                replaced = Self.remove(idle, from: &state)
            }
            let entry = Entry(channel: channel, client: client, idleSince: .now)
            state.entries[ObjectIdentifier(channel)] = entry
            state.countByClient[client, default: 0] += 1
            return true
        }
        replaced?.close(promise: nil)
        return isAdmitted
    }

    /// Marks a connection as busy or idle.
    package func setIdle(_ isIdle: Bool, _ channel: any Channel) {
        let id = ObjectIdentifier(channel)
        state.withLock { state in
            state.entries[id]?.idleSince = isIdle ? .now : nil
        }
    }

    /// Removes a closed connection.
    ///
    /// Does nothing if the connection was refused or replaced.
    package func close(_ channel: any Channel) {
        let id = ObjectIdentifier(channel)
        _ = state.withLock { state in Self.remove(id, from: &state) }
    }

    private static func longestIdle(
        _ client: String?,
        in state: State
    ) -> ObjectIdentifier? {
        var longest: (id: ObjectIdentifier, since: ContinuousClock.Instant)?
        for (id, entry) in state.entries {
            let isEligible = client == nil || entry.client == client
            guard isEligible, let since = entry.idleSince else { continue }
            if let found = longest, found.since <= since { continue }
            longest = (id, since)
        }
        return longest?.id
    }

    private static func remove(
        _ id: ObjectIdentifier,
        from state: inout State
    ) -> (any Channel)? {
        guard let entry = state.entries.removeValue(forKey: id) else {
            return nil
        }
        let count = state.countByClient[entry.client, default: 1] - 1
        state.countByClient[entry.client] = count > 0 ? count : nil
        return entry.channel
    }
}
