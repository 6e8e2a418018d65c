import Foundation
import HabitTestSupport
import Testing

/// Tests that `history --users FILE` and `--terms FILE` return the rows of the single queries in order.
@Suite struct BatchQueryTests {
    /// Runs `history` on the sample data.
    private static func runHistory(_ arguments: [String], in folder: TemporaryFolder) async throws -> ProgramResult {
        let format = arguments.contains("--format") ? [] : ["--format", "csv"]
        return try await SampleData.habitat(["history"] + format + arguments, in: folder)
    }

    /// Returns the rows of the single queries, each with its query in the first column.
    private func expected(
        _ name: String, for queries: [String], in folder: TemporaryFolder, _ arguments: (String) -> [String]
    ) async throws -> [[String?]] {
        var rows: [[String?]] = []
        for query in queries {
            let result = try await Self.runHistory(arguments(query), in: folder)
            try #require(result.status == 0, "\(result.errors)")
            let own = parseCSV(result.output)
            if rows.isEmpty { rows.append([name] + own[0]) }
            rows += own.dropFirst().map { [query] + $0 }
        }
        return rows
    }

    @Test func usersFileReturnsRowsOfSingleQueries() async throws {
        let folder = try TemporaryFolder()
        let users = ["alice", "bruno", "alice", "carla"]
        try folder.write("\u{FEFF}alice\r\nbruno\n\nalice\ncarla", to: "users.txt")
        for scope in ["friends", "mine", "all"] {
            let single = try await expected("viewer", for: users, in: folder) {
                ["--as", $0, "--scope", scope, "--limit", "40"]
            }
            let batch = try await Self.runHistory(
                ["--users", "users.txt", "--scope", scope, "--limit", "40"], in: folder)
            #expect(batch.status == 0, "\(scope): \(batch.errors)")
            #expect(parseCSV(batch.output) == single, "\(scope): \(batch.errors)")
            #expect(single.count > 10)
        }
        let single = try await expected("viewer", for: users, in: folder) { ["--as", $0, "--scope", "friends"] }
        let batch = try await Self.runHistory(["--users", "users.txt", "--scope", "friends"], in: folder)
        #expect(batch.status == 0, "\(batch.errors)")
        #expect(parseCSV(batch.output) == single, "\(batch.errors)")
        #expect(single.count > 10, "\(batch.errors)")
    }

    @Test func termsFileReturnsRowsOfSingleQueries() async throws {
        let folder = try TemporaryFolder()
        let terms = ["chuva", "a", "いい", "CHUVA", "zzz", "é"]
        try folder.write(terms.joined(separator: "\n") + "\n", to: "terms.txt")
        for others in [[], ["--columns", "id,day"], ["--as", "alice", "--columns", "comment,title"]] {
            let single = try await expected("term", for: terms, in: folder) { ["--comment", $0] + others }
            var columns = others
            if let index = others.firstIndex(of: "--columns") { columns[index + 1] = "term," + others[index + 1] }
            let batch = try await Self.runHistory(["--terms", "terms.txt"] + columns, in: folder)
            #expect(batch.status == 0, "\(others): \(batch.errors)")
            #expect(parseCSV(batch.output) == single, "\(others): \(batch.errors)")
            #expect(single.count > 10)
        }
    }

