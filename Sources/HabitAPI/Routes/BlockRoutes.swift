import Base
import HTTPServing
import HTTPTypes
import HabitModel
import HabitStore
import Hummingbird

/// Routes for the users whom the caller blocks.
package struct BlockRoutes: RouteGroup {
    private let blocks: OwnBlocks

    /// Creates the routes.
    ///
    /// - Parameter blocks: Lists, begins and ends the blocks of users.
    package init(blocks: OwnBlocks) {
        self.blocks = blocks
    }

    package var routes: [Route] {
        [
            Route(
                .get,
                "/user/blocks",
                operation: RouteOperation(
                    "blocks.list",
                    summary: "List the users whom you block",
                    description: "Returns your blocks in the order of the IDs. No other user can read them.",
                    permission: .users,
                    query: nil,
                    content: .content(.json, schema: Self.listSchema)),
                handler: list),
            Route(
                .put,
                "/user/blocks/{userId}",
                operation: RouteOperation(
                    "blocks.create",
                    summary: "Block a user",
                    description:
                        "Hides the user and you from each other: in lists, searches, items, claims, messages and changes. The block ends follows and requests in both directions and releases open claims between you. The user cannot distinguish the block from a deleted account. A repeated request has no effect. Returns 204.",
                    permission: .users,
                    pathParameters: [Self.idParameter],
                    query: nil,
                    status: "204"),
                handler: block),
            Route(
                .delete,
                "/user/blocks/{userId}",
                operation: RouteOperation(
                    "blocks.delete",
                    summary: "Unblock a user",
                    description:
                        "Shows the user and you to each other again, with the messages about your items. Ended follows and released claims stay ended. Returns 204.",
                    permission: .users,
                    pathParameters: [Self.idParameter],
                    query: nil,
                    status: "204"),
                handler: unblock),
        ]
    }

    private static let idParameter = JSON.pathParameter("userId", "ID of the user, percent-encoded.")

    private static let listSchema: JSON = [
        "type": "object",
        "required": ["blocks"],
        "properties": ["blocks": ["type": "array", "items": blockSchema]],
    ]

    private static let blockSchema: JSON = [
        "type": "object",
        "required": ["user", "blocked_at"],
        "properties": [
            "user": ["type": "string", "description": "The ID of the blocked user."],
            "blocked_at": ["type": "string", "format": "date-time", "nullable": true],
        ],
    ]

    @Sendable private func list(_ call: Call) async throws -> Response {
        let blocks = try await blocks.list(for: call)
        return Response(["blocks": .list(blocks.map(Self.document))], headers: .notStored)
    }

    @Sendable private func block(_ call: Call) async throws -> Response {
        try await blocks.block(try call.pathParameter("userId"), for: call)
        return Response(status: .noContent)
    }

    @Sendable private func unblock(_ call: Call) async throws -> Response {
        try await blocks.unblock(try call.pathParameter("userId"), for: call)
        return Response(status: .noContent)
    }

    private static func document(_ block: BlockActions.StoredBlock) -> JSON {
        [
            "user": .text(block.blocked),
            "blocked_at": JSON(block.blockedAt?.description),
        ]
    }
}
