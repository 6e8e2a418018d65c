import Base
import BitCollections
import HabitModel
import StoreEngine

/// The treatment of a record whose key is in the store with other values.
///
/// `update` stores the new values, `keep` keeps the stored values, and `reject` rejects the record with
/// `duplicate-key`.
public enum ConflictPolicy: String, Sendable, CaseIterable {
    case update, keep, reject
}

/// The result of writing a record.
public enum WriteOutcome: Sendable {
    case inserted, updated, unchanged
}

/// Inserts and updates the rows of one table by natural key.
///
/// Tracks the rows that the load has written.
final class TableWriter {
    private let session: any Session
    private let table: String
    private let columns: [ColumnDefinition]
    /// The indices of the columns of the natural key.
    private let keyColumnIndices: Set<Int>
    private let policy: ConflictPolicy
    private let inserts: any Inserts
    private let byNaturalKey: any Statement
    private let byKey: any Statement
    /// The index of the column with the key of the user, which selects the partition or the server of a row, or `nil`.
    private let userIndex: Int?
    /// The UPDATE statements by the indices of their columns, one for each combination of fields in the input.
    private var updates: [[Int]: any Statement] = [:]
    private let seen: KeyBitSet
    private let changedRows: ChangedKeys
    private var newRow: [Value]
    /// The digests of rows that were read during this load.
    ///
    /// ``seen`` contains the rows written since then.
    private var digests: RowDigests?
    /// The number of lookups, and the number of lookups that found an unchanged row.
    private var looks = (all: 0, unchanged: 0)
    /// The estimated number of remaining rows.
    var estimatedRemaining = 0

    /// Creates a writer.
    ///
    /// - Parameters:
    ///   - session: The session of the writes.
    ///   - kind: The kind of the records, which have a table with keys.
    ///   - columns: The columns of the table without the key `id`.
    ///   - naturalKey: The names of the columns that identify a row.
    ///   - policy: The treatment of a record that the store contains with other values.
    ///   - changed: The rows that the load changes.
    /// - Throws: An error of the engine.
    init(
        _ session: any Session, _ kind: RecordKind, columns: [ColumnDefinition], naturalKey: [String],
        policy: ConflictPolicy, _ changed: ChangedRows
    ) throws {
        self.session = session
        table = kind.table
        self.columns = columns
        self.policy = policy
        newRow = columns.map(\.initial)
        let names = columns.map(\.name)
        keyColumnIndices = Set(columns.indices.filter { naturalKey.contains(names[$0]) })
        userIndex = session.dialect.andUser("user_id", is: ":row_user").isEmpty ? nil : names.firstIndex(of: "user_id")
        let seen = KeyBitSet()
        self.seen = seen
        let changedRows = changed.of(kind)
        self.changedRows = changedRows
        inserts = try session.inserts(into: table, columns: names) { key in
            seen.insert(key)
            changedRows.insert(key)
        }
        let select = "SELECT id, \(names.joined(separator: ", ")) FROM \(table) WHERE "
        byKey = try session.prepare("\(select)id = :id")
        byNaturalKey = try session.prepare(
            select + naturalKey.map { "\($0) = :\($0)" }.joined(separator: " AND "))
    }

    var columnNames: [String] { columns.map(\.name) }

    /// Returns a new row with these values.
    ///
    /// A value that is `nil` is replaced by the initial value of its column.
    ///
    /// The row uses the storage of the previous row if the caller has released that row.
    func row(_ values: [Value?]) -> [Value] {
        newRow.withUnsafeMutableBufferPointer { row in
            for index in row.indices { row[index] = values[index] ?? columns[index].initial }
        }
        return newRow
    }

    /// Registers rows that were inserted by other means.
    func didInsert(_ keys: [Int64]) {
        for key in keys {
            seen.insert(key)
            changedRows.insert(key)
        }
    }

    /// Prefetches the rows with these natural keys.
    ///
    /// See ``PipelinedStatement/prefetch(_:)``.
    ///
    /// - Returns: Whether each row exists, or an empty array if the engine does not prefetch.
    @discardableResult func prefetch(_ naturalKeys: [[Value]]) throws -> [Bool] {
        try byNaturalKey.pipelined?.prefetch(naturalKeys) ?? []
    }

    /// Returns the result of `body` for the row with this natural key, or `nil` if there is no such row.
    ///
    /// The first column of the row is its key `id`. The columns of the table follow.
    func find<Result>(_ naturalKey: [Value], _ body: (any Row) throws -> Result) throws -> Result? {
        looks.all += 1
        try byNaturalKey.bind(naturalKey)
        return try byNaturalKey.firstRow(body)
    }

