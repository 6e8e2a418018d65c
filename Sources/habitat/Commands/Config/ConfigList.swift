import ArgumentParser
import HabitModel

struct ConfigList: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the configuration and the source of each value.",
        discussion: """
            The column 'from' is 'option', the name of an environment variable, the path of the configuration file, or \
            'default'. If the file is invalid, a notice reports the problem, and its values are omitted.

            Example:
              habitat config list --format json
            """)

    @OptionGroup(title: OutputOptions.title) var output: OutputOptions
    @OptionGroup var reports: ReportOptions
    @OptionGroup(title: CommonOptions.title) var common: CommonOptions

    func run() throws {
        try output.refuseExplanation()
        let configuration: Configuration
        switch Configuration.current {
        case .success(let current): configuration = current
        case .failure(let error):
            common.report.write(error)
            configuration = .withoutFile
        }
        let rows = ConfigurationRows(configuration, options: common, reports: reports)
        try output.show(rows.all, common)
    }
}
