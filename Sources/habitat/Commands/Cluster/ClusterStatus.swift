import ArgumentParser
import HabitStore

struct ClusterStatus: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Show the rows and the state of each shard.",
        discussion: """
            The command counts all events and posts. The exit status is 69 if a shard is unavailable.

            Example (HABITAT_STORE contains the URL of the store):
              habitat cluster status --format json
            """)

    @OptionGroup var output: OutputOptions
    @OptionGroup var common: CommonOptions

    func run() throws {
        try common.requireOperator("cluster status")
        try output.refuseExplanation()
        try ClusterCommands.showShards(StoreCluster(common.open(.read)), output, common)
    }
}
