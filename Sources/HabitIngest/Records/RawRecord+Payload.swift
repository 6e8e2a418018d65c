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
        let form = field.form(in: kind)
        let value = self[field]
        switch (form, value) {
        case (_, .absent), (_, .null): return
        case (_, .nested): throw mistyped(field, "one value, not an object or a list of lists")
        case (.flag, .boolean): return
        case (.flag, _): throw mistyped(field, "true or false")
        case (.longitude, .integer), (.longitude, .number), (.latitude, .integer), (.latitude, .number): return
        case (.schedule, .integer), (.offset, .integer), (.count, .integer), (.amount, .integer), (.amount, .number):
            return
        case (.count, _), (.amount, _): throw mistyped(field, "a number")
        case (.instant, .integer) where field == .at: break
        case (_, .text): break
        default: throw mistyped(field, "a string in quotes")
        }
        switch form {
        case .day where try day(field).value == nil: throw mistyped(field, "a date or null, not an empty text")
        case .instant where try instant(field).value == nil:
            throw mistyped(field, "an instant or null, not an empty text")
        case .choice(let choices):
            guard case .text(let text) = value, choices.contains(text.lowercased()) else {
                throw mistyped(field, "null or one of \(choices.joined(separator: ", "))")
            }
        default: return
        }
    }

    private func mistyped(_ field: Field, _ form: String) -> HabitError {
        HabitError(.fieldInvalid, "'\(field.name)' must be \(form)", field: field.name)
    }
}
