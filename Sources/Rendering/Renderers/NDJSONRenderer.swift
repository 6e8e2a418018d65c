import StoreEngine

/// Rows as newline-delimited JSON: one object a line.
public final class NDJSONRenderer: Renderer {
    public private(set) var rowCount = 0
    private let object: JSONObject
    private let output: OutputBuffer

    public init(_ shape: ResultShape, _ options: RenderOptions, _ output: OutputBuffer) {
        object = JSONObject(shape.columns, precision: options.precision)
        self.output = output
    }

    public func begin() throws {}

    public func append(_ row: some Row) throws {
        object.append(row, to: output)
        output.append(UInt8(ascii: "\n"))
        rowCount += 1
        try output.flushIfFull()
    }

    public func end() throws {}
}

extension NDJSONRenderer {
    /// The rows as one JSON array, to stand inside another document.
    public static func array(_ rows: [some Row], _ shape: ResultShape) throws -> [UInt8] {
        let buffer = OutputBuffer()
        let renderer = NDJSONRenderer(shape, RenderOptions(), buffer)
        for row in rows { try renderer.append(row) }
        let lines = buffer.bytes.split(separator: UInt8(ascii: "\n"))
        return [UInt8(ascii: "[")] + lines.joined(separator: [UInt8(ascii: ",")]) + [UInt8(ascii: "]")]
    }
}
