import Foundation

/// The folders of a user by the XDG Base Directory Specification.
struct UserFolders {
    let environment: [String: String]

    /// The folders of the user of this process.
    static var process: UserFolders { UserFolders(environment: Configuration.processEnvironment) }

    /// The home folder without repeated slashes, or `nil` if `HOME` is not an absolute path.
    private var home: String? { absolute("HOME").map(Self.absolute) }

    /// The path of the configuration file, or `nil` for no file.
    ///
    /// An empty `HABITAT_CONFIG` selects no file.
    var configurationFile: String? {
        if let path = environment["HABITAT_CONFIG"] { return path.isEmpty ? nil : path }
        let folder = absolute("XDG_CONFIG_HOME") ?? home.map { $0 + "/.config" }
        return folder.map { $0 + "/habitat/config.toml" }
    }

    /// The path of the store that `init` creates for a user, or `nil` without a home folder.
    var store: String? { data.map { folder in folder + "/habitat.db" } }

    /// The path of the folder of the nightly runs of a user, or `nil` without a home folder.
    var nights: String? { data.map { folder in folder + "/nights" } }

    /// The path of the folder of the user's data, or `nil` without a home folder.
    private var data: String? {
        let folder = absolute("XDG_DATA_HOME") ?? home.map { $0 + "/.local/share" }
        return folder.map { $0 + "/habitat" }
    }

    /// The path of the file of `habitat undo`, or `nil` without a home folder.
    var undoLog: String? {
        let folder = absolute("XDG_STATE_HOME") ?? home.map { $0 + "/.local/state" }
        return folder.map { $0 + "/habitat/undo.ndjson" }
    }

    /// The specification ignores relative paths.
    private func absolute(_ variable: String) -> String? {
        guard let path = environment[variable], path.hasPrefix("/") else { return nil }
        return path
    }

    /// Replaces a leading `~/` by the home folder.
    func expand(_ path: String) -> String {
        guard path.hasPrefix("~/"), let home else { return path }
        return home + path.dropFirst()
    }

    /// Replaces the home folder by a leading `~/`.
    func abbreviate(_ path: String) -> String {
        guard let home, home != "/", path.hasPrefix(home + "/") else { return path }
        return "~" + path.dropFirst(home.count)
    }
}

extension UserFolders {
    /// Returns the absolute path of a path that is relative to the current folder.
    static func absolute(_ path: String) -> String {
        URL(fileURLWithPath: path).standardizedFileURL.path
    }
}
