import StoreEngine

/// A value that is made at its first use.
///
/// A write of one record then compiles only the statements that this record needs.
final class OnDemand<Value> {
    private let make: () throws -> Value
    /// The value, or `nil` if nothing has used it.
    private(set) var made: Value?

    /// Creates a value that does not exist yet.
    ///
    /// - Parameter make: A closure that makes the value.
    init(_ make: @escaping () throws -> Value) {
        self.make = make
    }

    /// Returns the value, and makes it at the first call.
    ///
    /// - Throws: The error of the closure that makes the value.
    func value() throws -> Value {
        if let made { return made }
        let value = try make()
        made = value
        return value
    }
}

extension Session {
    /// Returns a statement that is compiled at its first use.
    func onDemand(_ sql: String) -> OnDemand<any Statement> {
        OnDemand { try self.prepare(sql) }
    }
}
