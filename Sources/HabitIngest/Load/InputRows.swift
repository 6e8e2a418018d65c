import HabitModel

/// Rows of an input between reading and writing. Their storage is used again for those that follow.
final class InputRows {
    enum Outcome {
        /// The reader refused the row.
        case refused(RowProblem)
        /// It breaks a rule of its kind.
        case invalid(HabitError)
        case decoded(Record)
        /// The row means that a habit was not done.
        case notDone
    }

    /// The first `count` are filled.
    var count = 0
    /// The rows as they stood in the input; of no use where the reader refused one.
    var records: [RawRecord]
    var outcomes: [Outcome]
    /// How far the input was read with the last of them.
    var bytesRead = 0

    init(capacity: Int) {
        records = [RawRecord](repeating: RawRecord(), count: capacity)
        outcomes = [Outcome](
            repeating: .invalid(HabitError(.internal, "a row was taken before it was read")), count: capacity)
    }

    /// The records that were read and are as they should be.
    var decoded: [Record] {
        outcomes[..<count].compactMap { if case .decoded(let record) = $0 { record } else { nil } }
    }
}
