import Base
import CommandLineText
import Foundation
import HabitModel
import Logging

/// Writes errors and notices to the standard error: as text, or as one JSON object per line.
struct ErrorReport {
    var asJSON = false
    /// The logger for the causes of errors; see ``CommandLog``.
    ///
    /// `nil` disables the log.
    var log: Logger?

    func write(_ error: HabitError) {
        Self.write(text(error))
        if let cause = error.cause {
            log?.debug("cause of the error", metadata: ["cause": "\(ErrorLog.text(of: cause))"])
        }
    }

    /// Writes an error as a JSON object, even if ``asJSON`` is `false`.
    ///
    /// - Parameters:
    ///   - error: The error.
    ///   - column: The column number of a rejected row.
    func writeObject(_ error: HabitError, column: Int? = nil) { Self.write(text(ofObject: error, column: column)) }

    /// Returns the error as one line: as text, or as a JSON object if ``asJSON`` is `true`.
    func text(_ error: HabitError) -> String {
        guard !asJSON else { return text(ofObject: error) }
        return Self.clean(error.commandLine) + "\n"
    }

    /// Returns the error as a line with a JSON object.
    ///
    /// `column` is the column number of a rejected row.
    private func text(ofObject error: HabitError, column: Int? = nil) -> String {
        var object: [String: Any] = ["error": error.code.slug, "message": error.commandText]
        object["subject"] = error.subject.map { ["kind": $0.kind, "id": $0.id] }
        object["field"] = error.fieldOrOption
        if !error.parameters.isEmpty {
            object["parameters"] = Dictionary(
                uniqueKeysWithValues: error.parameters.map { ($0.key.rawValue, $0.value.jsonValue) })
        }
        object["file"] = error.file
        object["line"] = error.line
        object["column"] = column
        return Self.jsonLine(object)
    }

    /// Returns a line with a JSON object.
    ///
    /// The values are texts, numbers and objects.
    static func jsonLine(_ object: [String: Any]) -> String {
        let data = try? JSONSerialization.data(withJSONObject: object, options: [.sortedKeys, .withoutEscapingSlashes])
        return (data.map { String(decoding: $0, as: UTF8.self) } ?? "{}") + "\n"
    }

    static func line(_ text: String) { write(text + "\n") }

    /// Writes a text to the standard error.
    ///
    /// Write errors are ignored, because no other stream for errors exists.
    static func write(_ text: String) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let written = rest.withUnsafeBytes { Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
            if written < 0, errno == EINTR { continue }
            guard written > 0 else { return }
            rest = rest.dropFirst(written)
        }
    }

    /// Returns the text as one line without the control characters that a terminal interprets.
    ///
    /// A line feed becomes a space, and any other control or bidirectional control character becomes U+FFFD.
    static func clean(_ text: String) -> String {
        String(
            text.unicodeScalars.map { scalar -> Character in
                let isControl = scalar.properties.generalCategory == .control || scalar.properties.isBidiControl
                return isControl ? (scalar == "\n" ? " " : "\u{fffd}") : Character(scalar)
            })
    }
}

extension ErrorParameter.Value {
    /// The value for `JSONSerialization`.
    fileprivate var jsonValue: Any {
        switch self {
        case .integer(let number): number
        case .number(let number): number
        case .text(let text): text
        }
    }
}
