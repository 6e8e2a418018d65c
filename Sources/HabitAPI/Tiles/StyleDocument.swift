import Base
import Rendering

/// A style with which MapLibre shows the tiles of several collections (MapLibre Style Specification, version 8).
///
/// The style has no `glyphs`: MapLibre GL JS 5.11 and later then draws texts with the fonts of the device.
struct StyleDocument {
    /// The source of the layers.
    private static let source = "habitat"
    /// The distance between the clusters of two collections, which have the same positions, in pixels.
    ///
    /// A cluster covers a part of the next circle, but not its count.
    private static let clusterOffset = 24
    /// The zoom from which points have labels.
    private static let labelZoom = 14

    let theme: StyleTheme
    /// The base map below the points.
    let baseMap: BaseMapStyle
    /// The collections, the lowest first.
    let collections: [FeatureCollection]
    /// Whether points in the tiles can have the status of a habit.
    let showsStatus: Bool
    /// The address of the TileJSON document of the collections.
    let tiles: String

    /// The document.
    ///
    /// The layers are the layers of the base map, and the layers of the collections.
    var json: JSON {
        var sources = baseMap.sources
        sources[Self.source] = ["type": "vector", "url": .text(tiles)]
        return [
            "version": 8,
            "name": "Habitat",
            "sources": .object(sources),
            "layers": .list(baseMap.layers + points + clusters + labels),
        ]
    }

    private var points: [JSON] {
        collections.flatMap { collection in [discs(of: collection), forms(of: collection)].compactMap(\.self) }
    }

    private var clusters: [JSON] {
        collections.enumerated().flatMap { index, collection in
            let offset = JSON.list([0, .integer(index * Self.clusterOffset)])
            return [circles(of: collection, offset: offset), counts(of: collection, offset: offset)]
        }
    }

    private var labels: [JSON] { collections.compactMap(label) }

    // MARK: Points

    /// Returns the layer of the points whose form is a disc.
    private func discs(of collection: FeatureCollection) -> JSON {
        var filter = Self.isPoint
        if hasStatus(collection) {
            let others = Self.drawnStatuses.map { status in JSON.text(status.rawValue) }
            filter = ["all", filter, ["match", Self.status, .list(others), false, true]]
        }
        return layer(
            "points",
            of: collection,
            type: "circle",
            filter: filter,
            paint: [
                "circle-color": color(of: collection),
                "circle-radius": [
                    "interpolate", ["linear"], ["zoom"],
                    8, radius(of: collection, small: 2.5, usual: 4),
                    16, radius(of: collection, small: 5, usual: 8),
                ],
                "circle-stroke-color": .text(theme.halo),
                "circle-stroke-width": 1.5,
            ])
    }

    /// Returns the layer of the points whose form is a character, or `nil` if the points have no statuses.
    private func forms(of collection: FeatureCollection) -> JSON? {
        guard hasStatus(collection) else { return nil }
        let symbols = Self.drawnStatuses.flatMap { status in
            [JSON.text(status.rawValue), .text(status.symbol.rawValue)]
        }
        let statuses = Self.drawnStatuses.map { status in JSON.text(status.rawValue) }
        return layer(
            "forms",
            of: collection,
            type: "symbol",
            filter: ["all", Self.isPoint, ["match", Self.status, .list(statuses), true, false]],
            layout: [
                "text-field": .list(["match", Self.status] + symbols + [""]),
                "text-font": StyleLayer.font,
                "text-size": ["interpolate", ["linear"], ["zoom"], 8, 12, 16, 22],
                "text-allow-overlap": true,
                "text-ignore-placement": true,
            ],
            paint: [
                "text-color": color(of: collection),
                "text-halo-color": .text(theme.halo),
                "text-halo-width": 1.5,
            ])
    }

    /// Returns the color of a point.
    private func color(of collection: FeatureCollection) -> JSON {
        let usual = JSON.text(clusterColor(of: collection))
        guard hasStatus(collection) else { return usual }
        let colors = StatusWord.allCases.flatMap { status in
            [JSON.text(status.rawValue), .text(theme.color(of: status))]
        }
        return .list(["match", Self.status] + colors + [usual])
    }

