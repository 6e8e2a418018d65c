/// A writer of ``JSON`` values in UTF-8, without white space.
///
/// A text is escaped only where RFC 8259, section 7, requires it, with the short escapes. Rows have a writer of their own
/// in `Rendering`, which copies the bytes of a column eight at a time into a buffer that is flushed in blocks.
package struct JSONWriter {
    /// The values that were appended.
    package private(set) var bytes: [UInt8] = []

    package init() {}

    /// Appends a value.
    package mutating func append(_ value: JSON) {
        switch value {
        case .null: write("null")
        case .text(let text): append(text: text)
        case .boolean(let flag): write(flag ? "true" : "false")
        case .integer(let number): write("\(number)")
        case .number(let number): append(number: number)
        case .list(let values): append(list: values)
        case .object(let members): append(sorting: members)
        case .ordered(let members): append(members: members)
        case .verbatim(let json): bytes.append(contentsOf: json)
        }
    }

    /// Appends a comma and a member, for an object that already has members.
    package mutating func append(following member: JSON.Member) {
        write(",")
        append(member)
    }

    private mutating func append(_ member: JSON.Member) {
        append(text: member.name)
        write(":")
        append(member.value)
    }

    private mutating func append(members: [JSON.Member]) {
        write("{")
        if let first = members.first { append(first) }
        for member in members.dropFirst() { append(following: member) }
        write("}")
    }

    private mutating func append(sorting members: [String: JSON]) {
        let all = members.map { name, value in JSON.Member(name, value) }
        let sorted = all.sorted { former, latter in
            former.name.utf8.lexicographicallyPrecedes(latter.name.utf8)
        }
        append(members: sorted)
    }

    private mutating func append(list: [JSON]) {
        write("[")
        for (index, value) in list.enumerated() {
            if index > 0 { write(",") }
            append(value)
        }
        write("]")
    }

    /// Appends the shortest decimal number that is parsed as the same `Double`.
    private mutating func append(number: Double) {
        guard number.isFinite else { return write("null") }
        var text = number.description
        if text.hasSuffix(".0") { text.removeLast(2) }
        write(text)
    }

    private mutating func append(text: String) {
        write("\"")
        for byte in text.utf8 {
            switch Unicode.Scalar(byte) {
            case "\"": write("\\\"")
            case "\\": write("\\\\")
            case "\u{8}": write("\\b")
            case "\u{C}": write("\\f")
            case "\n": write("\\n")
            case "\r": write("\\r")
            case "\t": write("\\t")
            case ..<" ": append(escaping: byte)
            default: bytes.append(byte)
            }
        }
        write("\"")
    }

    private mutating func append(escaping byte: UInt8) {
        let digits = String(byte, radix: 16)
        write(digits.utf8.count == 1 ? "\\u000" : "\\u00")
        write(digits)
    }

    private mutating func write(_ ascii: String) {
        bytes.append(contentsOf: ascii.utf8)
    }
}
