import StoreEngine

/// Connections to a store that read the same state of the store at the same time, each on its own thread.
///
/// The connections begin their transactions together and compare the number of the store's last change. If another
/// process has committed in between, they begin again. After three attempts, only the first connection reads.
public struct ReadTeam {
    private static let attempts = 3

    private let engine: any Engine
    private let helpers: [any Engine]

    /// Creates a team from the connection of the caller and from the connections of its helpers.
    public init(_ engine: any Engine, helpers: [any Engine]) {
        self.engine = engine
        self.helpers = helpers
    }

    /// The number of threads.
    public var threads: Int { helpers.count + 1 }

    /// Runs `body` in a read transaction on the caller's thread.
    ///
    /// - Parameter body: A closure that reads. Its session and its crew are valid only until the closure returns. The
    ///   crew has no helpers if the connections could not begin in the same state.
    /// - Returns: The result of `body`.
    /// - Throws: The error of `body`, or an error of the engine.
    public func read<Result>(_ body: (any Session, ReadCrew) throws -> Result) throws -> Result {
        for _ in 0..<Self.attempts where !helpers.isEmpty {
            if let result = try readTogether(body) { return result }
        }
        return try engine.read { try body($0, ReadCrew(helpers: 0)) }
    }

    /// Returns the result of `body`, or `nil` if the connections read different states.
    private func readTogether<Result>(_ body: (any Session, ReadCrew) throws -> Result) throws -> Result? {
        let crew = ReadCrew(helpers: helpers.count)
        var threads: [WorkerThread] = []
        defer {
            crew.end()
            for thread in threads { thread.join() }
        }
        for helper in helpers { threads.append(try WorkerThread { crew.serve(helper) }) }
        return try engine.read { session in
            guard let number = try? session.changeNumber(), crew.hasBegun(at: number) else { return nil }
            return try body(session, crew)
        }
    }
}

extension Session {
    /// Reads the number of transactions that have changed the store, which fixes the state that the session reads.
    func changeNumber() throws -> Int64? {
        try first("SELECT change FROM store") { $0.integer(0) }
    }
}
