import Base
import HTTPServing
import HTTPTypes
import HabitStore
import Rendering

/// The form of a response with rows: its format, and the largest number of rows.
struct RowFormat: Sendable {
    let format: OutputFormat
    /// The maximum number of rows.
    let limit: Int
    /// Whether CSV has an apostrophe before text that a spreadsheet might evaluate.
    let isSpreadsheetSafe: Bool

    /// Maximum number of rows in a response.
    ///
    /// The command line has no such limit.
    static let maximumRows = 100_000

    /// The Content-Security-Policy of pages of ``OutputFormat/html``, which contain only their style sheet.
    static let pagePolicy = ContentPolicy.text(["style-src 'unsafe-inline'"])

    /// Reads the form from the parameters of a request.
    ///
    /// - Parameters:
    ///   - parameters: The query parameters.
    ///   - subject: The resource, for the error.
    ///   - formats: The formats of the resource.
    /// - Throws: `format-not-available` if the format is not one of `formats`, and `parameter-invalid`.
    init(_ parameters: RequestParameters, of subject: String, among formats: [OutputFormat]) throws {
        let name = parameters["f"] ?? OutputFormat.json.rawValue
        guard let format = OutputFormat(rawValue: name), formats.contains(format) else {
            let names = formats.map(\.rawValue).joined(separator: ", ")
            throw HabitError(
                .formatNotAvailable, "\(subject) has no format '\(name)': use \(names)", field: "f")
        }
        self.format = format
        limit = try Self.limit(parameters)
        isSpreadsheetSafe = try parameters.isSpreadsheetSafe
    }

    /// Returns the maximum number of rows of a request.
    ///
    /// - Throws: `parameter-invalid`.
    static func limit(_ parameters: RequestParameters) throws -> Int {
        let limit = try FeatureRequest.count(parameters[.limit], .limit)
        return min(limit ?? maximumRows, maximumRows)
    }

    /// The header fields of the response.
    var headers: HTTPFields {
        if format == .html { return ContentPolicy.headers(Self.pagePolicy) }
        return [.contentType: format.mediaType.text]
    }

    /// Describes the parameters of a response in one of several formats.
    static func parameters(of formats: [OutputFormat]) -> [QueryParameter] {
        [
            QueryParameter(
                "f",
                "Response format. The default is `json`.",
                schema: ["type": "string", "enum": .list(formats.map { .text($0.rawValue) }), "default": "json"]),
            QueryParameter(
                "limit",
                "Maximum number of rows. The default is 100,000. The server returns at most 100,000 rows; a larger limit is not an error.",
                schema: ["type": "integer", "minimum": 1, "default": .integer(maximumRows)]),
            QueryParameter(
                FeatureParameter.spreadsheetSafe.rawValue,
                document: formats.contains(.csv) ? FeatureParameter.spreadsheetSafe.description : nil),
        ]
    }

    /// Describes the content of a response in one of several formats.
    static func content(of formats: [OutputFormat]) -> JSON {
        let schemas = formats.map { format in (format.mediaType.text, ["schema": [:]] as JSON) }
        return .object(Dictionary(schemas, uniquingKeysWith: { first, _ in first }))
    }
}

extension OutputFormat {
    var mediaType: ContentType {
        switch self {
        case .json: .json
        case .ndjson: .ndjson
        case .geojson: .geoJSON
        case .geojsonseq: .geoJSONSequence
        case .csv: .csv
        case .html: .html
        case .text: .text
        case .ics: .calendar
        case .parquet: .parquet
        }
    }
}
