import Foundation
import HabitModel

/// A file with a text on each line: empty lines are passed over.
public enum LineFile {
    public struct Line: Sendable, Equatable {
        public var text: String
        /// The file and the line, from 1.
        public var place: String
    }

    /// Throws `encoding-invalid` where the file is not UTF-8, and what ``ByteSource`` throws.
    public static func read(_ path: String) throws -> [Line] {
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
        return text.split(separator: /\r\n|\n|\r/, omittingEmptySubsequences: false).enumerated().compactMap {
            $1.isEmpty ? nil : Line(text: String($1), place: "\(path):\($0 + 1)")
        }
    }
}
