import Base
import HTTPServing
import HabitModel

/// The encoding of a filter.
enum FilterLanguage: String, CaseIterable {
    case text = "cql2-text"
    case json = "cql2-json"
}

extension FilterNode {
    /// The coordinate reference system of geometries in filters: longitude and latitude on WGS 84.
    static let crs = "http://www.opengis.net/def/crs/OGC/1.3/CRS84"

    /// Parses the filter of a request (OGC 19-079, clause 7).
    ///
    /// - Parameter parameters: The query parameters of the request.
    /// - Returns: The filter, or `nil` if the parameter is missing.
    /// - Throws: ``Problem`` that names the invalid parameter.
    static func filter(in parameters: RequestParameters) throws -> FilterNode? {
        let language = try parameters.choice(FeatureParameter.filterLang.rawValue, FilterLanguage.self) ?? .text
        if let crs = parameters[.filterCRS], crs != Self.crs {
            throw Problem.invalid(
                FeatureParameter.filterCRS.rawValue,
                "the coordinate reference system '\(crs)' is not supported: use \(Self.crs)")
        }
        guard let text = parameters[.filter] else { return nil }
        guard text.urlEncoded.utf8.count <= FilterLimits.length else {
            throw Problem.filter(
                1, "the filter is longer than \(FilterLimits.length) bytes in percent-encoding: send a shorter filter")
        }
        switch language {
        case .text where text.first == "{":
            throw Problem.filter(1, "the filter is JSON: add filter-lang=\(FilterLanguage.json.rawValue)")
        case .text: return try FilterTextParser.parse(text)
        case .json: return try FilterJSONParser.parse(text)
        }
    }
}
