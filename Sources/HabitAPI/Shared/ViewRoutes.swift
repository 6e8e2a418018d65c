import Base
import HTTPServing
import HTTPTypes
import HabitModel
import HabitStore
import Hummingbird

/// Routes with which a user lists, creates and revokes shared views.
///
/// ``SharedViewRoutes`` shows the views to everyone who has their addresses.
package struct ViewRoutes: RouteGroup {
    private let views: OwnViews
    private let bodies: RequestBodies

    /// Creates the routes.
    ///
    /// - Parameters:
    ///   - views: Lists, creates and revokes the views.
    ///   - bodies: Reads the bodies of requests.
    package init(views: OwnViews, bodies: RequestBodies) {
        self.views = views
        self.bodies = bodies
    }

    package var routes: [Route] {
        [
            Route(
                .get,
                "/user/views",
                operation: RouteOperation(
                    "views.list",
                    summary: "List your shared views",
                    description: "Returns your valid shared views, oldest first, without their secrets.",
                    permission: .users,
                    content: .content(.json, schema: Self.listSchema)),
                handler: list),
            Route(.post, "/user/views", operation: Self.createOperation, handler: create),
            Route(
                .get,
                "/user/views/{viewId}",
                operation: RouteOperation(
                    "views.get",
                    summary: "Get a shared view",
                    description: "Returns one of your valid shared views, without its secret.",
                    permission: .users,
                    pathParameters: [Self.idParameter],
                    content: Self.viewContent),
                handler: view),
            Route(
                .delete,
                "/user/views/{viewId}",
                operation: RouteOperation(
                    "views.revoke",
                    summary: "Revoke a shared view",
                    description: "The addresses of the view are invalid immediately. Returns 204.",
                    permission: .users,
                    pathParameters: [Self.idParameter],
                    query: nil,
                    status: "204"),
                handler: revoke),
        ]
    }

    // MARK: Descriptions

    private static let idParameter = JSON.pathParameter("viewId", "ID of a view in the list of shared views.")

    private static let listSchema: JSON = [
        "type": "object",
        "required": ["views"],
        "properties": ["views": ["type": "array", "items": .reference("SharedView")]],
    ]

    private static let viewContent = JSON.content(.json, schema: .reference("SharedView"))

    private static let createOperation = RouteOperation(
        "views.create",
        summary: "Create a shared view",
        description:
            "Returns 201 with the addresses of the view, which are not shown again. Any client that has an address can read the view. A view shows only your own records, with rounded positions, and without positions in your private places. A user has at most \(TokenActions.viewLimit) views.",
        permission: .users,
        body: [
            "required": true,
            "content": [
                ContentType.json.text: [
                    "schema": newViewSchema,
                    "example": ["layers": ["events"], "days": 30, "rounding": "quarter", "label": "blog"],
                ]
            ],
        ],
        status: "201",
        content: viewContent)

    private static var newViewSchema: JSON {
        ViewSchemas.definition.merging([
            "properties": ViewSchemas.members.merging([
                "label": [
                    "type": "string",
                    "nullable": true,
                    "maxLength": .integer(OwnTokens.labelLimit),
                ],
                "lifetime_days": [
                    "type": "integer",
                    "nullable": true,
                    "minimum": .integer(OwnViews.lifetimes.lowerBound),
                    "maximum": .integer(OwnViews.lifetimes.upperBound),
                    "description": "Without it, the view is valid until it is revoked.",
                ],
            ])
        ])
    }

    // MARK: Views

    @Sendable private func list(_ call: Call) async throws -> Response {
        let views = try await views.list(for: call)
        return Response(["views": .list(views.map(Self.document))], headers: .notStored)
    }

    @Sendable private func view(_ call: Call) async throws -> Response {
        let id = try call.pathParameter("viewId")
        let views = try await views.list(for: call)
        guard let view = views.first(where: { view in view.token.id == id }) else {
            throw HabitError(.notFound, "the shared view '\(id)' does not exist", field: "view")
        }
        return Response(Self.document(view), headers: .notStored)
    }

    /// The largest body that is accepted, in bytes.
    private static let bodyLimit = 65_536

    @Sendable private func create(_ call: Call) async throws -> Response {
        let request = try await bodies.withBody(
            of: call.request,
            for: call.viewer.name,
            limit: Self.bodyLimit
        ) { body in
            try OwnViews.Request(body)
        }
        let created = try await views.create(request, for: call)
        let addresses: JSON = [
            "url": .text(created.addresses.page),
            "embed_url": .text(created.addresses.embed),
            "style_url": .text(created.addresses.style),
            "tiles_url": .text(created.addresses.tileJSON),
        ]
        return Response(Self.document(created.view).merging(addresses), status: .created, headers: .notStored)
    }

    @Sendable private func revoke(_ call: Call) async throws -> Response {
        try await views.revoke(try call.pathParameter("viewId"), for: call)
        return Response(status: .noContent)
    }

    private static func document(_ view: ViewSummary) -> JSON {
        let token = view.token
        return [
            "id": .text(token.id),
            "label": JSON(token.label),
            "definition": view.definition.json,
            "created_at": text(token.created),
            "expires_at": token.expires == Token.never ? .null : text(token.expires),
        ]
    }

    private static func text(_ instant: Instant) -> JSON {
        .text(OffsetInstant(instant, offset: .utc).description)
    }
}

extension OwnViews.Request {
    /// The names of the members that are not part of the definition.
    private static let members: Set<String> = ["label", "lifetime_days"]

    /// Reads the body of a request.
    ///
    /// - Parameter body: The body in UTF-8.
    /// - Throws: `row-invalid` if the body is not a JSON object, and the errors of ``HabitModel/ViewDefinition``.
    fileprivate init(_ body: some Collection<UInt8>) throws {
        self = try JSONParser.reading(body) { object in try Self(object) }
    }

    private init(_ object: JSONNode) throws {
        self.init(try ViewDefinition(object, besides: Self.members))
        if let node = object["label"] {
            guard let text = node.text else {
                throw HabitError(.fieldInvalid, "the label is not a text: put it in quotes", field: "label")
            }
            label = text
        }
        if let node = object["lifetime_days"] {
            guard node.isNumber, let days = node.integer.flatMap(Int.init(exactly:)) else {
                throw HabitError(
                    .fieldInvalid,
                    "the lifetime is not an integer: send a number of days, or none",
                    field: "lifetime_days")
            }
            lifetimeDays = days
        }
    }
}