    /// A truncated file causes a signal, because the store is memory-mapped and no read call can fail.
    @Test(.fileStoreOnly, arguments: [[], ["--errors", "json"]])
    func commandFailsWhenStoreIsTruncatedDuringQuery(options: [String]) async throws {
        let folder = try TemporaryFolder()
        try await folder.write(
            Data(contentsOf: URL(fileURLWithPath: SampleData.folder().file("habitat.db"))), to: "habitat.db")
        try folder.write(String(repeating: "a\n", count: 500), to: "terms.txt")
        try #require(mkfifo(folder.file("pipe"), 0o600) == 0)
        let arguments = ["history", "--terms", "terms.txt", "--format", "csv"] + options
        let command = "exec '\(Program.habitat)' \(arguments.joined(separator: " ")) >pipe"
        let scratch = try TemporaryFolder()
        let process = try Program.start("/bin/sh", ["-c", command], in: folder.path, scratch: scratch)
        // The output is larger than the pipe's buffer, so the program blocks before it has written all rows.
        let output = try #require(FileHandle(forReadingAtPath: folder.file("pipe")))
        #expect(try output.read(upToCount: 100)?.count == 100)
        try #require(truncate(folder.file("habitat.db"), 8192) == 0)
        _ = try output.readToEnd()
        #expect(await process.end() == .exit(74))
        let errorText = try scratch.read("stderr")
        #expect(
            errorText.hasPrefix(options.isEmpty ? "error[input-unreadable]: a file" : "{\"error\":\"input-unreadable\"")
        )
        #expect(errorText.hasSuffix("\n"), "\(errorText)")
        #expect(errorText.contains("habitat doctor"), "\(errorText)")
    }

    /// Each column and each pair of columns have the values of the full output.
    @Test func anyTwoColumnsMatchFullOutput() async throws {
        let folder = try TemporaryFolder()
        try folder.write("chuva\na\n", to: "terms.txt")
        try folder.write("id,latitude,longitude\nhome,38.7223,-9.1393\n", to: "centers.csv")
        let store = try await SampleData.folder().file("habitat.db")
        for command in [
            ["history", "--terms", "terms.txt", "--limit", "50"], ["history", "--comment", "chuva"],
            ["near", "38.7223,-9.1393", "--within", "20km"], ["near", "--centers", "centers.csv", "--nearest", "30"],
            ["near", "--centers", "centers.csv", "--nearest", "30", "--sort", "newest"],
        ] {
            let arguments = command + ["--store", store, "--format", "csv", "--now", SampleData.now]
            let all = parseCSV(try await Program.habitat(arguments, in: folder).output)
            let names = try #require(all.first).map { $0 ?? "" }
            #expect(all.count > 20, "\(command)")
            #expect(names.count >= 12, "\(command)")
            for (index, name) in names.enumerated() {
                let other = (index + 5) % names.count
                let two = try await Program.habitat(arguments + ["--columns", "\(name),\(names[other])"], in: folder)
                #expect(
                    parseCSV(two.output) == all.map { [$0[index], $0[other]] }, "\(command) \(name): \(two.errors)")
            }
            for wrong in ["id,nothing", "id,day,id", ""] {
                let refused = try await Program.habitat(arguments + ["--columns", wrong], in: folder)
                #expect(refused.errors.contains("columns once: \(names.joined(separator: ", "))"), "\(refused.errors)")
            }
        }
    }

    @Test func featureContainsItsViewer() async throws {
        let folder = try TemporaryFolder()
        try folder.write("alice\n", to: "users.txt")
        let result = try await Self.runHistory(
            ["--users", "users.txt", "--scope", "friends", "--format", "geojson", "--limit", "1"], in: folder)
        #expect(result.output.contains(#""properties":{"viewer":"alice","#), "\(result)")
        #expect(result.output.contains(#"{"type":"Feature","id":"alice/"#), "\(result)")
    }

    @Test func invalidBatchQueryIsRefused() async throws {
        let folder = try TemporaryFolder()
        try folder.write("alice\nnobody\n", to: "users.txt")
        try folder.write("", to: "empty.txt")
        try folder.write(Data([0x61, 0xFF]), to: "latin.txt")
        let refused: [(arguments: [String], code: String, words: String)] = [
            (["--users", "users.txt"], "not-signed-in", "users.txt:2"),
            (["--users", "users.txt", "--as", "alice"], "operator-only", "omit --as and HABITAT_USER"),
            (["--users", "users.txt", "--terms", "empty.txt"], "usage", "mutually exclusive"),
            (["--terms", "empty.txt", "--comment", "x"], "usage", "mutually exclusive"),
            (["--terms", "empty.txt", "--explain"], "usage", "one query"),
            (["--terms", "latin.txt"], "encoding-invalid", "UTF-8"),
            (["--terms", "none.txt"], "input-not-found", "none.txt"),
            (["--terms", "users.txt", "--output", "users.txt"], "output-exists", "users.txt"),
        ]
        for (arguments, code, words) in refused {
            let result = try await Self.runHistory(arguments, in: folder)
            #expect(result.status != 0, "\(result)")
            #expect(result.errors.contains(code), "\(result)")
            #expect(result.errors.contains(words), "\(result)")
        }
        let empty = try await Self.runHistory(["--terms", "empty.txt", "--columns", "term,id"], in: folder)
        #expect(empty.status == 0, "\(empty)")
        #expect(empty.output == "term,id\n", "\(empty)")
    }

    /// The rows are the same in every sort order.
    @Test func storedOrderReturnsSameRows() async throws {
        let folder = try TemporaryFolder()
        let newest = try await Self.runHistory([], in: folder).lines
        let stored = try await Self.runHistory(["--sort", "stored"], in: folder).lines
        #expect(newest != stored)
        #expect(newest.sorted() == stored.sorted())
        #expect(newest.count > 4000)
    }
}
