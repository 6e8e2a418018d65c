import Base
import HabitModel

/// The entries that begin at the same instant as an entry in an input of another format.
///
/// Two formats can contain the same workout or visit, but not its ID.
struct SimultaneousEntries {
    /// The first input with an entry at each instant.
    private var partByInstant: [Instant: Int] = [:]
    private var count = 0
    /// The inputs of the first two entries.
    private var example: (part: Int, other: Int)?

    /// Adds an entry.
    ///
    /// - Parameters:
    ///   - instant: The beginning of the entry.
    ///   - part: The index of its input.
    ///   - isOther: Whether the input with an index has another format, which can contain the same entries.
    mutating func add(_ instant: Instant, part: Int, isOther: (Int) -> Bool) {
        guard let other = partByInstant[instant] else {
            partByInstant[instant] = part
            return
        }
        guard other != part, isOther(other) else { return }
        count += 1
        example = example ?? (part, other)
    }

    /// Returns the notice for the entries, or `nil` without such entries.
    ///
    /// - Parameters:
    ///   - noun: The word for one entry.
    ///   - summary: The summary with the names of the inputs.
    /// - Returns: The notice, or `nil`.
    func notice(_ noun: String, _ summary: ImportSummary) -> ImportNotice? {
        guard let example else { return nil }
        let entries = count == 1 ? "1 \(noun) begins" : "\(count) \(noun)s begin"
        let pair = "for example in '\(summary.name(of: example.part))' and '\(summary.name(of: example.other))'"
        return ImportNotice(
            "\(entries) at the same time as another \(noun) of another format, \(pair): the same \(noun) can be stored twice",
            .advice("import only one of the inputs"))
    }
}

extension ImportRun {
    /// Adds the notice for a habit that an input of another format also contains.
    func noteSharedHabit(_ index: Int, _ draft: ImportedHabit, _ part: Int) {
        let own = plan.parts[part].importer
        let other = plan.parts[habits[index].part].importer
        guard draft.id != nil, own.source == other.source, own.format != other.format else { return }
        let notice = ImportNotice(
            "'\(summary.name(of: habits[index].part))' and '\(summary.name(of: part))' contain the same habits, but only the JSON export has UTC offsets, so the history can add events on other days",
            .advice("import only one of the two files"))
        if !summary.notices.contains(notice) { summary.notices.append(notice) }
    }

    /// Registers the beginning of a workout.
    func registerWorkout(_ event: ImportedEvents.Event, _ importer: any Importer.Type) {
        guard importer.sameDay == .sum, let at = event.time.at else { return }
        simultaneousWorkouts.add(at.instant, part: event.part) { plan.parts[$0].importer.source != importer.source }
    }

    /// Registers the instant of a post, if an input of the same application has another format.
    func registerPost(at instant: Instant, _ importer: any Importer.Type, _ part: Int) {
        func isOther(_ other: any Importer.Type) -> Bool {
            other.source == importer.source && other.format != importer.format
        }
        guard plan.parts.contains(where: { isOther($0.importer) }) else { return }
        simultaneousVisits.add(instant, part: part) { isOther(plan.parts[$0].importer) }
    }

    /// Adds the notices for entries that two inputs can contain.
    func noteSimultaneousEntries() {
        let notices = [
            simultaneousWorkouts.notice("workout", summary), simultaneousVisits.notice("visit", summary),
        ]
        summary.notices += notices.compactMap(\.self)
    }
}
