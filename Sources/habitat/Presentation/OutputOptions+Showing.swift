import Base
import HabitModel
import HabitReport
import HabitStore
import Rendering
import StoreEngine

/// Methods that print the results of commands.
extension OutputOptions {
    /// Shows the rows that `body` passes to a receiver.
    ///
    /// If the result has no rows, a notice follows. Other notices report rows without a position that GeoJSON omits, rows
    /// without a day that a calendar omits, and columns that the text table omits.
    /// - Parameters:
    ///   - common: The common options.
    ///   - whenEmpty: The notice if the result has no rows.
    ///   - single: Whether the result is one record instead of a list.
    ///   - page: The texts of an HTML page.
    ///   - zone: The time zone of instants in texts for people, or `nil` for the UTC offset of each record.
    ///   - body: Calls `begin` with the shape of the result and passes the rows to the receiver that `begin` returns.
    /// - Throws: The errors of the options, the output and `body`.
    func show(
        _ common: CommonOptions, whenEmpty: String, single: Bool = false, page: RenderOptions.Page = .init(),
        zone: TimeZoneRules? = nil, _ body: (_ begin: (ResultShape) throws -> RowReceiver) throws -> Void
    ) throws {
        let format = try chosenFormat()
        try checkTerminal(format)
        try common.protect(from: output, option: "output")
        let buffer = try OutputBuffer(to: destination, sharing: access.sharing)
        var receiver: RowReceiver?
        try body { shape in
            if let receiver { return receiver }
            var options = try renderOptions(single: single)
            options.page = page
            options.zone = zone
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
                receiver.unlocated == 1
                ? "1 row without a position is" : "\(receiver.unlocated) rows without a position are"
            common.notice("\(rows) omitted from the GeoJSON: pass --include-unlocated to include them.")
        } else if receiver.undated > 0 {
            let rows = receiver.undated == 1 ? "1 row without a day is" : "\(receiver.undated) rows without a day are"
            common.notice("\(rows) omitted from the calendar: pass another --format to include them.")
        } else if receiver.count == 0 {
            common.notice(whenEmpty)
        }
        if !receiver.hiddenColumns.isEmpty {
            let width = try renderOptions(single: single).width
            let hidden = receiver.hiddenColumns.joined(separator: ", ")
            common.notice("Hidden at \(width) columns: \(hidden) (--columns all shows everything).")
        }
    }

    /// Shows the rows of one selection, and a line after them.
    func show(
        _ common: CommonOptions, whenEmpty: String, footer: String? = nil,
        selection: (any Session, Viewer, Clock) throws -> Selection
    ) throws {
        let clock = try common.clock()
        let engine = try common.open(.read)
        try engine.read { session in
            let chosen = try selection(session, try common.viewer(in: session), clock)
            try show(chosen, common, in: session, whenEmpty: whenEmpty, footer: footer)
        }
    }

