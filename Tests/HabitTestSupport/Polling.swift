import Foundation
import Testing

/// The time in which an idle machine makes all checks of a condition.
private let patience = Duration.seconds(60)

/// Waits until `condition` is true, and records an issue after as many checks as an idle machine makes in 60 s.
///
/// The condition is checked every `interval`. A busy machine delays both the checks and
/// the work for which the test waits, so the checks are counted, not the seconds. A test asserts no other duration.
public func waitUntil(
    _ what: Comment, every interval: Duration = .milliseconds(5), sourceLocation: SourceLocation = #_sourceLocation,
    _ condition: () async throws -> Bool
) async throws {
    var remainingChecks = Int(patience / interval)
    while try await !condition() {
        remainingChecks -= 1
        try #require(remainingChecks > 0, what, sourceLocation: sourceLocation)
        try await Task.sleep(for: interval)
    }
}

/// Blocks the thread until `condition` is true, and records an issue after as many checks as an idle machine makes in 60 s.
///
/// Use it only in code that is not asynchronous.
public func blockUntil(
    _ what: Comment, sourceLocation: SourceLocation = #_sourceLocation, _ condition: () throws -> Bool
) throws {
    let interval = Duration.milliseconds(1)
    var remainingChecks = Int(patience / interval)
    while try !condition() {
        remainingChecks -= 1
        try #require(remainingChecks > 0, what, sourceLocation: sourceLocation)
        Thread.sleep(forTimeInterval: interval / .seconds(1))
    }
}
