import HabitTestSupport
import StoreEngine
import Testing

/// Tests that user-supplied SQL cannot exhaust memory.
@Suite(.fileStoreOnly) struct QueryMemoryTests {
    private static func rows(_ count: Int) -> String {
        "(WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(count)) SELECT i FROM n)"
    }

    /// Returns a `SELECT` with thirty columns.
    private static func selectOfThirtyColumns(_ expression: String, from source: String = "") -> String {
        let columns: [String] = (0..<30).map { number in "\(expression) AS a\(number)" }
        return "SELECT \(columns.joined(separator: ", ")) \(source)"
    }

    /// An SQL expression for a text of 20,000 characters that repeats `1,`.
    private static let repeatedOnes = "replace(printf('%.*c', 10000, 'x'), 'x', '1,')"

    private static let oversizedQueries: [String] = [
        "SELECT json_group_array(printf('%.*c', 1000000, 'x')) AS a FROM \(rows(3000))",
        "SELECT json_group_object(i, printf('%.*c', 1000000, 'x')) AS a FROM \(rows(3000))",
        "SELECT json_group_array(printf('%.*c', 1000000, 'x')) OVER () AS a FROM \(rows(3000))",
        // The error ends the transaction of a query over the views.
        "SELECT json_group_array(id || printf('%.*c', 1000000, 'x')) AS a FROM users, \(rows(3000))",
        selectOfThirtyColumns("group_concat(printf('%.*c', 1000000, 'x'))", from: "FROM \(rows(60))"),
        selectOfThirtyColumns("replace(printf('%.*c', 1000, 'x'), 'x', printf('%.*c', 60000, 'x'))"),
        "SELECT json_array_length('[' || replace(printf('%.*c', 3000, 'x'), 'x', printf('%.*s', 20000, \(repeatedOnes))) || '1]') AS a",
    ]

    @Test(arguments: oversizedQueries) func memoryOfQueryIsBounded(sql: String) async throws {
        let folder = try TemporaryFolder()
        #expect(try await Program.habitat("init", in: folder).status == 0)
        #expect(try await Program.habitat("user", "add", "u", in: folder).status == 0)
        let script = """
            import resource, subprocess, sys
            result = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
            print(result.returncode, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024, result.stderr.decode())
            """
        let result = try await Program.run(
            "/usr/bin/python3", ["-c", script, Program.habitat, "query", sql], in: folder.path)
        let words = result.output.split(separator: " ", maxSplits: 2).map(String.init)
        try #require(words.count == 3, "\(result)")
        try #require(words[0] == "65", "\(result.output)")
        #expect(words[2].hasPrefix("error[report-invalid]: the SQL"), "\(result.output)")
        #expect(words[2].contains("256 MiB of memory"), "\(result.output)")
        #expect(Int(words[1]).map { $0 < 500 } == true, "\(words[1]) MiB")
    }

    @Test func largeAggregateWithinLimitIsComputed() async throws {
        let folder = try TemporaryFolder()
        #expect(try await Program.habitat("init", in: folder).status == 0)
        let result = try await Program.habitat(
            "query", "SELECT length(json_group_array(printf('%.*c', 1000000, 'x'))) AS n FROM \(Self.rows(30))",
            "--format", "csv", in: folder)
        #expect(result.output == "n\n30000091\n", "\(result)")
    }
}
