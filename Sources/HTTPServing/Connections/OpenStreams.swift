import Synchronization

/// The open streams of each user.
package final class OpenStreams: Sendable {
    /// The maximum number of streams of one user.
    package static let userLimit = 8

    private let limit: Int
    private let streams = Mutex<[String: [OpenStream]]>([:])

    /// Creates a register for at most `limit` streams of all users.
    package init(limit: Int) {
        self.limit = limit
    }

    /// A stream that is counted until it ends.
    package final class OpenStream: Sendable {
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
    package func open(for user: String) throws -> OpenStream {
        try streams.withLock { streams in
            let counts = streams.values.map(\.count)
            guard counts.reduce(0, +) < limit else { throw OverloadError() }
            var own = streams[user] ?? []
            while own.count >= Self.userLimit {
                own.removeFirst().end()
            }
            let stream = OpenStream()
            own.append(stream)
            streams[user] = own
            return stream
        }
    }

    /// Ends the count of a stream.
    package func close(_ stream: OpenStream, of user: String) {
        streams.withLock { streams in
            let others = streams[user]?.filter { other in other !== stream } ?? []
            streams[user] = others.isEmpty ? nil : others
        }
    }
}
