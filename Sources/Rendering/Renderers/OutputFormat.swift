/// The format in which rows are written.
public enum OutputFormat: String, CaseIterable, Sendable {
    /// The supported formats. The raw value is the name of a format.
    case text, csv, json, ndjson, geojson, geojsonseq, html

    /// The usual file name extension, without the dot.
    public var fileEnding: String {
        switch self {
        case .text: "txt"
        case .geojsonseq: "geojsonl"
        case .csv, .json, .ndjson, .geojson, .html: rawValue
        }
    }

    /// Whether the format shows rows on a map, with or without columns for the position.
    public var showsPlaces: Bool {
        switch self {
        case .geojson, .geojsonseq, .html: true
        case .text, .csv, .json, .ndjson: false
        }
    }

    /// Whether the rows must have a geometry.
    public var needsGeometry: Bool {
        switch self {
        case .geojson, .geojsonseq: true
        case .text, .csv, .json, .ndjson, .html: false
        }
    }

    /// Creates the format for the extension of a file name, in upper or lower case.
    ///
    /// The result is `nil` if the extension is unknown.
    public init?(fileName: String) {
        let name = fileName.split(separator: "/").last ?? ""
        guard let dot = name.lastIndex(of: ".") else { return nil }
        switch name[name.index(after: dot)...].lowercased() {
        case "txt": self = .text
        case "csv": self = .csv
        case "json": self = .json
        case "ndjson", "jsonl": self = .ndjson
        case "geojson": self = .geojson
        case "geojsonl", "geojsons": self = .geojsonseq
        case "html", "htm": self = .html
        default: return nil
        }
    }
}
