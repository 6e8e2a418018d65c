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
        try withLock(of: path) { target in
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
            try replace(target, with: lines.text)
        }
    }

    /// Creates a file unless it exists.
    ///
    /// - Throws: `output-exists` if a file exists, and `output-not-writable`.
    static func create(_ text: String, at path: String) throws {
        try withLock(of: path) { target in
            guard access(target, F_OK) != 0 else { throw HabitError(.outputExists, "the file exists", file: path) }
            try replace(target, with: text)
        }
    }

    /// Creates the folder of a file with the permissions of its owner only.
    ///
    /// - Throws: `output-not-writable`.
    static func makeFolder(of path: String) throws {
        let folder = (path as NSString).deletingLastPathComponent
        guard !folder.isEmpty else { return }
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw HabitError(.outputNotWritable, "the folder '\(folder)' cannot be created", cause: error)
        }
    }

    /// Locks the folder of the file while `body` runs.
    ///
    /// The system releases the lock when the process ends.
    private static func withLock(of path: String, _ body: (_ target: String) throws -> Void) throws {
        try makeFolder(of: path)
        let target = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
        let folder = (target as NSString).deletingLastPathComponent
        let lock = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard lock >= 0 else { throw notWritable(path, errno) }
        defer { close(lock) }
        while flock(lock, LOCK_EX) != 0 {
            guard errno == EINTR else { throw notWritable(path, errno) }
        }
        try body(target)
    }

    /// Writes a new file with mode 0600, which replaces the old file.
    private static func replace(_ path: String, with text: String) throws {
        var template = Array((path + ".XXXXXX").utf8CString)
        let file = mkstemp(&template)
        guard file >= 0 else { throw notWritable(path, errno) }
        let temporary = template.withUnsafeBufferPointer { name in name.baseAddress.map { String(cString: $0) } } ?? ""
        var isComplete = fchmod(file, 0o600) == 0 && write(text, to: file) && fsync(file) == 0
        let number = errno
        close(file)
        isComplete = isComplete && rename(temporary, path) == 0
        guard isComplete else {
            unlink(temporary)
            throw notWritable(path, number)
        }
    }

    private static func write(_ text: String, to file: Int32) -> Bool {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    private static func notWritable(_ path: String, _ number: Int32) -> HabitError {
        HabitError(.outputNotWritable, "the file cannot be written: \(String(cString: strerror(number)))", file: path)
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
