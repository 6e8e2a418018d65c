/// The media type of a response.
package enum ContentType {
    case json, geoJSON, openAPI, schema, problem, csv, html, text, ndjson, geoJSONSequence, zip, eventStream, vectorTile
    case calendar, parquet

    package var text: String {
        switch self {
        case .json: "application/json"
        case .geoJSON: "application/geo+json"
        case .openAPI: "application/vnd.oai.openapi+json;version=3.0"
        case .schema: "application/schema+json"
        case .problem: "application/problem+json"
        case .csv: "text/csv; charset=utf-8"
        case .html: "text/html; charset=utf-8"
        case .text: "text/plain; charset=utf-8"
        case .ndjson: "application/x-ndjson"
        case .geoJSONSequence: "application/geo+json-seq"
        case .zip: "application/zip"
        case .eventStream: "text/event-stream"
        case .vectorTile: "application/vnd.mapbox-vector-tile"
        case .calendar: "text/calendar; charset=utf-8"
        case .parquet: "application/vnd.apache.parquet"
        }
    }
}
