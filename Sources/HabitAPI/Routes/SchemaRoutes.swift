import Base
import HTTPServing
import HabitModel
import Hummingbird

/// The routes of the schemas of collections (OGC API - Features, Parts 3 and 5).
package struct SchemaRoutes: RouteGroup {
    let publicCollections: Set<String>

    /// Creates the routes.
    ///
    /// - Parameter publicCollections: The IDs of the collections that everyone may read.
    package init(publicCollections: Set<String>) { self.publicCollections = publicCollections }

    package var routes: [Route] {
        [
            .ofCollections(
                .get,
                "/collections/{collection}/schema",
                operation: { collection in
                    .ofDocument(
                        "\(collection.id).schema",
                        summary: "Get the schema of the collection \(collection.id)",
                        description: "Returns the JSON Schema of the properties of a feature.",
                        permission: .anyCaller,
                        type: .schema)
                },
                handler: { call, collection in
                    let schema = schema(of: collection, for: call.caller)
                    let url = "\(call.base)/collections/\(collection.id)/schema"
                    return try Self.response(to: call, schema.returnables(at: url))
                }),
            .ofCollections(
                .get,
                "/collections/{collection}/queryables",
                operation: { collection in
                    .ofDocument(
                        "\(collection.id).queryables",
                        summary: "Get the queryables of \(collection.id)",
                        description: "Returns the JSON Schema of the properties that the parameter 'filter' accepts.",
                        permission: .anyCaller,
                        type: .schema)
                },
                handler: { call, collection in
                    let schema = schema(of: collection, for: call.caller)
                    let url = "\(call.base)/collections/\(collection.id)/queryables"
                    return try Self.response(to: call, schema.queryables(at: url))
                }),
        ]
    }

    /// Returns the schemas of a collection.
    ///
    /// Without a token, the schema of a public collection has only the public properties.
    private func schema(of collection: FeatureCollection, for caller: Caller) -> CollectionSchema {
        let isPublic = caller == .nobody && publicCollections.contains(collection.id)
        return CollectionSchema(collection: collection, isPublic: isPublic)
    }

    private static func response(to call: Call, _ schema: JSON) throws -> Response {
        try call.requireJSON()
        return Response(schema, type: .schema, headers: .revalidated)
    }
}
