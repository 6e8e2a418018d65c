import Base
import CSQLite
import Foundation
import StoreEngine
import Synchronization

/// A deadline that stops a statement that exceeds its time limit.
///
/// SQLite calls a progress handler after every 10,000 instructions of its virtual machine, which can stop the
/// statement. It does not call the handler during a single function call. A separate thread then calls
/// ``QueryLimits/onUnresponsive``, which must end the program.
final class QueryDeadline: Sendable {
    private let limits: QueryLimits
    private let nanoseconds: UInt64
    /// The time that all earlier steps used, in nanoseconds.
    private let used = Atomic<UInt64>(0)
    /// The start of the current step, in nanoseconds, or 0 between steps.
    private let begun = Atomic<UInt64>(0)
    private let isOver = Atomic<Bool>(false)
    /// The time after the limit until `onUnresponsive` is called, in nanoseconds.
    private static let grace: UInt64 = 1_000_000_000

    init(_ limits: QueryLimits) {
        self.limits = limits
        nanoseconds = UInt64(max(0, limits.timeout / .nanoseconds(1)))
    }

    /// Checks the time limit of the connection's statements until ``end(_:)``.
    func begin(_ connection: OpaquePointer?) {
        sqlite3_progress_handler(
            connection, 10_000,
            { context in
                guard let context else { return 0 }
                return Unmanaged<QueryDeadline>.fromOpaque(context).takeUnretainedValue().isExpired ? 1 : 0
            }, Unmanaged.passUnretained(self).toOpaque())
        guard limits.onUnresponsive != nil else { return }
        Thread.detachNewThread { [self] in
            while !isOver.load(ordering: .relaxed) {
                Thread.sleep(forTimeInterval: 0.25)
                if elapsed > nanoseconds + Self.grace, begun.load(ordering: .relaxed) != 0 {
                    limits.onUnresponsive?(error)
                }
            }
        }
    }

    func end(_ connection: OpaquePointer?) {
        sqlite3_progress_handler(connection, 0, nil, nil)
        isOver.store(true, ordering: .relaxed)
    }

    /// Whether the time limit is exceeded.
    var isExpired: Bool { elapsed > nanoseconds }

    /// The error of a statement that exceeds the limit.
    var error: HabitError { limits.timeoutError }

    /// Runs `body` and counts its time.
    func measure<Result>(_ body: () throws -> Result) rethrows -> Result {
        let start = Self.now
        begun.store(start, ordering: .relaxed)
        defer {
            used.add(Self.now - start, ordering: .relaxed)
            begun.store(0, ordering: .relaxed)
        }
        return try body()
    }

    private var elapsed: UInt64 {
        let start = begun.load(ordering: .relaxed)
        return used.load(ordering: .relaxed) + (start == 0 ? 0 : Self.now - start)
    }

    private static var now: UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
}
