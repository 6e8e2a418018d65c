import BitCollections
import HabitModel
import StoreEngine

/// What happens where a record's key is known and its values differ.
public enum ConflictPolicy: String, Sendable, CaseIterable {
    case update, keep, reject
}

public enum WriteOutcome: Sendable {
    case inserted, updated, unchanged
}

/// Inserts and updates the rows of one table by their natural key, knowing which of them this load has written already.
final class TableWriter {
    /// A column, and what a new row has there where nothing is given.
    struct Column {
        var name: String
        var initial: Value = .null
    }

    private let session: any Session
    private let table: String
    private let columns: [Column]
    /// The places of the columns that are the natural key.
    private let keyPlaces: Set<Int>
    private let policy: ConflictPolicy
    private let inserts: any Inserts
    private let byNaturalKey: any Statement
    private let byKey: any Statement
    /// By the columns they set: one for each pattern of fields in the input.
    private var updates: [[Int]: any Statement] = [:]
    private let seen: KeySet
    private var newRow: [Value]
    /// What the rows held at some moment of this load; those that it has written since are in ``seen``.
    private var digests: RowDigests?
    /// How many rows were looked up, and how many of them were as they came.
    private var looks = (all: 0, unchanged: 0)
    /// About how many more rows are to come.
    var estimatedRemaining = 0

    /// `naturalKey` names the columns that find a row.
    init(
        _ session: any Session, table: String, columns: [Column], naturalKey: [String], policy: ConflictPolicy
    ) throws {
        self.session = session
        self.table = table
        self.columns = columns
        self.policy = policy
        newRow = columns.map(\.initial)
        let names = columns.map(\.name)
        keyPlaces = Set(columns.indices.filter { naturalKey.contains(names[$0]) })
        let seen = KeySet()
        self.seen = seen
        inserts = try session.inserts(into: table, columns: names) { seen.insert($0) }
        let select = "SELECT id, \(names.joined(separator: ", ")) FROM \(table) WHERE "
        byKey = try session.prepare("\(select)id = :id")
        byNaturalKey = try session.prepare(
            select + naturalKey.map { "\($0) = :\($0)" }.joined(separator: " AND "))
    }

    var columnNames: [String] { columns.map(\.name) }

    /// A new row with these values, nil where a field was not given: in the same storage as the one before, if that was let go.
    func row(_ values: [Value?]) -> [Value] {
        newRow.withUnsafeMutableBufferPointer { row in
            for place in row.indices { row[place] = values[place] ?? columns[place].initial }
        }
        return newRow
    }

    /// To be told of rows that were inserted by other means.
    func didInsert(_ keys: [Int64]) { for key in keys { seen.insert(key) } }

    /// Asks ahead for the rows with these natural keys, and says which there are, as ``QueryPipelinedStatement/askAhead(_:)`` does.
    @discardableResult func prefetch(_ naturalKeys: [[Value]]) throws -> [Bool] {
        try byNaturalKey.pipelined?.askAhead(naturalKeys) ?? []
    }

    /// What `body` makes of the row with this natural key: its key `id`, and behind it the columns. Nil where there is none.
    func find<Result>(_ naturalKey: [Value], _ body: (any Row) throws -> Result) throws -> Result? {
        looks.all += 1
        try byNaturalKey.bind(naturalKey)
        return try byNaturalKey.firstRow(body)
    }

    /// Writes the row with this natural key: `values` in the order of the columns, nil where a field was not given. Before
    /// that `check` may refuse the row that is there, as ``find(_:_:)`` has it, or a new one where it is nil.
    func write(
        _ values: [Value?], naturalKey: [Value], check: ((any Row)?) throws -> Void = { _ in }
    ) throws -> WriteOutcome {
        let outcome = try find(naturalKey) { row in
            try check(row)
            return try write(values, over: row)
        }
        if let outcome { return outcome }
        try check(nil)
        return try insert(values)
    }

    /// Whether ``isUnchanged(_:)`` may know of any row.
    var isRemembered: Bool { digests != nil }

