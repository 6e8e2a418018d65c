import CPostgres
import Foundation
import HabitStore
import Synchronization
import Testing

/// The PostgreSQL server that HABITAT_TEST_SERVER names, on which a database then stands for each store's file: the same tests
/// are run on both engines.
public enum TestServer {
    /// Without a database.
    private static let url = ProcessInfo.processInfo.environment["HABITAT_TEST_SERVER"]

    public static var isUsed: Bool { url != nil }

    private struct Databases {
        /// By the paths of their stores.
        var names: [String: String] = [:]
        var count = 0
        /// Those whose folder is gone: somebody may still be connected.
        var unused: [String] = []

        mutating func removeUnused() {
            unused.removeAll { (try? execute("DROP DATABASE \($0)", in: "postgres")) != nil }
        }
    }

    private static let databases = Mutex(Databases())
    private static let template = "habitat_test_template"

    struct Failure: Error { var message: String }

    /// What the store goes by that is to be at `path`: the path, or the URL of a database of its own, which is empty at first.
    public static func store(at path: String) throws -> String {
        guard let url else { return path }
        return try databases.withLock { databases in
            if let name = databases.names[path] { return "\(url)/\(name)" }
            if databases.count == 0 { try makeTemplate() }
            databases.removeUnused()
            databases.count += 1
            let name = "habitat_test_\(ProcessInfo.processInfo.processIdentifier)_\(databases.count)"
            try execute("CREATE DATABASE \(name) TEMPLATE \(template)", in: "postgres")
            databases.names[path] = name
            return "\(url)/\(name)"
        }
    }

    /// Copies a store that nobody uses.
    public static func copyStore(at path: String, to copy: String) throws {
        guard let url else {
            try? FileManager.default.removeItem(atPath: copy)
            return try FileManager.default.copyItem(atPath: path, toPath: copy)
        }
        let original = try store(at: path).dropFirst(url.count + 1)
        let name = try store(at: copy).dropFirst(url.count + 1)
        try execute("DROP DATABASE \(name)", in: "postgres")
        try execute("CREATE DATABASE \(name) TEMPLATE \(original)", in: "postgres")
    }

    /// A store's file, or the number of the last change of the database.
    public static func state(ofStoreAt path: String) throws -> Data? {
        guard isUsed else { return FileManager.default.contents(atPath: path) }
        let engine = try StoreLocation(try store(at: path)).open(.read, wait: .zero)
        return Data(String(try engine.dataVersion()).utf8)
    }

    /// Holds the lock of a store's writers until `body` has ended, and writes what a statement says.
    public static func locked<Result>(
        storeAt path: String, while statement: String, _ body: () throws -> Result
    ) throws -> Result {
        let connection = PQconnectdb(try store(at: path))
        defer { PQfinish(connection) }
        for sql in ["BEGIN", "SELECT pg_advisory_xact_lock(1212236372)", "SET search_path TO habitat", statement] {
            PQclear(PQexec(connection, sql))
        }
        defer { PQclear(PQexec(connection, "COMMIT")) }
        return try body()
    }

    /// Removes the databases of the stores in a folder.
    static func remove(under folder: String) {
        databases.withLock { databases in
            for (path, name) in databases.names where path.hasPrefix(folder + "/") {
                databases.names[path] = nil
                databases.unused.append(name)
            }
        }
    }

    /// With what a server's administrator adds to a database.
    private static func makeTemplate() throws {
        do { try execute("CREATE DATABASE \(template)", in: "postgres") } catch is Failure {}
        try execute("CREATE EXTENSION IF NOT EXISTS postgis; CREATE EXTENSION IF NOT EXISTS pg_trgm", in: template)
    }

    /// Runs SQL in a database, past all that the program does.
    public static func execute(_ sql: String, in database: String) throws {
        let connection = PQconnectdb("\(url ?? "")/\(database)")
        defer { PQfinish(connection) }
        let result = PQexec(connection, sql)
        defer { PQclear(result) }
        guard [PGRES_COMMAND_OK, PGRES_TUPLES_OK].contains(PQresultStatus(result)) else {
            throw Failure(message: String(cString: PQerrorMessage(connection)))
        }
    }
}

extension Trait where Self == ConditionTrait {
    /// What only a store in a file has.
    public static var onFilesAlone: Self { .disabled(if: TestServer.isUsed, "a database is no file") }

    /// What only a database has.
    public static var onServersAlone: Self { .enabled(if: TestServer.isUsed, "a file has no server") }
}
