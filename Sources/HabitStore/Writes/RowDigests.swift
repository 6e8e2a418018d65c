import StoreEngine

/// Digests of 128 bits for all rows of a table, with which a repeated load finds unchanged rows in memory.
///
/// A digest consists of two SipHashes with keys that only this process has. Two different rows have the same digest
/// with a probability of 2⁻¹²⁸, even if an attacker chooses the rows. Memory: 32 to 48 bytes for each row.
final class RowDigests {
    /// The indices of the columns to compare, which are the columns that the load specifies.
    private let columnIndices: [Int]
    private var numbers = KeyTable()
    /// The rows in the order of their numbers.
    private var rows: [DigestedRow] = []
    private let bytes = RowBytes()

    private struct Digest {
        var first: UInt64
        var second: UInt64
    }

    /// The key of a row and the second hash of its digest.
    private struct DigestedRow {
        var key: Int64
        var second: UInt64
    }

    /// Reads all rows of the table.
    ///
    /// - Parameters:
    ///   - session: The session that reads the rows.
    ///   - table: The name of the table.
    ///   - columns: The names of all columns.
    ///   - columnIndices: The indices of the columns to compare.
    /// - Throws: An error of the engine.
    init(
        _ session: any Session,
        table: String,
        columns: [String],
        columnIndices: [Int]
    ) throws {
        self.columnIndices = columnIndices
        let names = columnIndices.map { index in columns[index] }
        let list = names.joined(separator: ", ")
        try session.query("SELECT id, \(raw: list) FROM \(raw: table)") { row in
            let digest = digest(row)
            numbers.insert(digest.first)
            rows.append(DigestedRow(key: row.integer(0), second: digest.second))
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
        guard let digest = digest(values) else { return nil }
        return numbers.firstCandidate(digest.first) { number in
            let row = rows[number - 1]
            return row.second == digest.second ? row.key : nil
        }
    }

    private func digest(_ row: any Row) -> Digest {
        bytes.removeAll()
        for index in 1...columnIndices.count {
            bytes.append(row, at: index)
        }
        return digest()
    }

    private func digest(_ values: [Value?]) -> Digest? {
        bytes.removeAll()
        var given = 0
        for index in values.indices {
            guard let value = values[index] else { continue }
            guard given < columnIndices.count, columnIndices[given] == index else {
                return nil
            }
            given += 1
            bytes.append(value)
        }
        return given == columnIndices.count ? digest() : nil
    }

    private func digest() -> Digest {
        var first = Hasher()
        first.combine(bytes: bytes.all)
        var second = Hasher()
        second.combine(true)
        second.combine(bytes: bytes.all)
        return Digest(
            first: UInt64(bitPattern: Int64(first.finalize())),
            second: UInt64(bitPattern: Int64(second.finalize())))
    }
}
