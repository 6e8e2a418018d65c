import Base
import Geo
import HabitModel
import StoreEngine

/// The IDs of records in a shared view.
///
/// An ID is a keyed digest, and not the ID in the store, which can contain the ID of a user or of a habit. The key is a
/// secret of the store, so that a reader cannot test a guess. Two views have different IDs for a record, so that their
/// readers cannot find the records that both show.
package struct SharedIdentity: Sendable {
    private let key: [String]

    /// Creates the IDs of a view.
    ///
    /// - Parameters:
    ///   - storeKey: The secret key of the store.
    ///   - secret: The secret of the view.
    package init(storeKey: [UInt8], secret: String) {
        key = [storeKey.hexadecimal, "shared view", Token.digest(of: secret).hexadecimal]
    }

    /// Returns the ID of a record in the view: 16 hexadecimal digits of a digest.
    fileprivate func id(ofStored id: String, in layer: SharedLayer) -> String {
        (key + [layer.kind.rawValue, id]).lengthPrefixedSHA256.prefix(8).hexadecimal
    }
}

/// A record of a shared view, with its rounded position.
package struct SharedRecord: Sendable {
    /// The center of the cell that contains the position, or `nil` for a record without a position that strangers see.
    package let position: Position?
    /// The values in the order of ``SharedLayer/shape``, without the ID and the position.
    private let values: [Value]
    private let storeID: String
    private let layer: SharedLayer
    private let identity: SharedIdentity

    fileprivate init(
        position: Position?,
        values: [Value],
        storeID: String,
        layer: SharedLayer,
        identity: SharedIdentity
    ) {
        self.position = position
        self.values = values
        self.storeID = storeID
        self.layer = layer
        self.identity = identity
    }

    /// The ID of the record in this view: 16 hexadecimal digits.
    ///
    /// Each read costs a digest.
    package var id: String { identity.id(ofStored: storeID, in: layer) }

    /// The row in the shape of the layer.
    package var row: ValueRow {
        ValueRow([.text(id)] + values + [position.map(Value.point) ?? .null])
    }

    /// Returns the text of a column, or `nil` if it is null or another value.
    ///
    /// - Parameter name: The name of a column of the layer.
    /// - Returns: The text.
    package func text(_ name: String) -> String? {
        guard let column = column(name), case .text(let text) = value(at: column.index) else { return nil }
        return text
    }

    /// Returns the value of a column for people, or `nil` if it is null.
    ///
    /// - Parameter name: The name of a column of the layer.
    /// - Returns: The text, the number, or the date of an instant at its UTC offset.
    package func shownText(_ name: String) -> String? {
        guard let column = column(name) else { return nil }
        switch value(at: column.index) {
        case .text(let text):
            return text
        case .number(let number):
            return JSON.number(number).text
        case .integer(let integer):
            guard case .instant(let offset?) = column.value else { return "\(integer)" }
            return Instant(microseconds: integer).day(at: utcOffset(at: offset)).description
        default:
            return nil
        }
    }

    private func column(_ name: String) -> Column? {
        guard layer.columns.contains(name) else { return nil }
        return layer.shape.columns.first { column in column.name == name }
    }

    /// Returns the value at an index of the row, in which the ID precedes the values.
    private func value(at index: Int) -> Value {
        values[index - 1]
    }

    /// Returns the UTC offset at an index of the row, which is zero if none is recorded.
    private func utcOffset(at index: Int) -> UTCOffset {
        guard case .integer(let minutes) = value(at: index), let known = Int16(exactly: minutes) else { return .utc }
        return UTCOffset(minutes: known)
    }
}

/// Reads the records of a layer from the rows of a query.
struct SharedRecordReader {
    private let layer: SharedLayer
    private let identity: SharedIdentity
    private let statuses: HabitStatuses?
    private let idIndex: Int
    private let pointIndex: Int
    /// The index of the ID of the habit, or `nil` for a layer without statuses.
    private let habitIndex: Int?
    /// The indices of the stored values in the engine's row.
    private let indices: [Int]

    /// Creates a reader.
    ///
    /// - Parameters:
    ///   - shape: The shape of the rows.
    ///   - layer: The layer.
    ///   - identity: The IDs of the records.
    ///   - statuses: The statuses of the habits, or `nil` for a layer without statuses.
    /// - Throws: `internal` if the rows lack a column.
    init(
        _ shape: ResultShape,
        of layer: SharedLayer,
        identity: SharedIdentity,
        statuses: HabitStatuses?
    ) throws {
        self.layer = layer
        self.identity = identity
        self.statuses = statuses
        guard case .point(let point)? = shape.geometry, let id = shape.identity.first else {
            throw HabitError(.internal, "the query of a shared view has no position")
        }
        idIndex = id.index
        pointIndex = point
        habitIndex = try statuses.map { _ in try shape.selectedColumn(SharedView.habit).index }
        indices = try layer.storedColumns.flatMap { name in
            let column = try shape.selectedColumn(name)
            if case .instant(let offset?) = column.value {
                return [column.index, offset]
            }
            return [column.index]
        }
    }

    /// Returns the exact position of a row, or `nil` if strangers do not see it.
    func position(of row: any Row) -> Position? {
        row.position(pointIndex)
    }

    /// Returns the record of a row at a rounded position.
    func record(_ row: any Row, at position: Position?) -> SharedRecord {
        SharedRecord(
            position: position,
            values: indices.map { index in row.value(index) } + status(of: row),
            storeID: row.text(idIndex) ?? "",
            layer: layer,
            identity: identity)
    }

    /// Returns the value of the status, or no value for a layer without statuses.
    private func status(of row: any Row) -> [Value] {
        guard let statuses, let habitIndex else { return [] }
        let status = row.text(habitIndex).flatMap { habit in statuses[habit] }
        return [status.map(Value.text) ?? .null]
    }
}
