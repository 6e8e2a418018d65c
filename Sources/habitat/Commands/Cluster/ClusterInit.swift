import ArgumentParser
import Foundation
import HabitModel
import HabitStore
import StoreEngine

struct ClusterInit: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "init", abstract: "Move events and posts to shard databases.",
        discussion: """
            Each shard is an empty PostgreSQL database with PostGIS. Its URL must be valid on this machine and on the \
            server of the store. Users are distributed evenly among 1, 2, 4 or 8 shards.

            An administrator must first install the extension postgres_fdw in the database of the store. That database \
            stores the passwords of the shards.

            Other processes cannot write to the store while the command runs. If the command is interrupted, the store \
            is unchanged and the command can be run again.

            Example (HABITAT_STORE contains the URL of the store):
              habitat cluster init --shards \\
                postgresql://db1/habits,postgresql://db2/habits
            """)

    @Option(help: ArgumentHelp("URLs of the shard databases, separated by commas.", valueName: "url,…"))
    var shards: String
    @OptionGroup var output: OutputOptions
    @OptionGroup var common: CommonOptions

    func run() throws {
        try common.requireOperator("cluster init")
        try output.refuseExplanation()
        let urls = shards.split(separator: ",", omittingEmptySubsequences: false)
            .map { $0.trimmingCharacters(in: .whitespaces) }
        guard
            urls.allSatisfy({ if case .database = StoreLocation($0) { true } else { false } }),
            Set(urls).count == urls.count
        else {
            throw HabitError(
                .usage,
                "--shards requires a list of different URLs: write postgresql://user@host:port/database, separated by commas (a comma in a password is %2C)",
                field: "shards")
        }
        let cluster = try StoreCluster(common.open(.write))
        try cluster.distribute(over: urls) { common.notice("Copied rows to \($0).") }
        try ClusterCommands.showShards(cluster, output, common)
    }
}
