import HabitModel

extension Report {
    /// Parses command-line words such as `--near 38.7,-9.1 --within=800m`.
    ///
    /// This function does not check for missing parameters and does not parse the values.
    ///
    /// - Parameter words: The words after the ID of the report.
    /// - Returns: The text of each given parameter, by parameter name.
    /// - Throws: `parameter-invalid` for an unknown or repeated parameter, `parameter-missing` for a parameter without
    ///   a value, `usage` for any other word.
    public func arguments(from words: [String]) throws -> [String: String] {
        var arguments: [String: String] = [:]
        var rest = words[...]
        while let word = rest.popFirst() {
            let (parameter, attached) = try option(word)
            let option = "--\(parameter.optionName)"
            guard arguments[parameter.name] == nil else {
                throw HabitError(
                    .parameterInvalid, "\(option) occurs twice: pass it once", field: parameter.optionName)
            }
            guard let value = attached ?? Self.popValue(from: &rest) else {
                throw HabitError(
                    .parameterMissing,
                    "\(option) has no value: write \(option) \(parameter.valueName) (or \(option)=VALUE for one that begins with --)",
                    field: parameter.optionName)
            }
            arguments[parameter.name] = value
        }
        return arguments
    }

    /// Removes and returns the next word, or returns `nil` if the next word begins like an option.
    ///
    /// A missing value is more likely than a value that begins with `--`.
    private static func popValue(from words: inout ArraySlice<String>) -> String? {
        guard let word = words.first, !word.hasPrefix("--") else { return nil }
        return words.removeFirst()
    }

    private func option(_ word: String) throws -> (ReportParameter, value: String?) {
        guard word.hasPrefix("--"), word.utf8.count > 2 else {
            throw HabitError(.usage, "\(word.quoted) is not a parameter: \(usage)")
        }
        let name = word.dropFirst(2).prefix { $0 != "=" }
        let sqlName = name.replacing("-", with: "_")
        guard let parameter = parameters.first(where: { $0.name == sqlName }) else {
            throw unknownParameter(String(name))
        }
        return (parameter, name.endIndex == word.endIndex ? nil : String(word[name.endIndex...].dropFirst()))
    }

    func unknownParameter(_ name: String) -> HabitError {
        let nearest = parameters.map(\.optionName).nearestSpelling(to: name)
        let hint = nearest.map { "did you mean --\($0)? " } ?? ""
        return HabitError(
            .parameterInvalid, "the report '\(id)' has no parameter \("--\(name)".quoted): \(hint)\(usage)",
            field: name)
    }

    private var usage: String {
        guard !parameters.isEmpty else { return "the report has no parameters" }
        return "the parameters are " + parameters.map { "--\($0.optionName)" }.joined(separator: ", ")
    }
}

extension String {
    /// The words into which a shell splits the text, without quotes, or `nil` if a quote is not closed.
    var shellWords: [String]? {
        var words: [String] = []
        var word: String?
        var quote: Character?
        for character in self {
            if character == quote {
                quote = nil
            } else if quote != nil {
                word?.append(character)
            } else if character == "'" || character == "\"" {
                quote = character
                word = word ?? ""
            } else if character.isWhitespace {
                if let word { words.append(word) }
                word = nil
            } else {
                word = (word ?? "") + String(character)
            }
        }
        if let word { words.append(word) }
        return quote == nil ? words : nil
    }
}
