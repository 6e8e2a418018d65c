import Foundation
import HabitTestSupport
import Testing

@testable import habitat

/// Tests of the values that the program offers to shells.
@Suite(.engineIndependent) struct CompletionTests {
    private static let store = Task { try await CompletionStore() }

    private struct Description: Decodable { var command: Command }

    private struct Command: Decodable {
        var commandName: String
        var subcommands: [Command]?
        var arguments: [Argument]?

        var all: [Command] { [self] + (subcommands ?? []).filter { $0.commandName != "help" }.flatMap(\.all) }
    }

    private struct Argument: Decodable {
        /// Only the presence of a kind matters.
        struct Kind: Decodable { init(from decoder: any Decoder) throws {} }

        var kind: String
        var valueName: String?
        var completionKind: Kind?
    }

    @Test(.engineIndependent) func everyArgumentHasCompletion() async throws {
        let dump = try await Program.habitat("--experimental-dump-help", in: try TemporaryFolder())
        let root = try JSONDecoder().decode(Description.self, from: Data(dump.output.utf8)).command
        let commands = root.all
        #expect(commands.count > 70)
        for command in commands {
            for argument in command.arguments ?? [] where argument.kind != "flag" {
                #expect(argument.completionKind != nil, "\(command.commandName): \(argument.valueName ?? "")")
            }
        }
    }

    @Test(
        arguments: [
            ("positional@0", ["event", "show", "gu"], ["guitar practice"]),
            ("positional@0", ["habit", "edit", "R"], ["Rock & roll"]),
            ("positional@0", ["habit", "edit", "--operator", "Guil"], ["Guild secret"]),
            ("positional@0", ["habit", "edit", "ap"], ["apostrophe-1"]),
            ("positional@0", ["habit", "edit", "\"Rock & r"], ["Rock & roll"]),
            ("positional@0", ["event", "show", "walk@y"], ["walk@yesterday"]),
            ("positional@0", ["event", "show", "walk@"], CompletionKindNames.events),
            ("--habit", ["history", "--habit", "ス"], ["スキー"]),
            ("--as", ["todo", "--as", "a"], ["ana"]),
            ("--as", ["todo", "--as", ""], ["ana", "bob"]),
            ("positional@0", ["follow", "accept", ""], ["bob"]),
            ("positional@0", ["user", "show", "b"], ["bob"]),
            ("positional@0", ["report", "run", "cal"], ["calendar"]),
            ("positional@0", ["near", "lisb"], ["lisbon"]),
            ("positional@0", ["near", "la"], nil),
            ("--columns", ["history", "--columns", "id,ti"], ["id,title"]),
            ("--columns", ["habit", "list", "--columns", "rat"], ["rate"]),
            ("positional@0", ["done", "gu"], ["guitar practice"]),
            ("positional@0", ["skip", "walk@y"], ["walk@yesterday"]),
            ("positional@1", ["config", "set", "color", ""], ["auto", "always", "never"]),
            ("positional@1", ["config", "set", "user", "b"], ["bob"]),
            ("--time-zone", ["todo", "--time-zone", "Europe/Lisb"], ["Europe/Lisbon"]),
        ] as [(String, [String], [String]?)])
    func valueIsOffered(argument: String, line: [String], expected: [String]?) async throws {
        let values = try await Self.store.value.values(argument, line)
        guard let expected else {
            #expect(values.contains("last"), "\(values)")
            return
        }
        #expect(values == expected, "\(line)")
    }

