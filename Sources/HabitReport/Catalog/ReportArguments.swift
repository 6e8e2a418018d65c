import Base
import HabitModel

extension Report {
    /// Parses words such as `--near 38.7,-9.1 --within=800m`, the form of the example in the header.
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
            guard arguments[parameter.name] == nil else {
                throw HabitError(
                    .parameterInvalid, "parameter '\(parameter.optionName)' is repeated: give it once",
                    field: parameter.optionName)
            }
            guard let value = attached ?? Self.popValue(from: &rest) else {
                throw HabitError(
                    .parameterMissing, "parameter '\(parameter.optionName)' has no value",
                    field: parameter.optionName, parameter.remedy)
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
            throw HabitError(.usage, "\(word.quoted) is not a parameter of the report '\(id)'", chooseParameter())
        }
        let name = word.dropFirst(2).prefix { $0 != "=" }
        let sqlName = name.replacing("-", with: "_")
        guard let parameter = parameters.first(where: { $0.name == sqlName }) else {
            throw unknownParameter(String(name))
        }
        return (parameter, name.endIndex == word.endIndex ? nil : String(word[name.endIndex...].dropFirst()))
    }

    func unknownParameter(_ name: String) -> HabitError {
        HabitError(
            .parameterInvalid, "the report '\(id)' has no parameter \(name.quoted)", field: name,
            chooseParameter(like: name))
    }

    private func chooseParameter(like name: String? = nil) -> Remedy {
        let names = parameters.map(\.optionName)
        guard !names.isEmpty else { return .advice("omit it, because the report has no parameters") }
        return .chooseParameter(names, nearest: name.flatMap { names.nearestSpelling(to: $0) })
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
