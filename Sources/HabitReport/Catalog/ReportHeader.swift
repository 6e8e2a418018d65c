import StoreEngine

/// A report file, split into the entries of its header and the SQL below.
struct ReportHeader {
    struct Entry {
        var key: String
        var value: String
        var line: Int
    }

    /// The maximum size of a report file, in bytes.
    static let maximumBytes = 1 << 20

    private(set) var entries: [Entry] = []
    /// The SQL from its first line to the end of the file, or an empty text if the file has no SQL.
    private(set) var sql = ""
    /// The line (from 1) of the file on which the SQL begins, or the last line if the file has no SQL.
    private(set) var sqlLine = 1
    private(set) var problems: [ReportProblem] = []

    init(_ bytes: [UInt8]) {
        guard bytes.count <= Self.maximumBytes else {
            problems.append(
                ReportProblem(line: 1, "the file is larger than 1 MiB: reduce it to a header and one SELECT"))
            return
        }
        let lines = readLines(bytes)
        guard problems.isEmpty else { return }
        let start = lines.firstIndex { line in
            !line.isBlank && !line.withoutIndent.hasPrefix("--")
        }
        let header = lines[..<(start ?? lines.endIndex)]
        for (index, line) in header.enumerated() where !line.isBlank {
            add(line.withoutIndent.dropFirst(2), index + 1)
        }
        guard let start else {
            sqlLine = lines.count
            return
        }
        sqlLine = start + 1
        sql = lines[start...].joined(separator: "\n")
    }

    /// Returns the lines of the file without line ends (LF or CRLF) and without a byte order mark.
    private mutating func readLines(_ bytes: [UInt8]) -> [String] {
        let content = bytes.starts(with: [0xef, 0xbb, 0xbf]) ? bytes.dropFirst(3) : bytes[...]
        var lines: [String] = []
        for line in content.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            let line = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
            guard let text = String(validating: line, as: UTF8.self) else {
                report(lines.count + 1, "the line is not UTF-8: save the file as UTF-8")
                return []
            }
            guard !line.contains(0) else {
                report(lines.count + 1, "the line contains a NUL character: remove it")
                return []
            }
            lines.append(text)
        }
        return lines
    }

    /// Adds a line of the header, without its dashes, to the entries.
    private mutating func add(_ text: Substring, _ line: Int) {
        let hasControl = text.unicodeScalars.contains { scalar in
            scalar != "\t" && scalar.properties.generalCategory == .control
        }
        guard !hasControl else {
            return report(line, "the line contains a control character: remove it")
        }
        guard !text.isBlank else { return }
        if text.hasPrefix("  ") || text.hasPrefix("\t") || text.hasPrefix(" \t") {
            guard let last = entries.indices.last else {
                return report(line, "the line has no preceding value to continue: begin the file with '-- title: …'")
            }
            if !entries[last].value.isEmpty { entries[last].value += " " }
            entries[last].value += text.withoutSpaces
            return
        }
        guard text.hasPrefix(" ") else {
            return report(line, "a space is missing after '--': write '-- key: value'")
        }
        guard let colon = text.firstIndex(of: ":") else {
            return report(
                line,
                "\(text.withoutSpaces.quoted) is not in the form '-- key: value': write two spaces after '--' to continue the preceding value, or move a comment below the first line of the SQL"
            )
        }
        let key = text[..<colon].withoutSpaces
        let value = text[text.index(after: colon)...].withoutSpaces
        entries.append(Entry(key: String(key), value: String(value), line: line))
    }

    private mutating func report(_ line: Int, _ message: String) {
        problems.append(ReportProblem(line: line, message))
    }
}

extension StringProtocol {
    fileprivate var isBlank: Bool { allSatisfy(\.isWhitespace) }
    fileprivate var withoutIndent: SubSequence { drop(while: \.isWhitespace) }
    /// The text without leading and trailing white space.
    var withoutSpaces: SubSequence {
        let text = drop(while: \.isWhitespace)
        let last = text.lastIndex { character in !character.isWhitespace }
        guard let last else { return text }
        return text[...last]
    }
}
