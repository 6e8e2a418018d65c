import HabitModel
import HabitTestSupport
import Testing

@testable import HabitServer

/// One server for tests that only read: ``ServerFixture/shared``.
///
/// The tests of a suite with the trait, or the cases of a test with it, use the server. It ends with the suite or the
/// test. A test that changes the store creates its own server.
struct SharedServer: SuiteTrait, TestTrait, TestScoping {
    @TaskLocal static var current: ServerFixture?

    fileprivate let make: @Sendable (Permits) async throws -> ServerFixture

    /// Returns the trait for a suite or a test, and `nil` for each of its cases.
    func scopeProvider(for test: Test, testCase: Test.Case?) -> Self? { testCase == nil ? self : nil }

    func provideScope(
        for test: Test, testCase: Test.Case?, performing runTests: @Sendable () async throws -> Void
    ) async throws {
        // The suite of a test can have a server, too, so the test must not wait for the servers of other suites.
        let fixture = try await make(test.isSuite ? .suites : .servers)
        let version = try fixture.store.engine.dataVersion()
        try await Self.$current.withValue(fixture) { try await runTests() }
        #expect(try fixture.store.engine.dataVersion() == version, "a test of \(test.name) changed the shared store")
    }
}

extension Trait where Self == SharedServer {
    /// A server whose store has the records of a ``Scene`` and of the suite or test.
    static func server(
        _ records: @escaping @autoclosure @Sendable () throws -> [Record],
        _ change: @escaping @Sendable (inout ServerOptions) -> Void = { _ in }
    ) -> Self {
        SharedServer { permits in try await ServerFixture(records(), permits: permits, change) }
    }

    /// A server with a copy of the store on which the command line is tested.
    static func server(_ template: StoreTemplate) -> Self {
        SharedServer { permits in try await ServerFixture(template, permits: permits) }
    }
}

extension ServerFixture {
    /// The server of the test or of its suite, which the trait `server` creates.
    static var shared: ServerFixture { get throws { try #require(SharedServer.current) } }
}
