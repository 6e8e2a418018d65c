import Foundation
import HabitStore
import HabitTestSupport
import StoreEngine
import Testing

@testable import StoreSpatiaLite

/// Tests of the write-ahead log of a store in a file: when it is off, and what turns it on.
@Suite(.fileStoreOnly) struct JournalModeTests {
    /// Returns whether the file of the store declares a write-ahead log (SQLite, "Database File Format", section 1.3.3).
    private static func hasLog(_ store: TestStore) throws -> Bool {
        let header = try Data(contentsOf: URL(fileURLWithPath: store.folder.file("habitat.db"))).prefix(20)
        return header[18] == 2
    }

    private static func mode(in session: any Session) throws -> String? {
        try session.first("SELECT journal_mode FROM pragma_journal_mode") { row in row.text(0) } ?? nil
    }

    @Test func newStoreIsLoadedWithoutLog() throws {
        let store = try TestStore()
        let mode = try store.engine.bulkWrite { session in try Self.mode(in: session) }
        #expect(mode == "delete")
        #expect(try Self.hasLog(store), "the log is turned on after the load")
    }

    /// A new migration must not make the store so large that it no longer counts as empty.
    @Test func emptyStoreIsLessThanHalfTheLimit() throws {
        let store = try TestStore()
        let size = try Data(contentsOf: URL(fileURLWithPath: store.folder.file("habitat.db"))).count
        #expect(2 * size <= SpatiaLiteEngine.emptySize)
    }

    @Test func largeStoreIsLoadedWithLog() throws {
        let store = try TestStore()
        try store.engine.write { session in
            let size = Value.integer(Int64(SpatiaLiteEngine.emptySize))
            _ = try session.run("CREATE TABLE ballast (bytes BLOB)")
            _ = try session.run("INSERT INTO ballast VALUES (zeroblob(\(size, as: "size")))")
        }
        let mode = try store.engine.bulkWrite { session in try Self.mode(in: session) }
        #expect(mode == "wal")
    }

    /// A writer that cannot turn the log of a backup on while a reader uses the store does so later.
    @Test(arguments: [false, true]) func storeGetsLogAfterReaderHasEnded(byCheckpoint: Bool) throws {
        let store = try TestStore()
        let path = store.folder.file("copy.db")
        let location = StoreLocation(path)
        try TestServer.copyStore(at: store.folder.file("habitat.db"), to: path)
        try SpatiaLiteEngine.turnOffLog(ofStoreAt: path)
        let reader = try location.open(.read, wait: .seconds(5))
        let writer = try reader.read { session in
            _ = try session.first("SELECT count(*) FROM event") { row in row.integer(0) }
            let writer = try location.open(.write, wait: .seconds(5))
            let mode = try writer.read { session in try Self.mode(in: session) }
            #expect(mode == "delete", "the reader uses the store")
            return writer
        }
        if byCheckpoint {
            try writer.writeAheadLog?.checkpoint(wait: .zero)
        } else {
            try writer.write { _ in }
        }
        let mode = try writer.read { session in try Self.mode(in: session) }
        #expect(mode == "wal")
    }
}
