import Base
import HabitModel
import StoreEngine

/// Connections to a store that read the same state of the store at the same time, each on its own thread.
///
/// On PostgreSQL, the other connections read the snapshot of the first one. A file and a cluster have no snapshots with
/// names. There, the connections begin their transactions one immediately after the other, and compare the number of the
/// store's last change. If another process has committed in between, they begin again. After three attempts, only the
/// first connection reads.
public struct ReadTeam {
    private static let attempts = 3

    /// The connection of the caller.
    public let engine: any Engine
    private let helpers: [any Engine]

    /// Creates a team from the connection of the caller and from the connections of its helpers.
    public init(_ engine: any Engine, helpers: [any Engine]) {
        self.engine = engine
        self.helpers = helpers
    }

    /// The number of threads.
    public var threads: Int { helpers.count + 1 }

    /// Stops the running statements of all connections, from any thread.
    public func interrupt() {
        engine.interrupt()
        for helper in helpers {
            helper.interrupt()
        }
    }

    /// Runs a closure in a read transaction of a connection, on the snapshot whose name the first closure returns.
    public typealias Transaction = (any Engine, () throws -> String?, (any Session) throws -> Void) throws -> Void

    /// Runs `body` in a read transaction on the caller's thread.
    ///
    /// - Parameters:
    ///   - transaction: Begins and ends the transaction of each connection.
    ///   - body: A closure that reads. Its session and its crew are valid only until the closure returns. The crew has no
    ///     helpers if the connections could not begin in the same state.
    /// - Returns: The result of `body`.
    /// - Throws: The error of `body`, or an error of the engine.
    public func read<Result>(
        _ transaction: @escaping Transaction = { engine, snapshot, body in
            try engine.read(at: snapshot, body)
        },
        _ body: (any Session, ReadCrew) throws -> Result
    ) throws -> Result {
        for _ in 0..<Self.attempts where !helpers.isEmpty {
            if let result = try readTogether(transaction, body) {
                return result
            }
        }
        var result: Result?
        try transaction(engine, { nil }) { session in
            result = try body(session, .alone)
        }
        guard let result else {
            throw HabitError(.internal, "the transaction did not run")
        }
        return result
    }

    /// Returns the result of `body`, or `nil` if the connections read different states.
    private func readTogether<Result>(
        _ transaction: @escaping Transaction, _ body: (any Session, ReadCrew) throws -> Result
    ) throws -> Result? {
        let crew = ReadCrew(helpers: helpers.count, interruptCaller: engine.interrupt)
        var threads: [WorkerThread] = []
        defer {
            crew.end()
            for thread in threads { thread.join() }
        }
        for helper in helpers {
            let thread = try WorkerThread {
                crew.serve(interrupt: helper.interrupt) { snapshot, body in
                    try transaction(helper, snapshot, body)
                }
            }
            threads.append(thread)
        }
        var result: Result?
        do {
            try transaction(engine, crew.waitForHelpers) { session in
                guard try crew.begin(in: session) else { return }
                result = try body(session, crew)
            }
        } catch {
            // The caller does not wait for queries whose rows it no longer needs.
            crew.end()
            repeat {
                for helper in helpers { helper.interrupt() }
            } while !crew.hasEnded(within: 0.02)
            throw error
        }
        return result
    }
}

extension Session {
    /// Reads the number of transactions that have changed the store, which fixes the state that the session reads.
    func changeNumber() throws -> Int64? {
        try first("SELECT change FROM store") { $0.integer(0) }
    }
}
