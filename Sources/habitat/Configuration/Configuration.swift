import Base
import Foundation
import Geo
import HabitModel

/// The values that options, environment variables and the configuration file set.
///
/// For each value, the option precedes the variable, the variable precedes the file, and the file precedes the default.
struct Configuration {
    /// The source of a value.
    enum Origin: Equatable {
        case option
        /// An environment variable with this name.
        case variable(String)
        /// The configuration file with this path.
        case file(String)
        case standard

        /// The text in the column `from` of `habitat config`.
        var text: String {
            switch self {
            case .option: "option"
            case .variable(let name): name
            case .file(let path): path
            case .standard: "default"
            }
        }
    }

    /// A value with its source.
    struct Sourced<Value> {
        var value: Value
        var origin: Origin
    }

    /// The store of a command that names none.
    static let standardStore = "habitat.db"

    /// The environment variables of the process.
    let environment: [String: String]
    /// The configuration file, or `nil` if it does not exist.
    let file: ConfigurationFile?

    init(environment: [String: String], file: ConfigurationFile?) {
        self.environment = environment
        self.file = file
    }

    /// The configuration of this process, which is read when it is used for the first time.
    static let current = Result<Configuration, HabitError> { () throws(HabitError) in
        let file: ConfigurationFile?
        if let path = UserFolders.process.configurationFile {
            file = try ConfigurationFile.read(path)
        } else {
            file = nil
        }
        return Configuration(environment: processEnvironment, file: file)
    }

    /// The configuration without the file, for commands that run even if the file is invalid.
    static var withoutFile: Configuration { Configuration(environment: processEnvironment, file: nil) }

    /// The configuration of this process, without the file if it is invalid.
    ///
    /// Commands that need a valid file fail before they use this value.
    static var valid: Configuration { (try? current.get()) ?? withoutFile }

    /// The environment variables of this process.
    static var processEnvironment: [String: String] { ProcessInfo.processInfo.environment }

    // MARK: Values

    /// The path or the URL of the store.
    ///
    /// A leading `~/` in the file is the home folder.
    func store(option: String?) -> Sourced<String> {
        let name = "HABITAT_STORE"
        if let option { return Sourced(value: option, origin: .option) }
        if let path = environment[name] { return Sourced(value: path, origin: .variable(name)) }
        if let file, let path = file.text(of: .store) {
            return Sourced(value: folders.expand(path), origin: .file(file.path))
        }
        return Sourced(value: Self.standardStore, origin: .standard)
    }

    /// The ID of the acting user, or `nil` for the operator.
    func user(option: String?) -> Sourced<String?> {
        let name = "HABITAT_USER"
        if let option { return Sourced(value: option, origin: .option) }
        if let id = environment[name] { return Sourced(value: id, origin: .variable(name)) }
        if let file, let id = file.text(of: .user) { return Sourced(value: id, origin: .file(file.path)) }
        return Sourced(value: nil, origin: .standard)
    }

    /// The folders of custom reports in the order of priority.
    func reports(option: [String]) -> Sourced<[String]> {
        let name = "HABITAT_REPORTS"
        if !option.isEmpty { return Sourced(value: option, origin: .option) }
        if let list = environment[name] {
            return Sourced(value: list.split(separator: ":").map(String.init), origin: .variable(name))
        }
        if let file, case .list(let paths) = file[.reports] {
            return Sourced(value: paths.map(folders.expand), origin: .file(file.path))
        }
        return Sourced(value: [], origin: .standard)
    }

    /// The use of color: `auto`, `always` or `never`.
    var color: Sourced<String> {
        if environment["NO_COLOR"]?.isEmpty == false { return Sourced(value: "never", origin: .variable("NO_COLOR")) }
        if environment["TERM"] == "dumb" { return Sourced(value: "never", origin: .variable("TERM")) }
        if let file, let word = file.text(of: .color) { return Sourced(value: word, origin: .file(file.path)) }
        return Sourced(value: "auto", origin: .standard)
    }

    /// The positions of the user's places by their names.
    var places: [String: Position] { file?.places ?? [:] }

    private var folders: UserFolders { UserFolders(environment: environment) }
}