    /// Whether a row holds exactly these values, as far as memory tells: false does not say that there is none.
    func isUnchanged(_ values: [Value?]) -> Bool {
        guard let digests, let key = digests.key(values), !seen.contains(key) else { return false }
        seen.insert(key)
        return true
    }

    /// Looks at all rows at once, where most of those to come are likely to be stored as they come; `values` are such a row's.
    ///
    /// To look one up costs two to three times as much as to read one of all.
    private func remember(_ values: [Value?]) throws {
        looks.unchanged += 1
        guard estimatedRemaining > 0, digests == nil, looks.unchanged % 1024 == 0, 2 * looks.unchanged > looks.all,
            session.pipeline == nil
        else { return }
        let last = try session.first(SQL("SELECT max(id) FROM \(table)"), { $0.integer(0) }) ?? 0
        guard Int64(estimatedRemaining) > last / 2 else { return }
        digests = try RowDigests(
            session, table: table, columns: columnNames, places: values.indices.filter { values[$0] != nil })
    }

    /// Stores a new row.
    func insert(_ values: [Value?]) throws -> WriteOutcome {
        try inserts.insert(row(values))
        return .inserted
    }

    /// Writes over the row with this key.
    func write(_ values: [Value?], over key: Int64) throws -> WriteOutcome {
        try byKey.bind([.integer(key)])
        let outcome = try byKey.firstRow { try write(values, over: $0) }
        guard let outcome else { throw HabitError(.internal, "a row of \(table) is not where its key says") }
        return outcome
    }

    /// Writes over a row: its key, and behind it the columns.
    func write(_ values: [Value?], over row: any Row) throws -> WriteOutcome {
        let key = row.integer(0)
        let changed = values.indices.filter { place in
            values[place].map { !row.holds($0, at: 1 + place) } ?? false
        }
        defer { seen.insert(key) }
        guard !changed.isEmpty else {
            try remember(values)
            return .unchanged
        }
        if seen.contains(key) {
            throw HabitError(
                .duplicateKey, "the same record comes twice in this load, with different values: keep one of the two")
        }
        switch policy {
        case .keep: return .unchanged
        case .reject:
            throw HabitError(
                .duplicateKey, "the store has this record with other values",
                .omit(.conflictPolicy))
        case .update:
            try updateRow(values, changed, key)
            return .updated
        }
    }

    private func updateRow(_ values: [Value?], _ changed: [Int], _ key: Int64) throws {
        let statement = try updates[changed] ?? makeUpdate(changed)
        updates[changed] = statement
        try statement.bind(changed.map { values[$0] ?? .null } + [.integer(key)])
        try statement.run()
        // Other rows are what they were, but another natural key may have been theirs.
        if !keyPlaces.isDisjoint(with: changed) { session.pipeline?.forgetAnswers() }
    }

    private func makeUpdate(_ changed: [Int]) throws -> any Statement {
        let assignments = changed.map { "\(columns[$0].name) = :\(columns[$0].name)" }
        return try session.prepare("UPDATE \(table) SET \(assignments.joined(separator: ", ")) WHERE id = :id")
    }
}

extension Row {
    /// Whether the column holds exactly `value`.
    fileprivate func holds(_ value: Value, at index: Int) -> Bool {
        if isNull(index) { return value == .null }
        switch value {
        case .null: return false
        case .integer(let value): return integer(index) == value
        case .number(let value): return number(index) == value
        case .text(let value): return withText(index) { $0.isEqual(to: value) } ?? false
        case .blob(let value): return blob(index) == value
        case .point(let value): return position(index) == value
        }
    }
}

/// A set of keys that are nearly consecutive: one bit for each key, except for keys that are too large for that.
final class KeySet {
    /// The first key that is stored in a hashed set: bits up to it take 1 GiB.
    private static let bound: Int64 = 1 << 33

    private var bits = BitSet()
    private var others: Set<Int64> = []

    func contains(_ key: Int64) -> Bool {
        (0..<Self.bound).contains(key) ? bits.contains(Int(key)) : others.contains(key)
    }

    func insert(_ key: Int64) {
        if (0..<Self.bound).contains(key) { bits.insert(Int(key)) } else { others.insert(key) }
    }
}
