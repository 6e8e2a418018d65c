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
    static func change(
        _ name: String,
        to value: ConfigurationValue?,
        in path: String
    ) throws {
        try PrivateFile.withLock(of: path) { target in
            let text = try text(of: target) ?? ""
            var change = try LineChange(of: text, path: path)
            if let value {
                try change.set(name, to: value)
            } else {
                try change.remove(name)
            }
            let changed = try change.checkedText()
            try PrivateFile.replace(target, with: changed)
        }
    }

    /// Creates a file unless it exists.
    ///
    /// - Throws: `output-exists` if a file exists, and `output-not-writable`.
    static func create(_ text: String, at path: String) throws {
        try PrivateFile.withLock(of: path) { target in
            guard access(target, F_OK) != 0 else {
                throw HabitError(.outputExists, "the file exists", file: path)
            }
            try PrivateFile.replace(target, with: text)
        }
    }
}

/// A change of one line of a file, and the values that the file must have after it.
private struct LineChange {
    private let path: String
    private var text: ConfigurationText
    private var expected: [String: ConfigurationValue?]
    /// The number of the changed line, counted from 1.
    private var line = 1

    /// Reads the text before the change.
    ///
    /// - Throws: `config-invalid` for a syntax error.
    init(of text: String, path: String) throws(HabitError) {
        self.path = path
        self.text = ConfigurationText(text)
        expected = try ConfigurationFile.parse(text, path: path)
    }

    /// Sets a key.
    ///
    /// - Throws: `usage` for an unknown key.
    mutating func set(_ name: String, to value: ConfigurationValue)
        throws(HabitError)
    {
        guard let key = ConfigurationKey(name) else {
            throw HabitError.unknownConfigurationKey(name)
        }
        expected[name] = .some(value)
        line = text.set(key, to: value)
    }

    /// Removes a key.
    ///
    /// - Throws: `not-found` if the file does not have the key.
    mutating func remove(_ name: String) throws(HabitError) {
        guard expected.removeValue(forKey: name) != nil else {
            throw HabitError(.notFound, "the file does not have the key '\(name)'", file: path)
        }
        line = text.remove(name) ?? 1
    }

    /// Returns the text after the change.
    ///
    /// - Throws: `config-invalid` if the text is too large or does not have exactly the expected values.
    func checkedText() throws(HabitError) -> String {
        let text = text.text
        guard text.utf8.count <= ConfigurationFile.sizeLimit else {
            throw ConfigurationFile.tooLarge("the file would be larger", path: path)
        }
        let after = try? ConfigurationFile.parse(text, path: path)
        guard after == expected else {
            let message = "the line cannot be changed by this command: edit the file"
            let location = ConfigurationLocation(line: line)
            throw ConfigurationFile.error(message, in: path, at: location)
        }
        return text
    }
}

extension HabitError {
    /// The error for a key that the configuration does not have.
    static func unknownConfigurationKey(_ name: String) -> HabitError {
        HabitError(.usage, ConfigurationKey.unknown(name), field: "key")
    }
}
