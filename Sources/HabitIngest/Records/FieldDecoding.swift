import Geo
import HabitModel

/// From raw values to values: each function reads one field of a record, and throws a ``HabitError`` that names it.
extension RawRecord {
    /// A text as it stands; numbers count as what they spell, for ids that a source writes as numbers.
    func text(_ field: Field) throws(HabitError) -> Given<String> {
        switch self[field] {
        case .absent: .absent
        case .null: .null
        case .text(let text): .value(text)
        case .integer(let number): .value(String(number))
        case .number, .boolean, .nested: throw invalid(field, "must be a text")
        }
    }

    /// A text that is nothing where it is empty: every field but free text.
    func token(_ field: Field) throws(HabitError) -> Given<String> {
        let text = try text(field)
        return text.value?.isEmpty == true ? .null : text
    }

    func limitedText(_ rule: TextRule, _ settings: Settings = Settings()) throws(HabitError) -> Given<String> {
        try text(rule.field).map { (text: String) throws(HabitError) in try rule.check(text, settings) }
    }

    /// The details of an event, except position and photo, which depend on the options of the reader.
    func eventDetails() throws(HabitError) -> EventDetails {
        var details = EventDetails()
        details.comment = try text(.comment)
        return details
    }

    func required(_ field: Field) throws(HabitError) -> String {
        guard let text = try token(field).value else {
            throw HabitError(.fieldMissing, "the \(field.name) is missing", field: field.name)
        }
        return text
    }

    /// A required text whose rule says what is wrong with a missing one.
    func requiredText(_ rule: TextRule, _ settings: Settings = Settings()) throws(HabitError) -> String {
        try rule.check(try text(rule.field).value ?? "", settings)
    }

    func id(_ field: Field) throws(HabitError) -> String { try checkID(try required(field), field: field) }

    func optionalID(_ field: Field) throws(HabitError) -> String? {
        guard let text = try token(field).value else { return nil }
        return try checkID(text, field: field)
    }

    func day(_ field: Field) throws(HabitError) -> Given<Day> {
        try token(field).map { (text: String) throws(HabitError) in
            guard let day = Day(text) else {
                throw HabitError(
                    .dayInvalid, "'\(text.excerpt)' is not a date of the calendar: write YYYY-MM-DD",
                    field: field.name)
            }
            return day
        }
    }

    func instant(_ field: Field) throws(HabitError) -> Given<OffsetInstant> {
        try token(field).map { (text: String) throws(HabitError) in
            guard let instant = OffsetInstant(text), instant.isInRange else {
                throw HabitError(
                    .instantInvalid,
                    "'\(text.excerpt)' is not an instant: write RFC 3339 (2026-11-20T07:15:00+01:00), Unix seconds (10 digits) or milliseconds (13)",
                    field: field.name)
            }
            return instant
        }
    }

    func choice<T: RawRepresentable & CaseIterable>(_ field: Field, _: T.Type) throws(HabitError) -> Given<T>
    where T.RawValue == String {
        try token(field).map { (text: String) throws(HabitError) in
            guard let value = T(rawValue: text.lowercased()) else {
                let choices = T.allCases.map(\.rawValue).joined(separator: ", ")
                throw invalid(field, "must be one of \(choices), not '\(text.excerpt)'")
            }
            return value
        }
    }

    func boolean(_ field: Field) throws(HabitError) -> Given<Bool> {
        if case .boolean(let value) = self[field] { return .value(value) }
        return try token(field).map { (text: String) throws(HabitError) in
            switch text.lowercased() {
            case "true", "1", "yes": return true
            case "false", "0", "no": return false
            default: throw invalid(field, "must be true or false, not '\(text.excerpt)'")
            }
        }
    }

    /// The weekdays; a missing field is an empty schedule.
    func schedule() throws(HabitError) -> Schedule { try Schedule(try text(.days).value ?? "") }

    /// The minutes a clock is ahead of UTC: `+01:00`, `Z`, or a number of minutes.
    func offset(_ field: Field) throws(HabitError) -> UTCOffset? {
        guard let text = try token(field).value else { return nil }
        if let offset = UTCOffset(text) { return offset }
        guard let minutes = Int16(text), abs(Int(minutes)) < 24 * 60 else {
            throw invalid(field, "must be an offset such as +01:00 or a number of minutes, not '\(text.excerpt)'")
        }
        return UTCOffset(minutes: minutes)
    }

    func position() throws(HabitError) -> Given<Position> {
        let longitude = try degrees(.longitude, .longitude)
        let latitude = try degrees(.latitude, .latitude)
        switch (longitude, latitude) {
        case (.absent, .absent): return .absent
        case (.value(let longitude), .value(let latitude)):
            guard (-90...90).contains(latitude) else {
                throw HabitError(
                    .positionInvalid, "the latitude \(latitude) is not between -90 and 90",
                    field: Field.latitude.name)
            }
            guard let position = Position(longitude: longitude, latitude: latitude) else {
                throw HabitError(
                    .positionInvalid, "the longitude \(longitude) is not between -180 and 180",
                    field: Field.longitude.name)
            }
            return .value(position)
        case (.value, _):
            throw HabitError(
                .positionInvalid, "a longitude needs a latitude beside it", field: Field.latitude.name)
        case (_, .value):
            throw HabitError(
                .positionInvalid, "a latitude needs a longitude beside it", field: Field.longitude.name)
        default: return .null
        }
    }

    private func degrees(_ field: Field, _ axis: Position.Axis) throws(HabitError) -> Given<Double> {
        switch self[field] {
        case .absent: return .absent
        case .null, .text(""): return .null
        case .number(let value): return .value(value)
        case .integer(let value):
            return .value(Position.degrees(String(value), axis: axis) ?? .nan)
        case .text(let text):
            guard let value = Position.degrees(text, axis: axis) else {
                throw HabitError(
                    .positionInvalid, "'\(text.excerpt)' is not a number of degrees", field: field.name)
            }
            return .value(value)
        case .boolean, .nested: throw HabitError(.positionInvalid, "must be a number of degrees", field: field.name)
        }
    }

    func invalid(_ field: Field, _ what: String) -> HabitError {
        HabitError(.fieldInvalid, "the \(field.name) \(what)", field: field.name)
    }
}

extension String {
    /// Enough of a refused value to find it again.
    var excerpt: String { count <= 40 ? self : prefix(39) + "…" }
}
