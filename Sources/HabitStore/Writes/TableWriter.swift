import HabitModel

/// What happens where a record's key is known and its values differ.
public enum ConflictPolicy: String, Sendable, CaseIterable {
    case update, keep, reject
}

public enum WriteOutcome: Sendable {
    case inserted, updated, unchanged
}

/// Inserts and updates the rows of one table, knowing which of them this load has written already.
final class TableWriter {
    /// A column, and what a new row has there where nothing is given.
    struct Column {
        var name: String
        var initial: Value = .null
    }

    private let session: any Session
    private let table: String
    private let columns: [Column]
    private let policy: ConflictPolicy
    private let insert: any Statement
    private let select: any Statement
    /// By the columns they set: one for each pattern of fields in the input.
    private var updates: [[Int]: any Statement] = [:]
    private var seen = KeySet()

    init(_ session: any Session, table: String, columns: [Column], policy: ConflictPolicy) throws {
        self.session = session
        self.table = table
        self.columns = columns
        self.policy = policy
        let names = columns.map(\.name)
        insert = try session.prepare(
            """
            INSERT INTO \(table) (\(names.joined(separator: ", ")))
            VALUES (\(names.map { ":\($0)" }.joined(separator: ", ")))
            """)
        select = try session.prepare("SELECT \(names.joined(separator: ", ")) FROM \(table) WHERE id = :id")
    }

    var columnNames: [String] { columns.map(\.name) }

    /// A new row with these values, nil where a field was not given.
    func row(_ values: [Value?]) -> [Value] {
        var row: [Value] = []
        row.reserveCapacity(columns.count)
        for place in columns.indices { row.append(values[place] ?? columns[place].initial) }
        return row
    }

    /// To be told of rows that were inserted by other means.
    func didInsert(_ keys: [Int64]) { for key in keys { seen.insert(key) } }

    /// Writes one row: `values` in the order of the columns, nil where a field was not given.
    ///
    /// `key` is the row's, where it is known.
    func write(_ values: [Value?], over key: Int64?) throws -> (key: Int64, outcome: WriteOutcome) {
        guard let key else {
            try insert.bind(row(values))
            let key = try insert.insert()
            seen.insert(key)
            return (key, .inserted)
        }
        try select.bind([.integer(key)])
        let outcome = try select.firstRow { try write(values, over: key, which: $0, from: 0) }
        guard let outcome else { throw HabitError(.internal, "a row of \(table) is not where its key says") }
        return (key, outcome)
    }

    /// Writes over the row with `key`, of which `row` holds the columns from an index on.
    func write(_ values: [Value?], over key: Int64, which row: any Row, from start: Int) throws -> WriteOutcome {
        let changed = values.indices.filter { place in
            values[place].map { !row.holds($0, at: start + place) } ?? false
        }
        defer { seen.insert(key) }
        guard !changed.isEmpty else { return .unchanged }
        if seen.contains(key) {
            throw HabitError(
                .duplicateKey, "the same record comes twice in this load, with different values: keep one of the two")
        }
        switch policy {
        case .keep: return .unchanged
        case .reject:
            throw HabitError(
                .duplicateKey, "the store has this record with other values, and --on-conflict reject was asked for")
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
        case .text(let value): return withText(index) { $0.elementsEqual(value.utf8) }
        case .blob(let value): return blob(index) == value
        case .point(let value): return position(index) == value
        }
    }
}

/// A set of keys that are nearly consecutive: one bit for each, but for keys far beyond what a load can make.
struct KeySet {
    private static let bound: Int64 = 1 << 33

    private var words: [UInt64] = []
    private var others: Set<Int64> = []

    func contains(_ key: Int64) -> Bool {
        guard (0..<Self.bound).contains(key) else { return others.contains(key) }
        let word = Int(key >> 6)
        return word < words.count && words[word] & bit(key) != 0
    }

    mutating func insert(_ key: Int64) {
        guard (0..<Self.bound).contains(key) else {
            others.insert(key)
            return
        }
        let word = Int(key >> 6)
        if word >= words.count { words.append(contentsOf: repeatElement(0, count: word + 1 - words.count)) }
        words[word] |= bit(key)
    }

    private func bit(_ key: Int64) -> UInt64 { 1 << UInt64(key & 63) }
}
