import Base
import HTTPServing
import HTTPTypes
import HabitIngest
import HabitModel
import HabitReport
import HabitStore
import Hummingbird
import Rendering
import StoreEngine

/// Routes for the caller's own account: its settings, its data and its deletion.
package struct AccountRoutes: RouteGroup {
    let store: StorePool
    let responses: StoreResponses
    let bodies: RequestBodies
    let audit: AuditLog
    private let changes: AccountChanges

    /// Creates the routes.
    ///
    /// - Parameters:
    ///   - store: The connections to the store.
    ///   - responses: Writes responses from the store.
    ///   - bodies: Reads the bodies of requests.
    ///   - audit: The audit log.
    ///   - changes: Changes and deletes accounts.
    package init(
        store: StorePool,
        responses: StoreResponses,
        bodies: RequestBodies,
        audit: AuditLog,
        changes: AccountChanges
    ) {
        self.store = store
        self.responses = responses
        self.bodies = bodies
        self.audit = audit
        self.changes = changes
    }

    package var routes: [Route] {
        [
            Route(
                .get,
                "/user",
                operation: RouteOperation(
                    "user.get",
                    summary: "Get your account",
                    description: "Returns the account of the token's user.",
                    permission: .users,
                    content: Self.content),
                handler: account),
            Route(.patch, "/user", operation: Self.changeOperation, handler: changeAccount),
            Route(
                .delete,
                "/user",
                operation: RouteOperation(
                    "user.delete",
                    summary: "Delete your account",
                    description:
                        "Deletes the account, all its records and its sessions permanently. Returns 204.",
                    permission: .users,
                    headers: Preconditions.parameters,
                    status: "204"),
                handler: deleteAccount),
            Route(
                .get,
                "/user/export",
                operation: RouteOperation(
                    "user.export",
                    summary: "Export your data",
                    description:
                        "Returns a ZIP archive of CSV files and photos that a store can load again: your account, all your records and your photos.",
                    permission: .users,
                    content: .content(.zip, schema: ["type": "string", "format": "binary"])),
                handler: exportAccount),
        ]
    }

    // MARK: Descriptions

    private static let changeOperation = RouteOperation(
        "user.update",
        summary: "Change your account",
        description:
            "Changes the members in the request and keeps all others. The time zone decides when your days begin and end. If you do not share your location, new positions are refused.",
        permission: .users,
        headers: Preconditions.parameters,
        body: [
            "required": true,
            "content": [
                ContentType.json.text: [
                    "schema": changeSchema,
                    "example": [
                        "name": "Alice",
                        "time_zone": "Europe/Lisbon",
                        "share_location": true,
                    ],
                ]
            ],
        ],
        content: content)

    /// The schema of a change, in which `null` clears a member.
    private static let changeSchema: JSON = [
        "type": "object",
        "properties": [
            "name": ["type": "string", "nullable": true],
            "time_zone": ["type": "string", "nullable": true],
            "share_location": ["type": "boolean", "default": false, "nullable": true],
            "private_places": privatePlacesSchema,
        ],
    ]

    private static let content = JSON.content(.json, schema: accountSchema)

    private static let accountSchema: JSON = [
        "type": "object",
        "required": ["id", "name", "email", "time_zone", "share_location", "private_places"],
        "properties": [
            "id": ["type": "string"],
            "name": ["type": "string", "nullable": true],
            "email": ["type": "string", "nullable": true],
            "time_zone": ["type": "string"],
            "share_location": ["type": "boolean"],
            "private_places": privatePlacesSchema,
        ],
    ]

    private static let privatePlacesSchema: JSON = [
        "type": "string",
        "nullable": true,
        "description":
            "Your private places, with semicolons between them: latitude and longitude, radius, name. Others see no positions of your events and posts there.",
        "example": "38.7223,-9.1393 300m home; 38.75,-9.2 1km work",
    ]

    // MARK: Settings

    /// The largest body that is accepted, in bytes.
    private static let bodyLimit = 16_384

    @Sendable private func account(_ call: Call) async throws -> Response {
        let viewer = try call.viewer
        let responseTag = Self.tag(of: call, for: viewer)
        let account = try await store.read(for: call.requester) { session in
            try OwnAccount(of: viewer, tagged: responseTag, in: session)
        }
        let tag = account.tag.encoded(ContentEncoding(for: call.request))
        if tag.matches(ifNoneMatch: call.request) { return .notModified(tag) }
        return try Self.response(to: call, with: account)
    }

    @Sendable private func changeAccount(_ call: Call) async throws -> Response {
        let viewer = try call.viewer
        let responseTag = Self.tag(of: call, for: viewer)
        let account = try await bodies.withBody(
            of: call.request,
            for: viewer.name,
            limit: Self.bodyLimit
        ) { body in
            let record = try RecordPayload(body, kind: .users, replaces: false, ignored: [])
            return try await changes.edit(record.account(), for: call) { session in
                try OwnAccount(of: viewer, tagged: responseTag, in: session)
            }
        }
        return try Self.response(to: call, with: account)
    }

    @Sendable private func deleteAccount(_ call: Call) async throws -> Response {
        try await changes.delete(for: call)
        return Response(status: .noContent)
    }

    private static func tag(of call: Call, for viewer: Viewer) -> ResponseTag {
        ResponseTag(
            call.request,
            of: .viewer(viewer),
            for: call.caller,
            at: call.clock,
            dependsOnDay: false,
            ["user"])
    }

    private static func response(to call: Call, with account: OwnAccount) throws -> Response {
        let encoding = ContentEncoding(for: call.request)
        let headers: HTTPFields = [
            .eTag: account.tag.encoded(encoding).text,
            .contentType: ContentType.json.text,
        ]
        return try Response(
            account.bytes,
            encoded: encoding,
            headers: HTTPFields.revalidated.merging(headers))
    }

    // MARK: Export

    private static let archiveHeaders: HTTPFields = [
        .contentType: ContentType.zip.text,
        .cacheControl: "no-store",
        .contentDisposition: "attachment; filename=\"habitat-export.zip\"",
    ]

    /// Responds with a ZIP archive of the files that `habitat export` writes, with the records of the caller.
    @Sendable private func exportAccount(_ call: Call) async throws -> Response {
        let viewer = try call.viewer
        guard case .user(_, let id) = viewer else { throw Problem.notSignedIn }
        audit.record("account.export", for: call)
        return try await responses.response(to: call, encoding: .identity, on: .responses) { session, begin in
            let query = try ExportQuery(ofUser: id, for: viewer, in: session)
            let export = try StoreExport(query)
            let archive = ZipFolder(try begin(Self.archiveHeaders))
            _ = try export.write(to: archive, in: session)
            try archive.end()
        }
    }
}
