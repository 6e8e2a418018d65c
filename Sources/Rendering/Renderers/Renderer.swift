import HabitModel
import StoreEngine

/// Writes rows in one format into an `OutputBuffer`: `begin()`, `append(_:)` for each row, `end()`.
///
/// Memory does not grow with the number of rows. The caller closes the buffer.
public protocol Renderer: AnyObject {
    /// The rows written so far.
    var rowCount: Int { get }
    /// The rows that were left out because they have no place (GeoJSON).
    var unlocatedCount: Int { get }
    /// The columns that a text table has left out because the width does not hold them, known after `end()`.
    var hiddenColumns: [String] { get }

    /// - Throws: as `OutputBuffer.flush()`; so do the others.
    func begin() throws
    func append(_ row: some Row) throws
    func end() throws
}

extension Renderer {
    public var unlocatedCount: Int { 0 }
    public var hiddenColumns: [String] { [] }
}

/// What a user can choose about an output.
public struct RenderOptions: Sendable, Equatable {
    /// Text: the columns of the terminal. A table never exceeds it, from 40 on.
    public var width = 100
    /// Text: no header, no padding, a tab between the cells, nothing cut; for pipes.
    public var plain = false
    /// Text: columns whose name ends in `_rate` are written as `72 %` instead of `0.722222`; for mail.
    public var ratesAsPercent = false
    /// Text: with colours, as a terminal takes them.
    public var color = false
    /// CSV: lines end with CR LF instead of LF.
    public var crlf = false
    /// CSV: text that a spreadsheet would take for a formula gets an apostrophe in front.
    public var spreadsheetSafe = false
    /// There is one row, and it is the result: a JSON object, a Feature, a card of names and values.
    public var single = false
    /// GeoJSON: rows without a place become features with `"geometry":null` instead of being left out.
    public var includeUnlocated = false
    /// The most decimals of a degree; nil: as many as it takes to read the same position back.
    public var precision: Int? = 7
    /// HTML: what stands around the table.
    public var page = Page()

    public init() {}
}

extension OutputFormat {
    /// The renderer of this format.
    ///
    /// - Throws: `HabitError` with `.formatNotAvailable` where the format is for places and the rows have none.
    public func renderer(
        for shape: ResultShape, options: RenderOptions = RenderOptions(), into output: OutputBuffer
    ) throws -> any Renderer {
        switch self {
        case .text where options.plain: return PlainRenderer(shape, options, output)
        case .text where options.single: return CardRenderer(shape, options, output)
        case .text: return TextRenderer(shape, options, output)
        case .csv: return CSVRenderer(shape, options, output)
        case .json: return JSONRenderer(shape, options, output)
        case .ndjson: return NDJSONRenderer(shape, options, output)
        case .html: return HTMLRenderer(shape, options, output)
        case .geojson, .geojsonseq:
            guard let features = FeatureWriter(shape, options) else {
                let instead = self == .geojson ? "json" : "ndjson"
                throw HabitError(
                    .formatNotAvailable,
                    "these rows have no place, so they cannot be \(rawValue): use \(instead), csv or text",
                    field: "format")
            }
            return self == .geojson
                ? GeoJSONRenderer(features, options, output) : GeoJSONSeqRenderer(features, options, output)
        }
    }
}

extension Renderer {
    /// Renders all rows of a query.
    public func append(_ sql: SQL, in session: any Session) throws {
        try session.query(sql) { row in
            try append(row)
            return true
        }
    }
}
