import Foundation
import HabitModel
import HabitStore
import StoreEngine

/// Report runs whose rows the caller receives in order, while other threads already run the next reports.
///
/// Each thread runs one report at a time. It waits while the caller has not received its previous rows, which limits the
/// memory.
final class ReportQueue {
    /// The reports, in the order in which the caller must receive their rows.
    let reports: [QueuedReport]

    /// Creates a queue, and lets a crew run its reports.
    ///
    /// - Parameters:
    ///   - runs: The reports, in the order in which the caller receives their rows.
    ///   - crew: The other threads.
    init(_ runs: [ReportRun], _ crew: ReadCrew) {
        let reports = runs.map(QueuedReport.init)
        self.reports = reports
        crew.assist { session in
            for report in reports { report.runForCaller(in: session) }
        }
    }

    /// Ends the other threads after their current rows.
    func end() { for report in reports { report.stop() } }
}

/// A report in a queue.
final class QueuedReport: @unchecked Sendable {
    // The lock protects all variables.
    private let lock = NSCondition()
    /// The report with its parameters.
    let run: ReportRun
    /// Whether a thread has begun the report, or it is no longer needed.
    private var isTaken = false
    private var isStopped = false
    private var shape: ResultShape?
    private var blocks: [[ValueRow]] = []
    /// The result, after the last row.
    private var end: Result<Void, any Error>?

    /// Maximum number of rows in a block.
    private static let blockRows = 256
    /// Maximum number of blocks in memory.
    private static let mostBlocks = 32

    /// The error in a thread whose rows are no longer needed.
    private struct Stopped: Error {}

    fileprivate init(_ run: ReportRun) { self.run = run }

    // MARK: The caller's thread

    /// Passes the shape of the report to `begin`, and each row to the closure that `begin` returns.
    ///
    /// If no other thread has begun the report, the caller's thread runs it.
    ///
    /// - Parameters:
    ///   - session: The session of the caller.
    ///   - begin: Receives the shape before the first row and returns the closure for the rows.
    /// - Throws: The errors of ``ReportRun/run(in:_:)`` and of the closures.
    func receive(in session: any Session, _ begin: (ResultShape) throws -> (any Row) throws -> Void) throws {
        if take() { return _ = try run.run(in: session, begin) }
        var receiver: ((any Row) throws -> Void)?
        while true {
            let (shape, blocks, end) = takeBlocks()
            if receiver == nil, let shape { receiver = try begin(shape) }
            for block in blocks {
                for row in block { try receiver?(row) }
            }
            if let end { return try end.get() }
        }
    }

    /// Waits for rows or for the end, and removes all rows from the storage.
    private func takeBlocks() -> (ResultShape?, [[ValueRow]], Result<Void, any Error>?) {
        lock.lock()
        defer { lock.unlock() }
        while blocks.isEmpty, end == nil { lock.wait() }
        let taken = blocks
        blocks = []
        lock.broadcast()
        return (shape, taken, end)
    }

    fileprivate func stop() {
        lock.withLock {
            isStopped = true
            isTaken = true
            lock.broadcast()
        }
    }

    private func take() -> Bool {
        lock.withLock {
            guard !isTaken else { return false }
            isTaken = true
            return true
        }
    }

    // MARK: Other threads

    /// Runs the report and stores its rows for the caller, unless a thread has begun it.
    fileprivate func runForCaller(in session: any Session) {
        guard take() else { return }
        let result = Result { try store(in: session) }
        lock.withLock {
            end = result
            lock.broadcast()
        }
    }

    private func store(in session: any Session) throws {
        var block: [ValueRow] = []
        try run.run(in: session) { shape in
            lock.withLock { self.shape = shape }
            let copy = shape.rowCopier
            return { row in
                block.append(copy(row))
                if block.count == Self.blockRows { try self.store(&block) }
            }
        }
        if !block.isEmpty { try store(&block) }
    }

    private func store(_ block: inout [ValueRow]) throws {
        try lock.withLock {
            while blocks.count >= Self.mostBlocks, !isStopped { lock.wait() }
            guard !isStopped else { throw Stopped() }
            blocks.append(block)
            lock.broadcast()
        }
        block = []
    }
}

extension ResultShape {
    /// A closure that copies a row of the shape, so that the copy stays valid after the row.
    fileprivate var rowCopier: (any Row) -> ValueRow {
        var point: Int?
        if case .point(let index) = geometry { point = index }
        let width = 1 + max(point ?? 0, columns.map(\.index).max() ?? 0)
        return { row in
            ValueRow((0..<width).map { $0 == point ? row.position($0).map { .point($0) } ?? .null : row.value($0) })
        }
    }
}
