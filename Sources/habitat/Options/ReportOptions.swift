import ArgumentParser
import CommandLineText
import HabitReport

/// The option for the folders of custom reports.
struct ReportOptions: ParsableArguments {
    @Option(
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            "Folder of custom reports, which override built-in reports; repeatable (default: HABITAT_REPORTS, separated by colons).",
            valueName: "folder"))
    var reports: [String] = []

    /// The folders of custom reports, in the order of priority.
    var folders: [String] { ReportFolders.folders(of: reports) }

    func catalog() throws -> ReportCatalog { try ReportCatalog(folders: folders) }
}
