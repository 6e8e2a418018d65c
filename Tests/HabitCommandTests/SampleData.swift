import Foundation
import HabitTestSupport
import Testing

/// The sample data in a store of its own, made once for all tests that only read it.
enum SampleData {
    static let now = "2026-11-20T20:00:00Z"

    private static let shared: Result<TemporaryFolder, any Error> = Result {
        let folder = try TemporaryFolder()
        let result = try Program.habitat("ingest", path, "--now", now, in: folder)
        guard result.status == 0 else { throw LoadFailure(result: result) }
        return folder
    }

    struct LoadFailure: Error { var result: ProgramResult }

    static var path: String { Program.repository + "/sample-data" }

    /// A folder with the sample data in `habitat.db`; not to be written to.
    static func folder() throws -> TemporaryFolder { try shared.get() }

    /// Runs a command that reads the sample data, on the day it ends.
    static func habitat(_ arguments: String...) throws -> ProgramResult { try habitat(arguments) }

    static func habitat(_ arguments: [String]) throws -> ProgramResult {
        try Program.habitat(["--now", now] + arguments, in: try folder())
    }
}

/// CSV as RFC 4180 has it, nil for an empty cell that is not quoted.
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
