import Base
import HabitModel
import HabitStore
import StoreEngine

/// The result of an import: the number of entries by file, record kind and result.
public struct ImportSummary {
    /// The result of an entry.
    public enum Result: String, Sendable, CaseIterable {
        case inserted, updated, unchanged, skipped, rejected
    }

    /// The entries that have the same result.
    struct Key: Hashable {
        var part: Int
        var kind: RecordKind
        var result: Result
        var reason: String
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
        public var sufficientValue: Int { min(longest, Setting.allowed.upperBound) }
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
    /// The first records of each kind, for ``previewTable(of:)``.
    public internal(set) var previews: [Preview] = []

    /// Number of records of each kind in ``previews``.
    public static let previewCount = 5

    init(_ plan: ImportPlan) { parts = plan.inputs }

    /// The total number of entries with a result.
    public func count(_ result: Result) -> Int {
        counts.reduce(0) { $1.key.result == result ? $0 + $1.value : $0 }
    }

    /// The number of entries of a kind with a result.
    func count(_ result: Result, of kind: RecordKind) -> Int {
        counts.reduce(0) { count, entry in
            entry.key.result == result && entry.key.kind == kind ? count + entry.value : count
        }
    }

    /// Whether a notice of an importer explains why the input has no records.
    public var isExplained: Bool { explanationCount > 0 }

    /// The number of notices with a remedy.
    var explanationCount: Int { notices.count { !$0.remedies.isEmpty } }

    /// Whether an input has entries.
    func hasEntries(of part: Int) -> Bool { counts.keys.contains { $0.part == part } }

    /// Whether an entry is a stored event or post.
    public var hasRecords: Bool {
        counts.keys.contains { $0.kind != .habits && [.inserted, .updated, .unchanged].contains($0.result) }
    }

    /// Whether the import found no entries.
    public var isEmpty: Bool { counts.isEmpty }

    mutating func add(_ kind: RecordKind, _ result: Result, reason: String = "", part: Int, count: Int = 1) {
        counts[Key(part: part, kind: kind, result: result, reason: reason), default: 0] += count
    }

    /// The shape of ``rows``.
    public static let shape = ResultShape(
        columns: [
            Column("file", .text, at: 0), Column("format", .text, at: 1), Column("record", .text, at: 2),
            Column("result", .text, at: 3), Column("reason", .text, at: 4), Column("count", .integer, at: 5),
        ], identity: ["format", "record", "result", "reason"])

    /// The numbers of entries, in the order of the inputs.
    public var rows: [ValueRow] {
        let order = Dictionary(uniqueKeysWithValues: Result.allCases.enumerated().map { ($1, $0) })
        let keys = counts.keys.sorted {
            ($0.part, $0.kind, order[$0.result] ?? 0, $0.reason) < ($1.part, $1.kind, order[$1.result] ?? 0, $1.reason)
        }
        return keys.map { key in
            ValueRow([
                .text(parts[key.part].name), .text(parts[key.part].format), .text(key.kind.rawValue),
                .text(key.result.rawValue), key.reason.isEmpty ? .null : .text(key.reason),
                .integer(Int64(counts[key] ?? 0)),
            ])
        }
    }

    mutating func exceed(_ rule: TextRule, _ limit: Int, length: Int) {
        let index = exceededLimits.firstIndex { $0.field == rule.field } ?? exceededLimits.endIndex
        if index == exceededLimits.endIndex {
            exceededLimits.append(ExceededLimit(field: rule.field, setting: rule.setting, limit: limit))
        }
        exceededLimits[index].count += 1
        exceededLimits[index].longest = max(exceededLimits[index].longest, length)
    }
}
