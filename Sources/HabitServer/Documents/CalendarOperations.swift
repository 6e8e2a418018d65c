import Base

/// The operations of calendars and their addresses.
extension APIDocument {
    func addCalendarPaths(to paths: inout [String: JSON]) {
        paths["/calendars/{calendarFile}"] = [
            "parameters": [
                [
                    "name": "calendarFile", "in": "path", "required": true, "schema": ["type": "string"],
                    "description": "Secret of the address, followed by `.ics`.",
                ]
            ],
            "get": Self.operation(
                "calendar.get", "Get a calendar",
                "Returns the due days of a user's habits and the done events of the last 366 days in iCalendar (RFC 5545). The address contains a secret and needs no token. Returns 404 if the address is unknown, has expired or was revoked.",
                content: [MediaType.calendar.text: ["schema": ["type": "string"]]]
            ).merging(["security": []]),
        ]
        paths["/user/calendars"] = [
            "get": Self.operation(
                "calendars.list", "List your calendar addresses",
                "Returns the valid addresses of your calendar, without their secrets.",
                content: [
                    MediaType.json.text: [
                        "schema": [
                            "type": "object", "required": ["calendars"],
                            "properties": ["calendars": ["type": "array", "items": Self.reference("CalendarAddress")]],
                        ]
                    ]
                ]),
            "post": Self.operation(
                "calendars.create", "Create a calendar address",
                "Returns 201 with the URL of your calendar, which is not shown again. Any client that has the URL can read the calendar. A user has at most 20 addresses. A new address revokes the oldest one in excess of them.",
                status: "201", content: [MediaType.json.text: ["schema": Self.reference("CalendarAddress")]]
            ).merging([
                "requestBody": [
                    "required": true,
                    "content": [
                        MediaType.json.text: [
                            "schema": [
                                "type": "object",
                                "properties": [
                                    "label": [
                                        "type": "string", "nullable": true,
                                        "maxLength": .integer(HabitatServer.labelLimit),
                                    ]
                                ],
                            ], "example": ["label": "phone"],
                        ]
                    ],
                ]
            ]),
        ]
        paths["/user/calendars/{calendarId}"] = [
            "parameters": [
                [
                    "name": "calendarId", "in": "path", "required": true, "schema": ["type": "string"],
                    "description": "ID of an address in the list of calendar addresses.",
                ]
            ],
            "get": Self.operation(
                "calendars.get", "Get a calendar address",
                "Returns a valid address of your calendar, without its secret.",
                content: [MediaType.json.text: ["schema": Self.reference("CalendarAddress")]]),
            "delete": Self.operation(
                "calendars.revoke", "Revoke a calendar address", "The address is invalid immediately. Returns 204.",
                status: "204", content: nil),
        ]
    }

    /// The schema of a calendar address.
    static let calendarAddress: JSON = [
        "type": "object", "required": ["id", "label", "created_at", "expires_at"],
        "properties": [
            "id": ["type": "string"], "label": ["type": "string", "nullable": true],
            "created_at": ["type": "string", "format": "date-time"],
            "expires_at": [
                "type": "string", "format": "date-time", "nullable": true,
                "description": "The value is null if the address is valid until it is revoked.",
            ],
            "url": ["type": "string", "description": "URL of the calendar, only in the response that creates it."],
        ],
    ]
}
