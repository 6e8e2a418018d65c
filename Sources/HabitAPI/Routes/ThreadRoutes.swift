import Base
import HTTPServing
import HTTPTypes
import HabitModel
import HabitStore
import Hummingbird
import StoreEngine

/// Routes for the unread messages of the caller: the messages about an item are one thread.
package struct ThreadRoutes: RouteGroup {
    let store: StorePool
    let bodies: RequestBodies

    /// Creates the routes.
    ///
    /// - Parameters:
    ///   - store: The connections to the store.
    ///   - bodies: Reads the times until which clients have shown messages.
    package init(store: StorePool, bodies: RequestBodies) {
        self.store = store
        self.bodies = bodies
    }

    package var routes: [Route] {
        [
            Route(
                .get,
                "/inbox/threads",
                operation: RouteOperation(
                    "threads.list",
                    summary: "Count your unread messages",
                    description:
                        "Returns the number of unread messages in total and for each item with unread messages. A message is unread if it is later than your read marker of the item.",
                    permission: .users,
                    query: nil,
                    content: .content(.json, schema: Self.listSchema)),
                handler: threads),
            Route(
                .put,
                "/inbox/threads/{itemId}/read",
                operation: RouteOperation(
                    "threads.read",
                    summary: "Mark the messages about an item as read",
                    description:
                        "Sets your read marker of the item to 'read_at': the time of the last message that the client has shown. Without a body, or with a later time, the marker is the current time, and messages that the client has not shown then count as read. It never moves backward, and no other user sees it. Reading messages does not set it. Returns 204.",
                    permission: .users,
                    pathParameters: [JSON.pathParameter("itemId", "ID of the item, percent-encoded.")],
                    query: nil,
                    body: Self.body,
                    status: "204"),
                handler: markRead),
        ]
    }

    private static let listSchema: JSON = [
        "type": "object",
        "required": ["unread", "threads"],
        "properties": [
            "unread": ["type": "integer", "description": "The number of unread messages in total."],
            "threads": ["type": "array", "items": threadSchema],
        ],
    ]

    private static let body: JSON = [
        "required": false,
        "content": .content(.json, schema: readSchema),
    ]

    private static let readSchema: JSON = [
        "type": "object",
        "required": ["read_at"],
        "additionalProperties": false,
        "properties": [
            "read_at": [
                "type": "string",
                "format": "date-time",
                "description": "The time until which you have read the messages.",
            ]
        ],
    ]

    private static let threadSchema: JSON = [
        "type": "object",
        "required": ["item", "unread"],
        "properties": [
            "item": ["type": "string", "description": "The ID of the item."],
            "unread": ["type": "integer"],
        ],
    ]

    @Sendable private func threads(_ call: Call) async throws -> Response {
        let viewer = try call.viewer
        let threads = try await store.read(for: call.requester) { session in
            try UnreadQuery(viewer: viewer).threads(in: session)
        }
        let total = threads.reduce(0) { sum, thread in sum + thread.unread }
        let documents: [JSON] = threads.map { thread in
            ["item": .text(thread.item), "unread": .integer(thread.unread)]
        }
        return Response(["unread": .integer(total), "threads": .list(documents)], headers: .notStored)
    }

    @Sendable private func markRead(_ call: Call) async throws -> Response {
        let viewer = try call.viewer
        let item = try call.pathParameter("itemId")
        let instant = try await readAt(in: call, for: viewer)
        try await store.write(for: call.requester) { session in
            let user = try ActingUser(viewer, clock: call.clock, in: session)
            try MessageActions(user).markRead(item: item, until: instant)
        }
        return Response(status: .noContent)
    }

    /// The largest body that is accepted, in bytes.
    private static let bodyLimit = 1_024

    /// Reads the instant until which the client has shown the messages.
    ///
    /// - Parameters:
    ///   - call: The request.
    ///   - viewer: The user whose memory budget the body uses.
    /// - Returns: The instant; `nil` for a request without a body.
    /// - Throws: `row-invalid`, `instant-invalid`, and the errors of
    ///   ``RequestBodies/withBody(of:for:limit:remedy:isOptional:_:)``.
    private func readAt(in call: Call, for viewer: Viewer) async throws -> OffsetInstant? {
        try await bodies.withBody(
            of: call.request,
            for: viewer.name,
            limit: Self.bodyLimit,
            isOptional: true
        ) { body in
            try body.isEmpty ? nil : Self.instant(in: body)
        }
    }

    private static func instant(in body: [UInt8]) throws(HabitError) -> OffsetInstant {
        let field = Field.readAt.name
        let members = (try? JSONSlice(body[...]).members()) ?? [:]
        guard members.count == 1, let text = try? members[field]?.text() else {
            throw HabitError(
                .rowInvalid,
                "the body is not a JSON object with only a text '\(field)': send one, or send no body",
                field: field)
        }
        guard let instant = OffsetInstant(text), instant.isInRange else {
            throw HabitError(
                .instantInvalid,
                "'\(field)' is not an instant: write RFC 3339 (2026-11-20T07:15:00+01:00)",
                field: field)
        }
        return instant
    }
}
