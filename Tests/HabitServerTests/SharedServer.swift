import HabitModel
import HabitTestSupport
import Testing

/// One server for the tests of a suite that only read: ``ServerFixture/shared``.
///
/// A test that changes the store creates its own server.
struct SharedServer: SuiteTrait, TestScoping {
    @TaskLocal static var current: ServerFixture?

    fileprivate let make: @Sendable () async throws -> ServerFixture

    func provideScope(
        for test: Test, testCase: Test.Case?, performing runTests: @Sendable () async throws -> Void
    ) async throws {
        let fixture = try await make()
        let version = try fixture.store.engine.dataVersion()
        try await Self.$current.withValue(fixture) { try await runTests() }
        #expect(try fixture.store.engine.dataVersion() == version, "a test of \(test.name) changed the shared store")
    }
}

extension Trait where Self == SharedServer {
    /// A server whose store has the records of a ``Scene`` and of the suite.
    static func server(_ records: @escaping @autoclosure @Sendable () throws -> [Record]) -> Self {
        SharedServer { try await ServerFixture(records(), permits: .suites) }
    }

    /// A server with a copy of the store on which the command line is tested.
    static func server(_ template: StoreTemplate) -> Self {
        SharedServer { try await ServerFixture(template, permits: .suites) }
    }
}

extension ServerFixture {
    /// The server of the suite, which its trait `server` creates.
    static var shared: ServerFixture { get throws { try #require(SharedServer.current) } }
}
