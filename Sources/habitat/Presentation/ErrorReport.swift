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

    /// Writes an error, and the cause of the error to the log.
    func write(_ error: HabitError) {
        if asJSON {
            writeObject(error)
        } else {
            Self.line(Self.clean(error.commandLine))
        }
        guard let log, let cause = error.cause else { return }
        let text = ErrorLog.text(of: cause)
        log.debug("cause of the error", metadata: ["cause": "\(text)"])
    }

    /// Writes an error as a JSON object, even if ``asJSON`` is `false`.
    func writeObject(_ error: HabitError) {
        let object = Self.object(error)
        Self.write(Self.jsonLine(object))
    }

    /// Returns the error as one line: as text, or as a JSON object if ``asJSON`` is `true`.
    func text(_ error: HabitError) -> String {
        if asJSON {
            let object = Self.object(error)
            return Self.jsonLine(object)
        }
        return Self.clean(error.commandLine) + "\n"
    }

    /// Returns the members of the JSON object of an error.
    private static func object(_ error: HabitError) -> [String: JSON] {
        var object: [String: JSON] = [:]
        object["error"] = .text(error.code.slug)
        object["message"] = .text(error.commandText)
        if let subject = error.subject {
            object["subject"] = [
                "kind": .text(subject.kind),
                "id": .text(subject.id),
            ]
        }
        object["field"] = error.fieldOrOption.map(JSON.text)
        if !error.parameters.isEmpty {
            object["parameters"] = Self.parameters(error)
        }
        object["file"] = error.file.map(JSON.text)
        object["line"] = error.line.map(JSON.integer)
        object["column"] = error.column.map(JSON.integer)
        return object
    }

    private static func parameters(_ error: HabitError) -> JSON {
        var object: [String: JSON] = [:]
        for parameter in error.parameters {
            let key = parameter.key.rawValue
            object[key] = parameter.value.json
        }
        return .object(object)
    }

    /// Returns a line with a JSON object.
    static func jsonLine(_ object: [String: JSON]) -> String {
        JSON.object(object).text + "\n"
    }

    /// Writes a line, which a terminal shows as a paragraph.
    static func line(_ text: String) {
        write(paragraph(text) + "\n")
    }

    /// Returns a text as lines between words, of at most the width of the terminal.
    ///
    /// Every line except the first is indented. If the standard error is not a terminal, the text is one line.
    static func paragraph(_ text: String) -> String {
        let output = STDERR_FILENO
        guard isatty(output) == 1 else { return text }
        guard let width = OutputOptions.terminalWidth(of: output) else {
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
            let written = rest.withUnsafeBytes { bytes in
                Glibc.write(STDERR_FILENO, bytes.baseAddress, bytes.count)
            }
            if written < 0, errno == EINTR { continue }
            guard written > 0 else { return }
            rest = rest.dropFirst(written)
        }
    }

    /// Returns the text as one line without the control characters that a terminal interprets.
    ///
    /// A line feed becomes a space, and any other control or bidirectional control character becomes U+FFFD.
    static func clean(_ text: String) -> String {
        let characters = text.unicodeScalars.map { scalar -> Character in
            guard scalar.isControl else { return Character(scalar) }
            return scalar == "\n" ? " " : "\u{fffd}"
        }
        return String(characters)
    }
}

extension Unicode.Scalar {
    /// Whether a terminal interprets the scalar instead of showing it.
    fileprivate var isControl: Bool {
        let properties = properties
        return properties.generalCategory == .control || properties.isBidiControl
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
