/// A conformance class of an OGC standard that the server implements completely.
struct ConformanceClass: Sendable {
    var uri: String

    private init(_ standard: String, _ name: String) {
        uri = "http://www.opengis.net/spec/\(standard)/1.0/conf/\(name)"
    }

    /// All classes, in the order of the standards.
    static let all: [ConformanceClass] =
        // OGC API - Features, Part 1.
        ["core", "oas30", "geojson"].map { ConformanceClass("ogcapi-features-1", $0) }
        // OGC API - Features, Part 3.
        + ["queryables", "filter", "features-filter"].map { ConformanceClass("ogcapi-features-3", $0) }
        // OGC API - Features, Part 5, which is also OGC API - Common, Part 3.
        + ["schemas", "advanced-property-roles", "returnables-and-receivables", "queryables"].map {
            ConformanceClass("ogcapi-common-3", $0)
        }
        // The name of the class in drafts, which clients such as QGIS look for.
        + [ConformanceClass("ogcapi-features-5", "schemas")]
        // Common Query Language (CQL2).
        + [
            "basic-cql2", "advanced-comparison-operators", "case-insensitive-comparison", "basic-spatial-functions",
            "temporal-functions", "cql2-text", "cql2-json",
        ].map { ConformanceClass("cql2", $0) }
}
