import Foundation

/// The folders of a user by the XDG Base Directory Specification.
struct UserFolders {
    let environment: [String: String]

    /// The folders of the user of this process.
    static var process: UserFolders {
        UserFolders(environment: Configuration.processEnvironment)
    }

    /// The home folder without repeated slashes, or `nil` if `HOME` is not an absolute path.
    private var home: String? {
        absolutePath(of: "HOME").map(Self.absolute)
    }

    /// The path of the configuration file, or `nil` for no file.
    ///
    /// An empty `HABITAT_CONFIG` selects no file.
    var configurationFile: String? {
        if let path = environment["HABITAT_CONFIG"] {
            return path.isEmpty ? nil : path
        }
        let folder = folder("XDG_CONFIG_HOME", orInHome: ".config")
        return folder.map { folder in
            folder + "/habitat/config.toml"
        }
    }

    /// The path of the store that `init` creates for a user, or `nil` without a home folder.
    var store: String? {
        data.map { folder in folder + "/habitat.db" }
    }

    /// The path of the folder of the nightly runs of a user, or `nil` without a home folder.
    var nights: String? {
        data.map { folder in folder + "/nights" }
    }

    /// The path of the file of `habitat undo`, or `nil` without a home folder.
    var undoLog: String? {
        let folder = folder("XDG_STATE_HOME", orInHome: ".local/state")
        return folder.map { folder in folder + "/habitat/undo.ndjson" }
    }

    /// The path of the folder of the user's data, or `nil` without a home folder.
    private var data: String? {
        let folder = folder("XDG_DATA_HOME", orInHome: ".local/share")
        return folder.map { folder in folder + "/habitat" }
    }

    /// Returns the folder that a variable specifies, or a folder in the home folder.
    private func folder(_ variable: String, orInHome path: String) -> String? {
        if let folder = absolutePath(of: variable) {
            return folder
        }
        guard let home else { return nil }
        return "\(home)/\(path)"
    }

    /// Returns the value of a variable.
    ///
    /// The specification ignores relative paths.
    private func absolutePath(of variable: String) -> String? {
        guard let path = environment[variable] else { return nil }
        return path.hasPrefix("/") ? path : nil
    }

    /// Replaces a leading `~/` by the home folder.
    func expand(_ path: String) -> String {
        guard path.hasPrefix("~/"), let home else {
            return path
        }
        return home + path.dropFirst()
    }

    /// Replaces the home folder by a leading `~/`.
    func abbreviate(_ path: String) -> String {
        guard let home, home != "/" else { return path }
        guard path.hasPrefix(home + "/") else { return path }
        return "~" + path.dropFirst(home.count)
    }
}

extension UserFolders {
    /// Returns the absolute path of a path that is relative to the current folder.
    static func absolute(_ path: String) -> String {
        URL(fileURLWithPath: path).standardizedFileURL.path
    }
}
