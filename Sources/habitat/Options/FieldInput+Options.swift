import HabitModel

extension FieldInput<String> {
    /// Creates the input of an option: absent without the option, null for an empty value.
    init(option: String?) {
        switch option {
        case nil: self = .absent
        case "": self = .null
        case let text?: self = .value(text)
        }
    }
}

extension FieldInput<Day> {
    /// Creates the input of a date option: absent without the option, null for `none` or an empty value.
    ///
    /// - Throws: `date-invalid` if the value is not a date.
    init(option: String?, named name: String) throws {
        switch option {
        case nil: self = .absent
        case "none", "": self = .null
        case let text?: self = .value(try Parse.day(text, option: name))
        }
    }
}
