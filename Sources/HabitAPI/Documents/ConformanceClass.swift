import Base

/// A conformance class of an OGC standard that the server implements completely.
struct ConformanceClass: Sendable {
    var uri: String

    private init(_ standard: String, _ name: String) {
        uri = "http://www.opengis.net/spec/\(standard)/1.0/conf/\(name)"
    }

    private static func classes(of standard: String, _ names: [String]) -> [ConformanceClass] {
        names.map { name in ConformanceClass(standard, name) }
    }

    /// All classes, in the order of the standards.
    static let all: [ConformanceClass] =
        // OGC API - Features, Part 1.
        classes(of: "ogcapi-features-1", ["core", "oas30", "html", "geojson"])
        // OGC API - Features, Part 3.
        + classes(of: "ogcapi-features-3", ["queryables", "filter", "features-filter"])
        // OGC API - Features, Part 5, which is also OGC API - Common, Part 3.
        + classes(
            of: "ogcapi-common-3",
            [
                "schemas",
                "advanced-property-roles",
                "returnables-and-receivables",
                "queryables",
            ])
        // The name of the class in drafts, which clients such as QGIS look for.
        + classes(of: "ogcapi-features-5", ["schemas"])
        // Common Query Language (CQL2).
        + classes(
            of: "cql2",
            [
                "basic-cql2",
                "advanced-comparison-operators",
                "case-insensitive-comparison",
                "basic-spatial-functions",
                "temporal-functions",
                "cql2-text",
                "cql2-json",
            ])

    /// The document of the conformance classes (OGC API - Features, Part 1, section 7.4).
    static let document: JSON = {
        let uris = all.map(\.uri) + TileDocument.conformance
        return ["conformsTo": .list(uris.map { uri in .text(uri) })]
    }()
}
