/// The formats of input files.
///
/// A file in any format may be compressed with gzip.
public enum InputFormat: String, CaseIterable, Sendable {
    /// Comma-separated values with a header (RFC 4180).
    case csv
    /// Tab-separated values with a header, quoted as in CSV.
    case tsv
    /// Newline-delimited JSON: one object per line.
    case ndjson
    /// A JSON array of objects.
    case json
    /// A GeoJSON FeatureCollection (RFC 7946).
    case geojson
    /// A GeoJSON text sequence (RFC 8142), or one Feature per line without record separators.
    case geojsonseq

    /// The delimiter of a format with rows of columns, or `nil` for a JSON format.
    var delimiter: UInt8? {
        switch self {
        case .csv: UInt8(ascii: ",")
        case .tsv: UInt8(ascii: "\t")
        case .ndjson, .json, .geojson, .geojsonseq: nil
        }
    }

    /// The file name extensions of the format, without the dot and in lower case.
    ///
    /// Files of a folder with other extensions are skipped. The content of a file determines its format.
    private var fileEndings: [String] {
        switch self {
        case .csv: ["csv"]
        case .tsv: ["tsv", "tab"]
        case .ndjson: ["ndjson", "jsonl"]
        case .json: ["json"]
        case .geojson: ["geojson"]
        case .geojsonseq: ["geojsonl", "geojsons", "geojsonseq"]
        }
    }

    /// The file name extensions of all formats.
    static let allFileEndings = Set(allCases.flatMap(\.fileEndings))

    /// Whether every record is a GeoJSON Feature.
    var hasOnlyFeatures: Bool {
        switch self {
        case .geojson, .geojsonseq: true
        case .csv, .tsv, .ndjson, .json: false
        }
    }
}
