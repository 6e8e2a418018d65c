import Foundation
import HabitModel

/// A file with a text on each line.
public enum LineFile {
    public struct Line: Sendable, Equatable {
        public var text: String
        /// The file and the line, from 1.
        public var place: String
    }

    /// Reads the lines of a file, without empty ones unless `keepingEmpty`.
    ///
    /// - Throws: `encoding-invalid` if the file is not UTF-8, and the errors of ``ByteSource``.
    public static func read(_ path: String, keepingEmpty: Bool = false) throws -> [Line] {
        let source = try ByteSource(path: path)
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = try piece.withUnsafeMutableBytes { try source.read(into: $0) }
            if count == 0 { break }
            bytes.append(contentsOf: piece[..<count])
        }
        guard var text = String(validating: bytes, as: UTF8.self) else {
            throw HabitError(.encodingInvalid, "the file is not UTF-8: save it as UTF-8", file: path)
        }
        if text.hasPrefix("\u{FEFF}") { text.unicodeScalars.removeFirst() }
        var lines = text.split(separator: /\r\n|\n|\r/, omittingEmptySubsequences: false)
        // A line feed ends the last line, and does not begin another.
        if lines.last?.isEmpty == true { lines.removeLast() }
        return lines.enumerated().compactMap {
            $1.isEmpty && !keepingEmpty ? nil : Line(text: String($1), place: "\(path):\($0 + 1)")
        }
    }
}
