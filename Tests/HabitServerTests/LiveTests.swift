import Base
import Foundation
import HabitModel
import HabitStore
import HabitTestSupport
import Testing

@testable import HTTPServing
@testable import HabitAPI

/// Tests of the server program on a real socket, with curl as client.
@Suite(.serialized) struct LiveTests {
    /// A server on a free port of the loopback interface, which stops when it is released.
    final class RunningServer {
        let process: RunningProgram
        let scratch: TemporaryFolder
        let base: String
        /// The store's folder, kept as long as the server.
        private let folder: TemporaryFolder

        /// Starts a server.
        ///
        /// `fileLimit` limits the size of files, in units of 512 bytes.
        convenience init(in folder: TemporaryFolder, fileLimit: Int? = nil, _ options: String...) async throws {
            try await self.init(keeping: folder, fileLimit: fileLimit, options)
        }

        init(
            keeping folder: TemporaryFolder, fileLimit: Int? = nil, environment: [String: String] = [:],
            _ options: [String]
        ) async throws {
            self.folder = folder
            scratch = try TemporaryFolder()
            let program = URL(fileURLWithPath: Program.habitat).deletingLastPathComponent().path + "/habitat-server"
            let limit = fileLimit.map { "ulimit -f \($0); " } ?? ""
            let process = try Program.start(
                "/bin/sh",
                [
                    "-c", limit + "exec \"$@\"", "sh", program, "--store", "habitat.db", "--port", "0", "--today",
                    "2026-11-20",
                ] + options, in: folder.path, scratch: scratch, environment: environment)
            self.process = process
            let scratch = scratch
            var found: String?
            try await waitUntil("the server listens", every: .milliseconds(20)) {
                let listens = /listens on (http:\/\/127\.0\.0\.1:\d+)/
                found = try scratch.read("stdout").firstMatch(of: listens).map { match in String(match.1) }
                return found != nil || !process.isRunning
            }
            let errors = (try? scratch.read("stderr")) ?? ""
            base = try #require(found, "\(errors)")
        }

        deinit { process.terminate() }

        /// The port of the server.
        var port: String { base.split(separator: ":").last.map(String.init) ?? "" }

        /// Runs curl without waiting for other programs, and returns its output.
        func curl(_ arguments: String...) async throws -> ProgramResult {
            try await Program.run(
                "/usr/bin/curl", ["-sS", "--max-time", "600"] + arguments, in: scratch.path, isUrgent: true)
        }

        /// Returns the metrics of a server with a listener for the operator.
        func metrics() async throws -> ProgramResult {
            var address: String?
            try await waitUntil("the listener of the operator is known") {
                address = try scratch.read("stdout").firstMatch(of: /Metrics are at (\S+)/).map { String($0.1) }
                return address != nil
            }
            return try await curl(try #require(address))
        }

        /// Returns the value of a gauge in the metrics.
        func gauge(_ name: String) async throws -> Int {
            let metrics = try await metrics()
            let value = metrics.lines.first { line in line.hasPrefix(name + " ") }?.dropFirst(name.count + 1)
            return try #require(value.flatMap { Int($0) }, "\(metrics)")
        }

        /// Runs a request while the clients of one user stall, and returns its response and the clients.
        ///
        /// The server disconnects stalled clients after some seconds, and a busy machine may need longer for the request.
        /// The request is therefore repeated until the same clients stall before and after it.
        ///
        /// - Parameters:
        ///   - count: The number of clients.
        ///   - token: The token of their user, who may use fewer connections to the store.
        ///   - connections: The number of connections to the store that the user may use.
        ///   - request: Sends the request.
        /// - Returns: The response of the request, and the clients, which still stall.
        /// - Throws: The errors of `request`, and an error if the clients do not stall within 60 s.
        func whileClientsStall(
            _ count: Int, token: String, connections: Int, _ request: () async throws -> ProgramResult
        ) async throws -> (response: ProgramResult, clients: StalledClients) {
            var found: (response: ProgramResult, clients: StalledClients)?
            try await waitUntil("the clients stall during the request") {
                try await waitUntil("no client reads the store", every: .milliseconds(50)) {
                    try await gauge("habitat_store_reads_running") == 0
                }
                let clients = try StalledClients(count, of: self, token: token)
                // The other clients wait because none of these connections becomes free.
                let waiting = count - connections
                var areStalled = false
                try await waitUntil("the clients stall or are disconnected", every: .milliseconds(50)) {
                    areStalled = try await gauge("habitat_store_reads_waiting") == waiting
                    guard !areStalled, clients.haveSent else { return areStalled }
                    return try await gauge("habitat_store_reads_running") == 0
                }
                guard areStalled else { return false }
                let response = try await request()
                guard try await gauge("habitat_store_reads_waiting") == waiting else { return false }
                found = (response, clients)
                return true
            }
            return try #require(found)
        }
    }

