import ArgumentParser
import Base
import HabitModel
import HabitStore
import StorePostGIS

struct ClusterCommands: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cluster", abstract: "Distribute a PostgreSQL store over servers.",
        discussion: """
            The extension Citus distributes events, posts, habits and photos over several PostgreSQL servers. All \
            records of one user are on the same server. Clients connect only to the coordinator.

            Example (HABITAT_STORE contains the URL of the store):
              habitat cluster status
            """,
        subcommands: [ClusterInit.self, ClusterStatus.self, ClusterCheckCommand.self])
}

extension ClusterCommands {
    /// The text that the commands print for a store on one server.
    static let noCluster =
        "The store is not distributed: 'habitat cluster init' distributes it over the servers of Citus."

    /// Shows one row for each server.
    ///
    /// - Parameters:
    ///   - cluster: The cluster of the store.
    ///   - output: The output options of the command.
    ///   - common: The common options of the command.
    /// - Throws: `store-unavailable` after the output if a server does not respond.
    static func showNodes(of cluster: StoreCluster, output: OutputOptions, common: CommonOptions) throws {
        var nodes: [ClusterNode] = []
        try output.show(common, whenEmpty: noCluster) { begin in
            let receiver = try begin(ClusterNode.shape)
            nodes = try cluster.nodes()
            try receiver.append(nodes.map(\.row))
        }
        let failed = nodes.filter { node in node.problem != nil }
        guard failed.isEmpty else {
            let endpoints = failed.map(\.endpoint).joined(separator: ", ")
            throw HabitError(.storeUnavailable, "unavailable servers: \(endpoints)")
        }
    }
}
