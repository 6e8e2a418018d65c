import ArgumentParser
import Base
import Foundation
import Geo
import HabitModel
import HabitReport
import HabitStore
import Rendering
import StoreEngine

/// The options for the format and the destination of a command's rows.
struct OutputOptions: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Output format (default: from the file name of --output, otherwise text).",
            valueName: "format"))
    var format: OutputFormat?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Output file, replaced only after all rows are written; - for the standard output.", valueName: "file"))
    var output: String?

    @OptionGroup var access: SharingOption

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Columns to write, in this order, separated by commas.", valueName: "names"))
    var columns: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Text: table width in characters (default: the terminal width, otherwise 100).", valueName: "columns"))
    var width: Int?

    @Flag(help: "Text: no header, no truncation, cells separated by tabs.")
    var plain = false

    @Flag(help: "CSV: end lines with CR LF.")
    var crlf = false

    @Flag(help: "CSV: add an apostrophe before text that a spreadsheet might evaluate.")
    var spreadsheetSafe = false

    @Flag(help: "GeoJSON: include rows without a position, with a null geometry.")
    var includeUnlocated = false

    @Flag(help: "Show the SQL and the query plan instead of the rows.")
    var explain = false

    var destination: OutputDestination { OutputDestination(output) }

    func chosenFormat() throws -> OutputFormat {
        if let format { return format }
        guard case .file(let name) = destination else { return .text }
        if let format = OutputFormat(fileName: name) { return format }
        let ending = (name as NSString).pathExtension
        guard ending.isEmpty || name.hasPrefix("/dev/") else {
            let known = OutputFormat.allCases.map { "." + $0.fileEnding }
            throw HabitError(
                .formatNotAvailable,
                "unknown file name extension '.\(ending)': use \(known.dropLast().joined(separator: ", ")) or \(known.last ?? ""), or pass --format",
                field: "output")
        }
        return .text
    }

    /// Checks that a terminal does not receive a binary format.
    ///
    /// - Throws: `format-not-available`.
    func checkTerminal(_ format: OutputFormat) throws {
        guard format.isBinary, destination == .standardOutput, isatty(STDOUT_FILENO) == 1 else { return }
        throw HabitError(
            .formatNotAvailable,
            "\(format.rawValue) is a binary format, which a terminal cannot show: pass --output FILE", field: "output")
    }

    func renderOptions(single: Bool) throws -> RenderOptions {
        var options = RenderOptions()
        options.single = single
        // A single record is shown even if it has no position.
        options.includeUnlocated = single
        guard (width ?? 20) >= 20 else {
            throw HabitError(.parameterInvalid, "--width must be 20 or more, not \(width ?? 0)", field: "width")
        }
        let isTerminal = destination == .standardOutput && isatty(STDOUT_FILENO) == 1
        options.width = width ?? (isTerminal ? Self.terminalWidth : nil) ?? 100
        options.plain = plain
        options.color = try usesColor(isTerminal: isTerminal)
        options.crlf = crlf
        options.spreadsheetSafe = spreadsheetSafe
        if includeUnlocated { options.includeUnlocated = true }
        return options
    }

    /// Whether the output has colors. Only the standard output has them, also if the configuration is `always`.
    private func usesColor(isTerminal: Bool) throws -> Bool {
        switch try Configuration.current.get().color.value {
        case "always": destination == .standardOutput
        case "never": false
        default: isTerminal
        }
    }

    static var terminalWidth: Int? {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return Int(size.ws_col)
    }

    /// The names of the selected columns; `nil` selects all columns.
    var columnNames: [String]? {
        // Foundation's trimming is avoided, because its first call takes 0.2 ms.
        columns.map { $0.split(separator: ",").map { String($0.withoutSpaceAround) } }
    }

    /// Returns the columns that the chosen format reads; `nil` stands for all columns.
    ///
    /// A format with positions also reads the coordinates.
    func columnsRead() throws -> Set<String>? {
        guard let names = columnNames else { return nil }
        return Set(names).union(try chosenFormat().showsPositions ? ["longitude", "latitude"] : [])
    }

    /// Whether the output of events needs the target amounts of their habits, because a calendar shows the outcome of
    /// each event in words.
    var showsTarget: Bool { get throws { try !explain && columnNames == nil && chosenFormat() == .ics } }

    func selected(_ shape: ResultShape) throws -> ResultShape {
        guard let names = columnNames else { return shape }
        guard !names.isEmpty, Set(names).count == names.count, let selected = shape.selecting(names) else {
            let known = shape.names
            let unknown = names.first { !known.contains($0) }
            let hint = unknown.map { name in
                known.nearestSpelling(to: name).map { "unknown column '\(name)': did you mean '\($0)'? " }
                    ?? "unknown column '\(name)': "
            }
            throw HabitError(
                .parameterInvalid,
                "\(hint ?? "")--columns accepts each of these columns once: \(known.joined(separator: ", "))",
                field: "columns")
        }
        return selected
    }
}

extension Substring {
    fileprivate var withoutSpaceAround: Substring {
        var text = drop(while: \.isWhitespace)
        while text.last?.isWhitespace == true { text.removeLast() }
        return text
    }
}
