/// A field's value as the input has it, before any rule of the domain is applied.
public enum RawValue: Sendable, Equatable {
    /// Not in this record.
    case absent
    /// JSON's null; an empty cell without quotes.
    case null
    /// A string; every filled cell of a CSV file; a flat list of strings and integers, joined by spaces.
    case text(String)
    case integer(Int64)
    /// Always finite.
    case number(Double)
    case boolean(Bool)
    /// An object, or a list that is not flat.
    case nested
}
