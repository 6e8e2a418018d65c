/// The form in which a request writes the value of a field. Files may write it in other ways too.
public enum FieldForm: Equatable, Sendable {
    case text
    /// Degrees, WGS 84.
    case longitude, latitude
    /// A calendar date (RFC 3339 `full-date`).
    case day
    /// A point in time (RFC 3339 `date-time`).
    case instant
    /// A set of weekdays.
    case schedule
    /// The difference to UTC: `+01:00`, or minutes.
    case offset
    /// The bytes of an image as base64.
    case photo
    case flag
    /// One of these words.
    case choice([String])
}
