import ArgumentParser
import HabitModel
import HabitStore
import StoreEngine
import StorePostGIS

/// The login that runs user-supplied SQL on a PostgreSQL store.
struct AnalystOptions: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "PostgreSQL only: the login that runs user-supplied SQL (default: HABITAT_ANALYST_STORE).", valueName: "url"
        ))
    var analystStore: String?
}

extension CommonOptions {
    /// Opens the store for user-supplied SQL, with bounded memory and the analyst's login.
    ///
    /// - Throws: as ``open(_:analyst:)``.
    func openForAnalysis(_ analyst: AnalystOptions) throws -> any Engine {
        let location = try storeLocation()
        return try location.openForAnalysis(
            wait: try waitTime(), analyst: try AnalystStore(option: analyst.analystStore, for: location))
    }

    /// Opens the store with the analyst's login.
    ///
    /// - Parameter analyst: nil for commands that do not have the option: `HABITAT_ANALYST_STORE` decides.
    /// - Throws: `usage` if the option is given and the store is a file, or is not an address of a database; what opening throws.
    func open(_ access: StoreAccess, analyst: AnalystOptions?) throws -> any Engine {
        let location = try storeLocation()
        let login = try AnalystStore(option: analyst?.analystStore, for: location)
        return try location.open(access, wait: try waitTime(), analyst: login)
    }
}
