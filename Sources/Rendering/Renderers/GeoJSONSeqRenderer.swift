import StoreEngine

/// Rows as a GeoJSON text sequence (RFC 8142): each Feature between a record separator (0x1E) and a line feed.
///
/// Rows without a place are left out, unless the options say otherwise.
public final class GeoJSONSeqRenderer: Renderer {
    public private(set) var rowCount = 0
    public private(set) var unlocatedCount = 0
    private let features: FeatureWriter
    private let output: OutputBuffer

    init(_ features: FeatureWriter, _ options: RenderOptions, _ output: OutputBuffer) {
        self.features = features
        self.output = output
    }

    public func begin() throws {}

    public func append(_ row: some Row) throws {
        let (place, isWritten) = features.place(of: row)
        guard isWritten else {
            unlocatedCount += 1
            return
        }
        output.append(literal: "\u{1E}")
        features.append(row, at: place, to: output)
        output.append(literal: "}\n")
        rowCount += 1
        try output.flushIfFull()
    }

    public func end() throws {}
}
