import HabitModel
import StoreEngine

/// A column of a record table and the closure that computes its value from a record.
///
/// A table declares its columns once. The writer and `habitat copy` are derived from them. The digests of `habitat
/// copy` depend on the order.
struct StoredColumn<Record, Keys>: Sendable {
    var name: String
    /// The value in a new row if the record does not specify one.
    var initial: Value = .null
    /// Returns the value, or `nil` if the record does not specify one.
    var value: @Sendable (Record, Keys) -> Value?

    init(_ name: String, initial: Value = .null, _ value: @escaping @Sendable (Record, Keys) -> Value?) {
        self.name = name
        self.initial = initial
        self.value = value
    }
}

extension Array {
    /// Returns the values of a record in the order of the columns.
    func values<Record, Keys>(of record: Record, _ keys: Keys) -> [Value?]
    where Element == StoredColumn<Record, Keys> {
        var values: [Value?] = []
        values.reserveCapacity(count)
        // Indexing avoids copies of the columns.
        for index in indices {
            let value = self[index].value(record, keys)
            values.append(value)
        }
        return values
    }

    /// Returns the index of a column in the rows of ``TableWriter``, which begin with the key.
    ///
    /// - Parameter name: The name of one of the columns.
    /// - Returns: The index, from 1.
    func rowIndex<Record, Keys>(of name: String) -> Int where Element == StoredColumn<Record, Keys> {
        guard let index = firstIndex(where: { column in column.name == name }) else {
            preconditionFailure("the table has no column '\(name)'")
        }
        return 1 + index
    }

    /// Returns the definitions of the columns.
    func definitions<Record, Keys>() -> [ColumnDefinition] where Element == StoredColumn<Record, Keys> {
        map { column in
            ColumnDefinition(name: column.name, initial: column.initial)
        }
    }
}

/// A column, and its value in a new row if the record does not specify one.
struct ColumnDefinition {
    var name: String
    var initial: Value = .null
}
