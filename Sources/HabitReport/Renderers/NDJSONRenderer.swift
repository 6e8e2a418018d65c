import HabitStore

/// Rows as newline-delimited JSON: one object a line.
public struct NDJSONRenderer: Renderer {
    public private(set) var rowCount = 0
    private let object: JSONObject
    private let output: OutputBuffer

    public init(_ shape: ResultShape, _ options: RenderOptions, _ output: OutputBuffer) {
        object = JSONObject(shape.columns, precision: options.precision)
        self.output = output
    }

    public mutating func begin() throws {}

    public mutating func append(_ row: some Row) throws {
        object.append(row, to: output)
        output.append(UInt8(ascii: "\n"))
        rowCount += 1
        try output.flushIfFull()
    }

    public mutating func end() throws {}
}
