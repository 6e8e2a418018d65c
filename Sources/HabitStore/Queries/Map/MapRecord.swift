import Base
import Geo
import StoreEngine

/// A record on a map.
package struct MapRecord: Sendable {
    /// The position of the record.
    package var position: Position
    /// The ID of the record.
    package var id: String
    /// The values of the properties of the request, in its order, or `nil` for a property without a value.
    package var values: [String?]
}

extension MapRecord: Comparable {
    package static func == (a: MapRecord, b: MapRecord) -> Bool {
        a.position == b.position && a.id == b.id
    }

    /// Whether `a` is west of `b`, or south of it on the same meridian, or has the lower ID at the same position.
    package static func < (a: MapRecord, b: MapRecord) -> Bool {
        let position = a.position
        let other = b.position
        if position.longitude != other.longitude {
            return position.longitude < other.longitude
        }
        if position.latitude != other.latitude {
            return position.latitude < other.latitude
        }
        return a.id < b.id
    }
}

/// Reads the position and some properties of each row of a query.
struct MapRecordReader {
    private let geometry: Int?
    private let identity: Int?
    private let columns: [Column?]

    /// Creates a reader for rows of a shape.
    ///
    /// - Parameters:
    ///   - shape: The shape of the rows.
    ///   - properties: The names of the columns with texts, days or instants to read. An unknown column has no values.
    init(_ shape: ResultShape, properties: [String]) {
        if case .point(let index) = shape.geometry {
            geometry = index
        } else {
            geometry = nil
        }
        identity = shape.identity.first?.index
        columns = properties.map { name in
            shape.columns.first { column in column.name == name }
        }
    }

    func position(of row: any Row) -> Position? {
        guard let geometry else { return nil }
        return row.position(geometry)
    }

    func id(of row: any Row) -> String {
        guard let identity else { return "" }
        return row.text(identity) ?? ""
    }

    func record(_ row: any Row, at position: Position) -> MapRecord {
        let values = columns.map { column in Self.text(of: column, in: row) }
        return MapRecord(position: position, id: id(of: row), values: values)
    }

    /// Returns the text that a list shows for a value, or `nil` if the value is null.
    private static func text(of column: Column?, in row: any Row) -> String? {
        guard let column else { return nil }
        guard case .instant(let offset?) = column.value else { return row.text(column.index) }
        return row.offsetInstant(column.index, offset: offset)?.description
    }
}
