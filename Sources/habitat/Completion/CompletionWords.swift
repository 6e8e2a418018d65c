import ArgumentParser

/// The command line for which a shell requests the values of one argument.
struct CompletionWords {
    /// The text of the argument before the cursor, without quotes.
    let typed: String
    /// The command line without the program and without quotes.
    private let arguments: ArgumentNormalizer

    /// Creates the command line from the arguments of a completion script.
    ///
    /// - Parameters:
    ///   - words: The words as the user typed them, with the program's name.
    ///   - index: The index of the completed word.
    init(_ words: [String], index: Int) {
        let plain = words.map(Self.unquoted)
        typed = plain.indices.contains(index) ? plain[index] : ""
        arguments = ArgumentNormalizer(plain.dropFirst())
    }

    /// The words that name the command, followed by its first arguments.
    ///
    /// They follow common options that precede the command's name.
    var command: [String] { arguments.words }

    /// Returns the last value of an option that is not the completed argument, or `nil`.
    func value(of option: String) -> String? { values(of: option).last }

    /// Returns the values of an option, in their order.
    func values(of option: String) -> [String] {
        let words = arguments.normalized
        return words.indices.compactMap { index in
            let word = words[index]
            if word.hasPrefix(option + "=") { return String(word.dropFirst(option.count + 1)) }
            guard word == option, words.indices.contains(index + 1) else { return nil }
            // The Bash shell passes --store=path as three words.
            let isSplit = words[index + 1] == "=" && words.indices.contains(index + 2)
            return words[index + (isSplit ? 2 : 1)]
        }
    }

    /// Whether the command line contains a flag.
    func contains(_ flag: String) -> Bool { arguments.normalized.contains(flag) }

    /// Returns a word without the quotes and backslashes of a shell.
    ///
    /// An open quote may lack its end. Variables and substitutions are not replaced.
    static func unquoted(_ word: String) -> String {
        var text = ""
        var quote: Character?
        var isEscaped = false
        for character in word {
            if isEscaped {
                text.append(character)
                isEscaped = false
            } else if character == "\\", quote != "'" {
                isEscaped = true
            } else if character == quote {
                quote = nil
            } else if quote == nil, character == "'" || character == "\"" {
                quote = character
            } else {
                text.append(character)
            }
        }
        return text
    }
}
