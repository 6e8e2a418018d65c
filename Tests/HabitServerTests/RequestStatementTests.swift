import CSQLite
import HTTPTypes
import HabitModel
import HabitStore
import HabitTestSupport
import StoreEngine
import Synchronization
import Testing

@testable import HabitServer
@testable import StoreSpatiaLite

/// Tests of the number of statements with which the server changes a feature.
///
/// The suite is serialized, because its tests share one trace.
@Suite(.serialized, .fileStoreOnly) struct RequestStatementTests {
    /// An execution of a statement by a connection.
    private struct Execution {
        var sql: String
        /// Whether it is the first execution of the statement since it was compiled.
        var isFirst: Bool
        /// Whether another statement runs this one in a trigger or a table function.
        var isNested: Bool
        /// Whether the statement is a SELECT that reads the table `event`.
        var readsEvents: Bool {
            guard !isNested, sql.hasPrefix("SELECT") else { return false }
            return sql.contains(/\b(?:FROM|JOIN)\s+event\b/)
        }
        /// Whether the statement begins or ends a transaction.
        var isBoundary: Bool { ["BEGIN", "COMMIT"].contains { keyword in sql.hasPrefix(keyword) } }
    }

    /// The statements that connections have executed.
    private final class Trace: Sendable {
        private let executions = Mutex<[Execution]>([])

        /// Adds the executions of a connection, until it is closed.
        ///
        /// The trace must exist longer than the connection.
        func attach(to engine: SpatiaLiteEngine) throws {
            let context = Unmanaged.passUnretained(self).toOpaque()
            let code = engine.queue.inDatabase { db in
                sqlite3_trace_v2(
                    db.sqliteConnection, UInt32(SQLITE_TRACE_STMT),
                    { _, context, statement, text in
                        guard let context, let statement, let text else { return SQLITE_OK }
                        let trace = Unmanaged<Trace>.fromOpaque(context).takeUnretainedValue()
                        trace.add(OpaquePointer(statement), text.assumingMemoryBound(to: CChar.self))
                        return SQLITE_OK
                    }, context)
            }
            #expect(code == SQLITE_OK)
        }

        private func add(_ statement: OpaquePointer, _ text: UnsafePointer<CChar>) {
            let sql = String(cString: text)
            // SQLite reports a nested statement as a comment.
            let execution = Execution(
                sql: sql,
                isFirst: sqlite3_stmt_status(statement, SQLITE_STMTSTATUS_RUN, 0) == 0,
                isNested: sql.hasPrefix("--"))
            executions.withLock { executions in executions.append(execution) }
        }

        /// Returns the executions since the last call.
        func take() -> [Execution] {
            executions.withLock { executions in
                defer { executions = [] }
                return executions
            }
        }
    }

    /// The trace of the server's connections, which exists longer than they do.
    private static let trace = Trace()

    /// Changes the comment of an event three times.
    ///
    /// - Parameter isConditional: Whether the requests name the version that they change.
    /// - Returns: The executions of the third request.
    /// - Throws: An error of the server.
    private static func thirdChange(isConditional: Bool) async throws -> [Execution] {
        let fixture = try await ServerFixture(Scene.friends)
        let server = try fixture.copy { engine in
            try trace.attach(to: #require(engine as? SpatiaLiteEngine))
        }
        let path = "/collections/events/items/r17"
        try await fixture.run(server.router()) { client in
            for number in 1...3 {
                var headers: HTTPFields = [:]
                if isConditional {
                    headers[.ifMatch] = try await client.send(path: path, as: "owner").tag
                }
                _ = trace.take()
                let body = #"{"comment":"Version \#(number)"}"#
                let response = try await client.send(.patch, path: path, as: "owner", body, headers: headers)
                #expect(response.status == 200, "\(response)")
                #expect(response.properties["comment"] as? String == "Version \(number)", "\(response)")
            }
        }
        return trace.take().filter { execution in !execution.isBoundary }
    }

    /// The server reads the event to check the permission before it reads the body, to check the permission again with
    /// the values that the change depends on, to compare the values, to respond, and to respond with the new version.
    ///
    /// It also reads the version in the transaction of the change if the request has a precondition.
    @Test(arguments: [(isConditional: false, reads: 5), (isConditional: true, reads: 6)])
    func thirdChangeOfCommentCompilesAndReadsLittle(isConditional: Bool, reads limit: Int) async throws {
        let executions = try await Self.thirdChange(isConditional: isConditional)
        let compiled = executions.filter(\.isFirst)
        let reads = executions.filter(\.readsEvents)
        #expect(compiled.count <= 20, "\(compiled.map(\.sql))")
        #expect(!reads.isEmpty)
        #expect(reads.count <= limit, "\(reads.map(\.sql))")
    }
}
