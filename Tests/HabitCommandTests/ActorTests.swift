import HabitTestSupport
import Testing

/// Tests of the user that a command runs for.
///
/// A command never runs for the operator by accident.
@Suite(.engineIndependent) struct ActorTests {
    @Test(arguments: [["--as", ""], ["--as", "nobody"], ["--as="]])
    func commandFailsWhenActorIsUnknown(actor: [String]) async throws {
        for command in [
            ["history"], ["near", "38.7,-9.1"], ["user", "list"], ["habit", "list"], ["query", "SELECT 1"],
        ] {
            let result = try await Program.habitat(command + actor, in: try SampleData.folder())
            #expect(result.status == 77)
            #expect(result.errors.hasPrefix("error[not-signed-in]: "))
            #expect(result.output.isEmpty)
        }
    }

    @Test func commandFailsWhenUserVariableIsEmpty() async throws {
        let result = try await Program.habitat(
            "history", in: try await SampleData.folder(), environment: ["HABITAT_USER": ""])
        #expect(result.status == 77)
    }

    @Test func userVariableSetsActorUnlessOperatorOptionIsGiven() async throws {
        let alice = ["HABITAT_USER": "alice"]
        let folder = try await SampleData.folder()
        let own = try await Program.habitat("history", "--format", "ndjson", in: folder, environment: alice)
        #expect(own.lines.count == 361)
        #expect(own.lines.allSatisfy { $0.contains("\"user\":\"alice\"") })
        let all = try await Program.habitat(
            "history", "--format", "ndjson", "--operator", in: folder, environment: alice)
        #expect(all.lines.count == 4990)
    }

    /// The command that the error names works although the configured user does not exist.
    @Test func unknownUserOfConfigurationNamesFileAndRemedy() async throws {
        let folder = try await SampleData.folder()
        let own = try TemporaryFolder()
        let file = own.file("config.toml")
        try own.write("user = \"nobody\"\n", to: "config.toml")
        let environment = ["HABITAT_CONFIG": file]
        let refused = try await Program.habitat("history", in: folder, environment: environment)
        #expect(refused.status == 77)
        #expect(
            refused.errors == """
                error[not-signed-in]: the user 'nobody' of the configuration file '\(file)' does not exist: set your user \
                with 'habitat config set user ID', or see 'habitat user list --operator'

                """)
        let users = try await Program.habitat("user", "list", "--operator", in: folder, environment: environment)
        #expect(users.output.contains("alice"), "\(users)")
        _ = try await Program.habitat("config", "set", "user", "alice", in: folder, environment: environment)
        #expect(try await Program.habitat("history", in: folder, environment: environment).status == 0)
        let variable = try await Program.habitat("history", in: folder, environment: ["HABITAT_USER": "nobody"])
        #expect(variable.errors.contains("the user 'nobody' of HABITAT_USER does not exist: "), "\(variable)")
    }

    @Test func accountOptionAcceptsMe() async throws {
        let store = try await RuleStore()
        let environment = ["HABITAT_USER": "owner"]
        let token = try await Program.habitat(
            "token", "create", "--user", "me", "--columns", "user", "--format", "csv", in: store.folder,
            environment: environment)
        #expect(token.output == "user\nowner\n", "\(token)")
        let words = ["import", SampleData.path + "/imports/harsh", "--user", "me", "--dry-run"]
        let own = try await Program.habitat(words, in: store.folder, environment: environment)
        #expect(own.status == 0, "\(own)")
        let runs = try await Program.habitat(
            "import", "--runs", "--user", "me", in: store.folder, environment: environment)
        #expect(runs.status == 0, "\(runs)")
        #expect(try await Program.habitat(words, in: store.folder).status == 66)
    }

    @Test(arguments: [["init"], ["ingest", "x"], ["stats"]])
    func operatorCommandIsRefusedWhenActorIsGiven(command: [String]) async throws {
        let folder = try TemporaryFolder()
        let result = try await Program.habitat(command + ["--as", "alice"], in: folder)
        #expect(result.status == 77)
        #expect(result.errors.hasPrefix("error[operator-only]: "))
        #expect(folder.names.isEmpty, "a refused command creates no files")
    }

    @Test func commonOptionsAreAcceptedBeforeAndAfterCommand() async throws {
        let folder = try await SampleData.folder()
        let after = try await Program.habitat("near", "38.7223,-9.1393", "--as", "alice", "--format", "csv", in: folder)
        let before = try await Program.habitat(
            "--as", "alice", "--format", "csv", "near", "38.7223,-9.1393", in: folder)
        let nested = try await Program.habitat("--as", "bruno", "habit", "list", "--as", "alice", in: folder)
        #expect(after.status == 0)
        #expect(before.output == after.output)
        #expect(nested.output == (try await Program.habitat("habit", "list", "--as", "alice", in: folder)).output)
    }
}
