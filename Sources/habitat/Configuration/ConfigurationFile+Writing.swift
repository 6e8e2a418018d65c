import Base
import Foundation
import HabitModel

extension ConfigurationFile {
    /// Sets or removes one key of a file, and keeps all other lines.
    ///
    /// The file is created if it does not exist. Other processes that change it wait. If the file is a symbolic link,
    /// the file that it names is replaced.
    ///
    /// - Parameters:
    ///   - name: The name of the key, which must be known unless it is removed.
    ///   - value: The new value, or `nil` to remove the key.
    ///   - path: The path of the file.
    /// - Throws: `usage` for an unknown key or an invalid value, `not-found` if a removed key is missing,
    ///   `config-invalid` if the change of the line would not be exactly the intended change, and
    ///   `output-not-writable`.
    static func change(_ name: String, to value: ConfigurationValue?, in path: String) throws {
        try PrivateFile.withLock(of: path) { target in
            let old = try text(of: target) ?? ""
            let before = try parse(old, path: path)
            var lines = ConfigurationText(old)
            var expected = before
            let line: Int
            if let value {
                guard let key = ConfigurationKey(name) else { throw HabitError.unknownConfigurationKey(name) }
                expected[name] = .some(value)
                line = lines.set(key, to: value)
            } else {
                guard before[name] != nil else {
                    throw HabitError(.notFound, "the file does not have the key '\(name)'", file: path)
                }
                expected[name] = nil
                line = lines.remove(name) ?? 1
            }
            guard lines.text.utf8.count <= sizeLimit else {
                throw error("the file would be larger than \(sizeLimit >> 10) KiB: remove what it does not need", path)
            }
            guard let after = try? parse(lines.text, path: path), after == expected else {
                throw error("the line cannot be changed by this command: edit the file", path, line: line)
            }
            try PrivateFile.replace(target, with: lines.text)
        }
    }

    /// Creates a file unless it exists.
    ///
    /// - Throws: `output-exists` if a file exists, and `output-not-writable`.
    static func create(_ text: String, at path: String) throws {
        try PrivateFile.withLock(of: path) { target in
            guard access(target, F_OK) != 0 else { throw HabitError(.outputExists, "the file exists", file: path) }
            try PrivateFile.replace(target, with: text)
        }
    }
}

extension HabitError {
    /// The error for a key that the configuration does not have.
    static func unknownConfigurationKey(_ name: String) -> HabitError {
        let hint = ConfigurationKey.names.nearestSpelling(to: name).map { "did you mean '\($0)'?" }
        let all = "use one of \(ConfigurationKey.names.joined(separator: ", "))"
        return HabitError(.usage, "unknown key '\(name)': \(hint ?? all)", field: "key")
    }
}
