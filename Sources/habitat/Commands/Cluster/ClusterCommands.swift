import ArgumentParser
import Foundation
import HabitModel
import HabitStore
import StoreEngine
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
        try showShards(cluster, output, common)
    }
}

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
        try showShards(StoreCluster(common.open(.read)), output, common)
    }
}

struct ClusterCheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Check the placement of rows and the plans of queries.",
        discussion: """
            The first checks find events and posts that are not on the shard of their user. The other checks show the \
            plans of typical queries: the number of shards, the conditions that the shards evaluate (column there) and \
            the conditions that the server of the store evaluates on the returned rows (column here). At run time, a \
            lookup skips the shards that cannot contain the row.

            The exit status is 65 if rows are misplaced or if a shard returns rows without a condition.

            Example (HABITAT_STORE contains the URL of the store):
              habitat cluster check
            """)

    @OptionGroup var output: OutputOptions
    @OptionGroup var common: CommonOptions

    func run() throws {
        try common.requireOperator("cluster check")
        try output.refuseExplanation()
        let cluster = try StoreCluster(common.open(.read))
        var checks: [ClusterCheck] = []
        try output.show(common, whenEmpty: noShards) { begin in
            let receiver = try begin(ClusterCheck.shape)
            checks = try cluster.check()
            try receiver.take(checks.map(\.row))
        }
        let failed = checks.filter { !$0.isOK }.map(\.check)
        guard failed.isEmpty else {
            throw HabitError(.storeDamaged, "failed checks: \(failed.joined(separator: ", "))")
        }
    }
}

private let noShards = "The store is not sharded: 'habitat cluster init' distributes it over several databases."

private func showShards(_ cluster: StoreCluster, _ output: OutputOptions, _ common: CommonOptions) throws {
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
