import Base
import HabitModel
import StoreEngine

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
    private let inserts: OnDemand<any Inserts>
    private let byNaturalKey: OnDemand<any Statement>
    private let byKey: OnDemand<any Statement>
    /// The index of the column with the key of the user, which selects the partition or the server of a row, or `nil`.
    private let userIndex: Int?
    /// The UPDATE statements by the indices of their columns, one for each combination of fields in the input.
    private var updates: [[Int]: any Statement] = [:]
    /// The keys of the rows that were written or found unchanged.
    private let written: KeyBitSet
    private let kind: RecordKind
    private let changed: ChangedRows
    /// The inserted rows, and the rows whose changes have the usual audience.
    private let changedRows: ChangedKeys
    /// The version of the rows that this writer updates.
    private let version = Value.integer(RecordVersion.new())
    /// Returns the audience of a change of some columns of the row with a key, or `nil` for the usual audience.
    ///
    /// The writer calls it before it updates the row.
    var audience: (_ key: Int64, _ columns: Set<String>) throws -> Audience?
    private var newRow: [Value]
    /// The digests of rows that were read during this load.
    ///
    /// ``written`` contains the rows written since then.
    private var digests: RowDigests?
    /// The number of lookups of stored rows.
    private var lookups = 0
    /// The number of lookups that found an unchanged row.
    private var unchangedLookups = 0
    /// The estimated number of remaining rows.
    var estimatedRemaining = 0

    /// Creates a writer, which compiles each of its statements at the first use.
    ///
    /// - Parameters:
    ///   - kind: The kind of the records, which have a table with keys.
    ///   - columns: The columns of the table without the key `id`.
    ///   - naturalKey: The names of the columns that identify a row.
    ///   - context: The session and the lookups of all writers.
    init(
        _ kind: RecordKind,
        columns: [ColumnDefinition],
        naturalKey: [String],
        _ context: WriteContext
    ) {
        let session = context.session
        let table = kind.table
        let names = columns.map(\.name)
        self.session = session
        self.table = table
        self.columns = columns
        policy = context.policy
        newRow = columns.map(\.initial) + [.integer(context.insertedVersion)]
        let keyIndices = columns.indices.filter { index in
            naturalKey.contains(names[index])
        }
        keyColumnIndices = Set(keyIndices)
        let ofUser = session.dialect.andUser("user_id", is: ":row_user")
        userIndex = ofUser.isEmpty ? nil : names.firstIndex(of: "user_id")
        let written = KeyBitSet()
        self.written = written
        self.kind = kind
        changed = context.changed
        let changedRows = context.changed.of(kind)
        self.changedRows = changedRows
        audience = { _, columns in kind.audience(ofChanged: columns) }
        inserts = OnDemand {
            try session.inserts(into: table, columns: names + [RecordVersion.column]) { key in
                written.insert(key)
                changedRows.insert(key)
            }
        }
        let select = "SELECT id, \(names.joined(separator: ", ")) FROM \(table) WHERE "
        byKey = session.onDemand("\(select)id = :id")
        let conditions = naturalKey.map { column in "\(column) = :\(column)" }
        let condition = conditions.joined(separator: " AND ")
        byNaturalKey = session.onDemand(select + condition)
    }

    private var columnNames: [String] { columns.map(\.name) }

    /// The names of the columns of a new row.
    var newRowColumns: [String] { columnNames + [RecordVersion.column] }

    /// Returns a new row with these values and a version.
    ///
    /// A value that is `nil` is replaced by the initial value of its column.
    ///
    /// The row uses the storage of the previous row if the caller has released that row.
    func row(_ values: [Value?]) -> [Value] {
        newRow.withUnsafeMutableBufferPointer { row in
            for index in columns.indices {
                row[index] = values[index] ?? columns[index].initial
            }
        }
        return newRow
    }

    /// Registers rows that were inserted by other means.
    func didInsert(_ keys: [Int64]) {
        for key in keys {
            written.insert(key)
            changedRows.insert(key)
        }
    }

    /// Prefetches the rows with these natural keys.
    ///
    /// See ``PipelinedStatement/prefetch(_:)``.
    ///
    /// - Returns: Whether each row exists, or an empty array if the engine does not prefetch.
    @discardableResult
    func prefetch(_ naturalKeys: [[Value]]) throws -> [Bool] {
        guard session.pipeline != nil else { return [] }
        let statement = try byNaturalKey.value().pipelined
        return try statement?.prefetch(naturalKeys) ?? []
    }

    /// Prefetches the rows of a table whose natural key is an ID.
    func prefetch(ids: [String]) throws {
        let naturalKeys = ids.map { id in [Value.text(id)] }
        try prefetch(naturalKeys)
    }

    /// Returns the result of `body` for the row with this natural key, or `nil` if there is no such row.
    ///
    /// The first column of the row is its key `id`. The columns of the table follow.
    func find<Result>(
        _ naturalKey: [Value],
        _ body: (any Row) throws -> Result
    ) throws -> Result? {
        lookups += 1
        let statement = try byNaturalKey.value()
        try statement.bind(naturalKey)
        return try statement.firstRow(body)
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
        _ values: [Value?],
        naturalKey: [Value],
        check: ((any Row)?) throws -> Void = { _ in }
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
    var hasDigests: Bool { digests != nil }

    /// Whether the digests show that a row has exactly these values.
    ///
    /// `false` does not mean that no such row exists.
    func isUnchanged(_ values: [Value?]) -> Bool {
        guard let digests,
            let key = digests.key(values),
            !written.contains(key)
        else {
            return false
        }
        written.insert(key)
        return true
    }

    /// Counts an unchanged row, and reads the digests of all rows if most remaining rows are probably unchanged.
    ///
    /// A lookup of one row costs two to three times as much as a row in a read of all rows.
    ///
    /// - Parameter values: The values of the unchanged row.
    /// - Throws: An error of the engine.
    private func countUnchanged(_ values: [Value?]) throws {
        unchangedLookups += 1
        guard digests == nil, estimatedRemaining > 0, session.pipeline == nil else { return }
        guard unchangedLookups % Self.lookupsPerDecision == 0 else { return }
        guard 2 * unchangedLookups > lookups else { return }
        let sql: SQL = "SELECT max(id) FROM \(raw: table)"
        let last = try session.first(sql) { row in row.integer(0) } ?? 0
        guard Int64(estimatedRemaining) > last / 2 else { return }
        let given = values.indices.filter { index in values[index] != nil }
        digests = try RowDigests(
            session,
            table: table,
            columns: columnNames,
            columnIndices: given)
    }

    /// The number of unchanged rows after which the writer decides whether to read the digests of all rows.
    private static let lookupsPerDecision = 1024

    /// Inserts a new row.
    func insert(_ values: [Value?]) throws -> WriteOutcome {
        let row = row(values)
        try inserts.value().insert(row)
        return .inserted
    }

    /// Updates the row with this key.
    func write(_ values: [Value?], over key: Int64) throws -> WriteOutcome {
        let statement = try byKey.value()
        try statement.bind([.integer(key)])
        let outcome = try statement.firstRow { row in
            try write(values, over: row)
        }
        guard let outcome else {
            throw HabitError(.internal, "the row of \(table) with the key \(key) does not exist")
        }
        return outcome
    }

    /// Updates a row.
    ///
    /// Its first column is its key, and the columns of the table follow.
    func write(_ values: [Value?], over row: any Row) throws -> WriteOutcome {
        let key = row.integer(0)
        let changed = values.indices.filter { index in
            guard let value = values[index] else { return false }
            return !row.holds(value, at: 1 + index)
        }
        defer { written.insert(key) }
        guard !changed.isEmpty else {
            try countUnchanged(values)
            return .unchanged
        }
        if written.contains(key) {
            throw HabitError(
                .duplicateKey,
                "the load contains this record twice with different values: keep one of the two")
        }
        switch policy {
        case .keep: return .unchanged
        case .reject:
            throw HabitError(
                .duplicateKey,
                "the store has this record with different values",
                .omit(.conflictPolicy))
        case .update:
            let user = userIndex.map { index in row.integer(1 + index) }
            try updateRow(values, columns: changed, key: key, user: user)
            return .updated
        }
    }

    /// Updates some columns of the row with a key.
    private func updateRow(
        _ values: [Value?],
        columns changed: [Int],
        key: Int64,
        user: Int64?
    ) throws {
        let names = changed.map { index in columns[index].name }
        let audience = try audience(key, Set(names))
        let statement = try updates[changed] ?? makeUpdate(changed)
        updates[changed] = statement
        var parameters = changed.map { index in values[index] ?? .null }
        parameters.append(version)
        parameters.append(.integer(key))
        if let user {
            parameters.append(.integer(user))
        }
        try statement.bind(parameters)
        try statement.run()
        self.changed.of(kind, audience: audience).insert(key)
        // Other rows are unchanged, but the natural key of this row may be the key of a prefetched result.
        if !keyColumnIndices.isDisjoint(with: changed) {
            session.pipeline?.invalidatePrefetch()
        }
    }

    private func makeUpdate(_ changed: [Int]) throws -> any Statement {
        let assignments = changed.map { index in
            let column = columns[index].name
            return "\(column) = :\(column)"
        }
        let list = (assignments + ["version = :version"]).joined(separator: ", ")
        var ofUser = ""
        if userIndex != nil {
            ofUser = session.dialect.andUser("user_id", is: ":row_user")
        }
        return try session.prepare("UPDATE \(table) SET \(list) WHERE id = :id\(ofUser)")
    }
}

extension Row {
    /// Whether the column contains exactly `value`.
    fileprivate func holds(_ value: Value, at index: Int) -> Bool {
        if isNull(index) {
            return value == .null
        }
        switch value {
        case .null:
            return false
        case .integer(let value):
            return integer(index) == value
        case .number(let value):
            return number(index) == value
        case .text(let value):
            return withText(index) { text in text.isEqual(to: value) } ?? false
        case .blob(let value):
            return blob(index) == value
        case .point(let value):
            return position(index) == value
        }
    }
}
