import ArgumentParser
import HabitModel
import HabitStore
import StorePostGIS

struct ClusterCommands: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cluster", abstract: "Shard a PostgreSQL store.",
        discussion: """
            A sharded store distributes its events and posts among several databases, the shards. All events and posts \
            of one user are on the same shard. The other tables stay in the database of the store, which queries the \
            shards. Clients continue to connect only to the database of the store.

            Example (HABITAT_STORE contains the URL of the store):
              habitat cluster status
            """,
        subcommands: [ClusterInit.self, ClusterStatus.self, ClusterCheckCommand.self])
}

extension ClusterCommands {
    /// The text that the commands print for a store without shards.
    static let noShards = "The store is not sharded: 'habitat cluster init' distributes it over several databases."

    /// Shows one row for each shard.
    ///
    /// - Parameters:
    ///   - cluster: The shards of the store.
    ///   - output: The output options of the command.
    ///   - common: The common options of the command.
    /// - Throws: `store-unavailable` after the output if a shard is unavailable.
    static func showShards(_ cluster: StoreCluster, _ output: OutputOptions, _ common: CommonOptions) throws {
        var shards: [ShardStatus] = []
        try output.show(common, whenEmpty: noShards) { begin in
            let receiver = try begin(ShardStatus.shape)
            shards = try cluster.status()
            try receiver.take(shards.map(\.row))
        }
        let failed = shards.filter { $0.problem != nil }.map { String($0.number) }
        guard failed.isEmpty else {
            throw HabitError(.storeUnavailable, "unavailable shards: \(failed.joined(separator: ", "))")
        }
    }
}
