import Base
import Geo
import HabitModel

/// Conversion of raw field values to typed values.
///
/// Each function reads one field, or both coordinates of a position. It throws a ``HabitError`` that names the field.
extension RawRecord {
    /// Returns the text of a field.
    ///
    /// An integer is converted to text, because some sources write IDs as numbers.
    ///
    /// - Throws: `field-invalid` if the value is a decimal number, a Boolean, an object or a nested list.
    func text(_ field: Field) throws(HabitError) -> FieldInput<String> {
        switch self[field] {
        case .absent: .absent
        case .null: .null
        case .text(let text): .value(text)
        case .integer(let number): .value(String(number))
        case .number, .boolean, .nested: throw invalid(field, "must be text")
        }
    }

    /// Returns the text of a field, or null if the text is empty.
    ///
    /// All fields except free text are read this way.
    func token(_ field: Field) throws(HabitError) -> FieldInput<String> {
        let text = try text(field)
        return text.value?.isEmpty == true ? .null : text
    }

    /// Returns the text of the rule's field after checking it against the rule and the store's settings.
    func limitedText(_ rule: TextRule, _ settings: Settings = Settings()) throws(HabitError)
        -> FieldInput<String>
    {
        try text(rule.field).map { (text: String) throws(HabitError) in
            try rule.check(text, settings)
        }
    }

    /// Returns the details of an event without position and photo, which depend on the options of the reader.
    func eventDetails() throws(HabitError) -> EventDetails {
        var details = EventDetails()
        details.comment = try text(.comment)
        details.amount = try amount(.amount)
        return details
    }

    /// Returns the text of a required field.
    ///
    /// - Throws: `field-missing` if the field is absent, null or empty.
    func required(_ field: Field) throws(HabitError) -> String {
        guard let text = try token(field).value else { throw .missing(field) }
        return text
    }

    /// Returns the text of a required field.
    ///
    /// The rule determines the error for a missing text.
    func requiredText(_ rule: TextRule, _ settings: Settings = Settings()) throws(HabitError)
        -> String
    {
        let text = try text(rule.field).value
        return try rule.check(text ?? "", settings)
    }

    func id(_ field: Field) throws(HabitError) -> String {
        let text = try required(field)
        return try checkID(text, field: field)
    }

    func optionalID(_ field: Field) throws(HabitError) -> String? {
        guard let text = try token(field).value else { return nil }
        return try checkID(text, field: field)
    }

    func day(_ field: Field) throws(HabitError) -> FieldInput<Day> {
        try token(field).map { (text: String) throws(HabitError) in
            if let day = Day(text) {
                return day
            }
            guard field == .day, let day = Day(dateOrMidnight: text) else {
                throw Self.invalidDay(text, field)
            }
            return day
        }
    }

    private static func invalidDay(_ text: String, _ field: Field) -> HabitError {
        if DatePattern.iso8601?.isMissingDate(text) == true, text.utf8.count == 10 {
            return HabitError(
                .dayInvalid,
                "the date '\(text.excerpt)' does not exist",
                field: field.name,
                .advice("correct it"))
        }
        return HabitError(
            .dayInvalid,
            "'\(text.excerpt)' is not a date",
            field: field.name,
            .advice("write YYYY-MM-DD"),
            .give(.dateFormat))
    }

    func instant(_ field: Field) throws(HabitError) -> FieldInput<OffsetInstant> {
        try token(field).map { (text: String) throws(HabitError) in
            guard let instant = OffsetInstant(text),
                instant.isInRange
            else {
                throw HabitError(
                    .instantInvalid,
                    "'\(text.excerpt)' is not an instant: write RFC 3339 (2026-11-20T07:15:00+01:00), Unix seconds (10 digits) or milliseconds (13)",
                    field: field.name)
            }
            return instant
        }
    }

    func choice<T: RawRepresentable & CaseIterable>(_ field: Field, _: T.Type) throws(HabitError)
        -> FieldInput<T>
    where T.RawValue == String {
        try token(field).map { (text: String) throws(HabitError) in
            guard let value = T(rawValue: text.lowercased()) else {
                let choices = T.allCases.map(\.rawValue).joined(separator: ", ")
                throw invalid(field, "must be one of \(choices), not '\(text.excerpt)'")
            }
            return value
        }
    }

    func boolean(_ field: Field) throws(HabitError) -> FieldInput<Bool> {
        if case .boolean(let value) = self[field] {
            return .value(value)
        }
        return try token(field).map { (text: String) throws(HabitError) in
            switch text.lowercased() {
            case "true", "1", "yes": return true
            case "false", "0", "no": return false
            default: throw invalid(field, "must be true or false, not '\(text.excerpt)'")
            }
        }
    }

    /// Returns the private places of a user.
    ///
    /// - Throws: The errors of ``HabitModel/PrivatePlaces/init(_:)``.
    func privatePlaces() throws(HabitError) -> FieldInput<PrivatePlaces> {
        try token(.privatePlaces).map { (text: String) throws(HabitError) in
            try PrivatePlaces(text)
        }
    }

    /// Returns the schedule in `days`, or in `times` and `period_days`.
    ///
    /// If all three fields are missing, the schedule is empty.
    ///
    /// - Throws: `schedule-empty`; `schedule-invalid` if the record has both weekdays and a target, or half a target.
    func schedule() throws(HabitError) -> Schedule {
        let days = try token(.days).value
        let times = try count(.times)
        let period = try count(.periodDays)
        return try Schedule(days: days, times: times, periodDays: period)
    }

    /// Whether the record has a field that specifies the schedule.
    var hasSchedule: Bool {
        let fields: [Field] = [.days, .times, .periodDays]
        return fields.contains(where: contains)
    }

