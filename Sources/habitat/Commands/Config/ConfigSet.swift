import ArgumentParser
import Base
import HabitModel
import HabitStore
import StoreEngine

struct ConfigSet: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set", abstract: "Set a value in the configuration file.",
        discussion: """
            The keys are store, user, reports, color (auto, always or never), public-url and places.NAME. The value of reports is a \
            list of folders, separated by colons. Comments and the order of other lines are kept.

            Examples:
              habitat config set user ana
              habitat config set places.home 38.7223,-9.1393
            """)

    @Argument(
        help: ArgumentHelp("Name of the key, such as user or places.home.", valueName: "key"),
        completion: .list(ConfigurationKey.suggested))
    var key: String
    @Argument(help: ArgumentHelp("New value.", valueName: "value"), completion: .configurationValue)
    var value: String
    @OptionGroup(title: OutputOptions.title) var output: OutputOptions
    @OptionGroup(title: CommonOptions.title) var common: CommonOptions

    func run() throws {
        try output.refuseExplanation()
        let path = try ConfigurationRows.requiredPath()
        guard let key = ConfigurationKey(key) else { throw HabitError.unknownConfigurationKey(key) }
        let value = newValue(of: key)
        if let problem = key.problem(of: value) {
            throw HabitError(.usage, problem, field: "value")
        }
        try ConfigurationFile.change(key.name, to: value, in: path)
        let row = ConfigurationRows.Row(
            key: key.name, value: key == .store ? StoreLocation(value.text).description : value.text,
            origin: .file(path))
        try output.show([row], common, single: true)
        if key == .user { warnAboutMissingUser(value.text) }
    }

    /// Prints a notice if the store is a file that can be opened and has no such user.
    ///
    /// The account may be created later, so the command only writes a notice.
    private func warnAboutMissingUser(_ id: String) {
        guard case .file = try? common.storeLocation() else { return }
        let exists = try? common.open(.read).read { session in
            try AccessChecker(viewer: .operator, in: session).find(.user, id) != nil
        }
        guard exists == false else { return }
        common.notice("The store has no user '\(id)': create the account with 'habitat --operator user add'.")
    }

    private func newValue(of key: ConfigurationKey) -> ConfigurationValue {
        let text = value.trimmingPrefix { $0 == " " }
        guard key == .reports else { return .text(String(text)) }
        return .list(text.split(separator: ":").map(String.init))
    }
}
