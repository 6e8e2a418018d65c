import Base
import CSQLite
import StoreEngine

/// An SQL function whose result is a value that depends only on its arguments.
struct ValueFunction: Sendable {
    /// The values with which SQLite calls a function.
    struct Arguments {
        private let values: UnsafeMutablePointer<OpaquePointer?>?

        init(_ values: UnsafeMutablePointer<OpaquePointer?>?) { self.values = values }

        private func value(_ index: Int) -> OpaquePointer? { values?[index] }

        /// Returns the day in an argument, or `nil` if the argument is not a day.
        func day(_ index: Int) -> Day? {
            guard let text = SpatiaLiteValue.utf8(value(index)) else { return nil }
            return Day(utf8: text.span)
        }

        /// Returns the instant in an argument, or `nil` if the argument is not an instant.
        func instant(_ index: Int) -> OffsetInstant? {
            guard let text = SpatiaLiteValue.utf8(value(index)) else { return nil }
            return OffsetInstant(utf8: text.span)
        }

        /// Returns the integer in an argument, or `nil` if the argument is not an integer.
        func integer(_ index: Int) -> Int64? {
            guard sqlite3_value_type(value(index)) == SQLITE_INTEGER else { return nil }
            return sqlite3_value_int64(value(index))
        }
    }

    /// The name of the function.
    let name: String
    private let argumentCount: Int32
    private let result: @Sendable (Arguments) -> Value

    /// Creates a function.
    ///
    /// - Parameters:
    ///   - name: The name of the function.
    ///   - argumentCount: The number of its arguments.
    ///   - result: Returns the result.
    init(_ name: String, argumentCount: Int32, result: @escaping @Sendable (Arguments) -> Value) {
        self.name = name
        self.argumentCount = argumentCount
        self.result = result
    }

    /// Adds the function to a connection.
    func register(on connection: OpaquePointer) {
        let state = State(result)
        SQLFunctions.add(name, arguments: argumentCount, to: connection, with: state) { context, _, arguments in
            guard let state = sqlite3_user_data(context) else { return }
            let result = Unmanaged<State>.fromOpaque(state).takeUnretainedValue().result
            SpatiaLiteValue.set(context, result(Arguments(arguments)))
        }
    }

    /// The closure in an object, because a C function receives only a pointer.
    private final class State {
        let result: (Arguments) -> Value

        init(_ result: @escaping (Arguments) -> Value) { self.result = result }
    }
}
