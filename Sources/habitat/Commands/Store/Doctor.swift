import ArgumentParser
import Base
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
    @OptionGroup(title: OutputOptions.title) var output: OutputOptions
    @OptionGroup(title: CommonOptions.title) var common: CommonOptions

    mutating func run() throws {
        try common.requireOperator("doctor")
        try output.refuseExplanation()
        let engine =
            repair
            ? try common.open(.write) : try common.storeLocation().openForExamination(wait: common.waitTime())
        var results: [CheckResult] = []
        try output.show(common, whenEmpty: "") { begin in
            let receiver = try begin(CheckResult.shape)
            results = repair ? try StoreDoctor(engine).repair() : try StoreDoctor(engine).examine()
            try receiver.append(results.map(\.row))
        }
        let damaged = results.filter { $0.status == .damaged }
        guard damaged.isEmpty else { throw Self.error(damaged, isRepaired: repair) }
    }

    /// Returns the error for damage, with a remedy that can remove it.
    private static func error(_ damaged: [CheckResult], isRepaired: Bool) -> HabitError {
        let checks = damaged.count == 1 ? "1 check finds" : "\(damaged.count) checks find"
        if !isRepaired, damaged.allSatisfy(\.isRepairable) {
            return HabitError(
                .storeDamaged,
                "\(checks) damage: repair it with 'habitat doctor --repair', or restore a backup of the store")
        }
        if let schema = damaged.first(where: { $0.check == "schema" }), schema.detail?.contains("DROP ") == true {
            return HabitError(
                .storeDamaged,
                "\(checks) damage that 'habitat doctor --repair' cannot repair: run the statements in the detail of the check 'schema' and then 'habitat doctor', or restore a backup of the store"
            )
        }
        return HabitError(
            .storeDamaged,
            "\(checks) damage that 'habitat doctor --repair' cannot repair: restore a backup of the store")
    }
}
