import ArgumentParser
import HabitModel
import HabitStore

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
        try output.show(common, whenEmpty: ClusterCommands.noShards) { begin in
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
