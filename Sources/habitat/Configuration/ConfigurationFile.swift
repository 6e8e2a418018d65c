import Base
import Foundation
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

    subscript(_ key: ConfigurationKey) -> ConfigurationValue? { values[key.name] }

    /// The text of a key, or `nil` if the file does not have it.
    func text(of key: ConfigurationKey) -> String? {
        guard case .text(let text) = self[key] else { return nil }
        return text
    }

    /// The places by their names.
    var places: [String: Position] {
        var places: [String: Position] = [:]
        for (name, value) in values {
            guard case .place(let place) = ConfigurationKey(name), case .text(let text) = value else { continue }
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
        var values: [String: ConfigurationValue] = [:]
        let entries = parsed.isEmpty ? [] : ConfigurationText(text).entries
        // The first problem of the file is reported.
        var problems: [HabitError] = []
        for (name, value) in parsed {
            let entry = entries.first { $0.key == name || $0.key.hasPrefix(name + ".") }
            let line = entry.map { $0.index + 1 }
            guard let key = ConfigurationKey(name) else {
                let message = Self.unknownKey(name)
                problems.append(Self.error(message, path, line: line, column: entry?.column))
                continue
            }
            if let problem = key.problem(of: value) {
                problems.append(Self.error(problem, path, line: line, column: entry?.valueColumn))
            }
            values[name] = value
        }
        let first = problems.min { one, other in
            let line = one.line ?? .max
            let otherLine = other.line ?? .max
            return line == otherLine ? one.message < other.message : line < otherLine
        }
        if let first { throw first }
        self.path = path
        self.values = values
    }

    private static func unknownKey(_ name: String) -> String {
        let hint = ConfigurationKey.names.nearestSpelling(to: name).map { "did you mean '\($0)'?" }
        return "unknown key '\(name)': \(hint ?? "use one of \(ConfigurationKey.names.joined(separator: ", "))")"
    }

    static func error(_ message: String, _ path: String, line: Int? = nil, column: Int? = nil) -> HabitError {
        HabitError(.configInvalid, message, file: path, line: line, column: column)
    }

    /// Reads the text of a regular file.
    ///
    /// - Returns: The text, or `nil` if no file has this path.
    /// - Throws: `config-invalid` if the path is not a readable regular file of UTF-8 text within the size limit.
    static func text(of path: String) throws(HabitError) -> String? {
        // A pipe must not block the program.
        let file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard file >= 0 else {
            let number = errno
            if number == ENOENT || number == ENOTDIR { return nil }
            throw error("the file cannot be read: \(String(cString: strerror(number)))", path)
        }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw error("the path is not a file: remove it, or set HABITAT_CONFIG to a file", path)
        }
        let bytes = readBytes(of: file)
        guard let bytes else { throw error("the file cannot be read", path) }
        guard bytes.count <= sizeLimit else {
            throw error("the file is larger than \(sizeLimit >> 10) KiB: remove what it does not need", path)
        }
        return try text(bytes, path)
    }

    /// Reads at most one byte more than the size limit.
    private static func readBytes(of file: Int32) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: sizeLimit + 1)
        var count = 0
        while count < bytes.count {
            let length = bytes[count...].withUnsafeMutableBytes { Glibc.read(file, $0.baseAddress, $0.count) }
            if length < 0, errno == EINTR { continue }
            guard length >= 0 else { return nil }
            if length == 0 { break }
            count += length
        }
        return Array(bytes.prefix(count))
    }

    private static func text(_ bytes: [UInt8], _ path: String) throws(HabitError) -> String {
        var line = 1
        for byte in bytes {
            if byte == UInt8(ascii: "\n") { line += 1 }
            guard byte != 0 else { throw error("the line contains a NUL byte: remove it", path, line: line) }
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw error("the file is not UTF-8 text: save it in UTF-8", path)
        }
        // An escaped NUL would end a text of the parser early.
        let lines = text.split(omittingEmptySubsequences: false) { $0.isNewline }
        for (index, line) in lines.enumerated() where line.contains("\\u0000") || line.contains("\\U00000000") {
            throw error("the line contains a NUL character: remove it", path, line: index + 1)
        }
        return text
    }

    /// Parses TOML without a check of the keys.
    ///
    /// - Returns: The values by their keys; the value `nil` stands for a value that no key can have.
    /// - Throws: `config-invalid` for a syntax error.
    static func parse(_ text: String, path: String) throws(HabitError) -> [String: ConfigurationValue?] {
        if let problem = ConfigurationSyntax.problem(in: text) {
            throw error(problem.message, path, line: problem.line, column: problem.column)
        }
        let table: TOMLTable
        do {
            table = try TOMLTable(string: text)
        } catch let failure as TOMLParseError {
            let position = failure.source.begin
            throw error(
                "the line is not valid TOML (\(failure.description))", path, line: position.line,
                column: position.column)
        } catch {
            throw Self.error("the file is not valid TOML", path)
        }
        var values: [String: ConfigurationValue?] = [:]
        for (key, value) in table {
            guard key == "places", let places = value.table else {
                values[key] = .some(Self.value(of: value))
                continue
            }
            for (place, position) in places { values["places.\(place)"] = .some(Self.value(of: position)) }
        }
        return values
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
