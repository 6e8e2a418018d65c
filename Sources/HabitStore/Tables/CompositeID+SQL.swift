import Base

extension CompositeID {
    /// Returns an SQL expression for the ID whose two parts have these expressions.
    static func sql(_ first: String, _ second: String) -> String {
        "replace(replace(\(first), '%', '%25'), '/', '%2F') || '/' || \(second)"
    }
}
