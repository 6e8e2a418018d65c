import Base
import StoreEngine

/// Writes rows as a JSON array (RFC 8259), one object per line.
///
/// With `single`, the output is the object of the only row, or `null` if there are no rows.
public final class JSONRenderer: PartRenderer {
    /// Number of rows written.
    public private(set) var rowCount = 0
    private let object: JSONObject
    private let isSingle: Bool
    private let output: OutputBuffer

    /// Creates a renderer that writes the columns of `shape` to `output`.
    public init(_ shape: ResultShape, _ options: RenderOptions, _ output: OutputBuffer) {
        object = JSONObject(shape.columns, precision: options.precision)
        isSingle = options.single
        self.output = output
    }

    /// Appends the opening bracket of the array, or nothing with `single`.
    public func begin() throws {
        if !isSingle { output.append(UInt8(ascii: "[")) }
    }

    /// Appends `row` as an object.
    ///
    /// - Throws: `internal` for a second row with `single`, or an error of `OutputBuffer.flush()`.
    public func append(_ row: some Row) throws {
        if isSingle {
            guard rowCount == 0 else { throw HabitError.secondRow }
        } else if rowCount == 0 {
            output.append(UInt8(ascii: "\n"))
        } else {
            output.append(literal: ",\n")
        }
        object.append(row, to: output)
        rowCount += 1
        try output.flushIfFull()
    }

    /// Appends the closing bracket of the array, or with `single` the line feed after the object.
    public func end() throws {
        if !isSingle {
            output.append(literal: rowCount == 0 ? "]\n" : "\n]\n")
        } else if rowCount == 0 {
            output.append(literal: "null\n")
        } else {
            output.append(UInt8(ascii: "\n"))
        }
    }

    /// Creates a renderer with the settings of another renderer.
    private init(copying other: JSONRenderer, into output: OutputBuffer) {
        object = other.object
        isSingle = other.isSingle
        self.output = output
    }

    /// Creates a renderer for a part of the rows.
    public func part(into buffer: OutputBuffer) -> JSONRenderer { JSONRenderer(copying: self, into: buffer) }

    /// Appends the rows of a part.
    public func append(_ part: JSONRenderer, in buffer: OutputBuffer) throws {
        // The first row of a part begins with a line feed, and the following rows with a comma and a line feed.
        if part.rowCount > 0, rowCount > 0 { output.append(UInt8(ascii: ",")) }
        output.append(buffer)
        rowCount += part.rowCount
        try output.flushIfFull()
    }
}

extension HabitError {
    static var secondRow: HabitError {
        HabitError(.internal, "the result has more than one row, but exactly one was expected")
    }
}