    /// Clients that request a long list and never read the response, until the object is deallocated.
    final class StalledClients {
        private let process: RunningProgram
        private let scratch: TemporaryFolder

        init(_ count: Int, of server: RunningServer, token: String) throws {
            let script = """
                import signal, socket
                connections = []
                for _ in range(\(count)):
                    connection = socket.socket()
                    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
                    connection.connect(("127.0.0.1", \(server.port)))
                    connection.sendall(b"GET /collections/events/items?limit=10000 HTTP/1.1\\r\\nHost: localhost\\r\\nAuthorization: Bearer \(token)\\r\\n\\r\\n")
                    connections.append(connection)
                print("sent", flush=True)
                signal.pause()
                """
            scratch = try TemporaryFolder()
            process = try Program.start(
                "/usr/bin/python3", ["-c", script], in: server.scratch.path, scratch: scratch)
        }

        deinit { process.terminate() }

        /// Whether the clients have sent their requests.
        var haveSent: Bool { (try? scratch.read("stdout").contains("sent")) == true }

        /// Whether the clients keep their connections open.
        var areRunning: Bool { process.isRunning }
    }

    /// The folder of a store, and a token of the owner of its records.
    struct OwnedStore: Sendable {
        let folder: TemporaryFolder
        let token: String
    }

