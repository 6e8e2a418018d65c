import Base
import CommandLineText
import Foundation
import HabitModel
import Logging
import Rendering

/// Writes errors and notices to the standard error: as text, or as one JSON object per line.
struct ErrorReport {
    var asJSON = false
    /// The logger for the causes of errors; see ``CommandLog``.
    ///
    /// `nil` disables the log.
    var log: Logger?

    func write(_ error: HabitError) {
        if asJSON { Self.write(text(error)) } else { Self.line(Self.clean(error.commandLine)) }
        if let cause = error.cause {
            log?.debug("cause of the error", metadata: ["cause": "\(ErrorLog.text(of: cause))"])
        }
    }

    /// Writes an error as a JSON object, even if ``asJSON`` is `false`.
    func writeObject(_ error: HabitError) { Self.write(text(ofObject: error)) }

    /// Returns the error as one line: as text, or as a JSON object if ``asJSON`` is `true`.
    func text(_ error: HabitError) -> String {
        guard !asJSON else { return text(ofObject: error) }
        return Self.clean(error.commandLine) + "\n"
    }

    /// Returns the error as a line with a JSON object.
    private func text(ofObject error: HabitError) -> String {
        var object: [String: JSON] = ["error": .text(error.code.slug), "message": .text(error.commandText)]
        object["subject"] = error.subject.map { ["kind": .text($0.kind), "id": .text($0.id)] }
        object["field"] = error.fieldOrOption.map { .text($0) }
        if !error.parameters.isEmpty {
            let parameters = error.parameters.map { ($0.key.rawValue, $0.value.json) }
            object["parameters"] = .object(Dictionary(uniqueKeysWithValues: parameters))
        }
        object["file"] = error.file.map { .text($0) }
        object["line"] = error.line.map { .integer($0) }
        object["column"] = error.column.map { .integer($0) }
        return Self.jsonLine(object)
    }

    /// Returns a line with a JSON object.
    static func jsonLine(_ object: [String: JSON]) -> String { JSON.object(object).text + "\n" }

    /// Writes a line, which a terminal shows as a paragraph.
    static func line(_ text: String) { write(paragraph(text) + "\n") }

    /// Returns a text as lines between words, of at most the width of the terminal.
    ///
    /// Every line except the first is indented. If the standard error is not a terminal, the text is one line.
    static func paragraph(_ text: String) -> String {
        guard isatty(STDERR_FILENO) == 1, let width = OutputOptions.terminalWidth(of: STDERR_FILENO) else {
            return text
        }
        let lines = OutputBuffer()
        lines.append(paragraph: text, width: max(20, width))
        return String(lines.text.dropLast())
    }

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
    /// The value in JSON.
    fileprivate var json: JSON {
        switch self {
        case .integer(let number): .integer(number)
        case .number(let number): .number(number)
        case .text(let text): .text(text)
        }
    }
}
