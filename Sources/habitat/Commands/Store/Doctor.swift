import ArgumentParser
import HabitModel
import HabitStore
import StoreEngine

struct Doctor: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor", abstract: "Check the store for damage and optionally repair it.",
        discussion: """
            The command checks file pages, foreign keys, the spatial index, the search index and the consistency of \
            records. It prints one row for each check: the status (ok or damaged), the number of affected records and \
            the first few of them. The check 'schema' also names tables, views and indexes of other programs, which are \
            not damage. The exit status is 65 if any check reports damage. Without --repair, the command \
            does not change the store or block other processes.

            With --repair, the command rebuilds derived data in one transaction: indexes, search text, the 'unplanned' \
            flag and the state of items and claims. It also deletes photos that no record references. Restore a backup \
            if damage remains.

            Examples:
              habitat doctor
              habitat doctor --repair
              habitat doctor --format json
            """)

    @Flag(help: "Repair damage in derived data, then check again.")
    var repair = false
    @OptionGroup var output: OutputOptions
    @OptionGroup var common: CommonOptions

    func run() throws {
        try common.requireOperator("doctor")
        try output.refuseExplanation()
        let engine =
            repair
            ? try common.open(.write) : try common.storeLocation().openForExamination(wait: common.waitTime())
        var results: [CheckResult] = []
        try output.show(common, whenEmpty: "") { begin in
            let receiver = try begin(CheckResult.shape)
            results = repair ? try StoreDoctor(engine).repair() : try StoreDoctor(engine).examine()
            try receiver.take(results.map(\.row))
        }
        let damaged = results.filter { $0.status == .damaged }.count
        guard damaged == 0 else { throw Self.error(damaged, isRepaired: repair) }
    }

    private static func error(_ count: Int, isRepaired: Bool) -> HabitError {
        let checks = count == 1 ? "1 check finds" : "\(count) checks find"
        return HabitError(
            .storeDamaged,
            isRepaired
                ? "\(checks) damage that cannot be repaired: restore a backup of the store"
                : "\(checks) damage: repair it with 'habitat doctor --repair', or restore a backup of the store")
    }
}
