import HabitAPI
import Rendering

/// A list from which a person chooses one value.
struct ReportSelect {
    /// A value with its text for people.
    struct Option {
        let value: String
        let label: String

        /// Creates an option.
        ///
        /// - Parameters:
        ///   - value: The value that the form sends.
        ///   - label: The text that the person reads.
        init(_ value: String, label: String) {
            self.value = value
            self.label = label
        }
    }

    let options: [Option]
    /// The selected value; empty for none.
    let selected: String
    /// The text of the option without a value.
    let empty: String

    /// Returns the options of records: their names, with their IDs if a name does not identify a record.
    static func options(of choices: [ReportChoices.Choice]) -> [Option] {
        let counts = Dictionary(grouping: choices, by: \.name).mapValues(\.count)
        return choices.map { choice in
            let isUnique = counts[choice.name] == 1
            return Option(choice.id, label: isUnique ? choice.name : "\(choice.name) (\(choice.id))")
        }
    }

    /// Returns the element.
    ///
    /// - Parameter attributes: The attributes of the element.
    /// - Returns: The element with its options.
    func html(_ attributes: HTML) -> HTML {
        var list = Self.markup(of: Option("", label: empty), isSelected: selected.isEmpty)
        // An address may name a record by its title, or a value that does not exist.
        let isKnown = selected.isEmpty || options.contains { option in option.value == selected }
        if !isKnown {
            list += Self.markup(of: Option(selected, label: selected), isSelected: true)
        }
        for option in options {
            list += Self.markup(of: option, isSelected: option.value == selected)
        }
        return "<select \(attributes)>\n\(list)</select>"
    }

    private static func markup(of option: Option, isSelected: Bool) -> HTML {
        let selected: HTML = isSelected ? " selected" : ""
        return "<option value=\"\(option.value)\" dir=\"auto\"\(selected)>\(option.label)</option>\n"
    }
}
