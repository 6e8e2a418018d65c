import Foundation
import HabitModel
import HabitTestSupport
import Testing

@Suite struct ErrorTests {
    /// Only a front end names options, commands and environment variables; see ``Remedy``.
    @Test(arguments: ["Geo", "Photos", "HabitModel", "HabitStore", "HabitIngest", "HabitReport", "HabitServer"])
    func textsOfModuleNameNoOptionOrCommand(module: String) throws {
        // The header of a report file has an example in the form of the command line.
        let exempt = ["ReportKey.swift", "ReportSkeleton.swift", "AnalystStore.swift"]
        let folder = "\(Program.repository)/Sources/\(module)"
        let files = try #require(FileManager.default.enumerator(atPath: folder)).compactMap { $0 as? String }
            .filter { $0.hasSuffix(".swift") && !exempt.contains(($0 as NSString).lastPathComponent) }
        try #require(!files.isEmpty)
        for file in files {
            let text = try String(contentsOfFile: "\(folder)/\(file)", encoding: .utf8)
            for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
            where !line.contains(/^ *\/\//) && line.contains("\"") {
                let isNamed = line.contains(/[ '"]--[a-z]{3,}(?![a-z]*:)|'habitat [a-z]|\bHABITAT_(?!JSON)[A-Z_]+/)
                #expect(!isNamed, "\(module)/\(file):\(number + 1): \(line)")
            }
        }
    }

    @Test func remediesOfOneErrorAreAlternatives() {
        let error = HabitError(.busy, "the store is busy", .advice("try again"), .give(.wait), .advice("stop the load"))
        #expect(error.plainText == "the store is busy: try again, or stop the load")
        #expect(error.text { _ in nil } == "the store is busy")
    }
}
