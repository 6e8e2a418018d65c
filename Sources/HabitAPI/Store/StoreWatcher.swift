import StoreEngine
import Synchronization

/// Detects changes of a store by any program.
///
/// No response contains a version of this type. The versions are comparable only within the process.
final class StoreWatcher: Sendable {
    /// The connection, which serves no request, so that its versions are comparable.
    private let engine: any Engine
    private let lastLook = Mutex<Look?>(nil)

    /// A call of ``recentVersion()`` that read the version.
    private struct Look {
        var time: ContinuousClock.Instant
        /// The version, or `nil` until it is read for the first time.
        var version: Int64?
    }

    /// Creates a watcher.
    ///
    /// - Parameter engine: A connection for reading that no other code uses.
    init(_ engine: any Engine) { self.engine = engine }

    /// Returns a number that differs after each change of the store.
    ///
    /// If the number is equal before and after a time, the store has not changed in this time.
    ///
    /// - Throws: An error of the engine.
    func version() throws -> Int64 { try engine.dataVersion() }

    /// Returns a version that was current within the last second.
    ///
    /// Any number of streams look for changes at the cost of one.
    ///
    /// - Throws: An error of the engine.
    func recentVersion() throws -> Int64 {
        let now = ContinuousClock.now
        let known = lastLook.withLock { look -> Int64? in
            if let last = look, last.time.duration(to: now) < .seconds(1) {
                return last.version
            }
            look = Look(time: now, version: look?.version)
            return nil
        }
        if let known {
            return known
        }
        let version = try version()
        lastLook.withLock { look in look = Look(time: now, version: version) }
        return version
    }
}
