import Foundation
import HabitTestSupport
import Testing

/// A store with the sample data, created once for all tests that only read it.
enum SampleData {
    static let now = "2026-11-20T20:00:00Z"

    /// The store that other stores are copied from.
    ///
    /// No test reads it, because a server refuses to copy a database with sessions.
    private static let original = Task { () async throws -> TemporaryFolder in
        let folder = try TemporaryFolder()
        let result = try await Program.habitat("ingest", path, "--now", now, in: folder)
        guard result.status == 0 else { throw LoadFailure(result: result) }
        return folder
    }

    private static let shared = Task { () async throws -> TemporaryFolder in
        let folder = try TemporaryFolder()
        try await copy(to: folder.file("habitat.db"))
        return folder
    }

    struct LoadFailure: Error { var result: ProgramResult }

    static var path: String { Program.repository + "/sample-data" }

    /// Returns a folder with the sample data in `habitat.db`.
    ///
    /// Tests must not write to it.
    static func folder() async throws -> TemporaryFolder { try await shared.value }

    /// Copies the store with the sample data to a path, for a test that writes to it.
    static func copy(to path: String) async throws {
        try TestServer.copyStore(at: try await original.value.file("habitat.db"), to: path)
    }

    /// Runs a command on the sample data, on its last day.
    static func habitat(_ arguments: String...) async throws -> ProgramResult { try await habitat(arguments) }

    static func habitat(_ arguments: [String]) async throws -> ProgramResult {
        try await Program.habitat(["--now", now] + arguments, in: try folder())
    }

    /// Runs a command on the sample data in another folder, which contains its input and output files.
    static func habitat(
        _ arguments: [String], in folder: TemporaryFolder, now: String = now
    ) async throws -> ProgramResult {
        let store = try await Self.folder().file("habitat.db")
        return try await Program.habitat(arguments + ["--store", store, "--now", now], in: folder)
    }
}

/// Parses CSV as in RFC 4180.
///
/// An empty cell without quotes is `nil`.
func parseCSV(_ text: String) -> [[String?]] {
    var rows: [[String?]] = []
    var row: [String?] = []
    var cell = ""
    var quoted = false
    var wasQuoted = false
    var characters = text.unicodeScalars.makeIterator()
    var pending: Unicode.Scalar?
    func endCell() {
        row.append(cell.isEmpty && !wasQuoted ? nil : cell)
        cell = ""
        wasQuoted = false
    }
    while let scalar = pending ?? characters.next() {
        pending = nil
        switch scalar {
        case "\"" where quoted:
            let next = characters.next()
            if next == "\"" {
                cell.unicodeScalars.append("\"")
            } else {
                quoted = false
                pending = next
            }
        case "\"" where cell.isEmpty && !wasQuoted: (quoted, wasQuoted) = (true, true)
        case "," where !quoted: endCell()
        case "\n" where !quoted:
            endCell()
            rows.append(row)
            row = []
        default: cell.unicodeScalars.append(scalar)
        }
    }
    return rows
}
