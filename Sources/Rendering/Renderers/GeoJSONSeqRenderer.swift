import StoreEngine

/// Writes rows as a GeoJSON text sequence (RFC 8142).
///
/// Each Feature is between a record separator (0x1E) and a line feed. Rows without a geometry are skipped unless the
/// options include them.
public final class GeoJSONSeqRenderer: PartRenderer {
    /// Number of Features written.
    public private(set) var rowCount = 0
    /// Number of rows that were skipped because they have no geometry.
    public private(set) var unlocatedCount = 0
    private let features: FeatureWriter
    private let output: OutputBuffer

    init(_ features: FeatureWriter, into output: OutputBuffer) {
        self.features = features
        self.output = output
    }

    /// Writes nothing.
    public func begin() throws {}

    /// Appends the Feature of `row`, or skips the row if it has no geometry.
    public func append(_ row: some Row) throws {
        let location = features.geometry(of: row)
        guard location.isWritten else {
            unlocatedCount += 1
            return
        }
        output.append(literal: "\u{1E}")
        features.append(row, at: location.geometry, to: output)
        output.append(literal: "}\n")
        rowCount += 1
        try output.flushIfFull()
    }

    /// Writes nothing.
    public func end() throws {}

    /// Creates a renderer with the settings of another renderer.
    private init(copying other: GeoJSONSeqRenderer, into output: OutputBuffer) {
        features = other.features
        self.output = output
    }

    /// Creates a renderer for a part of the rows.
    public func part(into buffer: OutputBuffer) -> GeoJSONSeqRenderer {
        GeoJSONSeqRenderer(copying: self, into: buffer)
    }

    /// Appends the rows of a part.
    public func append(_ part: GeoJSONSeqRenderer, in buffer: OutputBuffer) throws {
        output.append(buffer)
        rowCount += part.rowCount
        unlocatedCount += part.unlocatedCount
        try output.flushIfFull()
    }
}
