import StoreEngine

/// Writes the columns of a row as one JSON object: every column a member, null included.
struct JSONObject {
    private struct Member {
        let value: Column.Value
        let index: Int
        /// Where ``names`` has `{"name":` or `,"name":`.
        let name: Range<Int>
        /// Whether it is the text that may be known already.
        let isKnown: Bool
    }

    /// With as many bytes behind them as ``OutputBuffer/append(short:)`` may read.
    private let names: [UInt8]
    private let members: [Member]
    private let precision: Int?

    /// `known` is a column of texts, of which ``append(_:to:known:)`` may be told what it is in a row.
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

    /// `known` is where the output has the inside of the known column's text, where there is one.
    func append(_ row: some Row, to output: OutputBuffer, known: Range<Int>? = nil) {
        if members.isEmpty { output.append(UInt8(ascii: "{")) }
        names.withUnsafeBufferPointer { names in
            for member in members {
                output.append(short: UnsafeBufferPointer(rebasing: names[member.name]))
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
        }
        output.append(UInt8(ascii: "}"))
    }
}
