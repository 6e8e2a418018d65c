import ArgumentParser
import Base
import HabitModel
import HabitStore
import StoreEngine

struct ClusterCheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Check the tables and servers of the cluster.",
        discussion: """
            The command checks in the catalog of Citus that the records of a user are on one server, and that each \
            server has a copy of the shared tables. Each shard must be on an active server, and the servers must be able \
            to connect to each other. The command also checks references to photos, which the cluster does not enforce. \
            The command 'doctor' checks the records.

            The exit status is 65 if a check fails.

            Example (HABITAT_STORE contains the URL of the store):
              habitat cluster check
            """)

    @OptionGroup(title: OutputOptions.title) var output: OutputOptions
    @OptionGroup(title: CommonOptions.title) var common: CommonOptions

    mutating func run() throws {
        try common.requireOperator("cluster check")
        try output.refuseExplanation()
        let cluster = try StoreCluster(common.open(.read))
        var checks: [CheckResult] = []
        try output.show(common, whenEmpty: ClusterCommands.noCluster) { begin in
            let receiver = try begin(CheckResult.shape)
            checks = try cluster.check()
            try receiver.append(checks.map(\.row))
        }
        let failed = checks.filter { $0.status != .ok }.map(\.check)
        guard failed.isEmpty else {
            throw HabitError(.storeDamaged, "failed checks: \(failed.joined(separator: ", "))")
        }
    }
}
