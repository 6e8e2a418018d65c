import Base
import Geo
import HabitModel
import TOMLKit

/// The configuration file of a user, in TOML.
///
/// Only a file that exists loads the parser. Its size is limited before it is parsed, which also limits the nesting.
struct ConfigurationFile {
    /// The maximum size, in bytes.
    static let sizeLimit = 16 << 10

    /// The path of the file.
    let path: String
    /// The values by the names of their keys, such as `places.home`.
    let values: [String: ConfigurationValue]

    subscript(_ key: ConfigurationKey) -> ConfigurationValue? {
        values[key.name]
    }

    /// The text of a key, or `nil` if the file does not have it.
    func text(of key: ConfigurationKey) -> String? {
        guard case .text(let text) = self[key] else { return nil }
        return text
    }

    /// The places by their names.
    var places: [String: Position] {
        var places: [String: Position] = [:]
        for (name, value) in values {
            guard case .place(let place) = ConfigurationKey(name) else { continue }
            guard case .text(let text) = value else { continue }
            places[place] = try? Parse.position(text, field: "position")
        }
        return places
    }

    /// Reads a file and checks its keys and values.
    ///
    /// - Parameter path: The path of the file.
    /// - Returns: The file, or `nil` if no file has this path.
    /// - Throws: `config-invalid` with the file, the line and the column.
    static func read(_ path: String) throws(HabitError) -> ConfigurationFile? {
        guard let text = try text(of: path) else { return nil }
        return try ConfigurationFile(text, path: path)
    }

    /// Creates the content of a text.
    ///
    /// - Parameters:
    ///   - text: The text of the file.
    ///   - path: The path of the file, for errors.
    /// - Throws: `config-invalid`.
    init(_ text: String, path: String) throws(HabitError) {
        let parsed = try Self.parse(text, path: path)
        let entries = parsed.isEmpty ? [] : ConfigurationText(text).entries
        var values: [String: ConfigurationValue] = [:]
        var problems: [HabitError] = []
        for (name, value) in parsed {
            values[name] = value
            let entry = entries.first { entry in
                entry.belongs(to: name)
            }
            if let problem = Self.problem(of: name, value, entry: entry, path: path) {
                problems.append(problem)
            }
        }
        let first = problems.min { one, other in
            one.precedes(other)
        }
        if let first { throw first }
        self.path = path
        self.values = values
    }

    /// Returns the error of an unknown key or an invalid value, or `nil` for a valid one.
    private static func problem(
        of name: String,
        _ value: ConfigurationValue?,
        entry: ConfigurationText.Entry?,
        path: String
    ) -> HabitError? {
        guard let key = ConfigurationKey(name) else {
            let message = ConfigurationKey.unknown(name)
            return error(message, in: path, at: entry?.location)
        }
        guard let message = key.problem(of: value) else { return nil }
        return error(message, in: path, at: entry?.valueLocation)
    }

    static func error(
        _ message: String,
        in path: String,
        at location: ConfigurationLocation? = nil
    ) -> HabitError {
        var error = HabitError(.configInvalid, message, file: path)
        error.line = location?.line
        error.column = location?.column
        return error
    }

    // MARK: TOML

    /// Parses TOML without a check of the keys.
    ///
    /// - Returns: The values by their keys; the value `nil` stands for a value that no key can have.
    /// - Throws: `config-invalid` for a syntax error.
    static func parse(_ text: String, path: String) throws(HabitError) -> [String:
        ConfigurationValue?]
    {
        if let problem = ConfigurationSyntax.problem(in: text) {
            throw error(problem.message, in: path, at: problem.location)
        }
        var values: [String: ConfigurationValue?] = [:]
        for (key, node) in try table(text, path: path) {
            guard key == "places", let places = node.table else {
                values[key] = .some(value(of: node))
                continue
            }
            for (place, position) in places {
                values["places.\(place)"] = .some(value(of: position))
            }
        }
        return values
    }

    private static func table(_ text: String, path: String) throws(HabitError) -> TOMLTable {
        do {
            return try TOMLTable(string: text)
        } catch let failure as TOMLParseError {
            let begin = failure.source.begin
            let location = ConfigurationLocation(line: begin.line, column: begin.column)
            let message = "the line is not valid TOML (\(failure.description))"
            throw error(message, in: path, at: location)
        } catch {
            throw Self.error("the file is not valid TOML", in: path)
        }
    }

    private static func value(of node: any TOMLValueConvertible) -> ConfigurationValue? {
        if let text = node.string { return .text(text) }
        guard let array = node.array else { return nil }
        var items: [String] = []
        for item in array {
            guard let text = item.string else { return nil }
            items.append(text)
        }
        return .list(items)
    }
}

extension ConfigurationText.Entry {
    /// Returns whether the entry has a key, or a part of a key that is a table.
    fileprivate func belongs(to name: String) -> Bool {
        key == name || key.hasPrefix(name + ".")
    }
}

extension HabitError {
    /// Returns whether the location of this problem is before the location of `other`.
    fileprivate func precedes(_ other: HabitError) -> Bool {
        let ownLine = line ?? .max
        let otherLine = other.line ?? .max
        if ownLine != otherLine {
            return ownLine < otherLine
        }
        return message < other.message
    }
}
