import StoreEngine

/// Digests of 128 bits for all rows of a table, with which a repeated load finds unchanged rows in memory.
///
/// A digest consists of two SipHashes with keys that only this process has. Two different rows have the same digest
/// with a probability of 2⁻¹²⁸, even if an attacker chooses the rows. Memory: 32 to 48 bytes for each row.
final class RowDigests {
    /// The indices of the columns to compare, which are the columns that the load specifies.
    private let columnIndices: [Int]
    private var numbers = KeyTable()
    /// The key and the second hash of each row, in the order of the rows' numbers.
    private var rows: [(key: Int64, second: UInt64)] = []
    private let bytes = RowBytes()

    /// Reads all rows of the table.
    ///
    /// - Parameters:
    ///   - session: The session that reads the rows.
    ///   - table: The name of the table.
    ///   - columns: The names of all columns.
    ///   - columnIndices: The indices of the columns to compare.
    /// - Throws: An error of the engine.
    init(_ session: any Session, table: String, columns: [String], columnIndices: [Int]) throws {
        self.columnIndices = columnIndices
        let names = columnIndices.map { columns[$0] }
        try session.query("SELECT id, \(raw: names.joined(separator: ", ")) FROM \(raw: table)") { row in
            let (first, second) = digest(row)
            numbers.insert(first)
            rows.append((row.integer(0), second))
            return true
        }
    }

    /// Returns the key of a row that had exactly these values when it was read.
    ///
    /// - Parameter values: The values in the order of the columns. `nil` means that the record does not specify the
    ///   column.
    /// - Returns: The key, or `nil` if there is no such row or if `values` specifies other columns than the digests
    ///   include.
    func key(_ values: [Value?]) -> Int64? {
        guard let (first, second) = digest(values) else { return nil }
        return numbers.firstCandidate(first) { number in
            let row = rows[number - 1]
            return row.second == second ? row.key : nil
        }
    }

    private func digest(_ row: any Row) -> (UInt64, UInt64) {
        bytes.removeAll()
        for index in 1...columnIndices.count { bytes.append(row, at: index) }
        return digest()
    }

    private func digest(_ values: [Value?]) -> (UInt64, UInt64)? {
        bytes.removeAll()
        var given = 0
        for index in values.indices {
            guard let value = values[index] else { continue }
            guard given < columnIndices.count, columnIndices[given] == index else { return nil }
            given += 1
            bytes.append(value)
        }
        return given == columnIndices.count ? digest() : nil
    }

    private func digest() -> (UInt64, UInt64) {
        var first = Hasher()
        first.combine(bytes: bytes.all)
        var second = Hasher()
        second.combine(true)
        second.combine(bytes: bytes.all)
        return (UInt64(bitPattern: Int64(first.finalize())), UInt64(bitPattern: Int64(second.finalize())))
    }
}
