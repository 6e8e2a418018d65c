/// The formats of input files; each may also be gzipped.
public enum InputFormat: String, CaseIterable, Sendable {
    /// RFC 4180, with a header.
    case csv
    /// The same with a tab for the comma.
    case tsv
    /// An object a line.
    case ndjson
    /// An array of objects.
    case json
    /// RFC 7946: a FeatureCollection.
    case geojson
    /// RFC 8142, and Features a line without the record separator.
    case geojsonseq
}
