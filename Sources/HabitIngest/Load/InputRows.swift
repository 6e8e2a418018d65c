import Base
import HabitModel
import Photos

/// A batch of input rows, which the reader fills and the writer consumes.
///
/// The storage of a batch is reused for later rows.
final class InputRows {
    enum Outcome {
        /// The reader rejected the row.
        case rejected(RowProblem)
        /// The row breaks a rule of its kind.
        case invalid(HabitError)
        case decoded(Record)
        /// The row means that a habit was not done.
        case notDone
    }

    /// The size of the photos at which a batch is complete, in bytes.
    ///
    /// It bounds the memory of the batches, because the limit of a photo can be a megabyte.
    static let photoByteLimit = 16 << 20

    /// The number of filled rows.
    ///
    /// They are the first rows of the batch.
    var count = 0
    /// The raw rows.
    ///
    /// If the reader rejected a row, its raw row is not usable.
    var records: [RawRecord]
    var outcomes: [Outcome]
    /// The number of bytes read from the source, before decompression, when the batch was filled.
    var bytesRead = 0

    init(capacity: Int) {
        records = [RawRecord](repeating: RawRecord(), count: capacity)
        outcomes = [Outcome](
            repeating: .invalid(HabitError(.internal, "a row was used before it was read")), count: capacity)
    }

    /// The valid records of the batch.
    var decoded: [Record] {
        outcomes[..<count].compactMap { if case .decoded(let record) = $0 { record } else { nil } }
    }
}

extension Record {
    /// The photo that the record sets, or `nil`.
    var photo: Photo? {
        switch self {
        case .event(let event): event.details.photo.value
        case .item(let item): item.photo.value
        case .post(let post): post.photo.value
        case .setting, .user, .habit, .schedule, .pause, .follow, .block, .claim, .message, .read: nil
        }
    }
}
