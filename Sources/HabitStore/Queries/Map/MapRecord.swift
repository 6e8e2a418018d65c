import Geo
import StoreEngine

/// A record on a map.
package struct MapRecord: Sendable {
    /// The position of the record.
    package var position: Position
    /// The ID of the record.
    package var id: String
    /// The properties that have a value.
    package var properties: [(name: String, value: String)]
}

extension MapRecord: Comparable {
    package static func == (a: MapRecord, b: MapRecord) -> Bool { a.position == b.position && a.id == b.id }

    /// Whether `a` is west of `b`, or south of it on the same meridian, or has the lower ID at the same position.
    package static func < (a: MapRecord, b: MapRecord) -> Bool {
        if a.position.longitude != b.position.longitude { return a.position.longitude < b.position.longitude }
        if a.position.latitude != b.position.latitude { return a.position.latitude < b.position.latitude }
        return a.id < b.id
    }
}

/// Reads the position and some properties of each row of a query.
struct MapRecordReader {
    private let geometry: Int?
    private let identity: Int?
    private let columns: [(name: String, index: Int)]

    /// Creates a reader for rows of a shape.
    ///
    /// - Parameters:
    ///   - shape: The shape of the rows.
    ///   - properties: The names of the columns with texts or days to read. Unknown names are ignored.
    init(_ shape: ResultShape, properties: [String]) {
        if case .point(let index) = shape.geometry { geometry = index } else { geometry = nil }
        identity = shape.identity.first?.index
        columns = properties.compactMap { name in
            shape.columns.first { $0.name == name }.map { (name, $0.index) }
        }
    }

    func position(of row: any Row) -> Position? { geometry.flatMap { row.position($0) } }
    func id(of row: any Row) -> String { identity.flatMap { row.text($0) } ?? "" }

    func record(_ row: any Row, at position: Position) -> MapRecord {
        MapRecord(
            position: position, id: id(of: row),
            properties: columns.compactMap { column in row.text(column.index).map { (column.name, $0) } })
    }
}
