/// The value of a field in the input, before the rules of the field are applied.
public enum RawValue: Sendable, Equatable {
    /// The record does not contain the field.
    case absent
    /// JSON null, or an empty cell without quotes.
    case null
    /// A string, a CSV cell, or a flat list of strings and integers, joined by spaces.
    case text(String)
    /// A JSON integer in the range of 64-bit signed integers.
    case integer(Int64)
    /// Another JSON number, which is always finite.
    case number(Double)
    /// A JSON Boolean.
    case boolean(Bool)
    /// An object, or a list that is not flat.
    case nested
}
