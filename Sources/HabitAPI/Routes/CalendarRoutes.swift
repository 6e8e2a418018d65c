import Base
import HTTPServing
import HTTPTypes
import HabitModel
import HabitReport
import HabitStore
import Hummingbird

/// Routes for the calendar of a user, and for the addresses at which calendar programs read it.
///
/// Calendar programs cannot send a token, so the address contains a secret. The secret opens only the calendar. The
/// logs contain the pattern of the path and not the path.
package struct CalendarRoutes: RouteGroup {
    let store: StorePool
    let responses: StoreResponses
    let bodies: RequestBodies
    let audit: AuditLog
    let callers: TokenAuthenticator

    /// Creates the routes.
    ///
    /// - Parameters:
    ///   - store: The connections to the store.
    ///   - responses: Writes responses from the store.
    ///   - bodies: Reads the bodies of requests.
    ///   - audit: The audit log.
    ///   - callers: Finds the owners of the addresses of calendars.
    package init(
        store: StorePool,
        responses: StoreResponses,
        bodies: RequestBodies,
        audit: AuditLog,
        callers: TokenAuthenticator
    ) {
        self.store = store
        self.responses = responses
        self.bodies = bodies
        self.audit = audit
        self.callers = callers
    }

    package var routes: [Route] {
        [
            Route(.get, "/calendars/{calendarFile}", operation: Self.calendarOperation, handler: calendar),
            Route(
                .get,
                "/user/calendars",
                operation: RouteOperation(
                    "calendars.list",
                    summary: "List your calendar addresses",
                    description: "Returns the valid addresses of your calendar, without their secrets.",
                    permission: .users,
                    content: .content(.json, schema: Self.listSchema)),
                handler: calendars),
            Route(.post, "/user/calendars", operation: Self.createOperation, handler: createCalendar),
            Route(
                .get,
                "/user/calendars/{calendarId}",
                operation: RouteOperation(
                    "calendars.get",
                    summary: "Get a calendar address",
                    description: "Returns a valid address of your calendar, without its secret.",
                    permission: .users,
                    pathParameters: [Self.idParameter],
                    content: Self.addressContent),
                handler: oneCalendar),
            Route(
                .delete,
                "/user/calendars/{calendarId}",
                operation: RouteOperation(
                    "calendars.revoke",
                    summary: "Revoke a calendar address",
                    description: "The address is invalid immediately. Returns 204.",
                    permission: .users,
                    pathParameters: [Self.idParameter],
                    query: nil,
                    status: "204"),
                handler: revokeCalendar),
        ]
    }

    // MARK: The calendar

    private static let calendarOperation = RouteOperation(
        "calendar.get",
        summary: "Get a calendar",
        description:
            "Returns the due days of a user's habits and the done events of the last 366 days in iCalendar (RFC 5545). The address contains a secret and needs no token. Returns 404 if the address is unknown, has expired or was revoked.",
        permission: .everyone,
        pathParameters: [
            .pathParameter("calendarFile", "Secret of the address, followed by `.ics`.")
        ],
        // The handler checks the parameters after the secret.
        query: nil,
        content: .content(.calendar, schema: ["type": "string"]))

    /// The end of the path of a calendar.
    private static let ending = ".ics"

    @Sendable private func calendar(_ call: Call) async throws -> Response {
        let name = try call.pathParameter("calendarFile")
        guard name.hasSuffix(Self.ending) else { throw Problem.calendarNotFound }
        let secret = String(name.dropLast(Self.ending.count))
        let viewer = try await callers.calendarOwner(of: secret)
        _ = try RequestParameters(call.request, known: [])
        // The calendar contains the days from today on.
        let tag = ResponseTag(
            call.request,
            of: .viewer(viewer),
            for: .viewer(viewer),
            at: call.clock,
            dependsOnDay: true,
            ["calendar"])
        return try await responses.response(
            to: call,
            encoding: ContentEncoding(for: call.request),
            for: Requester(viewer),
            on: .responses,
            tagged: tag
        ) { session, begin in
            let feed = try CalendarFeed(viewer, clock: call.clock, in: session)
            try feed.write(to: try begin([.contentType: ContentType.calendar.text]))
        }
    }

    // MARK: Descriptions of addresses

    private static let idParameter = JSON.pathParameter(
        "calendarId",
        "ID of an address in the list of calendar addresses.")

    private static let listSchema: JSON = [
        "type": "object",
        "required": ["calendars"],
        "properties": ["calendars": ["type": "array", "items": .reference("CalendarAddress")]],
    ]

    private static let createOperation = RouteOperation(
        "calendars.create",
        summary: "Create a calendar address",
        description:
            "Returns 201 with the URL of your calendar, which is not shown again. Any client that has the URL can read the calendar. A user has at most 20 addresses. A new address revokes the oldest one in excess of them.",
        permission: .users,
        body: [
            "required": true,
            "content": [
                ContentType.json.text: [
                    "schema": newAddressSchema,
                    "example": ["label": "phone"],
                ]
            ],
        ],
        status: "201",
        content: addressContent)

    private static let newAddressSchema: JSON = [
        "type": "object",
        "properties": [
            "label": [
                "type": "string",
                "nullable": true,
                "maxLength": .integer(labelLimit),
            ]
        ],
    ]

    /// The schema of the address of a calendar, which the document at `/api` contains as `CalendarAddress`.
    static let calendarAddressSchema: JSON = [
        "type": "object",
        "required": ["id", "label", "created_at", "expires_at"],
        "properties": [
            "id": ["type": "string"],
            "label": ["type": "string", "nullable": true],
            "created_at": ["type": "string", "format": "date-time"],
            "expires_at": [
                "type": "string",
                "format": "date-time",
                "nullable": true,
                "description": "The value is null if the address is valid until it is revoked.",
            ],
            "url": [
                "type": "string",
                "description": "URL of the calendar, only in the response that creates it.",
            ],
        ],
    ]

    private static let addressContent = JSON.content(.json, schema: .reference("CalendarAddress"))

    // MARK: Addresses

    @Sendable private func calendars(_ call: Call) async throws -> Response {
        let addresses = try await ownAddresses(call)
        return Response(["calendars": .list(addresses.map(Self.document))], headers: .notStored)
    }

    @Sendable private func oneCalendar(_ call: Call) async throws -> Response {
        let id = try call.pathParameter("calendarId")
        let addresses = try await ownAddresses(call)
        guard let address = addresses.first(where: { address in address.id == id }) else {
            throw Self.unknownAddress(id)
        }
        return Response(Self.document(address), headers: .notStored)
    }

    /// Reads the valid addresses of the caller's calendar.
    ///
    /// - Parameter call: The request.
    /// - Returns: The addresses.
    /// - Throws: An error of the store.
    private func ownAddresses(_ call: Call) async throws -> [Token.Summary] {
        let viewer = try call.viewer
        return try await store.read(for: call.requester) { session in
            try TokenActions(clock: call.clock, in: session).tokens(of: viewer, [.calendar])
        }
    }

    private static func unknownAddress(_ id: String) -> HabitError {
        HabitError(.notFound, "the calendar address '\(id)' does not exist", field: "calendar")
    }

    /// The maximum length of a label in characters.
    private static let labelLimit = 50

    /// The largest body that is accepted, in bytes.
    private static let bodyLimit = 16_384

    @Sendable private func createCalendar(_ call: Call) async throws -> Response {
        let viewer = try call.viewer
        let label = try await label(in: call, of: viewer)
        let created = try await store.write(for: call.requester) { session in
            try TokenActions(clock: call.clock, in: session).createCalendar(for: viewer, label: label)
        }
        let token = created.token
        audit.record("calendar.create", for: call, details: ["calendar": .text(token.id)])
        for id in created.revoked {
            audit.record("calendar.revoke", for: call, details: ["calendar": .text(id)])
        }
        let url = "\(call.base)/calendars/\(token.secret)\(Self.ending)"
        let summary = Token.Summary(
            id: token.id,
            kind: .calendar,
            label: label,
            created: call.clock.now,
            expires: token.expires)
        return Response(
            Self.document(summary).merging(["url": .text(url)]),
            status: .created,
            headers: .notStored)
    }

    /// Reads the label of a new address from the body of a request.
    ///
    /// - Parameters:
    ///   - call: The request.
    ///   - viewer: The user who sends it.
    /// - Returns: The label; `nil` if the body contains none.
    /// - Throws: `row-invalid` if the body is not a JSON object with a text, `field-invalid` if the label is too long
    ///   or has several lines, and the errors of ``RequestBodies/withBody(of:for:limit:remedy:_:)``.
    private func label(in call: Call, of viewer: Viewer) async throws -> String? {
        let sent = try await bodies.withBody(
            of: call.request,
            for: viewer.name,
            limit: Self.bodyLimit
        ) { body in
            guard let sent = ObjectBody(body, reading: ["label"]) else {
                throw HabitError(
                    .rowInvalid,
                    "the body is not a JSON object with a text 'label': send one, or {}",
                    field: "label")
            }
            return sent
        }
        guard let label = sent["label"] else { return nil }
        guard label.unicodeScalars.count <= Self.labelLimit else {
            throw HabitError(
                .fieldInvalid,
                "the label is longer than \(Self.labelLimit) characters: send another label",
                field: "label")
        }
        try label.requireSingleLine("label")
        return label
    }

    @Sendable private func revokeCalendar(_ call: Call) async throws -> Response {
        let viewer = try call.viewer
        let id = try call.pathParameter("calendarId")
        try await store.write(for: call.requester) { session in
            do {
                try TokenActions(clock: call.clock, in: session).revoke(id: id, [.calendar], by: viewer)
            } catch let error as HabitError where error.code == .notFound {
                throw Self.unknownAddress(id)
            }
        }
        audit.record("calendar.revoke", for: call, details: ["calendar": .text(id)])
        return Response(status: .noContent)
    }

    private static func document(_ token: Token.Summary) -> JSON {
        [
            "id": .text(token.id),
            "label": JSON(token.label),
            "created_at": text(token.created),
            "expires_at": token.expires == Token.never ? .null : text(token.expires),
        ]
    }

    private static func text(_ instant: Instant) -> JSON {
        .text(OffsetInstant(instant, offset: .utc).description)
    }
}
