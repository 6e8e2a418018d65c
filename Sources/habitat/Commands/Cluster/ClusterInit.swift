import ArgumentParser
import Base
import HabitModel
import HabitStore

struct ClusterInit: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "init", abstract: "Distribute the store over a Citus cluster.",
        discussion: """
            An administrator must first install Citus, run 'CREATE EXTENSION citus' in the database of the store and \
            add the servers with the function citus_add_node. Each server has a database with the same name and with \
            the extensions citus, postgis and pg_trgm.

            The command moves all rows in one transaction. Other processes cannot write to the store while it runs. If \
            it is interrupted, the store is unchanged. Restart habitat-server afterward.

            Example (HABITAT_STORE contains the URL of the store):
              habitat cluster init --shards 64
            """)

    @Option(help: ArgumentHelp("Number of shards of each table, 1 to 1,024.", valueName: "count"), completion: .anyText)
    var shards = 32
    @OptionGroup(title: OutputOptions.title) var output: OutputOptions
    @OptionGroup(title: CommonOptions.title) var common: CommonOptions

    mutating func run() throws {
        try common.requireOperator("cluster init")
        try output.refuseExplanation()
        guard StoreCluster.shardCounts.contains(shards) else {
            throw HabitError(
                .usage, "the number of shards is \(shards): choose a number from 1 to 1,024", field: "shards")
        }
        let cluster = try StoreCluster(common.open(.write))
        try cluster.distribute(shardCount: shards)
        try ClusterCommands.showNodes(of: cluster, output: output, common: common)
    }
}
