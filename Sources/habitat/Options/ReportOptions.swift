import ArgumentParser
import HabitReport

/// The option for the folders of custom reports.
struct ReportOptions: ParsableArguments {
    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            "Folder of custom reports, which override built-in reports; repeatable (default: HABITAT_REPORTS, separated by colons, then the configuration).",
            valueName: "folder"), completion: .directory)
    var reports: [String] = []

    /// The folders of custom reports, in the order of priority.
    var folders: [String] {
        get throws { try Configuration.current.get().reports(option: reports).value }
    }

    func catalog() throws -> ReportCatalog { try ReportCatalog(folders: try folders) }
}
