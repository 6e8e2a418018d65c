import Base
import HabitIngest

/// The layers of a style that show the tiles of a file.
struct StreetStyle {
    private let theme: StyleTheme
    private let layers: StreetLayers

    init(theme: StyleTheme, schema: TileSchema) {
        self.theme = theme
        layers = StreetLayers(schema)
    }

    /// The areas and lines, from the lowest to the highest.
    var shapes: [JSON] { areas + lines }

    private var areas: [JSON] {
        let parks = area("parks", of: layers.parks, color: theme.park)
        let water = layers.water.enumerated().map { index, selection in
            area("water-\(index)", of: selection, color: theme.water)
        }
        let buildings = area("buildings", of: layers.buildings, color: theme.building)
        return [parks] + water + [buildings.merging(["minzoom": 14])]
    }

    private var lines: [JSON] {
        [
            line("rivers", of: layers.rivers, color: theme.water, width: Width(far: 0.5, near: 3)),
            line("paths", of: layers.paths, color: theme.street, width: Width(far: 0.5, near: 1))
                .merging(["minzoom": 15]),
            line("railways", of: layers.railways, color: theme.border, width: Width(far: 0.5, near: 1))
                .merging(["minzoom": 12]),
            line("small-streets", of: layers.smallStreets, color: theme.street, width: Width(far: 0.5, near: 6)),
            line("middle-streets", of: layers.middleStreets, color: theme.street, width: Width(far: 1, near: 10)),
            line("main-streets", of: layers.mainStreets, color: theme.border, width: Width(far: 1, near: 12)),
        ]
    }

    /// The names of places and streets.
    ///
    /// A client shows the last names first, and hides other names that would cover them.
    var names: [JSON] {
        [
            layer(
                "street-names",
                of: layers.streetNames,
                type: "symbol",
                layout: StyleLayer.name(size: 11).merging(["symbol-placement": "line"]),
                paint: paintOfNames
            )
            .merging(["minzoom": 14]),
            layer(
                "villages",
                of: layers.villages,
                type: "symbol",
                layout: StyleLayer.name(size: 12),
                paint: paintOfNames
            )
            .merging(["minzoom": 11]),
            layer("towns", of: layers.towns, type: "symbol", layout: StyleLayer.name(size: 14), paint: paintOfNames),
        ]
    }

    private var paintOfNames: JSON { StyleLayer.paint(ofNames: theme.names, halo: theme.halo) }

    /// The widths of a line at the zooms 9 and 17, in pixels.
    private struct Width {
        let far: Double
        let near: Double

        var json: JSON {
            ["interpolate", ["exponential", 1.5], ["zoom"], 9, .number(far), 17, .number(near)]
        }
    }

    private func area(_ name: String, of selection: StreetLayers.Selection, color: String) -> JSON {
        let isArea: JSON = ["match", ["geometry-type"], ["Polygon", "MultiPolygon"], true, false]
        return layer(name, of: selection, type: "fill", filter: isArea, paint: ["fill-color": .text(color)])
    }

    private func line(
        _ name: String,
        of selection: StreetLayers.Selection,
        color: String,
        width: Width
    ) -> JSON {
        let isLine: JSON = ["match", ["geometry-type"], ["LineString", "MultiLineString"], true, false]
        return layer(
            name,
            of: selection,
            type: "line",
            filter: isLine,
            layout: ["line-cap": "round", "line-join": "round"],
            paint: ["line-color": .text(color), "line-width": width.json])
    }

    private func layer(
        _ name: String,
        of selection: StreetLayers.Selection,
        type: String,
        filter: JSON? = nil,
        layout: JSON = [:],
        paint: JSON
    ) -> JSON {
        StyleLayer(
            id: "streets-\(name)",
            type: type,
            source: BaseMapStyle.streets,
            sourceLayer: selection.layer,
            filter: Self.filter(selection, and: filter),
            layout: layout,
            paint: paint
        ).json
    }

    /// Returns the condition on the features of a layer, or `nil` for all features.
    private static func filter(_ selection: StreetLayers.Selection, and other: JSON?) -> JSON? {
        guard !selection.values.isEmpty else { return other }
        let values = selection.values.map { value in JSON.text(value) }
        let value: JSON = ["coalesce", ["get", .text(selection.property)], ""]
        let isSelected: JSON = ["match", value, .list(values), true, false]
        guard let other else { return isSelected }
        return ["all", other, isSelected]
    }
}
