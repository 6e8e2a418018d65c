import Base
import HTTPTypes
import HabitModel
import HabitStore
import Hummingbird
import StoreEngine

/// The schemas and the extents of collections (OGC API - Features, Parts 1, 3 and 5).
extension HabitatServer {
    func addSchemas(to router: Router<HabitContext>) {
        router.route(
            "collections/:collection/schema",
            [.get: { try await self.schema("schema", $0, $1) { $0.returnables(at: $1) } }])
        router.route(
            "collections/:collection/queryables",
            [.get: { try await self.schema("queryables", $0, $1) { $0.queryables(at: $1) } }])
    }

    /// Responds with a schema of a collection.
    ///
    /// Without a token, the schema of a public collection has only the public properties.
    private func schema(
        _ name: String, _ request: Request, _ context: HabitContext,
        _ make: (CollectionSchema, _ url: String) -> JSON
    ) async throws -> Response {
        let collection = try collection(context)
        let isPublic =
            try await authenticator.caller(of: request) == .nobody
            && options.publicCollections.contains(collection.id)
        let parameters = try RequestParameters(request, known: ["f"])
        guard parameters["f"] == nil || parameters["f"] == "json" else {
            throw Problem.invalid("f", "'\(parameters["f"] ?? "")' is not a format of this document: use json")
        }
        let url = "\(base(of: request))/collections/\(collection.id)/\(name)"
        let document = make(CollectionSchema(collection: collection, isPublic: isPublic), url)
        return Response(document, type: .schema, headers: Self.caching)
    }

    /// Whether a caller can read the list of a collection.
    func canRead(_ collection: FeatureCollection, as caller: Caller) -> Bool {
        switch caller {
        case .nobody: options.publicCollections.contains(collection.id)
        case .viewer(.operator): !collection.requiresUser
        case .viewer(.user): true
        }
    }

    /// Returns the extents of collections by ID: the area and the time of the features that the viewer can see.
    ///
    /// A collection has no extent if the viewer cannot read it or if no feature has a position or an instant. Without a
    /// token, only public collections have an extent.
    ///
    /// - Throws: `not-signed-in` if the token is invalid; an error of the store.
    func extents(
        of collections: [FeatureCollection], _ request: Request, _ context: HabitContext
    ) async throws -> [String: JSON] {
        let caller = try await authenticator.caller(of: request)
        let readable = collections.filter { canRead($0, as: caller) }
        guard !readable.isEmpty else { return [:] }
        let viewer = caller == .nobody ? Viewer.operator : try caller.viewer()
        return try await pool.read(for: Requester(caller, client: client(of: request, context))) { session in
            var extents: [String: JSON] = [:]
            for collection in readable {
                var query = ExtentQuery(collection.kind, viewer: viewer)
                query.isLocated = collection.isLocated
                query.isPublic = caller == .nobody
                extents[collection.id] = try query.extent(in: session)?.document
            }
            return extents
        }
    }
}

extension FeatureCollection {
    /// Whether the collection contains only features with a position.
    fileprivate var isLocated: Bool { id == FeatureCollection.locatedEventsID }
}

extension Extent {
    /// The member `extent` of a collection (OGC API - Features, Part 1, section 7.14.2), or `nil` if it is empty.
    fileprivate var document: JSON? {
        var members: [String: JSON] = [:]
        if let box {
            members["spatial"] = [
                "bbox": [[.number(box.west), .number(box.south), .number(box.east), .number(box.north)]],
                "crs": .text(FilterNode.crs),
            ]
        }
        if from != nil || to != nil {
            members["temporal"] = [
                "interval": [[JSON(Self.text(from)), JSON(Self.text(to))]],
                "trs": "http://www.opengis.net/def/uom/ISO-8601/0/Gregorian",
            ]
        }
        return members.isEmpty ? nil : .object(members)
    }

    private static func text(_ instant: Instant?) -> String? {
        guard let instant else { return nil }
        let value = OffsetInstant(instant, offset: nil)
        return value.isInRange ? value.description : nil
    }
}

extension Response {
    /// The response with header fields that forbid a shared cache, because the body depends on the token.
    var forOneViewer: Response {
        var response = self
        response.headers = response.headers.merging(HabitatServer.caching)
        return response
    }
}
