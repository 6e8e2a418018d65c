import Base
import HabitModel
import StoreEngine
import StorePostGIS

extension AnalystLogin {
    /// Creates the login that the user or the environment of the program specifies.
    ///
    /// The option of the user takes precedence. The result is `nil` if neither is set, or if the store is a file and
    /// only the environment specifies a login.
    ///
    /// - Parameters:
    ///   - option: The URL that the user specifies for this command, or `nil`.
    ///   - environment: The URL in the environment of the program, or `nil`. An empty text has no effect.
    ///   - location: The location of the store.
    /// - Throws: `usage` if the value is not the URL of a database, or if the option is set for a store in a file.
    public init?(option: String?, environment: String?, for location: StoreLocation) throws {
        guard let named = option ?? environment, !named.isEmpty || option != nil else { return nil }
        guard case .database = StoreLocation(named) else {
            throw HabitError(
                .usage, "the analyst store is not a PostgreSQL URL: write postgresql://role@host/database",
                field: "analyst-store")
        }
        guard case .database = location else {
            guard option == nil else {
                throw HabitError(
                    .usage, "a store in a file has no analyst store", field: "analyst-store", .omit(.analystStore))
            }
            return nil
        }
        self.init(url: named)
    }
}
