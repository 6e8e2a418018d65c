import Foundation
import HabitTestSupport
import Testing

/// Tests of connections to the server program: too many, half-open, without a host, and with endless bodies.
@Suite(.serialized) struct LiveConnectionTests {
    private func run(_ script: String, against server: LiveTests.RunningServer) async throws -> ProgramResult {
        let common = """
            import socket
            def connect(data=b""):
                connection = socket.create_connection(("127.0.0.1", \(server.port)), timeout=600)
                connection.sendall(data)
                return connection
            def read(connection):
                data = b""
                try:
                    while block := connection.recv(65536): data += block
                except ConnectionError: pass
                return data.decode()

            """
        return try await Program.run("/usr/bin/python3", ["-c", common + script], in: server.scratch.path)
    }

    private func server(_ options: String...) async throws -> LiveTests.RunningServer {
        let folder = try TemporaryFolder()
        #expect(try await Program.habitat("init", in: folder).status == 0)
        return try await LiveTests.RunningServer(keeping: folder, options)
    }

    @Test func idleConnectionsAreClosedForNewRequests() async throws {
        let server = try await server(
            "--connections", "20", "--connections-per-client", "12", "--operator-listen", "127.0.0.1:0")
        let response = try await run(
            """
            idle = [connect(b"GET / HTTP/1.1\\r\\nHost:" if i % 2 else b"") for i in range(200)]
            for _ in range(5):
                print(read(connect(b"GET /healthz HTTP/1.1\\r\\nHost: localhost\\r\\nConnection: close\\r\\n\\r\\n"))[9:12])
            """, against: server)
        #expect(response.lines == Array(repeating: "200", count: 5), "\(response)")
        #expect(try await server.metrics().output.contains("habitat_connections_open"))
        let hidden = try await server.curl("-o", "/dev/null", "-w", "%{http_code}", server.base + "/metrics")
        #expect(hidden.output == "404", "\(hidden)")
    }

    @Test func partialRequestsEndAtDeadline() async throws {
        let server = try await server("--deadline", "1")
        let response = try await run(
            """
            partial = [connect(b""), connect(b"GET / HTTP/1.1\\r\\nHost: localhost\\r\\nX-Half")]
            for connection in partial: print(repr(read(connection)))
            """, against: server)
        #expect(response.lines == ["''", "''"], "\(response)")
    }

    @Test func endlessBodyOfRefusedRequestIsNotRead() async throws {
        let server = try await server()
        let response = try await run(
            """
            for path in ["/nothing", "/collections/events/items"]:
                connection = connect(f"POST {path} HTTP/1.1\\r\\nHost: localhost\\r\\nContent-Length: 99999999999\\r\\n\\r\\n".encode())
                head = connection.recv(65536).decode().lower()
                print(head[9:12], "connection: close" in head, "cache-control: no-store" in head)
                sent, block = 0, bytes(1 << 20)
                try:
                    while sent < 1000: sent += len(block) and (connection.sendall(block) or 1)
                except OSError: pass
                print(sent < 1000)
            """, against: server)
        #expect(response.lines == ["404 True True", "True", "401 True True", "True"], "\(response)")
    }

    @Test func requestWithoutOneHostIsRefused() async throws {
        let server = try await server()
        let response = try await run(
            """
            for head in ["GET / HTTP/1.1\\r\\n", "GET / HTTP/1.1\\r\\nHost: a\\r\\nHost: b\\r\\n", "GET / HTTP/1.1\\r\\nHost: a, b\\r\\n"]:
                answer = read(connect((head + "\\r\\n").encode()))
                fields, _, body = answer.lower().partition("\\r\\n\\r\\n")
                print(answer[9:12], "application/problem+json" in fields, "no-store" in fields, "host" in body)
            """, against: server)
        #expect(response.lines == Array(repeating: "400 True True True", count: 3), "\(response)")
    }
}
