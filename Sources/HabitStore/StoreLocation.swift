import HabitModel
import StoreEngine
import StorePostGIS
import StoreSpatiaLite

extension StoreLocation {
    /// Opens the store; a writer waits for another up to `wait`.
    ///
    /// - Parameter analyst: The login of a database that runs user-supplied SQL. A file needs none.
    public func open(_ access: StoreAccess, wait: Duration, analyst: AnalystStore? = nil) throws -> any Engine {
        switch self {
        case .file(let path): try SpatiaLiteEngine(path: path, access: access, wait: wait, schema: .spatiaLite)
        case .database(let url):
            try PostGISEngine(
                url: url, access: access, wait: wait, schema: .postGIS, analyst: analyst)
        }
    }

    /// The statements that an administrator still has to run before the analyst's login may run user-supplied SQL; none for a file.
    ///
    /// - Throws: `store-unavailable` if the store cannot be reached or the address names no role.
    public func openStatements(for analyst: AnalystStore) throws -> [String] {
        guard case .database(let url) = self else { return [] }
        return try PostGISEngine.openStatements(for: analyst, at: url)
    }

    /// Opens the store for a process that runs user-supplied SQL, whose memory is limited to 256 MiB on a file.
    ///
    /// Call this before any other store is opened in the process.
    /// - Parameter analyst: The login of a database that runs user-supplied SQL.
    public func openForAnalysis(wait: Duration, analyst: AnalystStore?) throws -> any Engine {
        if case .file = self { SpatiaLiteConnection.limitMemory() }
        return try open(.read, wait: wait, analyst: analyst)
    }
}
