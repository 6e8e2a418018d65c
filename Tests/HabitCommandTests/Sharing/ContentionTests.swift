import Foundation
import HabitTestSupport
import Testing

/// Tests of concurrent processes on one store.
///
/// Exactly one of several conflicting writers succeeds, and none reports a locked database.
@Suite(.serialized) struct ContentionTests {
    private static func count(_ results: [ConcurrentRuns.Result], status: Int32, slug: String) -> Int {
        results.filter { $0.status == status && $0.errors.hasPrefix("error[\(slug)]: ") && $0.output.isEmpty }.count
    }

    private static func command(_ words: String, as user: String, wait: String = "600s") -> [String] {
        words.split(separator: " ").map(String.init) + ["--as", user, "--wait", wait, "--now", SharingStore.now]
    }

    /// Runs the commands at the same time.
    ///
    /// All wait for one lock, which is released when each has opened the store.
    private static func runConcurrently(_ commands: [[String]], in fixture: SharingStore) async throws
        -> [ConcurrentRuns.Result]
    {
        let scratch = try TemporaryFolder()
        let runs = try await fixture.withWriteLock {
            let runs = try ConcurrentRuns(commands, in: fixture.folder, scratch: scratch)
            try await runs.waitUntilStoreIsOpen()
            return runs
        }
        let results = try await runs.results()
        for (command, result) in zip(commands, results) {
            #expect(result.status >= 0, "\(command): \(result.errors)")
            #expect(!result.errors.contains("database is locked"), "\(command): \(result.errors)")
        }
        return results
    }

    /// G-01: exactly one of several simultaneous claims succeeds.
    @Test func oneOfHundredSimultaneousClaimsSucceeds() async throws {
        let fixture = try await SharingStore()
        let users = (0..<100).map { "u\($0)" }
        try fixture.folder.write("id\n" + users.joined(separator: "\n") + "\n", to: "users.csv")
        try await fixture.expectSuccess("ingest", "users.csv")
        let results = try await Self.runConcurrently(
            users.map { Self.command("item claim i-available", as: $0) }, in: fixture)
        #expect(results.filter { $0.status == 0 }.count == 1)
        #expect(Self.count(results, status: 76, slug: "item-already-claimed") == 99, "\(Set(results.map(\.errors)))")
        let winner = try #require(results.firstIndex { $0.status == 0 })
        #expect(
            try await fixture.rows("SELECT user, state FROM claims WHERE item = 'i-available'") == [
                "\(users[winner]),claimed"
            ])
        #expect(
            try await fixture.rows("SELECT state, claimed_by FROM items WHERE id = 'i-available'") == [
                "claimed,\(users[winner])"
            ])
    }

    @Test func oneOfFiftySimultaneousEventsSucceeds() async throws {
        let fixture = try await SharingStore()
        let commands = (0..<50).map { Self.command("event add --habit read --comment c\($0)", as: "pat") }
        let results = try await Self.runConcurrently(commands, in: fixture)
        #expect(results.filter { $0.status == 0 }.count == 1)
        #expect(Self.count(results, status: 76, slug: "event-exists") == 49, "\(Set(results.map(\.errors)))")
        let winner = try #require(results.firstIndex { $0.status == 0 })
        #expect(try await fixture.rows("SELECT comment FROM events WHERE day = '2026-11-20'") == ["c\(winner)"])
    }

    @Test func oneOfThirtySimultaneousRequestsSucceeds() async throws {
        let fixture = try await SharingStore()
        let results = try await Self.runConcurrently(
            (0..<30).map { _ in Self.command("follow request pat", as: "sam") }, in: fixture)
        #expect(results.filter { $0.status == 0 }.count == 1)
        #expect(Self.count(results, status: 76, slug: "already-requested") == 29, "\(Set(results.map(\.errors)))")
        #expect(try await fixture.rows("SELECT status FROM follows WHERE follower = 'sam'") == ["pending"])
    }

    /// Writers without conflicts all succeed, and readers never wait.
    @Test func simultaneousWritersAndReadersSucceed() async throws {
        let fixture = try await SharingStore()
        let writers = (1...9).map { Self.command("event add --habit read --day 2026-11-0\($0)", as: "pat") }
        let readers = ["pat", "fay", "lou"].flatMap { user in
            (0..<4).map { _ in ["history", "--scope", "all", "--as", user, "--wait", "0s", "--format", "csv"] }
        }
        let alternating = zip(writers, readers).flatMap { writer, reader in [writer, reader] }
        let results = try await Self.runConcurrently(alternating + readers, in: fixture)
        for result in results { #expect(result.status == 0, "\(result.errors)") }
        #expect(try await fixture.rows("SELECT count(*) FROM events") == ["12"])
    }

    /// After the time limit, every kind of write fails with a remedy.
    @Test(arguments: [
        ("item claim i-available", "sam"), ("message send --item i-claimed --text Hello", "cleo"),
        ("event add --habit read", "pat"), ("post delete p-river --yes", "pat"), ("follow request pat", "sam"),
        ("user delete --yes", "cleo"),
    ])
    func writerWithoutWaitFailsWithRemedy(words: String, user: String) async throws {
        let fixture = try await SharingStore()
        try await fixture.withWriteLock {
            let command = Self.command(words, as: user, wait: "0s")
            let result = try await Program.habitat(command, in: fixture.folder)
            #expect(result.status == 75, "\(result.errors)")
            #expect(result.errors.hasPrefix("error[busy]: "), "\(result.errors)")
            #expect(result.errors.contains("--wait"), "\(result.errors)")
            #expect(result.errors.split(separator: "\n").count == 1)
            #expect(result.output.isEmpty)
            let reader = try await Program.habitat("item", "list", "--as", "sam", "--wait", "0s", in: fixture.folder)
            #expect(reader.status == 0, "\(reader.errors)")
        }
        #expect(try await Program.habitat(Self.command(words, as: user), in: fixture.folder).status == 0)
    }

    /// A reader sees the state before or after a long write, never an intermediate state.
    @Test func readersSeeOneStateDuringWrite() async throws {
        let fixture = try await SharingStore()
        let names = "SELECT name, count(*) FROM users GROUP BY name"
        let half = "UPDATE account SET name = 'half' WHERE id % 2 = 0"
        try await fixture.withWriteLock(while: half) {
            for _ in 0..<5 {
                let before = try await fixture.rows(names)
                #expect(before == [",8"])
            }
        }
        #expect(try await fixture.rows(names) == [",4", "half,4"])
    }

    /// A reader during a load sees all of its rows or none.
    @Test func readersSeeCompleteLoadOrNothing() async throws {
        let fixture = try await SharingStore()
        let dates = (0..<6000).map {
            "read,\(1000 + $0 / 336)-\(Self.pad($0 / 28 % 12 + 1))-\(Self.pad($0 % 28 + 1)),1,2"
        }
        try fixture.folder.write("habit,day,longitude,latitude\n" + dates.joined(separator: "\n"), to: "events.csv")
        let scratch = try TemporaryFolder()
        let load = try Program.start(
            Program.habitat, ["ingest", "events.csv"], in: fixture.folder.path, scratch: scratch)
        var seen: Set<String> = []
        repeat { seen.formUnion(try await fixture.rows("SELECT count(*) FROM events")) } while load.isRunning
        let end = await load.end()
        let errors = try scratch.read("stderr")
        #expect(end == .exit(0), "\(errors)")
        #expect(seen.isSubset(of: ["3", "6003"]), "\(seen)")
        #expect(try await fixture.rows("SELECT count(*) FROM events") == ["6003"])
    }

    private static func pad(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
