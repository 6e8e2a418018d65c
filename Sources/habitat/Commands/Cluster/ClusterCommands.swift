import ArgumentParser
import Foundation
import HabitModel
import HabitStore
import StoreEngine
import StorePostGIS

struct ClusterCommands: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cluster", abstract: "Lay a PostgreSQL store out over several servers, and see how it lies.",
        discussion: """
            Events and posts, which grow with use, lie on the shards then, each user's on one of them; the rest stays in the \
            store's own database, which asks the shards for their part of every command. Whoever uses the store goes on \
            naming that one.

            Example, for a store that HABITAT_STORE names:
              habitat cluster status
            """,
        subcommands: [ClusterInit.self, ClusterStatus.self, ClusterCheckCommand.self])
}

struct ClusterInit: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "init", abstract: "Move the store's events and posts to other databases.",
        discussion: """
            Each shard is an empty PostgreSQL database with PostGIS, named by a URL that holds from here and from the store's \
            server; 1, 2, 4 or 8 of them share the users evenly. The store's database needs postgres_fdw, which its \
            administrator adds, and keeps the passwords of the shards. Nobody else can write meanwhile. Where it is cut short \
            the store is as it was, and init can be asked for again.

            Example, for a store that HABITAT_STORE names:
              habitat cluster init --shards postgresql://ann@db1.example.org/habitat,postgresql://ann@db2.example.org/habitat
            """)

    @Option(help: ArgumentHelp("The databases, separated by commas.", valueName: "url,…"))
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
                "name each shard once, as postgresql://user@host:port/database, with commas between them (in a password %2C)",
                field: "shards")
        }
        let cluster = try StoreCluster(common.open(.write))
        try cluster.layOut(over: urls) { common.notice("\($0) has its part") }
        try showShards(cluster, output, common)
    }
}

struct ClusterStatus: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "What lies on each shard, and whether it answers.",
        discussion: """
            Counts every event and post. The exit status is 69 where a shard cannot be used.

            Example, for a store that HABITAT_STORE names:
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
        commandName: "check", abstract: "Look whether the shards hold and do what they should.",
        discussion: """
            First whether every event and post lies on the shard of its user. Then how the shards are asked: for each kind of \
            question, how many of them, by which condition 'there', and what has to be looked at 'here' after the rows have \
            come. A shard in whose part a look-up cannot lie is left out when it runs. The exit status is 65 where rows are \
            misplaced, or come without a condition.

            Example, for a store that HABITAT_STORE names:
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
            throw HabitError(.storeDamaged, "not as it should be: \(failed.joined(separator: ", "))")
        }
    }
}

private let noShards = "The store lies in one database: 'habitat cluster init' lays it out over several."

private func showShards(_ cluster: StoreCluster, _ output: OutputOptions, _ common: CommonOptions) throws {
    var shards: [ShardStatus] = []
    try output.show(common, whenEmpty: noShards) { begin in
        let receiver = try begin(ShardStatus.shape)
        shards = try cluster.status()
        try receiver.take(shards.map(\.row))
    }
    let failed = shards.filter { $0.problem != nil }.map { String($0.number) }
    guard failed.isEmpty else {
        throw HabitError(.storeUnavailable, "not to be used: shard \(failed.joined(separator: ", "))")
    }
}