    /// A store with 40,000 events and a token of their owner.
    static let large = Task { () async throws -> OwnedStore in
        let folder = try TemporaryFolder()
        var events = "habit,day,comment,longitude,latitude\n"
        let first = try #require(Day("2026-01-01"))
        for habit in 0..<200 {
            for day in 0..<200 {
                events +=
                    "h\(habit),\(first.advanced(by: day)),round \(day % 7),\(Double(habit) / 100),\(Double(day) / 100)\n"
            }
        }
        try folder.write("id\nu\n", to: "users.csv")
        try folder.write(
            "id,user,title,days\n" + (0..<200).map { "h\($0),u,H\($0),1111111\n" }.joined(), to: "habits.csv")
        try folder.write(events, to: "events.csv")
        let load = try await Program.habitat("ingest", "users.csv", "habits.csv", "events.csv", in: folder)
        #expect(load.status == 0, "\(load)")
        let token = try await Program.habitat(
            "token", "create", "--user", "u", "--format", "csv", "--columns", "token", in: folder)
        return OwnedStore(folder: folder, token: try #require(token.lines.last, "\(token)"))
    }

    /// Returns a store for a test that writes, with a habit, an event and a token of their owner.
    static func small() async throws -> OwnedStore {
        let folder = try TemporaryFolder()
        try folder.write("id\nu\n", to: "users.csv")
        try folder.write("id,user,title,days\nh,u,H,1111111\n", to: "habits.csv")
        try folder.write("habit,day,longitude,latitude\nh,2026-11-19,10,50\n", to: "events.csv")
        let load = try await Program.habitat("ingest", "users.csv", "habits.csv", "events.csv", in: folder)
        #expect(load.status == 0, "\(load)")
        return OwnedStore(folder: folder, token: try await token(["--user", "u"], in: folder))
    }

    /// Creates a token in the store of a folder.
    static func token(_ owner: [String], in folder: TemporaryFolder) async throws -> String {
        let made = try await Program.habitat(
            ["token", "create", "--format", "csv", "--columns", "token"] + owner, in: folder)
        return try #require(made.lines.last, "\(made)")
    }

    /// A proxy may forward the path of the public URL, or remove it.
    @Test func serverRespondsBelowPathOfPublicURL() async throws {
        let store = try await Self.large.value
        let folder = store.folder
        let token = store.token
        let server = try await RunningServer(in: folder, "--public-url", "https://host.example/habits")
        for prefix in ["", "/habits"] {
            let response = try await server.curl(
                "-H", "Authorization: Bearer \(token)", server.base + prefix + "/collections/habits/items?limit=1")
            #expect(response.output.contains("https://host.example/habits/collections/habits/items?"), "\(response)")
            #expect(try await server.curl(server.base + prefix + "/map").output.contains(#" src="static/"#))
        }
        #expect(try await server.curl("-o", "/dev/null", "-w", "%{http_code}", server.base + "/habits").output == "200")
    }

    @Test func longListIsStreamedAndCompressed() async throws {
        let store = try await Self.large.value
        let folder = store.folder
        let token = store.token
        let server = try await RunningServer(in: folder, "--deadline", "3600")
        let url = server.base + "/collections/events/items?limit=10000"
        let response = try await server.curl("-D", "head", "-H", "Authorization: Bearer \(token)", url)
        let head = try server.scratch.read("head").lowercased()
        #expect(
            head.contains("transfer-encoding: chunked"),
            "\(head)")
        #expect(
            head.contains("rel=\"next\""),
            "\(head)")
        #expect(
            head.contains("etag:"),
            "\(head)")
        let json = try #require(try JSONSerialization.jsonObject(with: Data(response.output.utf8)) as? [String: Any])
        #expect((json["features"] as? [Any])?.count == 10_000)
        #expect(json["numberReturned"] as? Int == 10_000)
        let packed = try await server.curl("--compressed", "-D", "head", "-H", "Authorization: Bearer \(token)", url)
        #expect(packed.output == response.output)
        #expect(try server.scratch.read("head").lowercased().contains("content-encoding: gzip"))
        let tag = try #require(head.firstMatch(of: /etag: (".*")/).map { String($0.1) })
        let again = try await server.curl(
            "-o", "/dev/null", "-w", "%{http_code} %{size_download}", "-H", "If-None-Match: \(tag)", "-H",
            "Authorization: Bearer \(token)", url)
        #expect(again.output == "304 0", "\(again)")
    }

    /// The server under test is the program that ships, which is compiled with optimization.
    ///
    /// The positions are about 1.1 km apart, so circles of 500 m, 2 km and 8 km contain different numbers of events.
    @Test func pageNearPositionBeginsWithClosestEvents() async throws {
        let store = try await Self.large.value
        let folder = store.folder
        let token = store.token
        let server = try await RunningServer(in: folder, "--deadline", "3600")
        func ids(limit: Int) async throws -> [String] {
            let list = "/collections/events/items?near=1,1&within=8km&properties=id&f=csv&limit=\(limit)"
            return try await Array(
                server.curl("-H", "Authorization: Bearer \(token)", server.base + list).lines.dropFirst())
        }
        let all = try await ids(limit: 1000)
        #expect(all.count > 101)
        for limit in [1, 5, 7, 20, 100] { #expect(try await ids(limit: limit) == Array(all.prefix(limit))) }
    }

    /// Twelve clients that disconnect early do not block the four readers.
    @Test func disconnectedClientsDoNotBlockReaders() async throws {
        let store = try await Self.large.value
        let folder = store.folder
        let token = store.token
        let server = try await RunningServer(in: folder)
        let url = server.base + "/collections/events/items?limit=10000"
        for _ in 0..<12 {
            _ = try await Program.run(
                "/bin/sh", ["-c", "curl -sS -H 'Authorization: Bearer \(token)' '\(url)' | head -c 1000 >/dev/null"],
                in: server.scratch.path)
        }
        let response = try await server.curl(
            "-H", "Authorization: Bearer \(token)", server.base + "/collections/habits/items?limit=1")
        #expect(response.output.contains("FeatureCollection"), "\(response)")
        #expect(try await server.curl(server.base + "/healthz").output == #"{"status":"ok"}"#)
    }

    /// Clients that do not read their responses do not delay others and are disconnected at the deadline.
    ///
    /// The same applies to a body that does not arrive, and the server still stops on request.
    @Test func stalledClientsAreDisconnectedAtDeadline() async throws {
        let store = try await Self.large.value
        let folder = store.folder
        let token = store.token
        let server = try await RunningServer(
            in: folder, "--deadline", "4", "--readers", "2", "--operator-listen", "127.0.0.1:0")
        let stalled = try await server.whileClientsStall(6, token: token, connections: 1) {
            try await server.curl(server.base + "/healthz")
        }
        let healthy = stalled.response
        #expect(healthy.output == #"{"status":"ok"}"#, "\(healthy)")
        let body = try await server.curl(
            "-X", "POST", "-w", "%{http_code}", "-o", "/dev/null", "-H", "Authorization: Bearer \(token)", "-H",
            "Content-Length: 50", "-H", "Expect:", "--data-binary", "{", server.base + "/collections/events/items")
        #expect(body.output == "408", "\(body)")
        try await waitUntil("the clients are disconnected", every: .milliseconds(50)) {
            try await server.gauge("habitat_connections_open") == 0
        }
        try await waitUntil("the requests end", every: .milliseconds(50)) {
            try await server.gauge("habitat_requests_running") == 0
        }
        #expect(try await server.gauge("habitat_store_reads_running") == 0)
        #expect(stalled.clients.areRunning)
        server.process.terminate()
        #expect(await server.process.end() == .exit(0))
    }

    /// Four stalled clients of one user do not delay another user's report, and the server disconnects them long before
    /// the deadline.
    @Test func stalledReadersDoNotDelayOtherUsers() async throws {
        let store = try await Self.large.value
        let folder = store.folder
        let token = store.token
        _ = try await Program.habitat("user", "add", "other", in: folder)
        let other = try await Self.token(["--user", "other"], in: folder)
        let server = try await RunningServer(
            in: folder, "--deadline", "3600", "--operator-listen", "127.0.0.1:0")
        let list = server.base + "/collections/events/items?limit=10000"
        let stalled = try await server.whileClientsStall(4, token: token, connections: 2) {
            try await server.curl("-H", "Authorization: Bearer \(other)", list)
        }
        let response = stalled.response
        #expect(response.output.contains("FeatureCollection"), "\(response)")
        // The request waits until clients of the same user are disconnected.
        let later = try await server.curl(
            "-o", "/dev/null", "-w", "%{http_code}", "-H", "Authorization: Bearer \(token)", list)
        #expect(later.output == "200", "\(later)")
        #expect(stalled.clients.areRunning)
    }

    /// A client with `Expect: 100-continue` gets the informational response if its body is wanted, and never within
    /// another response.
    ///
    /// If the request is refused or has no body, the client gets the final response.
    @Test func expectContinueIsAnsweredOnlyWhenBodyIsWanted() async throws {
        let store = try await Self.large.value
        let folder = store.folder
        let token = store.token
        let server = try await RunningServer(in: folder, "--deadline", "3600")
        let script = """
            import socket
            host, show = "Host: localhost\\r\\n", "Authorization: Bearer \(token)\\r\\n"
            body = b'{"habit": "h0", "day": "2026-11-19"}'
            def asking(lines, length=len(body), version="1.1"):
                return f"POST /collections/events/items HTTP/{version}\\r\\n{lines}Content-Length: {length}\\r\\nExpect: x, 100-Continue\\r\\n\\r\\n".encode()
            def connection(data):
                socket_ = socket.create_connection(("127.0.0.1", \(server.port)), timeout=600)
                socket_.sendall(data)
                return socket_
            def read(connection, end=b"\\r\\n\\r\\n"):
                data = b""
                while end not in data:
                    data += connection.recv(65536) or exit(f"closed after {data[-200:]}")
                return data
            go, status = b"HTTP/1.1 100 Continue\\r\\n\\r\\n", slice(0, 12)
            first = connection(asking(host + show))
            print(read(first) == go)
            first.sendall(body)
            print(read(first)[status])
            second = connection(f"GET /collections/events/items?limit=10000 HTTP/1.1\\r\\n{host}{show}\\r\\n".encode() + asking(host + show))
            answer = read(second, b"\\r\\n0\\r\\n\\r\\n")
            print(b"100 Continue" in answer.partition(b"\\r\\n0\\r\\n\\r\\n")[0])
            print((answer.partition(b"\\r\\n0\\r\\n\\r\\n")[2] or read(second)) == go)
            second.sendall(body)
            print(read(second)[status])
            print(read(connection(asking(host)))[status])
            print(read(connection(asking(host + show, length=0)))[status])
            old = connection(asking(show, version="1.0"))
            old.sendall(body)
            print(b"100" in read(old)[status])
            cut = connection(asking(host + show) + body[:5])
            read(cut)
            cut.shutdown(socket.SHUT_WR)
            print(read(cut)[status])
            """
        let response = try await Program.run("/usr/bin/python3", ["-c", script], in: server.scratch.path)
        #expect(
            response.lines == [
                "True", "b'HTTP/1.1 201'", "False", "True", "b'HTTP/1.1 409'", "b'HTTP/1.1 401'", "b'HTTP/1.1 422'",
                "False",
                "b'HTTP/1.1 400'",
            ], "\(response)")
    }

    /// A log that cannot be written does not stop the server.
    @Test func fullLogDoesNotStopServer() async throws {
        let folder = try await Self.large.value.folder
        let scratch = try TemporaryFolder()
        let program = URL(fileURLWithPath: Program.habitat).deletingLastPathComponent().path + "/habitat-server"
        let shell = try Program.start(
            "/bin/sh", ["-c", "exec '\(program)' --port 0 2>/dev/full"],
            in: folder.path, scratch: scratch)
        defer { shell.terminate() }
        var base: String?
        try await waitUntil("the server listens", every: .milliseconds(20)) {
            let address = /http:\/\/127\.0\.0\.1:\d+/
            base = try scratch.read("stdout").firstMatch(of: address).map { match in String(match.0) }
            return base != nil
        }
        for _ in 0..<2 {
            let response = try await Program.run(
                "/usr/bin/curl", ["-sS", try #require(base) + "/healthz"], in: scratch.path)
            #expect(response.output == #"{"status":"ok"}"#, "\(response)")
        }
    }

    @Test func serverExitsWithStatusZeroOnSIGTERM() async throws {
        let folder = try await Self.large.value.folder
        let server = try await RunningServer(in: folder)
        #expect(try await server.curl(server.base + "/healthz").status == 0)
        server.process.terminate()
        #expect(await server.process.end() == .exit(0))
        #expect(try server.scratch.read("stderr").contains("\"route\":\"/healthz\""))
    }

    @Test(.fileStoreOnly) func stoppedServerLeavesCompleteFile() async throws {
        let folder = try TemporaryFolder()
        #expect(try await Program.habitat("init", in: folder).status == 0)
        #expect(try await Program.habitat("user", "add", "u", in: folder).status == 0)
        let made = try await Program.habitat(
            "token", "create", "--user", "u", "--format", "csv", "--columns", "token", in: folder)
        let token = try #require(made.lines.last, "\(made)")
        let server = try await RunningServer(in: folder)
        let sent = try await server.curl(
            "-o", "/dev/null", "-w", "%{http_code}", "-H", "Authorization: Bearer \(token)", "-d",
            #"{"type":"Feature","geometry":null,"properties":{"title":"Run","days":"mon"}}"#,
            server.base + "/collections/habits/items")
        #expect(sent.output == "201", "\(sent)")
        server.process.terminate()
        await server.process.end()
        #expect((FileManager.default.contents(atPath: folder.file("habitat.db-wal")) ?? Data()).isEmpty)
        let copy = try TemporaryFolder()
        try FileManager.default.copyItem(atPath: folder.file("habitat.db"), toPath: copy.file("habitat.db"))
        let habits = try await Program.habitat("habit", "list", "--as", "u", "--format", "csv", in: copy)
        #expect(habits.output.contains(",Run,"), "\(habits)")
    }

    /// The limit leaves enough space for the store's shared memory file, but not for the photo.
    @Test(.fileStoreOnly) func changeReturns507WhenNoSpaceIsLeft() async throws {
        let folder = try TemporaryFolder()
        for arguments in [
            ["init"], ["user", "add", "u"],
            ["habit", "add", "--as", "u", "--id", "u:h", "--title", "H", "--days", "fri", "--start", "2026-11-01"],
            ["event", "add", "--as", "u", "--habit", "u:h", "--day", "2026-11-13", "--today", "2026-11-20"],
        ] {
            let made = try await Program.habitat(arguments, in: folder)
            try #require(made.status == 0, "\(made)")
        }
        let made = try await Program.habitat(
            "token", "create", "--user", "u", "--format", "csv", "--columns", "token", in: folder)
        let token = try #require(made.lines.last, "\(made)")
        let server = try await RunningServer(in: folder, fileLimit: 80)
        let picture = """
            import os, struct, zlib
            def chunk(kind, data):
                return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
            size, rows = struct.pack(">IIBBBBB", 140, 140, 8, 2, 0, 0, 0), b"".join(b"\\0" + os.urandom(420) for _ in range(140))
            data = chunk(b"IHDR", size) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")
            open("photo.png", "wb").write(b"\\x89PNG\\r\\n\\x1a\\n" + data)
            """
        #expect(try await Program.run("/usr/bin/python3", ["-c", picture], in: server.scratch.path).status == 0)
        let sent = try await server.curl(
            "-X", "PUT", "-w", " %{http_code}", "-H", "Authorization: Bearer \(token)", "--data-binary", "@photo.png",
            server.base + "/collections/events/items/u%3Ah%402026-11-13/photo")
        #expect(sent.output.hasSuffix(" 507"), "\(sent)")
        #expect(sent.output.contains("\"slug\":\"no-space\""), "\(sent)")
        #expect(!sent.output.contains("habitat.db"), "\(sent)")
        #expect(try await server.curl(server.base + "/healthz").output == #"{"status":"ok"}"#)
    }

    @Test func invalidOptionsAreReportedBeforeListening() async throws {
        let folder = try TemporaryFolder()
        let program = URL(fileURLWithPath: Program.habitat).deletingLastPathComponent().path + "/habitat-server"
        let none = try await Program.run(program, ["--store", "nothing.db"], in: folder.path)
        let isMissing = none.status == 69 && none.errors.contains("the store 'nothing.db' does not exist")
        let isEmpty =
            none.status == 65 && none.errors.contains("is not a Habitat store: create a store with 'habitat init'")
        #expect(TestServer.isUsed ? isEmpty : isMissing, "\(none)")
        #expect(try await Program.habitat("init", in: folder).status == 0)
        try folder.write("short\n", to: "token")
        #expect(chmod(folder.file("token"), 0o644) == 0)
        let open = try await Program.run(program, ["--operator-token-file", "token"], in: folder.path)
        #expect(open.status == 64, "\(open)")
        #expect(open.errors.contains("chmod 600"), "\(open)")
        let key = try await Program.run(program, ["--link-key-file", "token"], in: folder.path)
        #expect(key.status == 64, "\(key)")
        #expect(key.errors.contains("chmod 600"), "\(key)")
        let server = try await RunningServer(in: folder)
        let taken = try await Program.run(program, ["--port", server.port], in: folder.path)
        #expect(taken.status == 69, "\(taken)")
        #expect(taken.errors.contains("cannot listen"), "\(taken)")
        for (options, message) in [
            (["--port", "73616"], "error[parameter-invalid]: --port must be 0 to 65535, not 73616"),
            (
                ["--tiles", "https://tiles.example.org"],
                "error[parameter-invalid]: 'https://tiles.example.org' is not a URL template"
            ),
            (["--readers", "0"], "error[parameter-invalid]: --readers must be at least 1"),
            (["--bogus"], "error[usage]: Unknown option '--bogus'"),
            (
                ["--port", "x"],
                "error[usage]: The value 'x' is invalid for '--port <number>': see 'habitat-server --help'"
            ),
        ] {
            let refused = try await Program.run(program, options, in: folder.path)
            #expect(refused.status == 64, "\(refused)")
            #expect(refused.errors.hasPrefix(message), "\(refused)")
            #expect(refused.errors.filter { $0 == "\n" }.count == 1, "\(refused)")
        }
        let help = try await Program.run(program, ["--help"], in: folder.path)
        #expect(help.status == 0, "\(help)")
        #expect(help.output.contains("USAGE: habitat-server"), "\(help)")
    }
}
