import Base
import HabitModel

extension RawRecord {
    /// Checks the type of a field's value, and that it is a valid date, instant or choice.
    ///
    /// A file may write a value in several ways. A request must use the forms that the OpenAPI document specifies. This
    /// applies to all fields, including fields that the operation does not use.
    ///
    /// - Parameter field: The field to check. An absent or null value is valid.
    /// - Throws: `field-invalid`, `day-invalid` or `instant-invalid`.
    func requireSentForm(of field: Field) throws {
        let value = self[field]
        switch value {
        case .absent, .null: return
        case .nested: throw mistyped(field, "one value, not an object or a list of lists")
        case .text, .integer, .number, .boolean: break
        }
        switch field.form(in: kind) {
        case .flag:
            guard case .boolean = value else { throw mistyped(field, "true or false") }
        case .count:
            guard case .integer = value else { throw mistyped(field, "a number") }
        case .integer:
            guard case .integer = value else { throw mistyped(field, "a whole number") }
        case .amount:
            guard value.isNumber else { throw mistyped(field, "a number") }
        case .longitude, .latitude:
            if !value.isNumber { try requireText(field) }
        case .schedule, .offset:
            if case .integer = value { return }
            try requireText(field)
        case .text, .photo, .timeOfDay: try requireText(field)
        case .day:
            try requireText(field)
            if try day(field).value == nil { throw mistyped(field, "a date or null, not an empty text") }
        case .instant:
            let isNumber = if case .integer = value { field == .at } else { false }
            if !isNumber { try requireText(field) }
            if try instant(field).value == nil { throw mistyped(field, "an instant or null, not an empty text") }
        case .choice(let choices):
            try requireText(field)
            guard case .text(let text) = value, choices.contains(text.lowercased()) else {
                throw mistyped(field, "null or one of \(choices.joined(separator: ", "))")
            }
        }
    }

    private func requireText(_ field: Field) throws {
        guard case .text = self[field] else { throw mistyped(field, "a string in quotes") }
    }

    private func mistyped(_ field: Field, _ form: String) -> HabitError {
        HabitError(.fieldInvalid, "'\(field.name)' must be \(form)", field: field.name)
    }
}

extension RawValue {
    /// Whether the value is a JSON number.
    fileprivate var isNumber: Bool {
        switch self {
        case .integer, .number: true
        case .absent, .null, .text, .boolean, .nested: false
        }
    }
}
