import Foundation
import HabitTestSupport
import Testing

/// Tests that the documented statements add a Parquet file to a table in DuckLake.
@Suite(.engineIndependent, .enabled(if: DuckLake.isInstalled, "the extensions of DuckDB are not installed"))
struct DuckLakeTests {
    /// Returns the documented statements.
    private static func statements() throws -> [String] {
        let page = try String(contentsOfFile: Program.repository + "/docs/parquet.md", encoding: .utf8)
        let section = try #require(page.components(separatedBy: "## A table in DuckLake\n").last)
        let block = try #require(section.components(separatedBy: "```sql\n").dropFirst().first)
        let code = try #require(block.components(separatedBy: "```").first)
        return code.split(separator: "\n").map(String.init)
    }

    @Test func documentedStatementsAddFileToTable() async throws {
        let folder = try TemporaryFolder()
        let export = try await Program.habitat(
            "history", "--output", folder.file("events.parquet"), in: try SampleData.folder())
        #expect(export.status == 0, "\(export.errors)")
        let statements = try Self.statements()
        #expect(statements.count == 5)
        let sql = DuckLake.load + statements.joined()
        let result = try await ParquetText.query(sql, in: folder.path)
        #expect(result.contains("2,{tables_inserted_into=[1]}"), "\(result)")
        #expect(result.contains("Read 20 pages,"), "\(result)")
        // A later process reads the table, and its catalog has the box of the geometries.
        let attach = DuckLake.load + statements[0]
        let count = try await ParquetText.query(attach + "SELECT count(*) FROM lake.events;", in: folder.path)
        #expect(count.hasSuffix("\n4990\n"), "\(count)")
        let box = "POLYGON((-9.3 38.6, -9.0 38.6, -9.0 38.9, -9.3 38.9, -9.3 38.6))"
        let inside = "FROM lake.events WHERE geometry && '\(box)'::GEOMETRY"
        let found = try await ParquetText.query(attach + "SELECT count(*) > 0 \(inside);", in: folder.path)
        #expect(found.hasSuffix("\ntrue\n"), "\(found)")
        let statistics = "SELECT extra_stats FROM __ducklake_metadata_lake.ducklake_file_column_stats"
        let catalog = try await ParquetText.query(
            attach + "\(statistics) WHERE extra_stats IS NOT NULL;", in: folder.path)
        #expect(catalog.contains("point"), "\(catalog)")
        #expect(catalog.contains("xmin"), "\(catalog)")
    }
}

/// The extensions of DuckDB for DuckLake, which `.ci/install for-tests` installs.
private enum DuckLake {
    /// The paths of the extensions, or fewer than two if they are not installed.
    private static let paths: [String] = {
        let libraries = Program.repository + "/.build/python/lib"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: libraries)) ?? []
        let candidates = names.flatMap { name in
            ["ducklake", "sqlite_scanner"].map { extensionName in
                let package = "\(libraries)/\(name)/site-packages/duckdb_extension_\(extensionName)"
                return "\(package)/extensions/v1.5.5/\(extensionName).duckdb_extension"
            }
        }
        return candidates.filter { path in FileManager.default.fileExists(atPath: path) }
    }()

    static let isInstalled = paths.count == 2

    /// The statements that load the extensions without a download.
    static let load = paths.map { path in "LOAD '\(path)'; " }.joined()
}
