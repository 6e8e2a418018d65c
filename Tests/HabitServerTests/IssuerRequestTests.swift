import Base
import Foundation
import HabitModel
import HabitTestSupport
import Testing

@testable import HTTPServing
@testable import HabitAPI
@testable import HabitServer

/// Tests of requests to an issuer on a real server, with limits on size, time and redirects.
@Suite(.engineIndependent) struct IssuerRequestTests {
    /// A server on the loopback interface, which stops when it is released.
    private final class Server {
        private static let script = """
            import http.server, threading
            class Handler(http.server.BaseHTTPRequestHandler):
                def do_GET(self):
                    if self.path == '/slow': threading.Event().wait()
                    self.send_response({'/missing': 404, '/moved': 302}.get(self.path, 200))
                    if self.path == '/moved': self.send_header('Location', '/keys')
                    self.end_headers()
                    if self.path == '/drip':
                        self.wfile.flush()
                        threading.Event().wait()
                    self.wfile.write(b' ' * (2 << 20) if self.path == '/large' else b'{"keys":[]}')
            server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), Handler)
            print(server.server_address[1], flush=True)
            server.serve_forever()
            """

        let base: String
        private let process: RunningProgram

        init() async throws {
            let scratch = try TemporaryFolder()
            process = try Program.start("/usr/bin/python3", ["-c", Self.script], in: "/", scratch: scratch)
            var port = ""
            try await waitUntil("the server listens", every: .milliseconds(20)) {
                port = try scratch.read("stdout")
                return port.hasSuffix("\n")
            }
            base = "http://127.0.0.1:\(port.dropLast())"
        }

        deinit { process.terminate() }
    }

    @Test func documentIsReturned() async throws {
        let server = try await Server()
        let request = IssuerRequest(url: server.base + "/keys")
        let document = try await request.document(within: .seconds(120))
        #expect(String(decoding: document, as: UTF8.self) == #"{"keys":[]}"#)
    }

    /// Returns the error code of a failed download and its cause in the log.
    private func failure(_ url: String, timeout: Duration = .seconds(120)) async throws -> (
        code: ErrorCode, log: String
    ) {
        let error = await #expect(throws: HabitError.self, "\(url)") {
            try await IssuerRequest(url: url).document(within: timeout)
        }
        let found = try #require(error)
        return (found.code, ErrorLog.text(of: found))
    }

    @Test(arguments: [("/missing", "404"), ("/moved", "302"), ("/large", "NIOTooManyBytesError")])
    func otherResponsesAreRefused(path: String, cause: String) async throws {
        let server = try await Server()
        let failure = try await failure(server.base + path)
        #expect(failure.code == .inputUnreadable, "\(failure)")
        #expect(failure.log.contains(cause), "\(failure)")
    }

    /// The server does not repeat the request until the timeout.
    @Test func refusedConnectionIsReportedAtOnce() async throws {
        // No program listens on the port of the discard protocol.
        let failure = try await failure("http://127.0.0.1:9/keys")
        #expect(failure.code == .inputUnreadable, "\(failure)")
        #expect(!failure.log.contains("took longer"), "\(failure)")
    }

    /// The timeout includes the head of the response and its body.
    ///
    /// The connection is made within the timeout, also on a busy machine.
    @Test(.timeLimit(.minutes(10)), arguments: ["/slow", "/drip"]) func slowDownloadFailsAfterTimeout(path: String)
        async throws
    {
        let server = try await Server()
        let failure = try await failure(server.base + path, timeout: .seconds(5))
        #expect(failure.log.contains("took longer"), "\(failure)")
    }

    @Test(arguments: ["file:///etc/passwd", "ftp://127.0.0.1/keys", "http://127.0.0.1:1/keys", "http://"])
    func otherSchemesAndUnreachableServersAreErrors(url: String) async throws {
        #expect(try await failure(url).code == .inputUnreadable)
    }

    @Test func logContainsNoPasswordAndNoQuery() async throws {
        let failure = try await failure("http://user:secret@127.0.0.1:1/keys?token=hidden")
        #expect(failure.log.contains("http://127.0.0.1:1/keys"), "\(failure)")
        #expect(!failure.log.contains("secret"), "\(failure)")
        #expect(!failure.log.contains("hidden"), "\(failure)")
    }
}
