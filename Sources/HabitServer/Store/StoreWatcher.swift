import Base
import Foundation
import HabitModel
import HabitStore
import StoreEngine
import Synchronization

/// The state of a store that a response describes.
///
/// All servers of a store have the same state, also after a restart.
struct StoreState: Hashable, Sendable {
    var version: StoreVersion
    /// Distinguishes states that differ by changes of other programs, which do not increase the change number.
    var unnumbered = ""

    /// The part of an entity tag that stands for the state of the store and the version of the server.
    var text: String { "\(HabitatVersion.current) \(version.store) \(version.change) \(version.time) \(unnumbered)" }
}

/// Detects changes of a store by any program.
final class StoreWatcher: Sendable {
    /// The connection, which serves no request, so that its data versions are comparable.
    private let engine: any Engine
    private let last = Mutex<(dataVersion: Int64, state: StoreState)?>(nil)
    /// The time of the last call of ``recentState()`` that read the state.
    private let lastLook = Mutex<ContinuousClock.Instant?>(nil)

    init(_ engine: any Engine) { self.engine = engine }

    /// Returns a state that was current within the last second.
    ///
    /// Any number of streams look for changes at the cost of one.
    func recentState() throws -> StoreState {
        let now = ContinuousClock.now
        let isDue = lastLook.withLock { last in
            guard last.map({ $0.duration(to: now) >= .seconds(1) }) ?? true else { return false }
            last = now
            return true
        }
        if !isDue, let last = last.withLock({ $0 }) { return last.state }
        return try state()
    }

    /// Returns the current state.
    ///
    /// The store is read only if it has changed since the last call.
    func state() throws -> StoreState {
        while true {
            let dataVersion = try engine.dataVersion()
            if let last = last.withLock({ $0 }), last.dataVersion == dataVersion { return last.state }
            let version = try engine.read { try StoreVersion(in: $0) }
            // The version must belong to the data version.
            guard try engine.dataVersion() == dataVersion else { continue }
            return last.withLock { last in
                var state = StoreState(version: version, unnumbered: last?.state.unnumbered ?? "")
                if let last, last.dataVersion != dataVersion, last.state.version == version {
                    state.unnumbered = UUID().uuidString
                }
                last = (dataVersion, state)
                return state
            }
        }
    }
}
