import Base
import HTTPServing

/// The document of the landing page (OGC API - Features, Part 1, section 7.2).
enum LandingDocument {
    /// Returns the document.
    ///
    /// - Parameters:
    ///   - base: The prefix of links.
    ///   - sections: The parts that the server shows.
    /// - Returns: The document.
    static func json(base: String, sections: Sections) -> JSON {
        [
            "title": "Habitat",
            "description": .text("\(sections.contents) as features, with reports and a map."),
            "links": [
                FeaturePage.link(
                    "self",
                    to: "\(base)/",
                    type: .json,
                    title: "This document"),
                FeaturePage.link(
                    "service-desc",
                    to: "\(base)/api",
                    type: .openAPI,
                    title: "OpenAPI document"),
                FeaturePage.link(
                    "service-doc",
                    to: "\(base)/api?f=html",
                    type: .html,
                    title: "Documentation of the API"),
                FeaturePage.link(
                    "conformance",
                    to: "\(base)/conformance",
                    type: .json,
                    title: "Conformance classes"),
                FeaturePage.link(
                    "data",
                    to: "\(base)/collections",
                    type: .json,
                    title: "Collections"),
                FeaturePage.link(
                    TileDocument.matrixSetsRelation,
                    to: "\(base)/tileMatrixSets",
                    type: .json,
                    title: "Tile matrix sets"),
                FeaturePage.link(
                    "related",
                    to: "\(base)/basemap",
                    type: .json,
                    title: "Base map"),
                FeaturePage.link(
                    "related",
                    to: "\(base)/reports",
                    type: .json,
                    title: "Reports"),
                FeaturePage.link(
                    "related",
                    to: "\(base)/map",
                    type: .html,
                    title: "Map"),
            ],
        ]
    }
}
