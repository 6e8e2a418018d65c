import Foundation
import Testing

@testable import StoreSpatiaLite

/// Tests of the standard error while several checks of a store discard it.
@Suite struct StandardErrorTests {
    /// The process is one of its own, because other tests write to the standard error too.
    @Test func simultaneousCallsRestoreStandardError() async throws {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            DispatchQueue.concurrentPerform(iterations: 2000) { _ in
                StandardError.discarding { FileHandle.standardError.write(Data("discarded".utf8)) }
            }
            FileHandle.standardError.write(Data("restored".utf8))
        }
        let output = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
        #expect(output.contains("restored"))
        #expect(!output.contains("discarded"))
    }
}
