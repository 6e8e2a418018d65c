import Base
import HTTPServing
import HabitModel
import Hummingbird

/// The routes of the schemas of collections (OGC API - Features, Parts 3 and 5).
package struct SchemaRoutes: RouteGroup {
    let publicCollections: Set<String>
    let pages: any WebPages

    /// Creates the routes.
    ///
    /// - Parameters:
    ///   - publicCollections: The IDs of the collections that everyone may read.
    ///   - pages: The pages of the schemas.
    package init(publicCollections: Set<String>, pages: any WebPages) {
        self.publicCollections = publicCollections
        self.pages = pages
    }

    package var routes: [Route] {
        [
            .ofCollections(
                .get,
                "/collections/{collection}/schema",
                operation: { collection in
                    .ofDocumentAndPage(
                        "\(collection.id).schema",
                        summary: "Get the schema of the collection \(collection.id)",
                        description:
                            "Returns the JSON Schema of the properties of a feature, or a page that describes them.",
                        permission: .anyCaller,
                        type: .schema)
                },
                handler: { call, collection in
                    let schema = schema(of: collection, for: call.caller)
                    let url = "\(call.base)/collections/\(collection.id)/schema"
                    return try call.response(with: .schema(schema.returnables(at: url)), pages)
                }),
            .ofCollections(
                .get,
                "/collections/{collection}/queryables",
                operation: { collection in
                    .ofDocumentAndPage(
                        "\(collection.id).queryables",
                        summary: "Get the queryables of \(collection.id)",
                        description:
                            "Returns the JSON Schema of the properties that the parameter 'filter' accepts, or a page that describes them.",
                        permission: .anyCaller,
                        type: .schema)
                },
                handler: { call, collection in
                    let schema = schema(of: collection, for: call.caller)
                    let url = "\(call.base)/collections/\(collection.id)/queryables"
                    return try call.response(with: .queryables(schema.queryables(at: url)), pages)
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
}
