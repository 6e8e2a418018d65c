import Base
import Geo
import StoreEngine

/// Writes rows as a GeoJSON FeatureCollection (RFC 7946), one Feature per line.
///
/// With `single`, the output is the Feature of the only row. Rows without a geometry are skipped unless the options
/// include them. The `bbox` member is last, because the extent is known only after the last row. It is absent if no
/// row has a geometry.
public final class GeoJSONRenderer: PartRenderer {
    /// Number of Features written.
    public private(set) var rowCount = 0
    /// Number of rows that were skipped because they have no geometry.
    public private(set) var unlocatedCount = 0
    private let features: FeatureWriter
    private let isSingle: Bool
    private let output: OutputBuffer
    private var extent = Extent()

    init(_ features: FeatureWriter, options: RenderOptions, into output: OutputBuffer) {
        self.features = features
        isSingle = options.single
        self.output = output
    }

    /// Creates a renderer that also writes rows without a geometry, as Features with `"geometry":null`.
    public convenience init(features shape: ResultShape, _ options: RenderOptions, _ output: OutputBuffer) {
        self.init(FeatureWriter(anyOf: shape, options), options: options, into: output)
    }

    /// Appends the beginning of the FeatureCollection, or nothing with `single`.
    public func begin() throws {
        if !isSingle { output.append(literal: Self.opening) }
    }

    /// Appends the Feature of `row`, or skips the row if it has no geometry.
    ///
    /// - Throws: `internal` for a second row with `single`, or an error of `OutputBuffer.flush()`.
    public func append(_ row: some Row) throws {
        let location = features.geometry(of: row)
        guard location.isWritten else {
            unlocatedCount += 1
            return
        }
        if isSingle {
            guard rowCount == 0 else { throw HabitError.secondRow }
        } else if rowCount == 0 {
            output.append(UInt8(ascii: "\n"))
        } else {
            output.append(literal: ",\n")
        }
        features.append(row, at: location.geometry, to: output)
        if !isSingle { output.append(UInt8(ascii: "}")) }
        if let geometry = location.geometry { extent.add(geometry) }
        rowCount += 1
        try output.flushIfFull()
    }

    /// Appends the end of the FeatureCollection or of the Feature.
    public func end() throws { end(adding: "") }

    /// Appends the end of the FeatureCollection or of the Feature, with additional members.
    ///
    /// - Parameter members: JSON members, each after a comma, or the empty string.
    public func end(adding members: String) {
        if isSingle, rowCount == 0 { output.append(literal: Self.opening) }
        if rowCount > 0, !isSingle { output.append(UInt8(ascii: "\n")) }
        if !isSingle || rowCount == 0 { output.append(UInt8(ascii: "]")) }
        if let box = extent.box {
            output.append(UInt8(ascii: ","))
            features.append(box, to: output)
        }
        output.append(members)
        output.append(literal: "}\n")
    }

    private static var opening: StaticString { #"{"type":"FeatureCollection","features":["# }

    /// Creates a renderer with the settings of another renderer.
    private init(copying other: GeoJSONRenderer, into output: OutputBuffer) {
        features = other.features
        isSingle = other.isSingle
        self.output = output
    }

    /// Creates a renderer for a part of the rows.
    public func part(into buffer: OutputBuffer) -> GeoJSONRenderer { GeoJSONRenderer(copying: self, into: buffer) }

    /// Appends the rows of a part.
    public func append(_ part: GeoJSONRenderer, in buffer: OutputBuffer) throws {
        // The first row of a part begins with a line feed, and the following rows with a comma and a line feed.
        if part.rowCount > 0, rowCount > 0 { output.append(UInt8(ascii: ",")) }
        output.append(buffer)
        rowCount += part.rowCount
        unlocatedCount += part.unlocatedCount
        extent.add(part.extent)
        try output.flushIfFull()
    }
}
