import Base
import Foundation
import HabitModel
import HabitStore
import HabitTestSupport
import StoreEngine
import Synchronization
import Testing

/// Tests that the write-ahead log of a file store is bounded.
@Suite(.fileStoreOnly) struct CheckpointTests {
    private static func logSize(_ store: TestStore) -> Int {
        FileManager.default.contents(atPath: store.folder.file("habitat.db-wal"))?.count ?? 0
    }

    /// Returns the number of users in a copy of the file without its log.
    private static func usersInCopy(of store: TestStore) throws -> Int64? {
        let folder = try TemporaryFolder()
        try FileManager.default.copyItem(atPath: store.folder.file("habitat.db"), toPath: folder.file("copy.db"))
        let copy = try StoreLocation(folder.file("copy.db")).open(.write, wait: .zero)
        return try copy.read { try $0.first("SELECT count(*) FROM account") { $0.integer(0) } }
    }

    @Test func checkpointMovesCommittedChangesIntoFile() throws {
        let store = try TestStore()
        let reader = try store.location.open(.read, wait: .zero)
        _ = try reader.dataVersion()
        try store.write([.user("a")])
        #expect(Self.logSize(store) > 0)
        try store.engine.writeAheadLog?.checkpoint(wait: .zero)
        #expect(Self.logSize(store) == 0)
        #expect(try Self.usersInCopy(of: store) == 1)
        try store.write([.user("b")])
        #expect(try reader.read { try $0.first("SELECT count(*) FROM account") { $0.integer(0) } } == 2)
    }

    @Test func checkpointDoesNotFailWhileReaderIsActive() throws {
        let store = try TestStore()
        let reader = try store.location.open(.read, wait: .zero)
        try reader.read { session in
            _ = try session.first("SELECT 1 FROM account") { _ in true }
            try store.write([.user("a")])
            try store.engine.writeAheadLog?.checkpoint(wait: .zero)
            #expect(Self.logSize(store) > 0)
            #expect(try session.first("SELECT count(*) FROM account") { $0.integer(0) } == 0)
        }
        try store.engine.writeAheadLog?.checkpoint(wait: .zero)
        #expect(Self.logSize(store) == 0)
    }

    private final class Readers: Sendable {
        let isOver = Atomic(false)
        let reads = Atomic(0)
    }

    /// Four threads read continuously, so that some reader always uses the log.
    @Test func checkpointEmptiesLogDespiteOverlappingReaders() throws {
        let store = try TestStore()
        let readers = Readers()
        let location = store.location
        let threads = (0..<4).map { _ in
            let thread = Thread {
                guard let reader = try? location.open(.read, wait: .seconds(5)) else { return }
                while !readers.isOver.load(ordering: .relaxed) {
                    try? reader.read { session in
                        _ = try session.first("SELECT count(*) FROM account") { $0.integer(0) }
                        usleep(3000)
                        readers.reads.add(1, ordering: .relaxed)
                    }
                }
            }
            thread.start()
            return thread
        }
        defer { readers.isOver.store(true, ordering: .relaxed) }
        try blockUntil("the threads read") { readers.reads.load(ordering: .relaxed) >= 8 }
        for round in 0..<3 {
            try store.write((0..<200).map { .user("u\(round)-\($0)") })
            try store.engine.writeAheadLog?.checkpoint(wait: .seconds(600))
            #expect(Self.logSize(store) == 0, "round \(round)")
        }
        readers.isOver.store(true, ordering: .relaxed)
        try blockUntil("the threads end") { threads.allSatisfy(\.isFinished) }
    }

    /// A commit that leaves a large log empties it, although another connection keeps the store open.
    @Test func largeLogIsEmptiedAfterCommit() throws {
        let store = try TestStore()
        let reader = try store.location.open(.read, wait: .zero)
        _ = try reader.dataVersion()
        try store.engine.write { session in
            for number in 0..<40 {
                _ = try session.run(
                    SQL(
                        "INSERT INTO setting (name, value) VALUES (:name, :value)",
                        ["name": .text("\(number)"), "value": .text(String(repeating: "x", count: 1 << 20))]))
            }
        }
        #expect(Self.logSize(store) == 0)
    }
}
