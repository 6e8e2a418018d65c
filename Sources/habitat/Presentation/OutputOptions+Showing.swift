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
        _ common: CommonOptions, whenEmpty: String, single: Bool = false, page: RenderOptions.PageContent = .init(),
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
            let shape = try selected(shape)
            let renderer = try format.renderer(for: shape, options: options, into: buffer)
            let new = RowReceiver(renderer, into: buffer)
            try new.begin()
            receiver = new
            return new
        }
        guard let receiver else {
            throw HabitError(.internal, "the command made no output")
        }
        try receiver.finish()
        if let text = receiver.notice(whenEmpty: whenEmpty) {
            common.notice(text)
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
        if explain { return try explain(chosen, common, in: session) }
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
    ///   - related: The related rows.
    /// - Throws: `format-not-available` or `parameter-invalid` if an option is invalid, `output-exists` if the output
    ///   is the store, and the errors of the query and the output.
    func show(
        _ chosen: Selection,
        _ common: CommonOptions,
        in session: any Session,
        with related: RelatedRows
    ) throws {
        if explain { return try explain(chosen, common, in: session) }
        let format = try chosenFormat()
        var shape = chosen.shape
        if format != .text, format != .csv {
            let column = Column(related.name, .json, at: AugmentedRow.index)
            shape.columns.append(column)
            shape.choice?.append(related.name)
        }
        let json = try related.json
        try show(common, whenEmpty: "", single: true) { begin in
            let receiver = try begin(shape)
            try session.query(chosen.sql) { row in
                try receiver.append(AugmentedRow(row: row, json: json))
                return true
            }
            if format == .text, !related.rows.isEmpty {
                let options = try renderOptions(single: false)
                try receiver.appendTable(related.rows, related.shape, options: options)
            }
        }
    }

    /// Shows named values as one record.
    ///
    /// `values` is called after the output has been opened.
    func show(
        _ names: [String],
        _ common: CommonOptions,
        values: () throws -> [Value]
    ) throws {
        let columns = names.enumerated().map { index, name in
            Column(name, .any, at: index)
        }
        try show(common, whenEmpty: "", single: true) { begin in
            let receiver = try begin(ResultShape(columns: columns))
            let row = ValueRow(try values())
            try receiver.append(row)
        }
    }

    /// Shows named values as one record.
    func show(_ values: [(name: String, value: Value)], _ common: CommonOptions) throws {
        let names = values.map(\.name)
        try show(names, common) {
            values.map(\.value)
        }
    }

    /// Shows the rows of user-supplied SQL.
    ///
    /// A notice follows if the row limit has cut the result.
    func show(
        _ common: CommonOptions, _ query: AnalysisQuery, in session: any Session, crew: ReadCrew, whenEmpty: String,
        page: RenderOptions.PageContent = .init()
    ) throws {
        var isCut = false
        try show(common, whenEmpty: whenEmpty, page: page) { begin in
            isCut = try query.run(in: session, crew: crew) { shape in
                let receiver = try begin(shape)
                return { row in try receiver.append(row) }
            }
        }
        if isCut {
            let limit = query.rowLimit ?? 0
            common.notice("The result has more rows after the first \(limit): pass a larger --limit.")
        }
    }

    /// Checks that `--explain` is not given, for commands that list no rows.
    ///
    /// - Throws: `usage`.
    func refuseExplanation() throws {
        guard explain else { return }
        throw HabitError(
            .usage,
            "--explain shows a query plan, and this command runs no query: omit it",
            field: "explain")
    }

    /// Returns the time zone of instants in texts for people: the zone of the acting user, or `nil` for the operator and
    /// for other formats.
    private func textZone(_ common: CommonOptions, in session: any Session) throws -> TimeZoneRules? {
        if plain { return nil }
        guard try chosenFormat() == .text else { return nil }
        let viewer = try common.viewer(in: session)
        guard viewer != .operator else { return nil }
        let clock = try common.clock()
        if let zone = clock.timeZone {
            return zone
        }
        let user = try ActingUser(viewer, clock: clock, in: session)
        return user.zone
    }

    private func explain(_ selection: Selection, _ common: CommonOptions, in session: any Session) throws {
        let plan = try session.plan(selection.sql)
        try explain(selection.sql.text, plan: plan, common)
    }

    /// Shows SQL and the engine's query plan.
    func explain(_ sql: String, plan: [String], _ common: CommonOptions) throws {
        try common.protect(from: output, option: "output")
        let buffer = try OutputBuffer(to: destination, sharing: access.sharing)
        buffer.append(sql + "\n\n")
        for line in plan {
            buffer.append(line + "\n")
        }
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
        let options = try renderOptions(single: false)
        try body(TextDocument(buffer, options: options))
        try buffer.close()
    }
}

/// Rows that are related to a record.
struct RelatedRows {
    /// The name of the column with the array of the rows.
    let name: String
    let shape: ResultShape
    let rows: [ValueRow]

    /// The rows as an array of JSON objects.
    fileprivate var json: String {
        get throws {
            let bytes = try NDJSONRenderer.array(rows, shape)
            return String(decoding: bytes, as: UTF8.self)
        }
    }
}

extension RowReceiver {
    /// Returns a notice on the rows that the format omits or on an empty result, or `nil` for any other result.
    fileprivate func notice(whenEmpty: String) -> String? {
        if unlocated > 0 {
            let isOne = unlocated == 1
            let rows = isOne ? "1 row without a position is" : "\(unlocated) rows without a position are"
            return "\(rows) omitted from the GeoJSON: pass --include-unlocated to include them."
        }
        if undated > 0 {
            let isOne = undated == 1
            let rows = isOne ? "1 row without a day is" : "\(undated) rows without a day are"
            return "\(rows) omitted from the calendar: pass another --format to include them."
        }
        return count == 0 ? whenEmpty : nil
    }
}
