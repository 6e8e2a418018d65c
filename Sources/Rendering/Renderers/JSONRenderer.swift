import HabitModel
import StoreEngine

/// Rows as a JSON array (RFC 8259), one object a line; with `single` the one row as an object, `null` where there is none.
public final class JSONRenderer: Renderer {
    public private(set) var rowCount = 0
    private let object: JSONObject
    private let isSingle: Bool
    private let output: OutputBuffer

    public init(_ shape: ResultShape, _ options: RenderOptions, _ output: OutputBuffer) {
        object = JSONObject(shape.columns, precision: options.precision)
        isSingle = options.single
        self.output = output
    }

    public func begin() throws {
        if !isSingle { output.append(UInt8(ascii: "[")) }
    }

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

    public func end() throws {
        if !isSingle {
            output.append(literal: rowCount == 0 ? "]\n" : "\n]\n")
        } else if rowCount == 0 {
            output.append(literal: "null\n")
        } else {
            output.append(UInt8(ascii: "\n"))
        }
    }
}

extension HabitError {
    static var secondRow: HabitError { HabitError(.internal, "There is more than one row where one was announced.") }
}
