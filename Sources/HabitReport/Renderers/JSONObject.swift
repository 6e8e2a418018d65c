import HabitStore

/// Writes the columns of a row as one JSON object: every column a member, null included.
struct JSONObject {
    private struct Member {
        let value: Column.Value
        let index: Int
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
            return Member(value: column.value, index: column.index, prefix: Array(scratch.bytes))
        }
        self.precision = precision
    }

    func append(_ row: some Row, to output: OutputBuffer) {
        if members.isEmpty { output.append(UInt8(ascii: "{")) }
        for member in members {
            output.append(member.prefix)
            let isWritten = output.append(
                member.value, at: member.index, of: row, precision: precision, quotes: true
            ) { output.append(json: $0) }
            if !isWritten { output.append(literal: "null") }
        }
        output.append(UInt8(ascii: "}"))
    }
}
