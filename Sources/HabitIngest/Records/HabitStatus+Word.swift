import Base
import HabitModel

extension HabitStatus {
    /// Creates the status from its label in outputs, in any letter case, or returns `nil` for any other text.
    ///
    /// - Parameter word: The text of a cell. White space around it has no meaning.
    init?(word: String) {
        guard let status = Self.statusByWord[word.trimmed.folded] else { return nil }
        self = status
    }

    private static let statusByWord = Dictionary(
        uniqueKeysWithValues: allCases.map { status in (status.rawValue.folded, status) })
}

extension HabitError {
    /// Returns the error of a word that is not an outcome.
    ///
    /// - Parameters:
    ///   - word: The word.
    ///   - field: The field that contains it.
    /// - Returns: The error, with an advice.
    static func notOutcome(_ word: String, in field: Field) -> HabitError {
        let problem =
            HabitStatus(word: word) == nil ? "is not an outcome" : "is the status of a habit, not an outcome"
        return HabitError(
            .outcomeInvalid, "'\(word.excerpt)' \(problem)", field: field.name, .advice("write done, skipped or missed")
        )
    }
}
