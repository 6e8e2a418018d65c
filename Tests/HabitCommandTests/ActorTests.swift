import HabitTestSupport
import Testing

/// Tests of the user that a command runs for.
///
/// A command never runs for the operator by accident.
@Suite struct ActorTests {
    @Test(arguments: [["--as", ""], ["--as", "nobody"], ["--as="]])
    func commandFailsWhenActorIsUnknown(actor: [String]) throws {
        for command in [
            ["history"], ["near", "38.7,-9.1"], ["user", "list"], ["habit", "list"], ["query", "SELECT 1"],
        ] {
            let result = try Program.habitat(command + actor, in: try SampleData.folder())
            #expect(result.status == 77)
            #expect(result.errors.hasPrefix("error[not-signed-in]: "))
            #expect(result.output.isEmpty)
        }
    }

    @Test func commandFailsWhenUserVariableIsEmpty() throws {
        let result = try Program.habitat(
            "history", in: try SampleData.folder(), environment: ["HABITAT_USER": ""])
        #expect(result.status == 77)
    }

    @Test func userVariableSetsActorUnlessOperatorOptionIsGiven() throws {
        let alice = ["HABITAT_USER": "alice"]
        let folder = try SampleData.folder()
        let own = try Program.habitat("history", "--format", "ndjson", in: folder, environment: alice)
        #expect(own.lines.count == 361)
        #expect(own.lines.allSatisfy { $0.contains("\"user\":\"alice\"") })
        let all = try Program.habitat("history", "--format", "ndjson", "--operator", in: folder, environment: alice)
        #expect(all.lines.count == 4990)
    }

    @Test(arguments: [["init"], ["ingest", "x"], ["stats"]])
    func operatorCommandIsRefusedWhenActorIsGiven(command: [String]) throws {
        let folder = try TemporaryFolder()
        let result = try Program.habitat(command + ["--as", "alice"], in: folder)
        #expect(result.status == 77)
        #expect(result.errors.hasPrefix("error[operator-only]: "))
        #expect(folder.names.isEmpty, "a refused command creates no files")
    }

    @Test func commonOptionsAreAcceptedBeforeAndAfterCommand() throws {
        let folder = try SampleData.folder()
        let after = try Program.habitat("near", "38.7223,-9.1393", "--as", "alice", "--format", "csv", in: folder)
        let before = try Program.habitat("--as", "alice", "--format", "csv", "near", "38.7223,-9.1393", in: folder)
        let nested = try Program.habitat("--as", "bruno", "habit", "list", "--as", "alice", in: folder)
        #expect(after.status == 0)
        #expect(before.output == after.output)
        #expect(nested.output == (try Program.habitat("habit", "list", "--as", "alice", in: folder)).output)
    }
}