    /// A follower sees titles only after the followed user accepts.
    @Test func hiddenRecordIsNotOffered() async throws {
        let store = try await Self.store.value
        #expect(try await store.values("--habit", ["history", "--habit", "Guild"], expectsValues: false) == [])
        #expect(try await store.values("--habit", ["history", "--as", "bob", "--habit", "Gu"]) == ["Guild secret"])
        let all = try await store.values("--habit", ["history", "--habit", ""])
        #expect(
            Set(all)
                == Set([
                    "Guitar practice", "Rock & roll", "apostrophe-1", "quotes-1", "slash-1", "$(touch pwned)", "Ébène",
                    "スキー", "Walk",
                ]))
    }

    @Test func openHabitsPrecedeOthers() async throws {
        let store = try await CompletionStore()
        try await store.run("done", "Walk", "--as", "ana")
        try await store.run("skip", "guitar", "--as", "ana")
        let line = ["done", "--today", CompletionStore.today]
        let open = try await store.values("positional@0", line + [""])
        #expect(
            Set(open) == Set(["Rock & roll", "apostrophe-1", "quotes-1", "slash-1", "$(touch pwned)", "Ébène", "スキー"]))
        #expect(try await store.values("positional@0", line + ["wa"]) == ["walk"])
        #expect(try await store.values("positional@0", line + ["--day", "mon", "gu"]) == ["guitar practice"])
    }

    @Test func numberOfValuesIsLimited() async throws {
        let store = try await CompletionStore()
        let rows = (1...250).map {
            "{\"id\":\"m\($0)\",\"user\":\"bob\",\"title\":\"Many \($0)\",\"days\":\"daily\"}\n"
        }
        try store.folder.write(rows.joined(), to: "habits.ndjson")
        let load = try await Program.habitat("ingest", "habits.ndjson", in: store.folder)
        #expect(load.status == 0, "\(load)")
        let values = try await store.values("--habit", ["history", "--as", "bob", "--habit", "many"])
        #expect(values.count == 200)
    }

    /// A missing store is not created, and a run neither writes nor prints errors.
    @Test(.engineIndependent) func completionOnlyReads() async throws {
        let folder = try TemporaryFolder()
        let words = ["---completion", "event", "show", "--", "positional@0", "3", "0", "habitat", "event", "show", ""]
        for store in ["habitat.db", "postgresql://127.0.0.1:1/none", "habits.txt"] {
            try folder.write("not a store\n", to: "habits.txt")
            let result = try await Program.run(
                Program.habitat, words, in: folder.path, environment: ["HABITAT_STORE": store, "HABITAT_USER": "ana"])
            #expect(result.status == 0, "\(result)")
            #expect(result.output == "\n" || result.output.isEmpty, "\(result)")
            #expect(result.errors.isEmpty, "\(result)")
            #expect(folder.names == ["habits.txt"])
        }
        for words in [
            ["---completion"], ["---completion", "nothing", "--"], ["---completion", "todo", "--", "--bogus"],
        ] {
            let result = try await Program.habitat(words, in: folder)
            #expect(result.status == 0, "\(result)")
            #expect(result.output.isEmpty && result.errors.isEmpty, "\(result)")
            #expect(!result.signalled, "\(result)")
        }
    }

    /// The operating system accepts the connection, but no server reads from it.
    @Test(.engineIndependent) func completionGivesUpWhenServerDoesNotAnswer() async throws {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(listener) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let port = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address -> UInt16? in
                guard bind(listener, address, size) == 0, listen(listener, 8) == 0,
                    getsockname(listener, address, &size) == 0
                else { return nil }
                return address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { $0.pointee.sin_port.bigEndian }
            }
        }
        let url = "postgresql://127.0.0.1:\(try #require(port))/none"
        let folder = try TemporaryFolder()
        let result = try await Program.run(
            Program.habitat,
            ["---completion", "user", "show", "--", "positional@0", "3", "0", "habitat", "user", "show", ""],
            in: folder.path, environment: ["HABITAT_STORE": url])
        #expect(result.status == 0, "\(result)")
        #expect(result.lines.isEmpty, "\(result)")
        #expect(result.errors.isEmpty, "\(result)")
        #expect(!result.signalled, "\(result)")
    }
}

/// Values of completions that several tests expect.
enum CompletionKindNames {
    static let events = [
        "today", "yesterday", "mon", "tue", "wed", "thu", "fri", "sat", "sun",
    ].map { "walk@" + $0 }
}
