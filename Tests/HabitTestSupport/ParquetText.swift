import Foundation

/// The content of Parquet files as text.
public enum ParquetText {
    /// The path of DuckDB's command line, which `.ci/install for-tests` installs.
    public static let duckdb = Program.repository + "/.build/python/bin/duckdb"

    /// Whether the bytes are the beginning of a Parquet file.
    static func isParquet(_ bytes: Data) -> Bool { bytes.starts(with: Data("PAR1".utf8)) }

    /// Returns the names and types of the columns of a file, and its rows as CSV, as DuckDB reads them.
    public static func text(of path: String) async throws -> String {
        let rows = "FROM read_parquet('\(path)')"
        return try await query("SELECT column_name || ' ' || column_type AS columns FROM (DESCRIBE \(rows)); \(rows)")
    }

    /// Returns the results of SQL statements as CSV, with `NULL` for nulls and instants in UTC.
    public static func query(_ sql: String, in folder: String = "/") async throws -> String {
        guard FileManager.default.isExecutableFile(atPath: duckdb) else {
            throw CocoaError(
                .fileNoSuchFile, userInfo: [NSLocalizedDescriptionKey: "\(duckdb) does not exist: make test creates it"]
            )
        }
        let result = try await Program.run(
            duckdb, ["-init", "/dev/null", "-csv", "-c", "SET TimeZone = 'UTC'; \(sql)"], in: folder)
        guard result.status == 0 else {
            throw CocoaError(.fileReadCorruptFile, userInfo: [NSLocalizedDescriptionKey: result.errors])
        }
        return result.output
    }
}
