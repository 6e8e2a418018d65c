import Geo
import StoreEngine

/// Where a row lies.
enum Place {
    case point(Position)
    case box(BoundingBox)

    /// Nil where the row has no place.
    @inline(__always)
    init?(_ geometry: Geometry, of row: some Row) {
        switch geometry {
        case .point(let index):
            guard let position = row.position(index) else { return nil }
            self = .point(position)
        case .box(let west, let south, let east, let north):
            guard ![west, south, east, north].contains(where: row.isNull),
                let box = BoundingBox(
                    west: row.number(west), south: row.number(south), east: row.number(east), north: row.number(north))
            else { return nil }
            self = .box(box)
        }
    }
}

/// Writes a row as a Feature (RFC 7946, section 3.2): its place, longitude first, and every other column as a property.
struct FeatureWriter {
    private let geometry: Geometry?
    private var includesUnlocated: Bool
    private let identity: [Column]
    private let properties: JSONObject
    private let precision: Int?

    /// Nil where the rows have no place.
    init?(_ shape: ResultShape, _ options: RenderOptions) {
        guard shape.geometry != nil else { return nil }
        self.init(anyOf: shape, options)
        includesUnlocated = options.includeUnlocated || options.single
    }

    /// Of rows that have no place too.
    init(anyOf shape: ResultShape, _ options: RenderOptions) {
        geometry = shape.geometry
        includesUnlocated = true
        let columns = shape.columns
        identity = shape.identity
        properties = JSONObject(
            columns.filter {
                $0.value != .longitude && $0.value != .latitude && !shape.coordinates.contains($0.name)
            }, precision: options.precision,
            known: identity.count == 1 && identity[0].value == .text ? identity[0] : nil)
        precision = options.precision
    }

    /// Where the feature of `row` lies, and whether there is to be one.
    @inline(__always)
    func place(of row: some Row) -> (place: Place?, isWritten: Bool) {
        guard let geometry, let place = Place(geometry, of: row) else { return (nil, includesUnlocated) }
        return (place, true)
    }

    /// Appends the Feature without its closing brace: a member may follow.
    func append(_ row: some Row, at place: Place?, to output: OutputBuffer) {
        var known: Range<Int>?
        if identity.isEmpty {
            output.append(literal: #"{"type":"Feature","#)
        } else {
            output.append(literal: #"{"type":"Feature","id":""#)
            let begin = output.count
            if appendIdentity(of: row, to: output) { known = begin..<output.count }
            output.append(literal: #"","#)
        }
        switch place {
        case nil: output.append(literal: #""geometry":null,"properties":"#)
        case .point(let position):
            output.append(literal: #""geometry":{"type":"Point","coordinates":["#)
            append(position.longitude, position.latitude, to: output)
            output.append(literal: #"]},"properties":"#)
        case .box(let box):
            output.append(literal: #""geometry":"#)
            appendPolygon(box, to: output)
            output.append(literal: #","properties":"#)
        }
        properties.append(row, to: output, known: known)
    }

    /// A box across the antimeridian is cut in two there (RFC 7946, section 3.1.9).
    private func appendPolygon(_ box: BoundingBox, to output: OutputBuffer) {
        let halves = box.halves
        let isOne = halves.count == 1
        output.append(
            literal: isOne ? #"{"type":"Polygon","coordinates":"# : #"{"type":"MultiPolygon","coordinates":["#)
        for (i, half) in halves.enumerated() {
            if i > 0 { output.append(UInt8(ascii: ",")) }
            appendRing(half, to: output)
        }
        output.append(literal: isOne ? "}" : "]}")
    }

    /// The ring runs against the clock (RFC 7946, section 3.1.6).
    private func appendRing(_ box: BoundingBox, to output: OutputBuffer) {
        output.append(literal: "[[")
        let (w, s, e, n) = (box.west, box.south, box.east, box.north)
        for (i, corner) in [(w, s), (e, s), (e, n), (w, n), (w, s)].enumerated() {
            if i > 0 { output.append(UInt8(ascii: ",")) }
            output.append(UInt8(ascii: "["))
            append(corner.0, corner.1, to: output)
            output.append(UInt8(ascii: "]"))
        }
        output.append(literal: "]]")
    }

    private func append(_ longitude: Double, _ latitude: Double, to output: OutputBuffer) {
        _ = output.append(longitude, decimals: precision)
        output.append(UInt8(ascii: ","))
        _ = output.append(latitude, decimals: precision)
    }

    /// Whether the last of its columns was not null.
    private func appendIdentity(of row: some Row, to output: OutputBuffer) -> Bool {
        var (isFirst, isWritten) = (true, false)
        for column in identity {
            if !isFirst { output.append(UInt8(ascii: "/")) }
            isFirst = false
            isWritten = output.append(column.value, at: column.index, of: row, precision: precision) { text in
                output.append(jsonInside: text)
            }
        }
        return isWritten
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
