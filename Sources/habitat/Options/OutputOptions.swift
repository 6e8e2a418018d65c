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
    /// The title of the options in the help.
    static let title = "Output options"

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Output format (default: from the file name of --output, otherwise text).",
            valueName: "format"))
    var format: OutputFormat?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Output file, replaced only after all rows are written; - for the standard output.", valueName: "file"),
        completion: .file())
    var output: String?

    @OptionGroup var access: SharingOption

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Columns to write, in this order, separated by commas, or 'all'.", valueName: "names"),
        completion: .columns)
    var columns: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Text: table width in characters (default: the terminal width, otherwise 100).", valueName: "columns"),
        completion: .anyText)
    var width: Int?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Text: colors (auto: on a terminal, unless NO_COLOR is set).", valueName: "when"))
    var color: ColorChoice?

    @Flag(help: "Text: no header, the values of csv, cells separated by tabs.")
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
        let terminalWidth = isTerminal ? Self.terminalWidth : nil
        let standardWidth = terminalWidth ?? 100
        options.width = width ?? standardWidth
        options.plain = plain
        options.style = Self.style(colorChoice, isTerminal: isTerminal)
        options.crlf = crlf
        options.spreadsheetSafe = spreadsheetSafe
        if includeUnlocated { options.includeUnlocated = true }
        return options
    }

    /// Returns the style of an output in the environment of this process.
    static func style(_ choice: ColorChoice, isTerminal: Bool) -> TerminalStyle {
        TerminalStyle(
            choice, isTerminal: isTerminal, isUTF8: isLocaleUTF8,
            environment: Configuration.processEnvironment)
    }

    /// The choice of the option, otherwise of the environment or of the configuration file.
    private var colorChoice: ColorChoice {
        if let color {
            return color
        }
        return ColorChoice(rawValue: Configuration.valid.color.value) ?? .auto
    }

    /// The width of the terminal on the standard output, in columns.
    static var terminalWidth: Int? { terminalWidth(of: STDOUT_FILENO) }

    /// Returns the width of the terminal of a stream, in columns, or `nil` if it is not a terminal.
    static func terminalWidth(of stream: Int32) -> Int? {
        var size = winsize()
        guard ioctl(stream, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return Int(size.ws_col)
    }

    /// Whether the encoding of the locale is UTF-8.
    private static var isLocaleUTF8: Bool {
        guard let locale = newlocale(LC_CTYPE_MASK, "", nil) else {
            // The locale is not installed, so that the encoding is known only from its name.
            let environment = ProcessInfo.processInfo.environment
            let values = ["LC_ALL", "LC_CTYPE", "LANG"].compactMap { variable in environment[variable] }
            let value = values.first { value in !value.isEmpty }
            let name = (value ?? "").lowercased()
            return name.hasSuffix("utf-8") || name.hasSuffix("utf8")
        }
        defer { freelocale(locale) }
        guard let encoding = nl_langinfo_l(nl_item(CODESET), locale) else { return false }
        return String(cString: encoding) == "UTF-8"
    }

    /// The word of `--columns` that selects every column.
    private static let everyColumn = "all"

    /// The names and headings of the selected columns; `nil` selects the columns of the command.
    var columnNames: [String]? {
        // Foundation's trimming is avoided, because its first call takes 0.2 ms.
        guard let columns else { return nil }
        return columns.split(separator: ",").map { name in String(name.withoutSpaceAround) }
    }

    /// Returns the columns that the chosen format reads; `nil` stands for all columns.
    ///
    /// A format with positions also reads the coordinates.
    func columnsRead() throws -> Set<String>? {
        guard let words = columnNames, words != [Self.everyColumn] else { return nil }
        let names = words + words.flatMap { word in ColumnLabel.names(for: word) }
        return Set(names).union(try chosenFormat().showsPositions ? ["longitude", "latitude"] : [])
    }

    /// Whether the output of events needs the target amounts of their habits, because a calendar shows the outcome of
    /// each event in words.
    var showsTarget: Bool { get throws { try !explain && columnNames == nil && chosenFormat() == .ics } }

    func selected(_ shape: ResultShape) throws -> ResultShape {
        guard let words = columnNames else { return shape }
        if words == [Self.everyColumn], !shape.names.contains(Self.everyColumn) {
            var complete = shape
            complete.isSelected = true
            return complete
        }
        let names = words.flatMap { word in shape.columnNames(for: word) }
        guard !names.isEmpty, Set(names).count == names.count, var selected = shape.selecting(names) else {
            let known = shape.names
            var hint = ""
            if let unknown = names.first(where: { name in !known.contains(name) }) {
                hint = "unknown column '\(unknown)': "
                if let nearest = known.nearestSpelling(to: unknown) { hint += "did you mean '\(nearest)'? " }
            }
            throw HabitError(
                .parameterInvalid,
                "\(hint)--columns accepts each of these columns once: \(known.joined(separator: ", "))",
                field: "columns")
        }
        selected.showsCoordinates = words.contains { word in word == "longitude" || word == "latitude" }
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
