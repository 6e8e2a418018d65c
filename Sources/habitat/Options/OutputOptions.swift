import ArgumentParser
import Foundation
import Geo
import HabitModel
import HabitReport
import HabitStore

/// How a command shows its rows.
struct OutputOptions: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "How the rows are written (default: by the name of --output, else text).",
            valueName: "format"))
    var format: OutputFormat?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The file to write, replaced at once when all is written; - for stdout.", valueName: "file"))
    var output: String?

    @OptionGroup var access: SharingOption

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Only these columns, in this order, separated by commas.", valueName: "names"))
    var columns: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Text: the width of the table (default: the terminal's, else 100).", valueName: "columns"))
    var width: Int?

    @Flag(help: "Text: no header, nothing cut, a tab between cells.")
    var plain = false

    @Flag(help: "CSV: lines end with CR LF.")
    var crlf = false

    @Flag(help: "CSV: add an apostrophe before text that a spreadsheet might evaluate.")
    var spreadsheetSafe = false

    @Flag(help: "GeoJSON: rows without a place too, with a null geometry.")
    var includeUnlocated = false

    @Flag(help: "Show how the engine finds the rows instead of the rows.")
    var explain = false

    private var destination: OutputDestination { OutputDestination(output) }

    func chosenFormat() throws -> OutputFormat {
        if let format { return format }
        guard case .file(let name) = destination else { return .text }
        if let format = OutputFormat(fileName: name) { return format }
        let ending = (name as NSString).pathExtension
        guard ending.isEmpty || name.hasPrefix("/dev/") else {
            throw HabitError(
                .formatNotAvailable,
                "'.\(ending)' names no format: use .txt, .csv, .json, .ndjson, .geojson, .geojsonl or .html, or say --format",
                field: "output")
        }
        return .text
    }

    private func renderOptions(single: Bool) throws -> RenderOptions {
        var options = RenderOptions()
        options.single = single
        // Who asks for one thing wants it, with a place or without.
        options.includeUnlocated = single
        guard (width ?? 20) >= 20 else {
            throw HabitError(.parameterInvalid, "--width must be 20 or more, not \(width ?? 0)", field: "width")
        }
        let isTerminal = destination == .standardOutput && isatty(STDOUT_FILENO) == 1
        options.width = width ?? (isTerminal ? Self.terminalWidth : nil) ?? 100
        options.plain = plain
        options.color = isTerminal && (ProcessInfo.processInfo.environment["NO_COLOR"] ?? "").isEmpty
        options.crlf = crlf
        options.spreadsheetSafe = spreadsheetSafe
        if includeUnlocated { options.includeUnlocated = true }
        return options
    }

    private static var terminalWidth: Int? {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return Int(size.ws_col)
    }

    // MARK: Showing

    /// Shows the rows that `body` hands to what it gets, and says what to do where there are none; with `single` there
    /// is one row, and it is the result.
    func show(
        _ common: CommonOptions, whenEmpty: String, single: Bool = false, page: RenderOptions.Page = .init(),
        _ body: (_ begin: (ResultShape) throws -> RowReceiver) throws -> Void
    ) throws {
        let format = try chosenFormat()
        try common.protect(from: output, option: "output")
        let buffer = try OutputBuffer(to: destination, sharing: access.sharing)
        var receiver: RowReceiver?
        try body { shape in
            if let receiver { return receiver }
            var options = try renderOptions(single: single)
            options.page = page
            let new = RowReceiver(
                try format.renderer(for: try selected(shape), options: options, into: buffer), into: buffer)
            try new.begin()
            receiver = new
            return new
        }
        guard let receiver else { throw HabitError(.internal, "the command made no output") }
        try receiver.finish()
        if receiver.unlocated > 0 {
            let rows =
                receiver.unlocated == 1 ? "1 row without a place is" : "\(receiver.unlocated) rows without a place are"
            common.notice("\(rows) left out of the GeoJSON: --include-unlocated takes them in.")
        } else if receiver.count == 0 {
            common.notice(whenEmpty)
        }
        if !receiver.hiddenColumns.isEmpty {
            common.notice(
                "Not shown for want of width: \(receiver.hiddenColumns.joined(separator: ", ")). Choose with --columns, or take --width or another --format."
            )
        }
    }

    /// Shows the rows of one selection.
    func show(
        _ common: CommonOptions, whenEmpty: String, selection: (any Session, Viewer, Clock) throws -> Selection
    ) throws {
        let clock = try common.clock()
        let engine = try common.open(.read)
        try engine.read { session in
            let chosen = try selection(session, try common.viewer(in: session), clock)
            try show(chosen, common, in: session, whenEmpty: whenEmpty)
        }
    }

    /// Shows the one thing that a selection finds.
    func showOne(
        _ common: CommonOptions, _ selection: (any Session, Viewer, Clock) throws -> Selection
    ) throws {
        let clock = try common.clock()
        let engine = try common.open(.read)
        try engine.read { session in
            let chosen = try selection(session, try common.viewer(in: session), clock)
            try show(chosen, common, in: session, whenEmpty: "", single: true)
        }
    }

    func show(
        _ chosen: Selection, _ common: CommonOptions, in session: any Session, whenEmpty: String, single: Bool = false
    ) throws {
        if explain { return try explain(chosen, session) }
        try show(common, whenEmpty: whenEmpty, single: single) { begin in
            let receiver = try begin(chosen.shape)
            try session.query(chosen.sql) {
                try receiver.take($0)
                return true
            }
        }
    }

    /// Shows the one thing that a selection finds, with rows that belong to it: a table below it as text, an array in it
    /// as JSON. CSV has no place for them.
    func show(
        _ chosen: Selection, _ common: CommonOptions, in session: any Session,
        with name: String, _ part: ResultShape, _ rows: [ValueRow]
    ) throws {
        if explain { return try explain(chosen, session) }
        let format = try chosenFormat()
        let isText = format == .text
        var shape = chosen.shape
        if !isText, format != .csv { shape.columns.append(Column(name, .json, at: PartRow.index)) }
        let json = try NDJSONRenderer.array(rows, part)
        try show(common, whenEmpty: "", single: true) { begin in
            let receiver = try begin(shape)
            try session.query(chosen.sql) {
                try receiver.take(PartRow(row: $0, json: json))
                return true
            }
            if isText, !rows.isEmpty { try receiver.takeTable(rows, part, options: try renderOptions(single: false)) }
        }
    }

    /// Shows named values as one thing; `values` are asked for when it is sure that they can be shown.
    func show(_ names: [String], _ common: CommonOptions, values: () throws -> [Value]) throws {
        let columns = names.enumerated().map { Column($1, .any, at: $0) }
        try show(common, whenEmpty: "", single: true) { begin in
            try begin(ResultShape(columns: columns)).take(ValueRow(try values()))
        }
    }

    func show(_ values: [(name: String, value: Value)], _ common: CommonOptions) throws {
        try show(values.map(\.name), common) { values.map(\.value) }
    }

    /// Shows the rows of a SELECT from outside, and says where there are more than it may show.
    func show(
        _ common: CommonOptions, _ query: AnalystQuery, in session: any Session, whenEmpty: String,
        page: RenderOptions.Page = .init()
    ) throws {
        var isCut = false
        try show(common, whenEmpty: whenEmpty, page: page) { begin in
            isCut = try query.run(in: session) { shape in
                let receiver = try begin(shape)
                return { try receiver.take($0) }
            }
        }
        if isCut { common.notice("There are more rows than the first \(query.rowLimit ?? 0): --limit takes more.") }
    }

    /// For commands that look for no rows.
    func refuseExplanation() throws {
        guard explain else { return }
        throw HabitError(.usage, "--explain shows how rows are found, and this command lists none", field: "explain")
    }

    private func explain(_ selection: Selection, _ session: any Session) throws {
        try explain(selection.sql.text, try session.plan(selection.sql))
    }

    /// Shows SQL and how the engine would run it.
    func explain(_ sql: String, _ plan: [String]) throws {
        let buffer = try OutputBuffer(to: destination, sharing: access.sharing)
        buffer.append(sql + "\n\n")
        for line in plan { buffer.append(line + "\n") }
        try buffer.close()
    }

    /// Shows a text for people, with tables in it.
    func showText(_ common: CommonOptions, _ body: (TextPage) throws -> Void) throws {
        try common.protect(from: output, option: "output")
        let buffer = try OutputBuffer(to: destination, sharing: access.sharing)
        try body(TextPage(buffer, options: try renderOptions(single: false)))
        try buffer.close()
    }

    /// The columns that are asked for; nil: all.
    var columnNames: [String]? {
        // Without Foundation's trimming, which costs 0.2 ms the first time.
        columns.map { $0.split(separator: ",").map { String($0.withoutSpaceAround) } }
    }

    /// The columns that the chosen format reads, whatever it shows; nil: all.
    func columnsRead() throws -> Set<String>? {
        guard let names = columnNames else { return nil }
        return Set(names).union(try chosenFormat().showsPlaces ? ["longitude", "latitude"] : [])
    }

    private func selected(_ shape: ResultShape) throws -> ResultShape {
        guard let names = columnNames else { return shape }
        guard !names.isEmpty, Set(names).count == names.count, let selected = shape.selecting(names) else {
            let known = shape.names
            let unknown = names.first { !known.contains($0) }
            let hint = unknown.map { name in
                known.nearestSpelling(to: name).map { "'\(name)' is none: did you mean '\($0)'? " }
                    ?? "'\(name)' is none. "
            }
            throw HabitError(
                .parameterInvalid,
                "\(hint ?? "")--columns takes some of these, each once: \(known.joined(separator: ", "))",
                field: "columns")
        }
        return selected
    }
}

