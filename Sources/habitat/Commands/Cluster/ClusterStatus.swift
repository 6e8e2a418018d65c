import ArgumentParser
import HabitStore

struct ClusterStatus: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Show the servers of the cluster.",
        discussion: """
            The command shows the number of shards of each table and the size of the store on each server. The exit \
            status is 69 if a server does not respond.

            Example (HABITAT_STORE contains the URL of the store):
              habitat cluster status --format json
            """)

    @OptionGroup(title: OutputOptions.title) var output: OutputOptions
    @OptionGroup(title: CommonOptions.title) var common: CommonOptions

    mutating func run() throws {
        try common.requireOperator("cluster status")
        try output.refuseExplanation()
        try ClusterCommands.showNodes(of: StoreCluster(common.open(.read)), output: output, common: common)
    }
}
