import StoreEngine

/// Writes rows as newline-delimited JSON, one object per line.
public final class NDJSONRenderer: PartRenderer {
    /// Number of rows written.
    public private(set) var rowCount = 0
    private let object: JSONObject
    private let output: OutputBuffer

    /// Creates a renderer that writes the columns of `shape` to `output`.
    public init(_ shape: ResultShape, options: RenderOptions, into output: OutputBuffer) {
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

    /// Creates a renderer with the settings of another renderer.
    private init(copying other: NDJSONRenderer, into output: OutputBuffer) {
        object = other.object
        self.output = output
    }

    /// Creates a renderer for a part of the rows.
    public func part(into buffer: OutputBuffer) -> NDJSONRenderer { NDJSONRenderer(copying: self, into: buffer) }

    /// Appends the rows of a part.
    public func append(_ part: NDJSONRenderer, in buffer: OutputBuffer) throws {
        output.append(buffer)
        rowCount += part.rowCount
        try output.flushIfFull()
    }
}

extension NDJSONRenderer {
    /// Returns the rows as one JSON array for embedding in another document.
    public static func array(_ rows: [some Row], _ shape: ResultShape) throws -> [UInt8] {
        let buffer = OutputBuffer()
        try NDJSONRenderer(shape, options: RenderOptions(), into: buffer).render(rows)
        let lines = buffer.bytes.split(separator: UInt8(ascii: "\n"))
        return [UInt8(ascii: "[")] + lines.joined(separator: [UInt8(ascii: ",")]) + [UInt8(ascii: "]")]
    }
}