extension OutputFormat: ExpressibleByArgument {}

/// Takes the rows of a result, whatever the format.
final class RowReceiver {
    private let renderer: any Renderer
    private let buffer: OutputBuffer
    private var isFinished = false

    init(_ renderer: any Renderer, into buffer: OutputBuffer) {
        self.renderer = renderer
        self.buffer = buffer
    }

    var count: Int { renderer.rowCount }
    var unlocated: Int { renderer.unlocatedCount }
    var hiddenColumns: [String] { renderer.hiddenColumns }

    func begin() throws { try renderer.begin() }
    func take(_ row: any Row) throws { try renderer.append(row) }

    /// A table below what was taken so far.
    func takeTable(_ rows: [ValueRow], _ shape: ResultShape, options: RenderOptions) throws {
        try TextPage(buffer, options: options).add(rows, shape)
    }

    /// Writes everything out and makes the output final; once.
    func finish() throws {
        guard !isFinished else { return }
        isFinished = true
        try renderer.end()
        try buffer.close()
    }
}

/// A row with one more column, which holds a JSON document.
private struct PartRow: Row {
    static let index = 1 << 20

    let row: any Row
    let json: [UInt8]

    func isNull(_ index: Int) -> Bool { index != Self.index && row.isNull(index) }
    func integer(_ index: Int) -> Int64 { row.integer(index) }
    func number(_ index: Int) -> Double { row.number(index) }
    func readText(_ index: Int, _ body: (UnsafeBufferPointer<UInt8>) -> Void) -> Bool {
        guard index == Self.index else { return row.readText(index, body) }
        json.withUnsafeBufferPointer(body)
        return true
    }
    func position(_ index: Int) -> Position? { row.position(index) }
    func blob(_ index: Int) -> [UInt8] { row.blob(index) }
    func storage(_ index: Int) -> Storage { index == Self.index ? .text : row.storage(index) }
}

extension Substring {
    fileprivate var withoutSpaceAround: Substring {
        var text = drop(while: \.isWhitespace)
        while text.last?.isWhitespace == true { text.removeLast() }
        return text
    }
}
