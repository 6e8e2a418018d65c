import HabitModel

extension RawValue {
    /// Whether a value in the column `status` of events is the status of a habit, as the outputs of this program have it.
    ///
    /// Such a value is not an outcome.
    func isHabitStatus(_ field: Field, in kind: RecordKind) -> Bool {
        guard field == .status, kind == .events, case .text(let text) = self else { return false }
        return HabitStatus(rawValue: text) != nil || Self.words.contains(text.folded)
    }

    private static let words = Set(HabitStatus.allCases.map(\.rawValue.folded))
}
