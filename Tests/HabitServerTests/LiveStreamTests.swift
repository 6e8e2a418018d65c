import Foundation
import HabitTestSupport
import Testing

/// Tests of the stream of changes of the server program.
@Suite(.serialized) struct LiveStreamTests {
    /// A server, and the folder of its store.
    private struct Fixture {
        let server: LiveTests.RunningServer
        let store: TemporaryFolder
    }

    /// Starts a server of a store with a habit of the user `u0` and 40 users.
    private func start(_ options: String...) async throws -> Fixture {
        let folder = try TemporaryFolder()
        try folder.write("id\n" + (0..<40).map { "u\($0)\n" }.joined(), to: "users.csv")
        try folder.write("id,user,title,days\nrun,u0,Run,1111111\nown,u1,Own,1111111\n", to: "habits.csv")
        let load = try await Program.habitat("ingest", "users.csv", "habits.csv", in: folder)
        #expect(load.status == 0, "\(load)")
        let server = try await LiveTests.RunningServer(keeping: folder, options)
        return Fixture(server: server, store: folder)
    }

    /// Runs a Python script with functions for streams and for the command line.
    private func run(_ script: String, on fixture: Fixture) async throws -> ProgramResult {
        let server = fixture.server
        let store = fixture.store
        let common = """
            import os, signal, socket, subprocess, time
            pid, store = \(server.process.processIdentifier), \(String(reflecting: store.path))
            address = ("127.0.0.1", \(server.port))
            def habitat(*arguments):
                done = subprocess.run([\(String(reflecting: Program.habitat)), *arguments], cwd=store, capture_output=True, text=True)
                assert done.returncode == 0, done
                return done.stdout
            def event(habit, user, day, comment):
                habitat("event", "add", "--habit", habit, "--as", user, "--day", day, "--comment", comment, "--today", "2026-11-20")
            def token(user):
                return habitat("token", "create", "--user", user, "--format", "csv", "--columns", "token").split()[-1]
            class Stream:
                def __init__(self, token, header="", path="/changes/stream"):
                    self.socket = socket.create_connection(address, timeout=600)
                    head = f"GET {path} HTTP/1.1\\r\\nHost: localhost\\r\\nAuthorization: Bearer {token}\\r\\n{header}\\r\\n"
                    self.socket.sendall(head.encode())
                    self.text = ""
                def until(self, mark):
                    end = time.monotonic() + 600
                    self.socket.settimeout(0.2)
                    while mark not in self.text and time.monotonic() < end:
                        try: block = self.socket.recv(65536)
                        except socket.timeout: continue
                        if not block: break
                        self.text += block.decode()
                    return mark in self.text
                def ended(self): return self.until("\\r\\n0\\r\\n\\r\\n")
                def id(self): return self.text.split("id: ")[-1].split("\\n")[0]

            """
        // The environment names the store in this folder, also on a database server.
        return try await Program.run("/usr/bin/python3", ["-c", common + script], in: store.path)
    }

    /// The deadline of requests is ten seconds, and the stream lives longer.
    @Test func changesOfOtherProcessesReachTheirViewers() async throws {
        let fixture = try await start("--deadline", "10")
        let response = try await run(
            """
            mine, others = token("u0"), token("u1")
            own, other = Stream(mine), Stream(others)
            print(own.until("200 OK"), own.until("text/event-stream"), own.until(": "), other.until(": "))
            # The server closes a connection without a request at the deadline.
            assert socket.create_connection(address).recv(1) == b""
            event("run", "u0", "2026-11-17", "secret")
            print(own.until('"comment":"secret"') and own.until('"version"'), '"action":"put"' in own.text, "secret" in other.text)
            event("run", "u0", "2026-11-18", "next")
            print(own.until('"comment":"next"'), own.text.partition('"comment":"next"')[0].count("data: "))
            own.socket.close()
            event("run", "u0", "2026-11-19", "missed")
            resumed = Stream(mine, f"Last-Event-ID: {own.id()}\\r\\n")
            print(resumed.until("missed"), "secret" in resumed.text)
            again = Stream(mine, path=f"/changes/stream?since={own.id()}")
            event("own", "u1", "2026-11-19", "theirs")
            print(again.until("missed"), other.until("theirs"), "missed" in other.text)
            """, on: fixture)
        #expect(
            response.lines == ["True True True True", "True True False", "True 2", "True False", "True True False"],
            "\(response)")
    }

    @Test func streamEndsWithItsTokenAndWithTheServer() async throws {
        let fixture = try await start()
        let response = try await run(
            """
            first, second = token("u0"), token("u1")
            one, two = Stream(first), Stream(second)
            print(one.until(": "), two.until(": "))
            habitat("token", "revoke", "--user", "u0")
            print(one.ended())
            event("own", "u1", "2026-11-19", "theirs")
            print(two.until("theirs"))
            os.kill(pid, signal.SIGTERM)
            print(two.ended())
            """, on: fixture)
        #expect(response.lines == ["True True", "True", "True", "True"], "\(response)")
    }

    @Test func ninthStreamOfUserEndsTheOldest() async throws {
        let fixture = try await start()
        let response = try await run(
            """
            mine = token("u0")
            streams = []
            for _ in range(8):
                streams.append(Stream(mine))
                assert streams[-1].until("200 OK")
            print(all(stream.until(": ") for stream in streams))
            print(Stream(mine).until("200 OK"), streams[0].ended())
            event("run", "u0", "2026-11-19", "next")
            print(all(stream.until("next") for stream in streams[1:]), "next" in streams[0].text)
            print(Stream("unknown").until("401 "), Stream(mine, path="/changes/stream?since=x").until("400 "))
            print(Stream(mine, "Last-Event-ID: \\r\\n").until("200 OK"))
            """, on: fixture)
        #expect(response.lines == ["True", "True True", "True False", "True True", "True"], "\(response)")
    }

    /// The number of streams exceeds the number of requests that may wait for a connection to the store.
    @Test func hundredsOfIdleStreamsNeedNoThreadsAndOutliveChange() async throws {
        let fixture = try await start(
            "--connections-per-client", "400", "--connections", "1000", "--rate", "0", "--queue", "1")
        let photo = Program.repository + "/sample-data/photos/plant.png"
        let response = try await run(
            """
            def threads():
                return int(next(line for line in open(f"/proc/{pid}/status") if line.startswith("Threads")).split()[1])
            tokens = [token(f"u{i}") for i in range(40)]
            first = Stream(tokens[0])
            print(first.until(": "))
            before = threads()
            streams = []
            for i in range(280):
                streams.append(Stream(tokens[i % 40]))
                assert streams[-1].until("id: ")
            print(threads() - before < 8)
            event("run", "u0", "2026-11-19", "secret")
            print(sum(stream.until("run@2026-11-19") for stream in streams[::40]))
            # Everyone sees an item.
            habitat("item", "post", "--as", "u0", "--id", "u0:lamp", "--name", "Lamp", "--photo", \(String(reflecting: photo)))
            print(sum(stream.until("u0:lamp") for stream in streams), any("run@" in stream.text for stream in streams[1::40]))
            """, on: fixture)
        #expect(response.lines == ["True", "True", "7", "280 False"], "\(response)")
    }
}
