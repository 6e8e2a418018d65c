import StoreEngine

/// Writes rows as newline-delimited JSON, one object per line.
public final class NDJSONRenderer: Renderer {
    /// Number of rows written.
    public private(set) var rowCount = 0
    private let object: JSONObject
    private let output: OutputBuffer

    /// Creates a renderer that writes the columns of `shape` to `output`.
    public init(_ shape: ResultShape, _ options: RenderOptions, _ output: OutputBuffer) {
        object = JSONObject(shape.columns, precision: options.precision)
        self.output = output
    }

    /// Writes nothing.
    public func begin() throws {}

    /// Appends `row` as an object and a line feed.
    public func append(_ row: some Row) throws {
        object.append(row, to: output)
        output.append(UInt8(ascii: "\n"))
        rowCount += 1
        try output.flushIfFull()
    }

    /// Writes nothing.
    public func end() throws {}
}

extension NDJSONRenderer {
    /// Returns the rows as one JSON array for embedding in another document.
    public static func array(_ rows: [some Row], _ shape: ResultShape) throws -> [UInt8] {
        let buffer = OutputBuffer()
        try NDJSONRenderer(shape, RenderOptions(), buffer).render(rows)
        let lines = buffer.bytes.split(separator: UInt8(ascii: "\n"))
        return [UInt8(ascii: "[")] + lines.joined(separator: [UInt8(ascii: ",")]) + [UInt8(ascii: "]")]
    }
}
