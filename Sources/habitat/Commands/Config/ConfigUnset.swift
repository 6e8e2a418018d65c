import ArgumentParser
import HabitModel

struct ConfigUnset: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "unset", abstract: "Remove a value from the configuration file.",
        discussion: """
            The command also removes an unknown key.

            Example:
              habitat config unset user
            """)

    @Argument(
        help: ArgumentHelp("Name of the key, such as user or places.home.", valueName: "key"),
        completion: .list(ConfigurationKey.suggested))
    var key: String
    @OptionGroup(title: OutputOptions.title) var output: OutputOptions
    @OptionGroup var reports: ReportOptions
    @OptionGroup(title: CommonOptions.title) var common: CommonOptions

    func run() throws {
        try output.refuseExplanation()
        let path = try ConfigurationRows.requiredPath()
        try ConfigurationFile.change(key, to: nil, in: path)
        let changed = Configuration(
            environment: Configuration.processEnvironment, file: (try? ConfigurationFile.read(path)) ?? nil)
        let rows = ConfigurationRows(changed, options: common, reports: reports)
        try output.show([rows.row(named: key)], common, single: true)
    }
}