    /// Shows the only record of a selection.
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
        _ chosen: Selection, _ common: CommonOptions, in session: any Session, whenEmpty: String, single: Bool = false,
        footer: String? = nil
    ) throws {
        if explain { return try explain(chosen, common, session) }
        let zone = try textZone(common, in: session)
        try show(common, whenEmpty: whenEmpty, single: single, zone: zone) { begin in
            let receiver = try begin(chosen.shape)
            if let footer { receiver.addFooter(footer, width: try renderOptions(single: false).width) }
            try receiver.append(chosen.sql, in: session)
        }
    }

    /// Shows the only record of a selection and its related rows.
    ///
    /// Text output has the related rows in a second table, other formats have them as an array in a column. CSV omits
    /// them.
    /// - Parameters:
    ///   - chosen: The query for the record.
    ///   - common: The common options.
    ///   - session: The session in which the record is read.
    ///   - name: The name of the array's column.
    ///   - part: The shape of the related rows.
    ///   - rows: The related rows.
    /// - Throws: `format-not-available` or `parameter-invalid` if an option is invalid, `output-exists` if the output
    ///   is the store, and the errors of the query and the output.
    func show(
        _ chosen: Selection, _ common: CommonOptions, in session: any Session,
        with name: String, _ part: ResultShape, _ rows: [ValueRow]
    ) throws {
        if explain { return try explain(chosen, common, session) }
        let format = try chosenFormat()
        let isText = format == .text
        var shape = chosen.shape
        if !isText, format != .csv {
            shape.columns.append(Column(name, .json, at: AugmentedRow.index))
            shape.choice?.append(name)
        }
        let json = String(decoding: try NDJSONRenderer.array(rows, part), as: UTF8.self)
        try show(common, whenEmpty: "", single: true) { begin in
            let receiver = try begin(shape)
            try session.query(chosen.sql) {
                try receiver.append(AugmentedRow(row: $0, json: json))
                return true
            }
            if isText, !rows.isEmpty { try receiver.appendTable(rows, part, options: try renderOptions(single: false)) }
        }
    }

    /// Shows named values as one record.
    ///
    /// `values` is called after the output has been opened.
    func show(_ names: [String], _ common: CommonOptions, values: () throws -> [Value]) throws {
        let columns = names.enumerated().map { Column($1, .any, at: $0) }
        try show(common, whenEmpty: "", single: true) { begin in
            try begin(ResultShape(columns: columns)).append(ValueRow(try values()))
        }
    }

    func show(_ values: [(name: String, value: Value)], _ common: CommonOptions) throws {
        try show(values.map(\.name), common) { values.map(\.value) }
    }

    /// Shows the rows of user-supplied SQL.
    ///
    /// A notice follows if the row limit has cut the result.
    func show(
        _ common: CommonOptions, _ query: AnalysisQuery, in session: any Session, crew: ReadCrew, whenEmpty: String,
        page: RenderOptions.Page = .init()
    ) throws {
        var isCut = false
        try show(common, whenEmpty: whenEmpty, page: page) { begin in
            isCut = try query.run(in: session, crew: crew) { shape in
                let receiver = try begin(shape)
                return { try receiver.append($0) }
            }
        }
        if isCut {
            common.notice(
                "The result has more rows after the first \(query.rowLimit ?? 0): pass a larger --limit.")
        }
    }

    /// Checks that `--explain` is not given, for commands that list no rows.
    ///
    /// - Throws: `usage`.
    func refuseExplanation() throws {
        guard explain else { return }
        throw HabitError(
            .usage, "--explain shows a query plan, and this command runs no query: omit it", field: "explain")
    }

    /// Returns the time zone of instants in texts for people: the zone of the acting user, or `nil` for the operator and
    /// for other formats.
    private func textZone(_ common: CommonOptions, in session: any Session) throws -> TimeZoneRules? {
        guard !plain, try chosenFormat() == .text else { return nil }
        let viewer = try common.viewer(in: session)
        guard viewer != .operator else { return nil }
        let clock = try common.clock()
        return try clock.timeZone ?? ActingUser(viewer, clock: clock, in: session).zone
    }

    private func explain(_ selection: Selection, _ common: CommonOptions, _ session: any Session) throws {
        try explain(selection.sql.text, try session.plan(selection.sql), common)
    }

    /// Shows SQL and the engine's query plan.
    func explain(_ sql: String, _ plan: [String], _ common: CommonOptions) throws {
        try common.protect(from: output, option: "output")
        let buffer = try OutputBuffer(to: destination, sharing: access.sharing)
        buffer.append(sql + "\n\n")
        for line in plan { buffer.append(line + "\n") }
        try buffer.close()
    }

    /// Whether the output is the text for people in the form that the command chooses.
    var isForPeople: Bool {
        get throws { try !plain && !explain && columns == nil && chosenFormat() == .text }
    }

    /// Shows lines of text.
    ///
    /// - Parameters:
    ///   - common: The common options.
    ///   - body: Appends the lines to the buffer.
    /// - Throws: `output-exists` if the output is the store, and the errors of `body` and the output.
    func showLines(_ common: CommonOptions, _ body: (OutputBuffer, RenderOptions) throws -> Void) throws {
        try common.protect(from: output, option: "output")
        let buffer = try OutputBuffer(to: destination, sharing: access.sharing)
        try body(buffer, try renderOptions(single: false))
        try buffer.close()
    }

    /// Shows a text with tables.
    func showText(_ common: CommonOptions, _ body: (TextDocument) throws -> Void) throws {
        try common.protect(from: output, option: "output")
        let buffer = try OutputBuffer(to: destination, sharing: access.sharing)
        try body(TextDocument(buffer, options: try renderOptions(single: false)))
        try buffer.close()
    }
}
