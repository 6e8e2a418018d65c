import Base
import CommandLineText
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

        /// Returns the result of `body` with the same source.
        func map<Result>(_ body: (Value) -> Result) -> Sourced<Result> {
            Sourced<Result>(value: body(value), origin: origin)
        }
    }

    /// The store of a command that names none.
    static let standardStore = "habitat.db"

    /// The URL of a server that listens on its default address.
    static let standardPublicURL = "http://localhost:8080"

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
    static var withoutFile: Configuration {
        Configuration(environment: processEnvironment, file: nil)
    }

    /// The configuration of this process, without the file if it is invalid.
    ///
    /// Commands that need a valid file fail before they use this value.
    static var valid: Configuration {
        let current = try? current.get()
        return current ?? withoutFile
    }

    /// The environment variables of this process.
    static var processEnvironment: [String: String] {
        ProcessInfo.processInfo.environment
    }

    // MARK: Values

    /// The path or the URL of the store.
    ///
    /// A leading `~/` in the file is the home folder.
    func store(option: String?) -> Sourced<String> {
        if let option {
            return Sourced(value: option, origin: .option)
        }
        if let path = variable("HABITAT_STORE") {
            return path
        }
        if let path = fileText(.store) {
            return path.map(folders.expand)
        }
        return Sourced(value: Self.standardStore, origin: .standard)
    }

    /// The ID of the acting user, or `nil` for the operator.
    func user(option: String?) -> Sourced<String?> {
        if let option {
            return Sourced(value: option, origin: .option)
        }
        if let id = variable("HABITAT_USER") ?? fileText(.user) {
            return id.map { id in id }
        }
        return Sourced(value: nil, origin: .standard)
    }

    /// The folders of custom reports in the order of priority.
    func reports(option: [String]) -> Sourced<[String]> {
        if !option.isEmpty {
            return Sourced(value: option, origin: .option)
        }
        if let list = variable("HABITAT_REPORTS") {
            return list.map { list in
                list.split(separator: ":").map(String.init)
            }
        }
        if let file, case .list(let paths) = file[.reports] {
            let folders = paths.map(folders.expand)
            return Sourced(value: folders, origin: .file(file.path))
        }
        return Sourced(value: [], origin: .standard)
    }

    /// The URL under which clients reach the server.
    func publicURL(option: String?) -> Sourced<String> {
        if let option {
            return Sourced(value: option, origin: .option)
        }
        if let url = variable(PublicURL.variable), !url.value.isEmpty {
            return url
        }
        return fileText(.publicURL) ?? Sourced(value: Self.standardPublicURL, origin: .standard)
    }

    /// The use of color: `auto`, `always` or `never`.
    var color: Sourced<String> {
        if let word = environment["NO_COLOR"], !word.isEmpty {
            return Sourced(value: "never", origin: .variable("NO_COLOR"))
        }
        if environment["TERM"] == "dumb" {
            return Sourced(value: "never", origin: .variable("TERM"))
        }
        let standard = Sourced(value: "auto", origin: .standard)
        return fileText(.color) ?? standard
    }

    /// Returns the value of an environment variable, or `nil` if it is unset.
    private func variable(_ name: String) -> Sourced<String>? {
        guard let text = environment[name] else { return nil }
        return Sourced(value: text, origin: .variable(name))
    }

    /// Returns the text of a key of the file, or `nil` if the file does not have it.
    private func fileText(_ key: ConfigurationKey) -> Sourced<String>? {
        guard let file else { return nil }
        guard let text = file.text(of: key) else { return nil }
        return Sourced(value: text, origin: .file(file.path))
    }

    /// The positions of the user's places by their names.
    var places: [String: Position] {
        file?.places ?? [:]
    }

    private var folders: UserFolders {
        UserFolders(environment: environment)
    }
}
