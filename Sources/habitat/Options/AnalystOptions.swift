import ArgumentParser
import Foundation
import HabitModel
import HabitStore
import StoreEngine
import StorePostGIS

/// The login that runs user-supplied SQL on a PostgreSQL store.
struct AnalystOptions: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "URL of the login that runs user-supplied SQL on a PostgreSQL store (default: HABITAT_ANALYST_STORE).",
            valueName: "url"
        ), completion: .anyText)
    var analystStore: String?

    /// The value of the environment variable that replaces an omitted option.
    static var environment: String? { Configuration.processEnvironment["HABITAT_ANALYST_STORE"] }
}

extension AnalystLogin {
    /// Creates the login that the option or the environment variable specifies.
    ///
    /// - Parameters:
    ///   - analyst: The options of the command, or `nil` if the command does not have them.
    ///   - location: The location of the store.
    /// - Throws: `usage` as ``init(option:environment:for:)``.
    init?(_ analyst: AnalystOptions?, for location: StoreLocation) throws {
        try self.init(option: analyst?.analystStore, environment: AnalystOptions.environment, for: location)
    }
}

extension CommonOptions {
    /// Opens the store for user-supplied SQL, with limited memory and the analyst's login.
    ///
    /// - Throws: The errors of ``open(_:analyst:)``.
    func openForAnalysis(_ analyst: AnalystOptions) throws -> any Engine {
        try checkDefaultStore()
        let location = try storeLocation()
        return try location.openForAnalysis(
            wait: try waitTime(), analyst: try AnalystLogin(analyst, for: location))
    }

    /// Opens the store with the analyst's login.
    ///
    /// - Parameters:
    ///   - access: The purpose of the connection.
    ///   - analyst: The options of the command, or `nil` if the command does not have them and uses
    ///     `HABITAT_ANALYST_STORE`.
    /// - Returns: An engine for the store.
    /// - Throws: `usage` if the option is given for a store in a file or is not the URL of a database, and the errors
    ///   of opening the store.
    func open(_ access: StoreAccess, analyst: AnalystOptions?) throws -> any Engine {
        if access != .create { try checkDefaultStore() }
        let location = try storeLocation()
        let login = try AnalystLogin(analyst, for: location)
        return try location.open(access, wait: try waitTime(), analyst: login)
    }
}
