import ArgumentParser
import HabitModel
import HabitStore
import StoreEngine

struct Doctor: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor", abstract: "Look whether the store is whole, and with --repair mend what can be mended.",
        discussion: """
            Checks the file's pages and references, the spatial index and the search index against the records, and the \
            records against each other: a row for each check, ok or damaged, with how many things are at fault and the first \
            of them. The exit status is 65 where anything is damaged. It changes nothing and hinders nobody.

            --repair makes what follows from the rest of the store again, in one transaction: indexes, what texts are \
            searched by, what is 'unplanned', the state of items and claims; and it removes photos that no record has. \
            What it cannot mend, a backup can.

            Examples:
              habitat doctor
              habitat doctor --repair
              habitat doctor --format json
            """)

    @Flag(help: "Mend what can be mended, and look again.")
    var repair = false
    @OptionGroup var output: OutputOptions
    @OptionGroup var common: CommonOptions

    func run() throws {
        try common.requireOperator("doctor")
        try output.refuseExplanation()
        let engine = try common.open(repair ? .write : .read)
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
                ? "\(checks) damage that cannot be mended: restore a backup of the store"
                : "\(checks) damage: mend it with 'habitat doctor --repair', or restore a backup of the store")
    }
}