    /// Writes the row with this natural key.
    ///
    /// - Parameters:
    ///   - values: The values in the order of the columns. `nil` means that the record does not specify the column.
    ///   - naturalKey: The values of the natural key.
    ///   - check: A closure that can reject the write by throwing an error. It receives the stored row as in
    ///     ``find(_:_:)``, or `nil` for a new row.
    /// - Returns: Whether the row was inserted, updated or unchanged.
    /// - Throws: The error thrown by `check`; `duplicate-key` if the load has already written the row with other values,
    ///   or if the stored row has other values and the policy is `reject`.
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

    /// Whether ``isUnchanged(_:)`` can find any row.
    var isRemembered: Bool { digests != nil }

    /// Whether the digests show that a row has exactly these values.
    ///
    /// `false` does not mean that no such row exists.
    func isUnchanged(_ values: [Value?]) -> Bool {
        guard let digests, let key = digests.key(values), !seen.contains(key) else { return false }
        seen.insert(key)
        return true
    }

    /// Counts an unchanged row, and reads the digests of all rows if most remaining rows are probably unchanged.
    ///
    /// A lookup of one row costs two to three times as much as a row in a read of all rows.
    ///
    /// - Parameter values: The values of the unchanged row.
    /// - Throws: An error of the engine.
    private func remember(_ values: [Value?]) throws {
        looks.unchanged += 1
        guard estimatedRemaining > 0, digests == nil, looks.unchanged % 1024 == 0, 2 * looks.unchanged > looks.all,
            session.pipeline == nil
        else { return }
        let last = try session.first(SQL("SELECT max(id) FROM \(table)"), { $0.integer(0) }) ?? 0
        guard Int64(estimatedRemaining) > last / 2 else { return }
        digests = try RowDigests(
            session, table: table, columns: columnNames, columnIndices: values.indices.filter { values[$0] != nil })
    }

    /// Inserts a new row.
    func insert(_ values: [Value?]) throws -> WriteOutcome {
        try inserts.insert(row(values))
        return .inserted
    }

    /// Updates the row with this key.
    func write(_ values: [Value?], over key: Int64) throws -> WriteOutcome {
        try byKey.bind([.integer(key)])
        let outcome = try byKey.firstRow { try write(values, over: $0) }
        guard let outcome else { throw HabitError(.internal, "the row of \(table) with the key \(key) does not exist") }
        return outcome
    }

    /// Updates a row.
    ///
    /// Its first column is its key, and the columns of the table follow.
    func write(_ values: [Value?], over row: any Row) throws -> WriteOutcome {
        let key = row.integer(0)
        let changed = values.indices.filter { index in
            values[index].map { !row.holds($0, at: 1 + index) } ?? false
        }
        defer { seen.insert(key) }
        guard !changed.isEmpty else {
            try remember(values)
            return .unchanged
        }
        if seen.contains(key) {
            throw HabitError(
                .duplicateKey, "the load contains this record twice with different values: keep one of the two")
        }
        switch policy {
        case .keep: return .unchanged
        case .reject:
            throw HabitError(
                .duplicateKey, "the store has this record with different values",
                .omit(.conflictPolicy))
        case .update:
            try updateRow(values, changed, key, user: userIndex.map { row.integer(1 + $0) })
            return .updated
        }
    }

    private func updateRow(_ values: [Value?], _ changed: [Int], _ key: Int64, user: Int64?) throws {
        let statement = try updates[changed] ?? makeUpdate(changed)
        updates[changed] = statement
        try statement.bind(
            changed.map { values[$0] ?? .null } + [.integer(key)] + (user.map { [.integer($0)] } ?? []))
        try statement.run()
        changedRows.insert(key)
        // Other rows are unchanged, but the natural key of this row may be the key of a prefetched result.
        if !keyColumnIndices.isDisjoint(with: changed) { session.pipeline?.invalidatePrefetch() }
    }

    private func makeUpdate(_ changed: [Int]) throws -> any Statement {
        let assignments = changed.map { "\(columns[$0].name) = :\(columns[$0].name)" }
        let ofUser = userIndex == nil ? "" : session.dialect.andUser("user_id", is: ":row_user")
        return try session.prepare(
            "UPDATE \(table) SET \(assignments.joined(separator: ", ")) WHERE id = :id\(ofUser)")
    }
}

extension Row {
    /// Whether the column contains exactly `value`.
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

/// A set of nearly consecutive keys.
///
/// It uses one bit for each key, and a hashed set for very large keys.
final class KeyBitSet {
    /// The first key in the hashed set.
    ///
    /// The bits for all smaller keys take 1 GiB.
    private static let bound: Int64 = 1 << 33

    private var bits = BitSet()
    private var others: Set<Int64> = []

    func contains(_ key: Int64) -> Bool {
        (0..<Self.bound).contains(key) ? bits.contains(Int(key)) : others.contains(key)
    }

    func insert(_ key: Int64) {
        if (0..<Self.bound).contains(key) { bits.insert(Int(key)) } else { others.insert(key) }
    }

    /// The keys in ascending order.
    var all: [Int64] {
        others.isEmpty ? bits.map(Int64.init) : (bits.map(Int64.init) + others).sorted()
    }
}
