import HabitTestSupport
import Testing

/// Tests of the programs that tests start.
@Suite(.engineIndependent) struct ProgramTests {
    /// Otherwise, SIGTERM would not end a program, and a shell would not notice its time limit.
    @Test func startedProgramBlocksNoSignals() async throws {
        let folder = try TemporaryFolder()
        let result = try await Program.run("/bin/grep", ["SigBlk", "/proc/self/status"], in: folder.path)
        #expect(result.output == "SigBlk:\t0000000000000000\n", "\(result)")
    }
}
