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

        /// Returns the connections that close during `body`.
        static func during(_ body: () throws -> Void) throws -> Set<Entry> {
            _ = SpatiaLiteConnection.isConfigured
            let hook = unsafeBitCast(opened, to: (@convention(c) () -> Void).self)
            #expect(sqlite3_auto_extension(hook) == SQLITE_OK)
            defer { sqlite3_cancel_auto_extension(hook) }
            try body()
            return entries.withLock { $0 }
        }
    }

    @Test func noConnectionAllowsExtensions() throws {
        let folder = try TemporaryFolder()
        let (store, copy, emptyStore) = (folder.file("store"), folder.file("copy"), folder.file("empty"))
        func open(_ access: StoreAccess, _ path: String) throws -> SpatiaLiteEngine {
            try SpatiaLiteEngine(path: path, access: access, wait: .zero, schema: .spatiaLite)
        }
        let connections = try ClosedConnections.during {
            _ = try open(.create, store)
            _ = try open(.create, emptyStore)
            try open(.write, store).write { _ in }
            let reader = try open(.read, store)
            try reader.copy(to: copy, named: copy) {}
            // Compiles the SQL in a database of its own.
            let clock = Clock(now: .now)
            _ = try reader.analyze(as: .operator, clock: clock) { session in
                try AnalystQuery("SELECT 1", viewer: .operator, clock: clock).run(in: session) { _ in { _ in } }
            }
            _ = try SpatiaLiteEngine.temporary(.spatiaLite)
            // A reader opens the store for writing first if a load was interrupted.
            try folder.write("", to: "empty-journal")
            _ = try open(.read, emptyStore)
        }
        #expect(Set(connections.map(\.path)).isSuperset(of: [store, copy, emptyStore, ""]))
        #expect(connections.filter(\.allowsExtensions) == [])
    }

    @Test func writerHasFunctionsOfSpatiaLite() throws {
        let engine = try SpatiaLiteEngine.temporary(.spatiaLite)
        try engine.queue.inDatabase { try SpatiaLiteConnection.requireSpatiaLite(on: $0) }
    }

    @Test func connectionWithoutFunctionsOfSpatiaLiteIsRefused() throws {
        _ = try DatabaseQueue().inDatabase { db in
            #expect {
                try SpatiaLiteConnection.requireSpatiaLite(on: db)
            } throws: {
                ($0 as? HabitError)?.code == .storeUnavailable
            }
        }
    }

    /// The resident memory of this process, in bytes.
    private static func residentMemory() throws -> Int {
        let fields = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ")
        return try #require(fields.dropFirst().first.flatMap { Int($0) }) * Int(getpagesize())
    }

    private static func openWriters(_ count: Int, _ path: String) throws {
        for _ in 0..<count {
            try SpatiaLiteEngine(path: path, access: .write, wait: .zero, schema: .spatiaLite).write { _ in }
        }
    }

    /// Runs in a process of its own, because other tests allocate memory.
    @Test func closedWritersReleaseTheirMemory() async {
        await #expect(processExitsWith: .success) {
            let folder = try TemporaryFolder()
            let path = folder.file("store")
            _ = try SpatiaLiteEngine(path: path, access: .create, wait: .zero, schema: .spatiaLite)
            try Self.openWriters(20, path)
            let before = try Self.residentMemory()
            try Self.openWriters(200, path)
            let growth = try Self.residentMemory() - before
            print("GROWTH", growth)
            #expect(growth < 8 << 20, "200 connections leave \(growth) bytes")
        }
    }
}
