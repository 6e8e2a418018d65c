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
            let option = try option(word)
            guard arguments[option.name] == nil else {
                throw HabitError(
                    .parameterInvalid, "parameter '\(option.optionName)' is repeated: give it once",
                    field: option.optionName)
            }
            guard let value = option.value ?? Self.popValue(from: &rest) else {
                throw HabitError(
                    .parameterMissing, "parameter '\(option.optionName)' has no value",
                    field: option.optionName, option.remedy)
            }
            arguments[option.name] = value
        }
        guard acceptsPeriod, let period = arguments.removeValue(forKey: Self.periodOption) else { return arguments }
        _ = try Period(period, field: Self.periodOption)
        guard arguments["from"] == nil, arguments["to"] == nil else {
            throw HabitError(
                .usage, "the period 'in' already sets 'from' and 'to': omit 'in' or the others",
                field: Self.periodOption)
        }
        arguments["from"] = period
        arguments["to"] = period
        return arguments
    }

    /// The option that sets the parameters `from` and `to` to the bounds of a period.
    private static let periodOption = "in"

    /// Whether the report has two dates that are the bounds of a range, and no parameter with the name of the option.
    private var acceptsPeriod: Bool {
        let bounds = parameters.filter { ["from", "to"].contains($0.name) && $0.kind == .date }
        return bounds.count == 2 && !parameters.contains { $0.name == Self.periodOption }
    }

    /// Removes and returns the next word, or returns `nil` if the next word begins like an option.
    ///
    /// A missing value is more likely than a value that begins with `--`.
    private static func popValue(from words: inout ArraySlice<String>) -> String? {
        guard let word = words.first, !word.hasPrefix("--") else { return nil }
        return words.removeFirst()
    }

    /// An option that sets a parameter, or the bounds of a period.
    private struct Option {
        /// The name of the parameter.
        var name: String
        /// The name of the option, without dashes.
        var optionName: String
        /// The value after an equals sign, or `nil` if it is the next word.
        var value: String?
        /// The remedy of a missing value.
        var remedy: Remedy
    }

    private func option(_ word: String) throws -> Option {
        guard word.hasPrefix("--"), word.utf8.count > 2 else {
            throw HabitError(.usage, "\(word.quoted) is not a parameter of the report '\(id)'", chooseParameter())
        }
        let name = word.dropFirst(2).prefix { $0 != "=" }
        let value = name.endIndex == word.endIndex ? nil : String(word[name.endIndex...].dropFirst())
        if name == Self.periodOption, acceptsPeriod {
            let remedy = Remedy.giveParameter(Self.periodOption, isPosition: false)
            return Option(name: Self.periodOption, optionName: Self.periodOption, value: value, remedy: remedy)
        }
        let sqlName = name.replacing("-", with: "_")
        guard let parameter = parameters.first(where: { $0.name == sqlName }) else {
            throw unknownParameter(String(name))
        }
        return Option(
            name: parameter.name, optionName: parameter.optionName, value: value, remedy: parameter.remedy)
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
