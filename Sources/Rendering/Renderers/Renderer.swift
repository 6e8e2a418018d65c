import Base
import StoreEngine

/// A writer of rows in one format into an `OutputBuffer`.
///
/// Call `begin()`, `append(_:)` for each row, and `end()`. Memory use does not depend on the number of rows. The caller
/// closes the buffer.
public protocol Renderer: AnyObject {
    /// Number of rows written so far.
    var rowCount: Int { get }
    /// Number of rows that were skipped because they have no geometry (GeoJSON).
    var unlocatedCount: Int { get }
    /// Number of rows that were skipped because they have neither a day nor an instant (iCalendar).
    var undatedCount: Int { get }
    /// The headings of the columns that a text table omits because it is too narrow. They are known after `end()`.
    var hiddenColumns: [String] { get }

    /// Appends the beginning of the document.
    ///
    /// - Throws: An error of `OutputBuffer.flush()`.
    func begin() throws
    /// Appends one row.
    ///
    /// - Throws: An error of `OutputBuffer.flush()`.
    func append(_ row: some Row) throws
    /// Appends the end of the document.
    ///
    /// - Throws: An error of `OutputBuffer.flush()`.
    func end() throws
}

extension Renderer {
    /// Zero, the default for formats that write all rows.
    public var unlocatedCount: Int { 0 }
    /// Zero, the default for formats that write all rows.
    public var undatedCount: Int { 0 }
    /// An empty list, the default for formats that write all columns.
    public var hiddenColumns: [String] { [] }
}

/// The options of an output that a user can set.
public struct RenderOptions: Sendable, Equatable {
    /// Text: maximum width of a line in terminal columns, at least 20.
    public var width = 100
    /// Text: the values of the other formats, no header, no padding, and a tab between the cells, for programs.
    public var plain = false
    /// HTML: columns whose name ends in `_rate` are written as `72 %` instead of `0.722222`.
    ///
    /// Booleans are `yes` or `no`, other numbers have two decimals, a status is a colored word, and headings have spaces.
    public var ratesAsPercent = false
    /// Text: a table that is too wide omits no column.
    ///
    /// Each row is a card of names and values instead.
    public var showsAllColumns = false
    /// Text: the time zone of instants.
    ///
    /// `nil` keeps the UTC offset of each record.
    public var zone: TimeZoneRules?
    /// Text: the colors and symbols.
    public var style = TerminalStyle()
    /// CSV: lines end with CR LF instead of LF.
    public var crlf = false
    /// CSV: text that a spreadsheet may evaluate as a formula is prefixed with an apostrophe.
    public var spreadsheetSafe = false
    /// Whether the result is one row: a JSON object, a Feature, or a card of names and values.
    public var single = false
    /// GeoJSON: rows without a geometry become Features with `"geometry":null` instead of being skipped.
    public var includeUnlocated = false
    /// Maximum number of decimals of a degree.
    ///
    /// `nil` writes the shortest text that parses to the same position.
    public var precision: Int? = 7
    /// HTML: the content of the page around the table.
    ///
    /// Text: the charts.
    public var page = PageContent()

    /// Creates the default options.
    public init() {}
}

extension OutputFormat {
    /// Returns a renderer of this format.
    ///
    /// - Parameters:
    ///   - shape: The columns of the rows.
    ///   - options: The options of the output.
    ///   - output: The buffer to which the renderer appends.
    /// - Returns: A renderer that has not begun the document.
    /// - Throws: `format-not-available` if the format requires a geometry or a time that the rows do not have, or if it
    ///   does not support two columns of the same name. A column with a day or an instant is a time.
    public func renderer(
        for shape: ResultShape, options: RenderOptions = RenderOptions(), into output: OutputBuffer
    ) throws -> any Renderer {
        switch self {
        case .text where options.plain: return PlainRenderer(shape, options: options, into: output)
        case .text where options.single: return CardRenderer(shape, options: options, into: output)
        case .text:
            let chart = ChartTextRenderer(shape, options: options, into: output)
            return chart ?? TextRenderer(shape, options: options, into: output)
        case .csv: return CSVRenderer(shape, options, output)
        case .json: return JSONRenderer(shape, options, output)
        case .ndjson: return NDJSONRenderer(shape, options: options, into: output)
        case .html: return HTMLRenderer(shape, options: options, into: output)
        case .parquet: return try ParquetRenderer(shape, options, output)
        case .ics:
            guard let renderer = ICalendarRenderer(shape, CalendarWriter(output, precision: options.precision)) else {
                throw HabitError(
                    .formatNotAvailable,
                    "the rows have no column 'day', 'at' or '…_at', so they cannot be written as ics: use csv, json or text",
                    field: "format")
            }
            return renderer
        case .geojson, .geojsonseq:
            guard let features = FeatureWriter(shape, options) else {
                let instead = self == .geojson ? "json" : "ndjson"
                throw HabitError(
                    .formatNotAvailable,
                    "the rows have no geometry, so they cannot be written as \(rawValue): use \(instead), csv or text",
                    field: "format")
            }
            if self == .geojson {
                return GeoJSONRenderer(features, options: options, into: output)
            }
            return GeoJSONSeqRenderer(features, into: output)
        }
    }
}

extension Renderer {
    /// Renders a complete document with these rows.
    ///
    /// - Throws: An error of `OutputBuffer.flush()`.
    public func render(_ rows: some Sequence<some Row>) throws {
        try begin()
        for row in rows { try append(row) }
        try end()
    }

    /// Renders all rows of a query.
    ///
    /// - Throws: An error of the query or of ``append(_:)-swift.method``.
    public func append(_ sql: SQL, in session: any Session) throws {
        try session.query(sql) { row in
            try append(row)
            return true
        }
    }
}
