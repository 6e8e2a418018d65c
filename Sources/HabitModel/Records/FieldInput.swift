/// The input for an optional field of a record: omitted, cleared or set.
public enum FieldInput<Value> {
    /// The field is omitted. The stored value is unchanged.
    case absent
    /// The field is cleared.
    case null
    /// The field is set.
    case value(Value)

    /// The value if the field is set, otherwise `nil`.
    public var value: Value? {
        if case .value(let value) = self { value } else { nil }
    }

    /// Returns the input with its value transformed.
    ///
    /// - Parameter transform: A closure that is called only if the field is set.
    /// - Returns: The transformed value, or `absent` or `null` unchanged.
    /// - Throws: The error of `transform`.
    public func map<T, E>(_ transform: (Value) throws(E) -> T) throws(E) -> FieldInput<T> {
        switch self {
        case .absent: .absent
        case .null: .null
        case .value(let value): .value(try transform(value))
        }
    }
}

extension FieldInput {
    /// The input with `null` instead of `absent`.
    public var orNull: FieldInput { if case .absent = self { .null } else { self } }
}

extension FieldInput: Sendable where Value: Sendable {}
extension FieldInput: Equatable where Value: Equatable {}
