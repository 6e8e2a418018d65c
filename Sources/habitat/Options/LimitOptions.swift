import ArgumentParser
import Base
import HabitIngest
import HabitModel
import HabitStore
import StoreEngine

/// The options for texts that are longer than the store allows.
struct LimitOptions: ParsableArguments {
    @Flag(help: "Raise the length limits of the store to the longest texts of the input.")
    var raiseLimits = false
    @Flag(help: "Keep the length limits of the store without asking (default without a terminal).")
    var keepLimits = false

    /// Checks that the options do not exclude each other, and that the user may raise limits.
    ///
    /// - Throws: `usage` for both options, or `operator-only` if `--as` names a user.
    func check(_ common: CommonOptions) throws {
        guard raiseLimits else { return }
        guard !keepLimits else {
            throw HabitError(
                .usage, "--raise-limits and --keep-limits are mutually exclusive: omit one of them",
                field: "raise-limits")
        }
        guard mayRaise(common) else {
            throw HabitError(
                .operatorOnly, "only the operator can raise the limits of the store: omit --as or --raise-limits",
                field: "raise-limits")
        }
    }

    /// Returns the limits to raise, with their new values.
    ///
    /// On a terminal, the command prompts once unless an option decides. It reads all inputs before the prompt.
    ///
    /// - Parameters:
    ///   - plan: The inputs of the import.
    ///   - options: The options of the import.
    ///   - account: The account that receives the records.
    ///   - engine: The engine of the store.
    ///   - common: The common options.
    /// - Returns: The new values, or nothing if the limits stay.
    /// - Throws: The errors of the inputs and the store.
    func raisedLimits(
        for plan: ImportPlan, options: ImportOptions, account: ImportAccount, in engine: any Engine,
        common: CommonOptions
    ) throws -> [Setting: Int] {
        let canAsk = !common.quiet && !options.isDryRun && mayRaise(common) && Prompt.isPossible
        guard raiseLimits || (canAsk && !keepLimits && !plan.readsStandardInput) else { return [:] }
        let settings = try engine.read { session in try StoreSettings.read(in: session) }
        let exceeded = try ImportRun.exceededLimits(plan, options, for: account, settings: settings)
            .filter { limit in limit.setting != nil }
        guard !exceeded.isEmpty else { return [:] }
        guard raiseLimits || Prompt.agrees(to: Self.question(exceeded)) else { return [:] }
        var values: [Setting: Int] = [:]
        for limit in exceeded {
            guard let setting = limit.setting else { continue }
            values[setting] = limit.sufficientValue
        }
        return values
    }

    /// Whether the command runs as the operator, or as the user of the configuration, who owns the store.
    private func mayRaise(_ common: CommonOptions) -> Bool { common.asOperator || common.as == nil }

    /// Returns the prompt with the longest text of each limit.
    private static func question(_ exceeded: [ImportSummary.ExceededLimit]) -> String {
        let count = exceeded.reduce(0) { count, limit in count + limit.count }
        let texts = count == 1 ? "1 text is" : "\(count) texts are"
        let lengths = exceeded.map { limit in "\(limit.field.name) \(limit.longest) of \(limit.limit)" }
        let limits = exceeded.count == 1 ? "limit" : "limits"
        return "\(texts) longer than this store allows (\(lengths.joined(separator: ", "))). Raise the \(limits)?"
    }
}
