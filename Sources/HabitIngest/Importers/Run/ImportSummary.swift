import Base
import HabitModel
import HabitStore
import StoreEngine

/// The result of an import: the number of entries by file, record kind and result.
public struct ImportSummary {
    /// The result of an entry.
    public enum Result: String, Sendable, CaseIterable {
        case inserted, updated, unchanged, skipped, rejected

        /// Whether the store has the record.
        fileprivate var isStored: Bool {
            switch self {
            case .inserted, .updated, .unchanged: true
            case .skipped, .rejected: false
            }
        }

        /// The position in the order of rows, from 0.
        fileprivate var order: Int { Self.allCases.firstIndex(of: self) ?? 0 }
    }

    /// The entries that have the same result.
    struct Key: Hashable, Comparable {
        var part: Int
        var kind: RecordKind
        var result: Result
        var reason: String

        /// The values that determine the order of rows.
        private var rank: (Int, RecordKind, Int, String) { (part, kind, result.order, reason) }

        /// Compares the positions of two keys in the order of rows.
        static func < (first: Key, second: Key) -> Bool { first.rank < second.rank }
    }

    /// The texts that exceed one limit.
    public struct ExceededLimit: Sendable, Equatable {
        /// The field of the texts.
        public var field: Field
        /// The setting of the limit, or `nil` if the limit is fixed.
        public var setting: Setting?
        /// The limit, in characters.
        public var limit: Int
        /// The number of texts.
        public var count = 0
        /// The length of the longest text, in characters.
        public var longest = 0

        /// The value of the setting that permits as many of the texts as possible.
        public var sufficientValue: Int {
            let highest = setting?.allowed.upperBound ?? limit
            return min(longest, highest)
        }
    }

    /// A limit that the import has raised.
    public struct RaisedLimit: Sendable, Equatable {
        /// The setting of the limit.
        public var setting: Setting
        /// The limit before the import, in characters.
        public var oldValue: Int
        /// The limit since the import, in characters.
        public var newValue: Int
    }

    /// A record of an import that stores nothing.
    public struct Preview {
        /// The kind of the record.
        public var kind: RecordKind
        /// The values of the record, by the names of their columns.
        public var values: KeyValuePairs<String, Value>
    }

    let parts: [(name: String, format: String)]
    private var counts: [Key: Int] = [:]
    /// The limits that texts exceed, by field.
    public internal(set) var exceededLimits: [ExceededLimit] = []
    /// The limits that the import has raised before it stored the first record.
    public internal(set) var raisedLimits: [RaisedLimit] = []
    /// The number of titles, reasons and units in which spaces replace control characters and line breaks.
    public internal(set) var replacedTexts = 0
    /// Messages for the user.
    public internal(set) var notices: [ImportNotice] = []
    /// The number of skipped entries with a note or an amount.
    public internal(set) var skippedWithContent = 0
    /// The first records of each kind, for ``previewTable(of:isForPeople:)``.
    public internal(set) var previews: [Preview] = []

    /// Number of records of each kind in ``previews``.
    public static let previewCount = 5

    init(_ plan: ImportPlan) { parts = plan.inputs }

    /// The total number of entries with a result.
    public func count(_ result: Result) -> Int {
        counts.reduce(0) { total, entry in
            entry.key.result == result ? total + entry.value : total
        }
    }

    /// The number of entries of a kind with a result.
    func count(_ result: Result, of kind: RecordKind) -> Int {
        counts.reduce(0) { total, entry in
            let isCounted = entry.key.result == result && entry.key.kind == kind
            return isCounted ? total + entry.value : total
        }
    }

    /// Whether a notice of an importer explains why the input has no records.
    public var isExplained: Bool { explanationCount > 0 }

    /// The number of notices with a remedy.
    var explanationCount: Int { notices.count { !$0.remedies.isEmpty } }

    /// Whether an input has entries.
    func hasEntries(of part: Int) -> Bool {
        counts.keys.contains { key in key.part == part }
    }

    /// Whether an entry is a stored event or post.
    public var hasRecords: Bool {
        counts.keys.contains { key in key.kind != .habits && key.result.isStored }
    }

    /// Whether the import found no entries.
    public var isEmpty: Bool { counts.isEmpty }

    /// Counts an entry.
    mutating func add(_ kind: RecordKind, _ result: Result, reason: String = "", part: Int) {
        let key = Key(part: part, kind: kind, result: result, reason: reason)
        counts[key, default: 0] += 1
    }

    /// Adds a message, unless the summary already has it.
    mutating func addOnce(_ notice: ImportNotice) {
        if !notices.contains(notice) { notices.append(notice) }
    }

    /// The shape of ``rows``.
    public static let shape = ResultShape(
        columns: [
            Column("file", .text, at: 0),
            Column("format", .text, at: 1),
            Column("record", .text, at: 2),
            Column("result", .text, at: 3),
            Column("reason", .text, at: 4),
            Column("count", .integer, at: 5),
        ],
        identity: ["format", "record", "result", "reason"])

    /// The numbers of entries, in the order of the inputs.
    public var rows: [ValueRow] {
        let entries = counts.sorted { first, second in first.key < second.key }
        return entries.map { key, count in
            let part = parts[key.part]
            return ValueRow([
                .text(part.name),
                .text(part.format),
                .text(key.kind.rawValue),
                .text(key.result.rawValue),
                key.reason.isEmpty ? .null : .text(key.reason),
                .integer(Int64(count)),
            ])
        }
    }

    /// Counts a text that exceeds its limit.
    mutating func exceed(_ rule: TextRule, _ limit: Int, length: Int) {
        let known = exceededLimits.firstIndex { exceeded in exceeded.field == rule.field }
        let index = known ?? exceededLimits.endIndex
        if known == nil {
            exceededLimits.append(ExceededLimit(field: rule.field, setting: rule.setting, limit: limit))
        }
        exceededLimits[index].count += 1
        exceededLimits[index].longest = max(exceededLimits[index].longest, length)
    }
}
