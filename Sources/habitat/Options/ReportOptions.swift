import ArgumentParser
import Foundation
import HabitReport

/// Where reports are looked for.
struct ReportOptions: ParsableArguments {
    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            "A folder of your own reports, before the shipped ones; repeatable (default: HABITAT_REPORTS, separated by colons).",
            valueName: "folder"))
    var reports: [String] = []

    /// One's own folders, in order.
    var folders: [String] {
        guard reports.isEmpty else { return reports }
        let named = ProcessInfo.processInfo.environment["HABITAT_REPORTS"] ?? ""
        return named.split(separator: ":").map(String.init)
    }

    func catalog() throws -> ReportCatalog { try ReportCatalog(folders: folders) }
}
