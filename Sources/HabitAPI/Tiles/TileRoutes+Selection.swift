import Base
import Geo
import HTTPServing
import Hummingbird

/// Routes of tiles with a layer for each of several collections.
extension TileRoutes {
    var selectionRoutes: [Route] {
        [
            Route(
                .get,
                "/tiles/{tileMatrixSet}",
                operation: selectionSetOperation,
                handler: selectionSet
            )
            .ofMatrixSet(),
            Route(
                .get,
                "/tiles/{tileMatrixSet}/{tileMatrix}/{tileRow}/{tileCol}",
                operation: selectionOperation,
                handler: selectionTile
            )
            .ofMatrixSet(requiring: { context in _ = try MapTile(context) }),
        ]
    }

    private var selectionSetOperation: RouteOperation {
        RouteOperation(
            "dataset.vector.getTileSet",
            summary: "Describe the tiles of several collections",
            description:
                "Returns TileJSON 3.0.0 of tiles with a layer for each collection. The address of the tiles contains the parameters.",
            permission: .anyCaller,
            query: [
                QueryParameter(
                    "f",
                    "Response format.",
                    schema: ["type": "string", "enum": [.text(TileSetForm.tilejson.rawValue)], "default": "tilejson"])
            ] + selectionParameters,
            content: .content(.json, schema: ["type": "object"]))
    }

    private var selectionOperation: RouteOperation {
        RouteOperation(
            "dataset.vector.getTile",
            summary: "Get a vector tile of several collections",
            description:
                "Returns a Mapbox Vector Tile with a layer for each collection that has features in it. A filter applies to the layers whose list has it.",
            permission: .selectedReaders,
            pathParameters: Self.tileParameters,
            query: selectionParameters,
            content: .content(.vectorTile, schema: ["type": "string", "format": "binary"]))
    }

    /// The query parameters of tiles of several collections.
    private var selectionParameters: [QueryParameter] {
        let collections = TileSelection.available(in: sections)
        let parameters = collections.flatMap(\.tileParameters)
        let names = collections.map { collection in JSON.text(collection.id) }
        let selection = QueryParameter(
            TileSelection.parameter,
            document: [
                "name": .text(TileSelection.parameter),
                "in": "query",
                "required": true,
                "description": "Collections of the layers: IDs separated by commas, each once.",
                "schema": [
                    "type": "array",
                    "items": ["type": "string", "enum": .list(names)],
                    "minItems": 1,
                    "uniqueItems": true,
                ],
                "style": "form",
                "explode": false,
            ])
        return [selection]
            + FeatureParameter.allCases.filter(parameters.contains).map { parameter in
                Self.selectionParameter(parameter)
            }
    }

    private static func selectionParameter(_ parameter: FeatureParameter) -> QueryParameter {
        guard parameter == .properties else { return parameter.queryParameter(sorts: []) }
        let meaning =
            "Properties of a point: names separated by commas. A layer has the properties that its collection has in its own tiles."
        return QueryParameter(
            parameter.rawValue,
            document: parameter.description.merging(["description": .text(meaning)]))
    }

    /// Returns the collections of a request, and its other parameters.
    ///
    /// - Throws: `parameter-invalid` if the collections are invalid, or if a parameter applies to none of them.
    private func selection(_ call: Call) throws -> (selection: TileSelection, filters: RequestParameters) {
        let name = TileSelection.parameter
        let selection = try TileSelection(call.parameters[name], of: name, in: sections)
        let filters = call.parameters.without([name, "f"])
        try selection.requireApplicable(filters)
        return (selection, filters)
    }

    @Sendable private func selectionSet(_ call: Call) async throws -> Response {
        if let form = call.parameters["f"], form != TileSetForm.tilejson.rawValue {
            throw Problem.invalid("f", "'\(form)' is not a format of this document: use tilejson")
        }
        let selected = try selection(call)
        return try await tileJSON(
            of: selected.selection,
            at: "\(call.base)/tiles/\(TileDocument.matrixSetID)",
            call,
            filters: selected.filters,
            query: call.parameters.without(["f"]))
    }

    @Sendable private func selectionTile(_ call: Call) async throws -> Response {
        let selected = try selection(call)
        return try await tile(of: selected.selection, call, filters: selected.filters)
    }
}
