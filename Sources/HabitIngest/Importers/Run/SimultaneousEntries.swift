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
        let name = summary.name(of: example.part)
        let otherName = summary.name(of: example.other)
        let pair = "for example in '\(name)' and '\(otherName)'"
        return ImportNotice(
            "\(entries) at the same time as another \(noun) of another format, \(pair): the same \(noun) can be stored twice",
            .advice("import only one of the inputs"))
    }
}

extension ImportRun {
    /// Adds the notice for a habit that an input of another format also contains.
    func noteSharedHabit(_ index: Int, _ draft: ImportedHabit, of part: Int) {
        guard draft.id != nil else { return }
        let otherPart = habits[index].part
        guard importer(of: part).isAlternative(to: importer(of: otherPart)) else { return }
        summary.addOnce(
            ImportNotice(
                "'\(summary.name(of: otherPart))' and '\(summary.name(of: part))' contain the same habits, but only the JSON export has UTC offsets, so the history can add events on other days",
                .advice("import only one of the two files")))
    }

    /// Registers the beginning of a workout.
    func registerWorkout(_ event: ImportedEvents.Event) {
        let importer = importer(of: event.part)
        guard importer.sameDay == .sum, let at = event.time.at else { return }
        simultaneousWorkouts.add(at.instant, part: event.part) { other in
            self.importer(of: other).source != importer.source
        }
    }

    /// Registers the instant of a post, if an input of the same application has another format.
    func registerPost(at instant: Instant, of part: Int) {
        let importer = importer(of: part)
        let hasOtherFormat = plan.parts.contains { other in other.importer.isAlternative(to: importer) }
        guard hasOtherFormat else { return }
        simultaneousVisits.add(instant, part: part) { other in
            self.importer(of: other).isAlternative(to: importer)
        }
    }

    /// Adds the notices for entries that two inputs can contain.
    func noteSimultaneousEntries() {
        if let notice = simultaneousWorkouts.notice("workout", summary) { summary.notices.append(notice) }
        if let notice = simultaneousVisits.notice("visit", summary) { summary.notices.append(notice) }
    }
}

extension Importer {
    /// Whether `other` is another format of the same application.
    fileprivate static func isAlternative(to other: any Importer.Type) -> Bool {
        source == other.source && format != other.format
    }
}
