import Base
import CSQLite
import Foundation
import GRDB
import HabitModel
import HabitTestSupport
import Synchronization
import Testing

@testable import HabitStore
@testable import StoreEngine
@testable import StoreSpatiaLite

/// Tests the settings of SQLite connections and that closed connections release SpatiaLite's memory.
@Suite struct SpatiaLiteConnectionTests {
    /// Records, when an SQLite connection of this process closes, whether it allows extensions.
    private enum ClosedConnections {
        struct Entry: Hashable {
            /// The path of the database file, or an empty string for a database in memory.
            var path: String
            var allowsExtensions: Bool
        }

        private static let entries = Mutex<Set<Entry>>([])

        private static let closed:
            @convention(c) (
                UInt32, UnsafeMutableRawPointer?, UnsafeMutableRawPointer?, UnsafeMutableRawPointer?
            ) -> Int32 = { _, _, connection, _ in
                let connection = connection.map { OpaquePointer($0) }
                var allows: Int32 = 1
                let status = habitat_sqlite3_allows_extensions(connection, &allows)
                let path = sqlite3_db_filename(connection, "main").map { String(cString: $0) } ?? ""
                _ = entries.withLock {
                    $0.insert(Entry(path: path, allowsExtensions: status != SQLITE_OK || allows != 0))
                }
                return SQLITE_OK
            }

        private static let opened:
            @convention(c) (
                OpaquePointer?, UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?, OpaquePointer?
            ) -> Int32 = { connection, _, _ in
                sqlite3_trace_v2(connection, UInt32(SQLITE_TRACE_CLOSE), closed, nil)
            }

        /// Records the connections that `body` opens.
        ///
        /// SpatiaLite removes the hook when a connection closes, so each step of a test calls this method.
        static func record(_ body: () throws -> Void) throws {
            let hook = unsafeBitCast(opened, to: (@convention(c) () -> Void).self)
            try #require(sqlite3_auto_extension(hook) == SQLITE_OK)
            try body()
        }

        /// The connections that were recorded and are closed.
        static var all: Set<Entry> { entries.withLock { $0 } }
    }

    private static func open(_ access: StoreAccess, _ path: String) throws -> SpatiaLiteEngine {
        try SpatiaLiteEngine(path: path, access: access, wait: .zero, schema: .spatiaLite)
    }

    /// Runs in a process of its own, because it changes how SQLite opens connections.
    @Test func noConnectionAllowsExtensions() async {
        await #expect(processExitsWith: .success) {
            _ = SpatiaLiteConnection.isConfigured
            let folder = try TemporaryFolder()
            let store = folder.file("store")
            let copy = folder.file("copy")
            let interrupted = folder.file("interrupted")
            try ClosedConnections.record { _ = try Self.open(.create, store) }
            try ClosedConnections.record { try Self.open(.write, store).write { _ in } }
            try ClosedConnections.record {
                let reader = try Self.open(.read, store)
                try reader.copy(to: copy, named: copy) {}
                // SQL is also compiled in a database of its own.
                let clock = Clock(now: .now)
                _ = try reader.analyze(as: .operator, clock: clock) { session in
                    try AnalysisQuery("SELECT 1", viewer: .operator, clock: clock).run(in: session) { _ in { _ in } }
                }
            }
            try ClosedConnections.record { _ = try SpatiaLiteEngine.temporary(.spatiaLite) }
            // A reader first opens the store for writing if a load was interrupted.
            _ = try Self.open(.create, interrupted)
            try folder.write("", to: "interrupted-journal")
            try ClosedConnections.record { _ = try Self.open(.read, interrupted) }

            let connections = ClosedConnections.all
            let files = Set(connections.map { ($0.path as NSString).lastPathComponent })
            #expect(files == ["store", "copy", "interrupted", ""])
            #expect(connections.filter(\.allowsExtensions) == [])
        }
    }

    @Test func writerHasFunctionsOfSpatiaLite() throws {
        let engine = try SpatiaLiteEngine.temporary(.spatiaLite)
        try engine.queue.inDatabase { try SpatiaLiteConnection.requireSpatiaLite(on: $0) }
    }

    @Test func connectionWithoutFunctionsOfSpatiaLiteIsRefused() throws {
        let folder = try TemporaryFolder()
        _ = try Self.open(.create, folder.file("store"))
        _ = try Self.open(.read, folder.file("store")).queue.inDatabase { db in
            #expect {
                try SpatiaLiteConnection.requireSpatiaLite(on: db)
            } throws: {
                ($0 as? HabitError)?.code == .storeUnavailable
            }
        }
    }

    /// Returns the resident memory of this process in bytes, without freed memory that the allocator keeps.
    private static func residentMemory() throws -> Int {
        let trim = try #require(dlsym(nil, "malloc_trim"))
        _ = unsafeBitCast(trim, to: (@convention(c) (Int) -> Int32).self)(0)
        let fields = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ")
        return try #require(fields.dropFirst().first.flatMap { Int($0) }) * Int(getpagesize())
    }

    private static func openWriters(_ count: Int, _ path: String) throws {
        for _ in 0..<count { try open(.write, path).write { _ in } }
    }

    /// SpatiaLite allocates about 5 KiB for each connection.
    ///
    /// Runs in a process of its own, because other tests allocate memory.
    @Test func closedWritersReleaseTheirMemory() async {
        await #expect(processExitsWith: .success) {
            let folder = try TemporaryFolder()
            let path = folder.file("store")
            _ = try Self.open(.create, path)
            try Self.openWriters(50, path)
            // The first measurement loads code.
            _ = try Self.residentMemory()
            let before = try Self.residentMemory()
            try Self.openWriters(200, path)
            let growth = try Self.residentMemory() - before
            #expect(growth < 512 << 10, "200 connections leave \(growth) bytes")
        }
    }
}
