import HabitModel

extension Given<String> {
    /// An option's value: an empty one stands for nothing.
    init(option: String?) {
        switch option {
        case nil: self = .absent
        case "": self = .null
        case let text?: self = .value(text)
        }
    }
}

extension Given<Day> {
    /// A date, or `none`.
    init(option: String?, named name: String) throws {
        switch option {
        case nil: self = .absent
        case "none", "": self = .null
        case let text?: self = .value(try Parse.day(text, option: name))
        }
    }
}
