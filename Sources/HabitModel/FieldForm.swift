/// The form of a field value in a request.
///
/// Input files allow additional forms.
public enum FieldForm: Equatable, Sendable {
    /// A string.
    case text
    /// A number in degrees on WGS 84.
    case longitude, latitude
    /// A calendar date (RFC 3339 `full-date`).
    case day
    /// An instant (RFC 3339 `date-time`).
    case instant
    /// A set of weekdays.
    case schedule
    /// A whole number from 1.
    case count
    /// A number from 0.
    case amount
    /// A whole number in a range.
    case integer(ClosedRange<Int>)
    /// A time on a clock, such as `07:30`.
    case timeOfDay
    /// An offset from UTC: `+01:00`, or a number of minutes.
    case offset
    /// The bytes of an image in base64.
    case photo
    /// A Boolean.
    case flag
    /// One of the given strings.
    case choice([String])
}
