import Base
import Foundation
import HabitModel
import HabitStore
import HabitTestSupport
import StoreEngine
import Synchronization
import Testing

@testable import HabitAPI
@testable import HabitServer

/// Tests that a server error is logged with its cause and returned without it.
@Suite(.engineIndependent, .serialized) struct ServerErrorLogTests {
    private final class LogLines: Sendable {
        private let lines = Mutex<[String]>([])

        func add(_ line: String) { lines.withLock { $0.append(line) } }
        var errors: [String] { lines.withLock { $0 }.filter { $0.contains(#""level":"error""#) } }
        var count: Int { lines.withLock(\.count) }
    }

    @Test func causeIsInLogAndNotInResponse() async throws {
        let lines = LogLines()
        let fixture = try await ServerFixture(Scene.friends) { options in
            options.log = { lines.add($0) }
            options.logsAccess = false
        }
        _ = try fixture.store.engine.write { try $0.run("ALTER TABLE claim RENAME TO lost") }
        try await fixture.run { client in
            let path = "/collections/items/items?near=10.123456,50.654321&within=7km"
            let response = try await client.send(path: path, as: "owner")
            #expect(response.status == 500, "\(response)")
            #expect(response.slug == "internal", "\(response)")
            #expect(!response.text.contains("claim"), "\(response)")
            #expect(
                response.json["detail"] as? String == "internal error: ask the operator to check the log of the server")
            try #require(lines.errors.count == 1)
            try #require(lines.count == 1)
            let line = lines.errors[0]
            #expect(line.contains("claim"), "\(line)")
            #expect(line.contains("SQL"), "\(line)")
            #expect(
                line.contains(#""route":"\/collections\/{collection}\/items""#) || line.contains("{collection}"),
                "\(line)")
            for secret in [client.tokens["owner"] ?? "?", "10.123456", "50.654321", "SELECT"] {
                #expect(!line.contains(secret), "\(line)")
            }
            #expect(try await client.send(path: "/collections/posts/items", as: "owner").status == 200)
            #expect(lines.count == 1, "no access log")
        }
    }

    /// Error messages of both engines quote values.
    @Test func valuesAreNotInLog() throws {
        let store = try TestStore()
        let sql: SQL =
            TestServer.isUsed
            ? SQL("SELECT CAST(:value AS INTEGER)", ["value": .text("secret")])
            : SQL("SELECT count(*) FROM event_comment WHERE event_comment MATCH :value", ["value": .text("secret \"")])
        do {
            _ = try store.engine.read { try $0.first(sql) { $0.integer(0) } }
            Issue.record("no error")
        } catch {
            let text = ErrorLog.text(of: error)
            #expect(text.contains("cause: "), "\(text)")
            #expect(!text.contains("secret"), "\(text)")
        }
    }

    @Test func failureOfIssuerIsLogged() async throws {
        let lines = LogLines()
        let scene = try await SignInScene { options in options.log = { line in lines.add(line) } }
        scene.issuer.change { state in state.faults[.keys] = .status(503) }
        try await scene.run { browser in
            let response = try await browser.signIn()
            #expect(response.status == 503, "\(response)")
            #expect(response.text.contains("Test does not respond as expected"), "\(response.text)")
            let line = try #require(lines.errors.first)
            #expect(line.contains("cause: "), "\(line)")
            #expect(line.contains("503"), "\(line)")
            #expect(!line.contains("eyJ"), "\(line)")
        }
    }
}
