import Base
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
    /// - Parameters:
    ///   - option: The value of the option.
    ///   - name: The name of the option, for the error.
    ///   - today: The current date of the user, to which relative dates refer.
    /// - Throws: `date-invalid` if the value is not a date.
    init(option: String?, named name: String, today: Day) throws {
        switch option {
        case nil: self = .absent
        case "none", "": self = .null
        case let text?: self = .value(try DayExpression(text, field: name).day(today: today))
        }
    }

    /// Checks the value of a date option that can be `none` before the store is opened.
    ///
    /// - Throws: `date-invalid` if the value is not a date.
    static func check(_ option: String?, named name: String) throws {
        guard let option, option != "none", option != "" else { return }
        _ = try DayExpression(option, field: name)
    }
}

extension FieldInput<Double> {
    /// Creates the input of an option for an amount: absent without the option, null for `none` or an empty value.
    ///
    /// - Throws: `field-invalid` if the value is not a number from 0.
    init(amount option: String?, named name: String) throws {
        switch option {
        case nil: self = .absent
        case "none", "": self = .null
        case let text?:
            guard let number = Double(text), number.isFinite, number >= 0 else {
                throw HabitError(.fieldInvalid, "'\(text)' is not an amount: write a number from 0", field: name)
            }
            self = .value(number)
        }
    }
}

extension FieldInput<Int> {
    /// Creates the input of an option for a field of a habit: absent without the option, null for `none` or an empty
    /// value.
    ///
    /// - Parameters:
    ///   - option: The value of the option.
    ///   - field: The field, which has the name of the option.
    /// - Throws: `field-invalid` if the value is not a whole number in the range of the field.
    init(option: String?, of field: Field) throws {
        switch option {
        case nil: self = .absent
        case "none", "": self = .null
        case let text?:
            guard let number = Int(text) else {
                throw HabitError(.fieldInvalid, "'\(text)' is not a whole number: write digits only", field: field.name)
            }
            self = .value(try field.check(number, in: .habits))
        }
    }
}

extension FieldInput<TimeOfDay> {
    /// Creates the input of an option for a time: absent without the option, null for `none` or an empty value.
    ///
    /// - Throws: `field-invalid` if the value is not a time.
    init(option: String?, named name: String) throws {
        switch option {
        case nil: self = .absent
        case "none", "": self = .null
        case let text?:
            guard let time = TimeOfDay(text) else {
                throw HabitError(.fieldInvalid, "'\(text)' is not a time: write HH:MM, such as 07:30", field: name)
            }
            self = .value(time)
        }
    }
}
