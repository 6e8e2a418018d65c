import HabitModel
import StoreEngine

/// A column of a table of records, and how a record fills it.
///
/// A table declares its columns once. The writer and `habitat copy`, whose digests depend on the order, are derived from them.
struct StoredColumn<Record, Keys>: Sendable {
    var name: String
    /// The value of a new row if the record does not give one.
    var initial: Value = .null
    /// Returns the value, or `nil` if the record does not give one.
    var value: @Sendable (Record, Keys) -> Value?

    init(_ name: String, initial: Value = .null, _ value: @escaping @Sendable (Record, Keys) -> Value?) {
        self.name = name
        self.initial = initial
        self.value = value
    }
}

extension Array {
    /// The values of a record in the order of the columns.
    func values<Record, Keys>(of record: Record, _ keys: Keys) -> [Value?]
    where Element == StoredColumn<Record, Keys> {
        var values: [Value?] = []
        values.reserveCapacity(count)
        // Without copies of the columns.
        for index in indices { values.append(self[index].value(record, keys)) }
        return values
    }

    /// The definitions for ``TableWriter``.
    func definitions<Record, Keys>() -> [TableWriter.Column] where Element == StoredColumn<Record, Keys> {
        map { TableWriter.Column(name: $0.name, initial: $0.initial) }
    }
}
