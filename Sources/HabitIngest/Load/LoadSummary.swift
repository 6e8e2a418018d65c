import HabitModel
import HabitStore
import StoreEngine

/// What a load did, by kind.
public struct LoadSummary: Sendable {
    public struct Counts: Sendable, Equatable {
        public var inserted = 0
        public var updated = 0
        public var unchanged = 0
        public var rejected = 0
    }

    public internal(set) var counts: [RecordKind: Counts] = [:]
    /// Rows that did not tell their kind.
    public internal(set) var rejectedOfNoKind = 0
    public internal(set) var nullIslands = 0
    /// Rows that mean that a habit was not done: they are neither stored nor refused.
    public internal(set) var notDone = 0
    /// The columns that no field is known for, by file.
    public internal(set) var unknownFields: [(file: String, names: [String])] = []

    public init() {}

    public var rejected: Int { counts.values.reduce(rejectedOfNoKind) { $0 + $1.rejected } }
    public var stored: Int { counts.values.reduce(0) { $0 + $1.inserted + $1.updated } }

    public static let shape = ResultShape(
        columns: [
            Column("kind", .text, at: 0), Column("inserted", .integer, at: 1), Column("updated", .integer, at: 2),
            Column("unchanged", .integer, at: 3), Column("rejected", .integer, at: 4),
        ],
        identity: ["kind"])

    public var rows: [ValueRow] {
        RecordKind.allCases.compactMap { kind in
            counts[kind].map { counts in
                ValueRow(
                    [.text(kind.rawValue)]
                        + [counts.inserted, counts.updated, counts.unchanged, counts.rejected].map {
                            .integer(Int64($0))
                        })
            }
        }
    }
}

/// How far a load has come.
public struct LoadProgress: Sendable {
    public var file: String
    public var rows = 0
    /// Of the file as it lies on the disk; nil where its size is not known.
    public var bytesTotal: Int?
    public var bytesRead = 0
    /// Those of the files of the same kind that come after it.
    private let bytesInFollowingFiles: Int

    /// About how many rows of this kind follow: as many as are read already if the size is unknown.
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
