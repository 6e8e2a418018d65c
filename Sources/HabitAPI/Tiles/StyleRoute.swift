import Base
import HTTPServing
import HabitStore
import Hummingbird

/// The route of the map style.
package struct StyleRoute: RouteGroup {
    /// The collections of a style without the parameter `layers`.
    private static let usual = ["events", "items", "posts"]
    /// The maximum number of points of a collection in a tile.
    private static let pointLimit = 500

    let sections: Sections
    let baseMap: BaseMapTiles

    /// Creates the route.
    ///
    /// - Parameters:
    ///   - sections: The parts that the server shows.
    ///   - baseMap: The tiles of the base map.
    package init(sections: Sections, baseMap: BaseMapTiles) {
        self.sections = sections
        self.baseMap = baseMap
    }

    package var routes: [Route] {
        [Route(.get, "/style.json", operation: Self.operation, handler: style)]
    }

    private static let operation = RouteOperation(
        "style",
        summary: "Get the map style",
        description:
            "Returns a style of MapLibre with the base map, and the points and clusters of the collections in the colors of their statuses on it. The tiles of the collections need a token, unless the collections are public.",
        permission: .anyCaller,
        query: [
            QueryParameter(
                "theme",
                "Colors. The default is `light`.",
                schema: ["type": "string", "enum": .list(StyleTheme.allCases.map { theme in .text(theme.rawValue) })]),
            FeatureParameter.scope.queryParameter(sorts: []),
            QueryParameter(
                "layers",
                "Collections of the layers, the lowest first: IDs separated by commas, each once. The default is all of `\(usual.joined(separator: ","))` that the server shows.",
                schema: ["type": "string"]),
        ],
        content: .content(.json, schema: ["type": "object"]))

    @Sendable private func style(_ call: Call) throws -> Response {
        let theme = try call.parameters.choice("theme", StyleTheme.self) ?? .light
        let scope = try call.parameters.choice(FeatureParameter.scope.rawValue, EventQuery.Scope.self)
        let selection = try TileSelection(call.parameters["layers"] ?? usual, of: "layers", in: sections)
        try selection.requireApplicable(call.parameters.without(["theme", "layers"]))
        let document = StyleDocument(
            theme: theme,
            baseMap: BaseMapStyle(theme: theme, tiles: baseMap, base: call.base),
            collections: selection.collections,
            showsStatus: true,
            tiles: tiles(of: selection, scope: scope, call))
        return TileRoutes.response(to: call, with: document.json)
    }

    /// The IDs of the collections of a style without the parameter `layers`.
    private var usual: String {
        let shown = Self.usual.filter { id in FeatureCollection.named(id).map(sections.shows) ?? false }
        return shown.joined(separator: ",")
    }

    /// Returns the address of the TileJSON document of the collections.
    private func tiles(
        of selection: TileSelection,
        scope: EventQuery.Scope?,
        _ call: Call
    ) -> String {
        var properties: [String] = []
        for collection in selection.collections {
            let own = collection.styleProperties(isPublic: call.caller == .nobody)
            properties += own.filter { name in !properties.contains(name) }
        }
        let query = RequestParameters().query([
            TileSelection.parameter: selection.collections.map(\.id).joined(separator: ","),
            "f": TileSetForm.tilejson.rawValue,
            FeatureParameter.maxPoints.rawValue: "\(Self.pointLimit)",
            FeatureParameter.properties.rawValue: properties.joined(separator: ","),
            FeatureParameter.scope.rawValue: scope?.rawValue,
        ])
        return "\(call.base)/tiles/\(TileDocument.matrixSetID)\(query)"
    }
}