    /// Returns a whole number, or `nil` if the field is unset.
    private func count(_ field: Field) throws(HabitError) -> Int? {
        guard let text = try token(field).value else { return nil }
        guard let count = Int(text) else {
            throw HabitError(
                .scheduleInvalid,
                "'\(text.excerpt)' is not a whole number: write a number from 1",
                field: field.name)
        }
        return count
    }

    /// Returns a finite number from 0.
    ///
    /// - Throws: `field-invalid` if the value is not such a number.
    func amount(_ field: Field) throws(HabitError) -> FieldInput<Double> {
        let number: Double
        switch self[field] {
        case .absent:
            return .absent
        case .null, .text(""):
            return .null
        case .number(let value):
            number = value
        case .integer(let value):
            number = Double(value)
        case .text(let text):
            guard let value = Double(decimal: text) else {
                throw invalid(field, "must be a number, not '\(text.excerpt)'")
            }
            number = value
        case .boolean, .nested: throw invalid(field, "must be a number")
        }
        guard number.isFinite, number >= 0 else {
            throw invalid(field, "must be a number from 0, not \(number)")
        }
        return .value(number)
    }

    /// Returns the amount that a day needs, which is more than 0.
    ///
    /// - Throws: `field-invalid` if the value is not such a number.
    func targetAmount() throws(HabitError) -> FieldInput<Double> {
        let amount = try amount(.targetAmount)
        guard amount.value != 0 else {
            throw invalid(.targetAmount, "must be more than 0")
        }
        return amount
    }

    /// Returns a whole number in the range of the field.
    ///
    /// - Throws: `field-invalid` if the value is not such a number.
    func integer(_ field: Field) throws(HabitError) -> FieldInput<Int> {
        try token(field).map { (text: String) throws(HabitError) in
            guard let number = Int(text) else {
                throw invalid(field, "must be a whole number, not '\(text.excerpt)'")
            }
            return try field.check(number, in: kind)
        }
    }

    /// Returns a time on a clock.
    ///
    /// - Throws: `field-invalid` if the value is not such a time.
    func timeOfDay(_ field: Field) throws(HabitError) -> FieldInput<TimeOfDay> {
        try token(field).map { (text: String) throws(HabitError) in
            guard let time = TimeOfDay(text) else {
                throw invalid(field, "must be a time such as 07:30, not '\(text.excerpt)'")
            }
            return time
        }
    }

    /// Returns the symbol of a habit.
    ///
    /// - Throws: The errors of ``HabitModel/HabitSymbol/check(_:)``.
    func symbol() throws(HabitError) -> FieldInput<String> {
        try token(.symbol).map { (text: String) throws(HabitError) in
            try HabitSymbol.check(text)
        }
    }

    /// Returns a UTC offset, positive east of Greenwich, or `nil` if the field is unset.
    ///
    /// The field contains an offset such as `+01:00`, `Z`, or a number of minutes.
    func offset(_ field: Field) throws(HabitError) -> UTCOffset? {
        guard let text = try token(field).value else { return nil }
        if let offset = UTCOffset(text) {
            return offset
        }
        guard let minutes = Int16(text),
            abs(Int(minutes)) < 24 * 60
        else {
            throw invalid(
                field, "must be an offset such as +01:00 or a number of minutes, not '\(text.excerpt)'")
        }
        return UTCOffset(minutes: minutes)
    }

    /// Returns the position in `longitude` and `latitude`, in degrees.
    ///
    /// - Throws: `position-invalid` if only one coordinate has a value or a coordinate is out of range.
    func position() throws(HabitError) -> FieldInput<Position> {
        let longitude = try degrees(.longitude, .longitude)
        let latitude = try degrees(.latitude, .latitude)
        switch (longitude, latitude) {
        case (.absent, .absent): return .absent
        case (.value(let longitude), .value(let latitude)):
            guard (-90...90).contains(latitude) else {
                throw HabitError(
                    .positionInvalid,
                    "the latitude \(latitude) is not between -90 and 90",
                    field: Field.latitude.name)
            }
            guard let position = Position(longitude: longitude, latitude: latitude) else {
                throw HabitError(
                    .positionInvalid,
                    "the longitude \(longitude) is not between -180 and 180",
                    field: Field.longitude.name)
            }
            return .value(position)
        case (.value, _):
            throw HabitError(
                .positionInvalid,
                "the record has a longitude but no latitude: add the latitude",
                field: Field.latitude.name)
        case (_, .value):
            throw HabitError(
                .positionInvalid,
                "the record has a latitude but no longitude: add the longitude",
                field: Field.longitude.name)
        default: return .null
        }
    }

    private func degrees(_ field: Field, _ axis: Position.Axis) throws(HabitError) -> FieldInput<
        Double
    > {
        switch self[field] {
        case .absent: return .absent
        case .null, .text(""): return .null
        case .number(let value): return .value(value)
        case .integer(let value):
            let degrees = Position.degrees(String(value), axis: axis)
            return .value(degrees ?? .nan)
        case .text(let text):
            guard let value = Position.degrees(text, axis: axis) else {
                throw HabitError(
                    .positionInvalid,
                    "'\(text.excerpt)' is not a coordinate: write a number of degrees",
                    field: field.name)
            }
            return .value(value)
        case .boolean, .nested:
            throw HabitError(
                .positionInvalid,
                "the \(field.name) must be a number of degrees",
                field: field.name)
        }
    }

    func invalid(_ field: Field, _ what: String) -> HabitError {
        HabitError(.fieldInvalid, "the \(field.name) \(what)", field: field.name)
    }
}
