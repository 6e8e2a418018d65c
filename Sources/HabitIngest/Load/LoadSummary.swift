import Base
import HabitModel
import HabitStore
import StoreEngine

/// The result of a load, by record kind.
public struct LoadSummary: Sendable {
    /// The number of rows of one kind, by outcome.
    public struct Counts: Sendable, Equatable {
        /// The number of records that were new.
        public var inserted = 0
        /// The number of stored records that were changed.
        public var updated = 0
        /// The number of stored records that were equal, or that the conflict policy kept.
        public var unchanged = 0
        /// The number of rows that were rejected.
        public var rejected = 0
    }

    /// The counts for each kind that occurred.
    public internal(set) var counts: [RecordKind: Counts] = [:]
    /// The number of rejected rows whose kind is unknown.
    public internal(set) var rejectedOfNoKind = 0
    /// The number of positions at 0, 0 that were kept.
    public internal(set) var nullIslands = 0
    /// The number of names, titles, reasons and units in which spaces replace control characters and line breaks.
    public internal(set) var replacedTexts = 0
    /// The number of rows that mean that a habit was not done.
    ///
    /// Such rows are neither stored nor rejected.
    public internal(set) var notDone = 0
    /// The names of unknown columns and members, by file.
    public internal(set) var unknownFields: [(file: String, names: [String])] = []

    /// The columns `status` that contain the status of habits.
    public internal(set) var ignoredStatusColumns: [IgnoredStatusColumn] = []

    /// Creates an empty summary.
    public init() {}

    /// The total number of rejected rows.
    public var rejected: Int {
        counts.values.map(\.rejected).reduce(rejectedOfNoKind, +)
    }
    /// The total number of inserted and updated records.
    public var stored: Int {
        counts.values.map { counts in counts.inserted + counts.updated }.reduce(0, +)
    }

    /// The shape of ``rows``.
    public static let shape = ResultShape(
        columns: [
            Column("kind", .text, at: 0), Column("inserted", .integer, at: 1), Column("updated", .integer, at: 2),
            Column("unchanged", .integer, at: 3), Column("rejected", .integer, at: 4),
        ],
        identity: ["kind"])

    /// The counts as rows, one for each kind that occurred.
    public var rows: [ValueRow] {
        RecordKind.allCases.compactMap { kind in
            guard let counts = counts[kind] else { return nil }
            return ValueRow([
                .text(kind.rawValue),
                .integer(Int64(counts.inserted)),
                .integer(Int64(counts.updated)),
                .integer(Int64(counts.unchanged)),
                .integer(Int64(counts.rejected)),
            ])
        }
    }
}

/// The progress of a load in one input.
public struct LoadProgress: Sendable {
    /// The name of the input in messages.
    public var file: String
    /// The number of rows processed so far.
    public var rows = 0
    /// The size of the file on disk in bytes, or `nil` if the size is unknown.
    public var bytesTotal: Int?
    /// The number of bytes read from the file on disk so far.
    public var bytesRead = 0
    /// The total size of the following files of the same kind, in bytes.
    private let bytesInFollowingFiles: Int

    /// An estimate of the number of remaining rows of this kind.
    ///
    /// If the size is unknown, the estimate is the number of rows processed so far.
    var estimatedRemainingRows: Int {
        guard let bytesTotal, bytesRead > 0 else { return rows }
        let bytes = max(0, bytesTotal - bytesRead) &+ bytesInFollowingFiles
        return Int(min(1e15, Double(rows) * Double(bytes) / Double(bytesRead)))
    }

    init(file: String, bytesTotal: Int?, bytesInFollowingFiles: Int) {
        self.file = file
        self.bytesTotal = bytesTotal
        self.bytesInFollowingFiles = bytesInFollowingFiles
    }
}
