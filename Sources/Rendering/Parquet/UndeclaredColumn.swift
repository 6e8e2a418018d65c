import Base
import StoreEngine

/// A column of user-supplied SQL, whose type is not declared.
///
/// The values of the first row group determine the type: integers, numbers, or texts for all other values.
final class UndeclaredColumn {
    private let column: ParquetColumn
    private var isDecided = false
    /// The values of the first row group.
    private var values: [Value] = []

    /// Creates a column that determines the type of `column`.
    init(_ column: ParquetColumn) { self.column = column }

    /// Appends a value, and returns its approximate size in bytes.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - row: The index of the row in the row group.
    /// - Returns: The size in memory.
    /// - Throws: `format-not-available` if the value does not have the type of the column.
    func append(_ value: Value, at row: Int) throws -> Int {
        if isDecided {
            try write(value, at: row)
        } else {
            values.append(value)
        }
        let size = MemoryLayout<Value>.size
        return switch value {
        case .text(let text): size + text.utf8.count
        case .blob(let bytes): size + 2 * bytes.count
        case .null, .integer, .number, .point: size
        }
    }

    /// Appends rows of another column whose type is not yet determined.
    ///
    /// - Parameters:
    ///   - rows: The indexes of the rows in `other`.
    ///   - other: The other column.
    ///   - row: The index in the row group of the first appended row.
    /// - Throws: `format-not-available` if a value does not have the type of the column.
    func append(_ rows: Range<Int>, of other: UndeclaredColumn, at row: Int) throws {
        for (index, value) in other.values[rows].enumerated() {
            _ = try append(value, at: row + index)
        }
    }

    /// Determines the type from the values so far.
    ///
    /// - Throws: `format-not-available` if an integer among numbers has more than 53 bits.
    func decide() throws {
        guard !isDecided else { return }
        isDecided = true
        let present = values.filter { value in value != .null }
        if !present.isEmpty, present.allSatisfy(\.isInteger) {
            column.type = .int64
        } else if !present.isEmpty, present.allSatisfy(\.isNumeric) {
            column.type = .double
        }
        for (row, value) in values.enumerated() {
            try write(value, at: row)
        }
        values = []
    }

    private func write(_ value: Value, at row: Int) throws {
        switch (column.type, value) {
        case (_, .null):
            column.appendNull(at: row)
        case (.int64, .integer(let integer)):
            column.append(integer)
        case (.double, .number(let number)) where number.isFinite:
            // The sum converts minus zero to zero.
            column.append(number + 0)
        case (.double, .number):
            column.appendNull(at: row)
        case (.double, .integer(let integer)):
            guard let number = Double(exactly: integer) else { throw mixed }
            column.append(number)
        case (.text, _):
            column.append { output in output.append(undeclared: value) }
        default:
            throw mixed
        }
    }

    private var mixed: HabitError {
        HabitError(
            .formatNotAvailable,
            "the column '\(column.path[0])' has values of several types, so it cannot be written as parquet: convert all of them with CAST, or use csv",
            field: "format")
    }
}

extension Value {
    fileprivate var isInteger: Bool {
        switch self {
        case .integer: true
        case .null, .number, .text, .blob, .point: false
        }
    }

    fileprivate var isNumeric: Bool {
        switch self {
        case .integer, .number: true
        case .null, .text, .blob, .point: false
        }
    }
}

extension OutputBuffer {
    /// Appends a value in the form that the text formats have.
    fileprivate func append(undeclared value: Value) {
        switch value {
        case .null, .point: break
        case .integer(let integer): append(integer: integer)
        case .number(let number): _ = append(number, decimals: nil)
        case .text(let text): append(wellFormed: text.utf8.span)
        case .blob(let bytes): append(hex: bytes.span)
        }
    }
}
