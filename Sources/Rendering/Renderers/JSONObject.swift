import StoreEngine

/// Writes the columns of a row as one JSON object.
///
/// Each column is a member, also if its value is null.
struct JSONObject {
    private struct Member {
        let value: Column.Value
        let index: Int
        /// The range of `{"name":` or `,"name":` in ``names``.
        let name: Range<Int>
        /// Whether the output may already contain the value of this text column.
        let isKnown: Bool
    }

    /// The names of all members, followed by the padding bytes that ``OutputBuffer/append(short:of:)`` may read.
    private let names: [UInt8]
    private let members: [Member]
    private let precision: Int?

    /// Creates a writer of the given columns.
    ///
    /// - Parameters:
    ///   - columns: The columns of the object.
    ///   - precision: Maximum number of decimals of a degree. `nil` writes the shortest text of the same value.
    ///   - known: A text column whose value the output may already contain, as ``append(_:to:known:)`` specifies.
    init(_ columns: [Column], precision: Int?, known: Column? = nil) {
        let names = OutputBuffer()
        members = columns.enumerated().map { i, column in
            let begin = names.count
            names.append(i == 0 ? UInt8(ascii: "{") : UInt8(ascii: ","))
            names.append(json: column.name.utf8.span)
            names.append(UInt8(ascii: ":"))
            return Member(
                value: column.value, index: column.index, name: begin..<names.count,
                isKnown: column.value == .text && column.index == known?.index)
        }
        self.names = Array(names.bytes) + [UInt8](repeating: 0, count: OutputBuffer.shortLength)
        self.precision = precision
    }

    /// Appends the object of `row`.
    ///
    /// - Parameters:
    ///   - row: The row to write.
    ///   - output: The buffer to append to.
    ///   - known: The range in `output` of the escaped value of the known column, without quotes, or `nil`.
    func append(_ row: some Row, to output: OutputBuffer, known: Range<Int>? = nil) {
        if members.isEmpty { output.append(UInt8(ascii: "{")) }
        for member in members {
            output.append(short: member.name, of: names.span)
            if member.isKnown, let known {
                output.append(UInt8(ascii: "\""))
                output.append(again: known)
                output.append(UInt8(ascii: "\""))
                continue
            }
            let isWritten = output.append(
                member.value, at: member.index, of: row, precision: precision, quotes: true
            ) { output.append(json: $0) }
            if !isWritten { output.append(literal: "null") }
        }
        output.append(UInt8(ascii: "}"))
    }
}
