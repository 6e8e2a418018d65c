import Base
import Foundation
import HabitModel

/// A reader of text files with one value per line.
public enum LineFile {
    /// A line of a file.
    public struct Line: Sendable, Equatable {
        /// The line without its line end.
        public var text: String
        /// The number of the line, from 1.
        public var number: Int
    }

    /// The maximum size of a file after decompression, which is in memory.
    private static let sizeLimit = 256 << 20

    /// Reads the lines of a UTF-8 file.
    ///
    /// A line ends with LF, CRLF or CR.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - keepingEmpty: Whether the result includes empty lines.
    /// - Returns: The lines in the order of the file, without a byte order mark.
    /// - Throws: `encoding-invalid` if the file is not UTF-8, `record-too-long` if it is too large, and the errors of
    ///   ``ByteSource``.
    public static func read(_ path: String, keepingEmpty: Bool = false) throws -> [Line] {
        guard let bytes = try ByteSource(path: path).contents(most: sizeLimit) else {
            throw HabitError(
                .recordTooLong, "the file is larger than \(sizeLimit >> 20) MiB: split it", file: path)
        }
        guard var text = String(validating: bytes, as: UTF8.self) else {
            throw HabitError(.encodingInvalid, "the file is not UTF-8: save it as UTF-8", file: path)
        }
        if text.hasPrefix("\u{FEFF}") { text.unicodeScalars.removeFirst() }
        var lines = text.split(separator: /\r\n|\n|\r/, omittingEmptySubsequences: false)
        // The line end at the end of the file does not begin another line.
        if lines.last?.isEmpty == true { lines.removeLast() }
        return lines.enumerated().compactMap { index, line in
            guard keepingEmpty || !line.isEmpty else { return nil }
            return Line(text: String(line), number: index + 1)
        }
    }
}
