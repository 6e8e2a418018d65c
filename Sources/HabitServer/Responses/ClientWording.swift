/// Error messages of the command line, rewritten for clients of the server.
///
/// A message quotes user input in single quotes. Quoted text stays verbatim, whatever it contains.
extension String {
    /// The message with the names of parameters instead of options, without commands, and with the longitude first.
    var toldOverHTTP: String {
        withoutCommand.map { part in
            let text = String(part.text)
            return part.isQuoted
                ? text
                : text.replacing("LATITUDE,LONGITUDE", with: "LONGITUDE,LATITUDE")
                    .replacing("38.7223,-9.1393", with: "-9.1393,38.7223")
                    .replacing("give its file with --photo", with: "give it as base64 in 'photo'")
                    .replacing(/--([a-z][a-z-]*)/) { "'\($0.output.1)'" }
        }.joined()
    }

    private typealias Part = (text: Substring, isQuoted: Bool)

    /// The parts without the last clause (from the last colon on) if that names a command.
    private var withoutCommand: [Part] {
        var parts = parts
        guard let last = parts.lastIndex(where: { !$0.isQuoted && $0.text.contains(": ") }),
            parts[last...].contains(where: { $0.isQuoted && $0.text.hasPrefix("'habitat ") }),
            let colon = parts[last].text.ranges(of: ": ").last
        else { return parts }
        parts[last].text = parts[last].text[..<colon.lowerBound]
        return Array(parts[...last])
    }

    /// Quoted texts, with their quotes, and the texts between them.
    private var parts: [Part] {
        var parts: [Part] = []
        var rest = self[...]
        while let quoted = rest.quotedRange {
            parts.append((rest[..<quoted.lowerBound], false))
            parts.append((rest[quoted], true))
            rest = rest[quoted.upperBound...]
        }
        parts.append((rest, false))
        return parts
    }
}

extension Substring {
    /// The first text in single quotes: the first quote follows a space or a bracket, the last one precedes a space or a mark.
    fileprivate var quotedRange: Range<Index>? {
        var start: Index?
        for index in indices where self[index] == "'" {
            if let start {
                let next = self.index(after: index)
                if next == endIndex || " :,.;)?".contains(self[next]) { return start..<next }
            } else if index == startIndex || " (".contains(self[self.index(before: index)]) {
                start = index
            }
        }
        return nil
    }
}
