import CUtf8proc

/// The text with which a person begins to type the name of a record.
///
/// Case and marks are ignored: `gin` is a beginning of `Ginásio`.
package struct NameBeginning {
    private let scalars: [Unicode.Scalar]

    /// Creates a beginning from the text that the user enters, without white space around it.
    package init(_ text: String) {
        scalars = Array(text.trimmingWhitespace().foldedWithoutMarks.unicodeScalars)
    }

    /// The part of a name at which the text begins.
    package enum Match: Comparable, Sendable {
        /// The name begins with the text.
        case name
        /// A word of the name, which is not the first, begins with the text.
        case word
    }

    /// Returns the part of a name at which the text begins, or `nil` if it begins no part.
    ///
    /// UAX 29, section 4.1, defines words. The cost is linear in the length of the name for names without the text.
    package func match(in name: String) -> Match? {
        guard !scalars.isEmpty else {
            return nil
        }
        let name = Array(name.foldedWithoutMarks.unicodeScalars)
        if name.starts(with: scalars) {
            return .name
        }
        let offsets = name.indices.dropFirst().filter { offset in name[offset...].starts(with: scalars) }
        guard !offsets.isEmpty else {
            return nil
        }
        let boundaries = WordBoundaries(name)
        return offsets.contains { offset in boundaries.contains(offset) } ? .word : nil
    }
}

extension String {
    /// The form in which people's beginnings of names are compared: full case folding without marks.
    package var foldedWithoutMarks: String {
        guard utf8.allSatisfy({ $0 < 0x80 }) else {
            let options =
                UTF8PROC_STABLE.rawValue | UTF8PROC_COMPOSE.rawValue | UTF8PROC_CASEFOLD.rawValue
                | UTF8PROC_STRIPMARK.rawValue
            return mapped(options)
        }
        return folded
    }

    fileprivate func trimmingWhitespace() -> String {
        let start = drop { character in character.isWhitespace }
        let end = start.lastIndex { character in !character.isWhitespace }
        return end.map { end in String(start[...end]) } ?? ""
    }
}
