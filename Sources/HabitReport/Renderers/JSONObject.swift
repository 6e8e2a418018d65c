import HabitStore

/// Writes the columns of a row as one JSON object: every column a member, null included.
struct JSONObject {
    private struct Member {
        let column: Column
        /// `{"name":` or `,"name":`.
        let prefix: [UInt8]
    }

    private let members: [Member]
    private let precision: Int?

    init(_ columns: [Column], precision: Int?) {
        let scratch = OutputBuffer()
        members = columns.enumerated().map { i, column in
            scratch.truncate(to: 0)
            scratch.append(i == 0 ? UInt8(ascii: "{") : UInt8(ascii: ","))
            var name = column.name
            name.withUTF8 { scratch.append(json: $0) }
            scratch.append(UInt8(ascii: ":"))
            return Member(column: column, prefix: Array(scratch.bytes))
        }
        self.precision = precision
    }

    func append(_ row: some Row, to output: OutputBuffer) {
        if members.isEmpty { output.append(UInt8(ascii: "{")) }
        for member in members {
            output.append(member.prefix)
            let (value, index) = (member.column.value, member.column.index)
            let isWritten = output.append(value, at: index, of: row, precision: precision, quotes: true) { text in
                output.append(json: text)
            }
            if !isWritten { output.append(literal: "null") }
        }
        output.append(UInt8(ascii: "}"))
    }
}
