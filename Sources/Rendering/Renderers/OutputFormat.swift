/// The format in which rows are written.
public enum OutputFormat: String, CaseIterable, Sendable {
    /// The supported formats. The raw value is the name of a format.
    case text, csv, json, ndjson, geojson, geojsonseq, html, ics, parquet

    /// The file name extensions, without the dot and in lower case, the usual one first.
    private var fileEndings: [String] {
        switch self {
        case .text: ["txt"]
        case .ndjson: ["ndjson", "jsonl"]
        case .geojsonseq: ["geojsonl", "geojsons"]
        case .html: ["html", "htm"]
        case .csv, .json, .geojson, .ics, .parquet: [rawValue]
        }
    }

    /// The usual file name extension, without the dot.
    public var fileEnding: String { fileEndings.first ?? rawValue }

    /// Whether the format shows the positions of rows, with or without columns for the position.
    public var showsPositions: Bool {
        switch self {
        case .geojson, .geojsonseq, .html, .ics: true
        case .text, .csv, .json, .ndjson, .parquet: false
        }
    }

    /// Whether the rows must have a geometry.
    public var needsGeometry: Bool {
        switch self {
        case .geojson, .geojsonseq: true
        case .text, .csv, .json, .ndjson, .html, .ics, .parquet: false
        }
    }

    /// Whether the output is not text, so that a terminal cannot show it.
    public var isBinary: Bool { self == .parquet }

    /// Creates the format for the extension of a file name, in upper or lower case.
    ///
    /// The result is `nil` if the extension is unknown.
    public init?(fileName: String) {
        let name = fileName.split(separator: "/").last ?? ""
        guard let dot = name.lastIndex(of: ".") else { return nil }
        let begin = name.index(after: dot)
        let ending = name[begin...].lowercased()
        let format = Self.allCases.first { format in format.fileEndings.contains(ending) }
        guard let format else { return nil }
        self = format
    }
}
