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
    private let responses: StoreResponses
    private let bodies: RequestBodies
    private let callers: TokenAuthenticator
    private let tokens: OwnTokens

    /// Creates the routes.
    ///
    /// - Parameters:
    ///   - responses: Writes responses from the store.
    ///   - bodies: Reads the bodies of requests.
    ///   - callers: Finds the owners of the addresses of calendars.
    ///   - tokens: Lists, creates and revokes the addresses of calendars.
    package init(
        responses: StoreResponses,
        bodies: RequestBodies,
        callers: TokenAuthenticator,
        tokens: OwnTokens
    ) {
        self.responses = responses
        self.bodies = bodies
        self.callers = callers
        self.tokens = tokens
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

    @Sendable private func calendar(_ call: Call) async throws -> Response {
        let name = try call.pathParameter("calendarFile")
        let ending = OwnTokens.calendarEnding
        guard name.hasSuffix(ending) else { throw Problem.calendarNotFound }
        let secret = String(name.dropLast(ending.count))
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
                "maxLength": .integer(OwnTokens.labelLimit),
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
        let addresses = try await tokens.list([.calendar], for: call)
        let documents = addresses.map { address in Self.document(address.token) }
        return Response(["calendars": .list(documents)], headers: .notStored)
    }

    @Sendable private func oneCalendar(_ call: Call) async throws -> Response {
        let id = try call.pathParameter("calendarId")
        let addresses = try await tokens.list([.calendar], for: call)
        guard let address = addresses.first(where: { address in address.token.id == id }) else {
            throw OwnTokens.unknownCalendar(id)
        }
        return Response(Self.document(address.token), headers: .notStored)
    }

    /// The largest body that is accepted, in bytes.
    private static let bodyLimit = 16_384

    @Sendable private func createCalendar(_ call: Call) async throws -> Response {
        let created = try await tokens.createCalendar(label: try await label(in: call), for: call)
        return Response(
            Self.document(created.token).merging(["url": .text(created.url)]),
            status: .created,
            headers: .notStored)
    }

    /// Reads the label of a new address from the body of a request.
    ///
    /// - Parameter call: The request.
    /// - Returns: The label; `nil` if the body contains none.
    /// - Throws: `row-invalid` if the body is not a JSON object with a text, and the errors of
    ///   ``RequestBodies/withBody(of:for:limit:remedy:isOptional:_:)``.
    private func label(in call: Call) async throws -> String? {
        let sent = try await bodies.withBody(
            of: call.request,
            for: call.viewer.name,
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
        return sent["label"]
    }

    @Sendable private func revokeCalendar(_ call: Call) async throws -> Response {
        try await tokens.revokeCalendar(try call.pathParameter("calendarId"), for: call)
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
