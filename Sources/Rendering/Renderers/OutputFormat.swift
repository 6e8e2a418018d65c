/// How rows are written (rule R-01).
public enum OutputFormat: String, CaseIterable, Sendable {
    case text, csv, json, ndjson, geojson, geojsonseq, html

    /// The usual ending of a file's name.
    public var fileEnding: String {
        switch self {
        case .text: "txt"
        case .geojsonseq: "geojsonl"
        default: rawValue
        }
    }

    /// Whether rows are shown where they lie, with columns of the place or without.
    public var showsPlaces: Bool {
        switch self {
        case .geojson, .geojsonseq, .html: true
        case .text, .csv, .json, .ndjson: false
        }
    }

    /// Guesses from the extension of a file's name, upper or lower case; nil where it says nothing.
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