    /// Returns the radius of a disc, which is small for a new habit.
    private func radius(of collection: FeatureCollection, small: Double, usual: Double) -> JSON {
        guard hasStatus(collection) else { return .number(usual) }
        return ["match", Self.status, .text(StatusWord.new.rawValue), .number(small), .number(usual)]
    }

    // MARK: Clusters

    private func circles(of collection: FeatureCollection, offset: JSON) -> JSON {
        layer(
            "clusters",
            of: collection,
            type: "circle",
            filter: ["has", "count"],
            paint: [
                "circle-color": .text(clusterColor(of: collection)),
                "circle-radius": ["interpolate", ["linear"], ["log10", ["get", "count"]], 0, 8, 4, 18],
                "circle-stroke-color": .text(theme.halo),
                "circle-stroke-width": 1.5,
                "circle-translate": offset,
            ])
    }

    private func counts(of collection: FeatureCollection, offset: JSON) -> JSON {
        layer(
            "counts",
            of: collection,
            type: "symbol",
            filter: ["has", "count"],
            layout: [
                "text-field": ["to-string", ["get", "count"]],
                "text-font": StyleLayer.font,
                "text-size": 12,
                "text-allow-overlap": true,
            ],
            paint: ["text-color": .text(theme.halo), "text-translate": offset])
    }

    private func clusterColor(of collection: FeatureCollection) -> String {
        switch collection.kind {
        case .items: theme.items
        case .posts: theme.posts
        default: theme.ink
        }
    }

    // MARK: Labels

    /// Returns the layer of the labels, or `nil` if the features have no name.
    private func label(of collection: FeatureCollection) -> JSON? {
        guard let name = collection.labelProperty else { return nil }
        let labels = layer(
            "labels",
            of: collection,
            type: "symbol",
            filter: Self.isPoint,
            layout: [
                "text-field": ["get", .text(name)],
                "text-font": StyleLayer.font,
                "text-size": 12,
                "text-anchor": "top",
                "text-offset": [0, 0.9],
            ],
            paint: [
                "text-color": .text(theme.ink),
                "text-halo-color": .text(theme.halo),
                "text-halo-width": 1.5,
            ])
        return labels.merging(["minzoom": .integer(Self.labelZoom)])
    }

    // MARK: Expressions

    /// The statuses whose form is a character and not a disc.
    private static let drawnStatuses: [StatusWord] = StatusWord.allCases.filter { status in
        switch status {
        case .onTrack, .new: false
        case .nearGoal, .inactive: true
        }
    }

    /// Returns whether points of a collection can have the status of a habit.
    private func hasStatus(_ collection: FeatureCollection) -> Bool {
        showsStatus && collection.optionalTileProperties.contains(FeatureCollection.status)
    }

    private static let isPoint: JSON = ["!", ["has", "count"]]
    /// The status of a point, or an empty text if the tile does not contain it.
    private static let status: JSON = ["coalesce", ["get", .text(FeatureCollection.status)], ""]

    private func layer(
        _ name: String,
        of collection: FeatureCollection,
        type: String,
        filter: JSON,
        layout: JSON = [:],
        paint: JSON
    ) -> JSON {
        StyleLayer(
            id: "\(collection.id)-\(name)",
            type: type,
            source: Self.source,
            sourceLayer: collection.id,
            filter: filter,
            layout: layout,
            paint: paint
        ).json
    }
}

extension FeatureCollection {
    /// The property with the label of a point, or `nil` if the features have no name.
    fileprivate var labelProperty: String? {
        let names = tileProperties + optionalTileProperties
        return ["title", "name"].first(where: names.contains)
    }

    /// Returns the properties of a point that a style reads.
    ///
    /// - Parameter isPublic: Whether the request has no token.
    /// - Returns: The names of the properties.
    func styleProperties(isPublic: Bool) -> [String] {
        let known = knownTileProperties(isPublic: isPublic)
        return known.filter { name in tileProperties.contains(name) || name == labelProperty || name == Self.status }
    }
}
