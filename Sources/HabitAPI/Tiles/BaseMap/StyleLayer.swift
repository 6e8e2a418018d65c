import Base

/// A layer of a map style (MapLibre Style Specification, version 8, section "Layers").
struct StyleLayer {
    let id: String
    let type: String
    let source: String
    let sourceLayer: String
    /// The condition on the features, or `nil` for all features.
    var filter: JSON?
    var layout: JSON = [:]
    let paint: JSON

    /// The layer.
    var json: JSON {
        let layer: JSON = [
            "id": .text(id),
            "type": .text(type),
            "source": .text(source),
            "source-layer": .text(sourceLayer),
            "layout": layout,
            "paint": paint,
        ]
        guard let filter else { return layer }
        return layer.merging(["filter": filter])
    }

    /// The font of all texts.
    static let font: JSON = ["sans-serif"]

    /// Returns the layout of the names of features.
    static func name(size: Int) -> JSON {
        ["text-field": ["get", "name"], "text-font": font, "text-size": .integer(size)]
    }

    /// Returns the colors of texts.
    static func paint(ofNames color: String, halo: String) -> JSON {
        ["text-color": .text(color), "text-halo-color": .text(halo), "text-halo-width": 1.5]
    }
}
