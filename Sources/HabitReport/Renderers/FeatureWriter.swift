import Geo
import HabitStore

/// Writes a row as a Feature (RFC 7946, section 3.2): its point, longitude first, and every other column as a property.
struct FeatureWriter {
    /// The index of the geometry in the engine's row.
    private let geometry: Int
    private let includesUnlocated: Bool
    private let identity: [Column]
    private let properties: JSONObject
    private let precision: Int?

    /// Nil where the rows have no place.
    init?(_ shape: ResultShape, _ options: RenderOptions) {
        guard let geometry = shape.geometry else { return nil }
        self.geometry = geometry
        includesUnlocated = options.includeUnlocated || options.single
        let columns = shape.columns
        identity = shape.identity
        properties = JSONObject(
            columns.filter { $0.value != .longitude && $0.value != .latitude }, precision: options.precision)
        precision = options.precision
    }

    /// Where the feature of `row` lies, and whether there is to be one.
    func place(of row: some Row) -> (position: Position?, isWritten: Bool) {
        let position = row.position(geometry)
        return (position, position != nil || includesUnlocated)
    }

    /// Appends the Feature without its closing brace: a member may follow.
    func append(_ row: some Row, at position: Position?, to output: OutputBuffer) {
        output.append(literal: #"{"type":"Feature","#)
        if !identity.isEmpty {
            output.append(literal: #""id":""#)
            appendIdentity(of: row, to: output)
            output.append(literal: #"","#)
        }
        if let position {
            output.append(literal: #""geometry":{"type":"Point","coordinates":["#)
            _ = output.append(position.longitude, decimals: precision)
            output.append(UInt8(ascii: ","))
            _ = output.append(position.latitude, decimals: precision)
            output.append(literal: #"]},"properties":"#)
        } else {
            output.append(literal: #""geometry":null,"properties":"#)
        }
        properties.append(row, to: output)
    }

    private func appendIdentity(of row: some Row, to output: OutputBuffer) {
        var isFirst = true
        for column in identity {
            if !isFirst { output.append(UInt8(ascii: "/")) }
            isFirst = false
            _ = output.append(column.value, at: column.index, of: row, precision: precision) { text in
                output.append(jsonInside: text)
            }
        }
    }

    /// Appends `"bbox":[west,south,east,north]` (RFC 7946, section 5).
    func append(_ box: BoundingBox, to output: OutputBuffer) {
        output.append(literal: #""bbox":["#)
        for (i, side) in [box.west, box.south, box.east, box.north].enumerated() {
            if i > 0 { output.append(UInt8(ascii: ",")) }
            _ = output.append(side, decimals: precision)
        }
        output.append(UInt8(ascii: "]"))
    }
}
