import Synchronization

/// The open streams of each user.
package final class OpenStreams: Sendable {
    /// The maximum number of streams of one user.
    package static let userLimit = 8

    private let limit: Int
    private let places = Mutex<[String: [Place]]>([:])

    /// Creates a register for at most `limit` streams of all users.
    package init(limit: Int) {
        self.limit = limit
    }

    /// A stream that is counted until it ends.
    package final class Place: Sendable {
        private let ended = Atomic(false)

        /// Whether the stream must end, because the user has opened too many others.
        package var isEnded: Bool {
            ended.load(ordering: .relaxed)
        }

        fileprivate func end() {
            ended.store(true, ordering: .relaxed)
        }
    }

    /// Counts a new stream, and ends the oldest stream of a user who has too many.
    ///
    /// The server notices a disconnected client only when it sends the next comment, so the oldest stream may be such.
    ///
    /// - Throws: `OverloadError` if the server has too many streams.
    package func open(for user: String) throws -> Place {
        try places.withLock { places in
            let counts = places.values.map(\.count)
            guard counts.reduce(0, +) < limit else { throw OverloadError() }
            var own = places[user] ?? []
            while own.count >= Self.userLimit {
                own.removeFirst().end()
            }
            let place = Place()
            own.append(place)
            places[user] = own
            return place
        }
    }

    /// Ends the count of a stream.
    package func close(_ place: Place, of user: String) {
        places.withLock { places in
            let others = places[user]?.filter { other in other !== place } ?? []
            places[user] = others.isEmpty ? nil : others
        }
    }
}
