import Base
import Foundation

extension ConfigurationFile {
    /// Reads the text of a regular file.
    ///
    /// - Returns: The text, or `nil` if no file has this path.
    /// - Throws: `config-invalid` if the path is not a readable regular file of UTF-8 text within the size limit.
    static func text(of path: String) throws(HabitError) -> String? {
        guard let file = try openFile(path) else { return nil }
        defer { close(file) }
        guard isRegular(file) else {
            throw error("the path is not a file: remove it, or set HABITAT_CONFIG to a file", in: path)
        }
        guard let bytes = readBytes(of: file) else {
            throw error("the file cannot be read", in: path)
        }
        guard bytes.count <= sizeLimit else {
            throw tooLarge("the file is larger", path: path)
        }
        return try text(bytes, path: path)
    }

    /// The error of a text whose size exceeds the limit.
    static func tooLarge(_ problem: String, path: String) -> HabitError {
        let limit = sizeLimit >> 10
        return error("\(problem) than \(limit) KiB: remove what it does not need", in: path)
    }

    /// Opens a file, or returns `nil` if no file has this path.
    private static func openFile(_ path: String) throws(HabitError)
        -> Int32?
    {
        // A pipe must not block the program.
        let file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        if file >= 0 { return file }
        let number = errno
        switch number {
        case ENOENT, ENOTDIR:
            return nil
        default:
            let reason = String(cString: strerror(number))
            throw error("the file cannot be read: \(reason)", in: path)
        }
    }

    private static func isRegular(_ file: Int32) -> Bool {
        var status = stat()
        if fstat(file, &status) != 0 { return false }
        return status.st_mode & S_IFMT == S_IFREG
    }

    /// Reads at most one byte more than the size limit.
    private static func readBytes(of file: Int32) -> [UInt8]? {
        let limit = sizeLimit + 1
        var bytes = [UInt8](repeating: 0, count: limit)
        var count = 0
        while count < limit {
            let length = bytes[count...].withUnsafeMutableBytes { rest in
                Glibc.read(file, rest.baseAddress, rest.count)
            }
            if length < 0, errno == EINTR { continue }
            guard length >= 0 else { return nil }
            if length == 0 { break }
            count += length
        }
        return Array(bytes.prefix(count))
    }

    private static func text(_ bytes: [UInt8], path: String) throws(HabitError)
        -> String
    {
        if let zero = bytes.firstIndex(of: 0) {
            let before = bytes[..<zero]
            let lineEnds = before.count { byte in
                byte == UInt8(ascii: "\n")
            }
            let location = ConfigurationLocation(line: lineEnds + 1)
            throw error("the line contains a NUL byte: remove it", in: path, at: location)
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw error("the file is not UTF-8 text: save it in UTF-8", in: path)
        }
        if let location = locationOfEscapedNUL(text) {
            throw error("the line contains a NUL character: remove it", in: path, at: location)
        }
        return text
    }

    /// Returns the first line with an escaped NUL, which would end a text of the parser early.
    private static func locationOfEscapedNUL(_ text: String) -> ConfigurationLocation? {
        let lines = text.split(
            omittingEmptySubsequences: false,
            whereSeparator: \.isNewline)
        let index = lines.firstIndex { line in
            line.contains("\\u0000") || line.contains("\\U00000000")
        }
        guard let index else { return nil }
        return ConfigurationLocation(line: index + 1)
    }
}
