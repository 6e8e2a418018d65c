import Base
import Geo
import StoreEngine

/// The geometry of one row: a point or a bounding box.
enum FeatureGeometry {
    case point(Position)
    case box(BoundingBox)

    /// Reads the geometry of `row`.
    ///
    /// The result is `nil` if one of its columns is null or the box is not valid.
    @inline(__always)
    init?(_ geometry: Geometry, of row: some Row) {
        switch geometry {
        case .point(let index):
            guard let position = row.position(index) else { return nil }
            self = .point(position)
        case .box(let west, let south, let east, let north):
            let isIncomplete = row.isNull(west) || row.isNull(south) || row.isNull(east) || row.isNull(north)
            guard !isIncomplete else { return nil }
            let box = BoundingBox(
                west: row.number(west),
                south: row.number(south),
                east: row.number(east),
                north: row.number(north))
            guard let box else { return nil }
            self = .box(box)
        }
    }
}

/// Writes rows as GeoJSON Features (RFC 7946, section 3.2).
///
/// The geometry has the longitude first. All other columns are properties.
struct FeatureWriter {
    private let geometry: Geometry?
    private var includesUnlocated: Bool
    private let identity: [Column]
    private let properties: JSONObject
    private let precision: Int?

    /// Creates a writer for rows with a geometry.
    ///
    /// The result is `nil` if `shape` has no geometry. The writer skips rows without a geometry unless `options` has
    /// `includeUnlocated` or `single`.
    init?(_ shape: ResultShape, _ options: RenderOptions) {
        guard shape.geometry != nil else { return nil }
        self.init(anyOf: shape, options)
        includesUnlocated = options.includeUnlocated || options.single
    }

    /// Creates a writer that also writes rows without a geometry.
    init(anyOf shape: ResultShape, _ options: RenderOptions) {
        geometry = shape.geometry
        includesUnlocated = true
        identity = shape.identity
        // The ID of the Feature has the same text as the property.
        let hasTextAsID = identity.count == 1 && identity[0].value == .text
        properties = JSONObject(
            shape.columns.filter { column in !shape.isCoordinate(column) },
            precision: options.precision,
            known: hasTextAsID ? identity[0] : nil)
        precision = options.precision
    }

    /// Returns the geometry of `row`, or `nil` if it has no geometry, and whether its Feature is written.
    @inline(__always)
    func geometry(of row: some Row) -> (geometry: FeatureGeometry?, isWritten: Bool) {
        guard let geometry, let found = FeatureGeometry(geometry, of: row) else {
            return (nil, includesUnlocated)
        }
        return (found, true)
    }

    /// Appends the Feature without its closing brace, so that the caller can append more members.
    func append(_ row: some Row, at geometry: FeatureGeometry?, to output: OutputBuffer) {
        var known: Range<Int>?
        if identity.isEmpty {
            output.append(literal: #"{"type":"Feature","#)
        } else {
            output.append(literal: #"{"type":"Feature","id":""#)
            let begin = output.count
            if appendIdentity(of: row, to: output) { known = begin..<output.count }
            output.append(literal: #"","#)
        }
        switch geometry {
        case nil: output.append(literal: #""geometry":null,"properties":"#)
        case .point(let position):
            output.append(literal: #""geometry":{"type":"Point","coordinates":["#)
            append(position.longitude, latitude: position.latitude, to: output)
            output.append(literal: #"]},"properties":"#)
        case .box(let box):
            output.append(literal: #""geometry":"#)
            appendPolygon(box, to: output)
            output.append(literal: #","properties":"#)
        }
        properties.append(row, to: output, known: known)
    }

    /// Appends a Polygon, or a MultiPolygon of two boxes if the box crosses the antimeridian.
    ///
    /// RFC 7946, section 3.1.9, requires the cut at the antimeridian.
    private func appendPolygon(_ box: BoundingBox, to output: OutputBuffer) {
        guard box.crossesAntimeridian else {
            output.append(literal: #"{"type":"Polygon","coordinates":"#)
            appendRing(box, to: output)
            output.append(literal: "}")
            return
        }
        output.append(literal: #"{"type":"MultiPolygon","coordinates":["#)
        for (index, half) in box.halves.enumerated() {
            if index > 0 { output.append(UInt8(ascii: ",")) }
            appendRing(half, to: output)
        }
        output.append(literal: "]}")
    }

    /// Appends the exterior ring in counterclockwise order (RFC 7946, section 3.1.6).
    private func appendRing(_ box: BoundingBox, to output: OutputBuffer) {
        output.append(literal: "[[[")
        append(box.west, latitude: box.south, to: output)
        output.append(literal: "],[")
        append(box.east, latitude: box.south, to: output)
        output.append(literal: "],[")
        append(box.east, latitude: box.north, to: output)
        output.append(literal: "],[")
        append(box.west, latitude: box.north, to: output)
        output.append(literal: "],[")
        append(box.west, latitude: box.south, to: output)
        output.append(literal: "]]]")
    }

    private func append(_ longitude: Double, latitude: Double, to output: OutputBuffer) {
        _ = output.append(longitude, decimals: precision)
        output.append(UInt8(ascii: ","))
        _ = output.append(latitude, decimals: precision)
    }

    /// Appends the values of the identity columns as a ``CompositeID``.
    ///
    /// - Returns: Whether the value of the last column is written, which means that it is not null.
    private func appendIdentity(of row: some Row, to output: OutputBuffer) -> Bool {
        var isWritten = false
        for (index, column) in identity.enumerated() {
            let begin = output.count
            isWritten = output.append(column.value, at: column.index, of: row, precision: precision) { text in
                output.append(jsonInside: text)
            }
            if index < identity.count - 1 {
                output.escapePartOfID(from: begin)
                output.append(UInt8(ascii: "/"))
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

extension OutputBuffer {
    /// Escapes the bytes after an offset, which are a part of a ``CompositeID``.
    ///
    /// An escape of JSON contains neither a slash nor a percent sign.
    fileprivate func escapePartOfID(from begin: Int) {
        let part = bytes[begin...]
        guard part.contains(where: CompositeID.isEscaped) else { return }
        let escaped = CompositeID.escaped(part)
        truncate(to: begin)
        append(escaped)
    }
}
