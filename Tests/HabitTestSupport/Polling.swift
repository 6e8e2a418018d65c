import Foundation
import Testing

/// Waits until `condition` is true, and records an issue if it is still false after 60 s.
///
/// The condition is checked every `interval`. A test asserts no other duration.
public func waitUntil(
    _ what: Comment, every interval: Duration = .milliseconds(5), sourceLocation: SourceLocation = #_sourceLocation,
    _ condition: () async throws -> Bool
) async throws {
    let deadline = ContinuousClock.now + .seconds(60)
    while try await !condition() {
        try #require(ContinuousClock.now < deadline, what, sourceLocation: sourceLocation)
        try await Task.sleep(for: interval)
    }
}

/// Blocks the thread until `condition` is true, and records an issue if it is still false after 60 s.
///
/// Use it only in code that is not asynchronous.
public func blockUntil(
    _ what: Comment, sourceLocation: SourceLocation = #_sourceLocation, _ condition: () throws -> Bool
) throws {
    let deadline = ContinuousClock.now + .seconds(60)
    while try !condition() {
        try #require(ContinuousClock.now < deadline, what, sourceLocation: sourceLocation)
        Thread.sleep(forTimeInterval: 0.001)
    }
}
