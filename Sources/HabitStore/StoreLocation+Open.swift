import HabitModel
import StoreEngine
import StorePostGIS
import StoreSpatiaLite

extension StoreLocation {
    /// Opens the store.
    ///
    /// - Parameters:
    ///   - access: The purpose of the connection.
    ///   - wait: The maximum time that a writer waits for another writer.
    ///   - analyst: The login of a database that runs user-supplied SQL, or `nil`. A file does not need one.
    /// - Returns: An engine for the store.
    /// - Throws: An engine error, such as `store-unavailable` or `store-not-habitat`.
    public func open(_ access: StoreAccess, wait: Duration, analyst: AnalystLogin? = nil) throws -> any Engine {
        switch self {
        case .file(let path): try SpatiaLiteEngine(path: path, access: access, wait: wait, schema: .spatiaLite)
        case .database(let url):
            try PostGISEngine(
                url: url, access: access, wait: wait, schema: .postGIS, analyst: analyst)
        }
    }

    /// Opens the store to examine it, also if its schema contains objects with which it is otherwise refused.
    ///
    /// - Parameter wait: The maximum time to wait for another process.
    /// - Returns: An engine that reads.
    /// - Throws: An engine error, such as `store-unavailable` or `store-not-habitat`.
    public func openForExamination(wait: Duration) throws -> any Engine {
        guard case .file(let path) = self else { return try open(.read, wait: wait) }
        return try SpatiaLiteEngine(path: path, access: .read, wait: wait, schema: .spatiaLite, isExamined: true)
    }

    /// Returns the statements that an administrator must run before the analyst's login can run user-supplied SQL.
    ///
    /// - Parameter analyst: The login that runs user-supplied SQL.
    /// - Returns: The missing statements in their order. The list is empty for a store in a file.
    /// - Throws: `store-unavailable` if the store cannot be reached or the URL does not name a role.
    public func openStatements(for analyst: AnalystLogin) throws -> [String] {
        guard case .database(let url) = self else { return [] }
        return try PostGISEngine.openStatements(for: analyst, at: url, schema: .postGIS)
    }

    /// Opens the store for a process that runs user-supplied SQL.
    ///
    /// If the store is a file, this method limits the memory of SQLite in the process to 256 MiB. Call it before the
    /// process opens any other store.
    ///
    /// - Parameters:
    ///   - wait: The maximum time to wait for another process.
    ///   - analyst: The login of a database that runs user-supplied SQL, or `nil`.
    /// - Returns: An engine that reads.
    /// - Throws: The errors of ``open(_:wait:analyst:)``.
    public func openForAnalysis(wait: Duration, analyst: AnalystLogin?) throws -> any Engine {
        if case .file = self { SpatiaLiteConnection.limitMemory() }
        return try open(.read, wait: wait, analyst: analyst)
    }
}
