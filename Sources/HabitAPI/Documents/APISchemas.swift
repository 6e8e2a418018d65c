import Base
import HTTPServing
import HabitModel
import HabitStore

/// The schemas of the document at `/api` to which several operations refer.
enum APISchemas {
    private static let link: JSON = [
        "type": "object",
        "required": ["href"],
        "properties": ["href": ["type": "string"], "rel": ["type": "string"], "type": ["type": "string"]],
    ]

    private static let recordKinds: [JSON] = AccessObject.Kind.allCases.map { kind in
        .text(kind.rawValue)
    }

    /// The schemas of the parameters of errors by name.
    private static let errorParameters: [String: JSON] = {
        let members = ErrorParameter.Key.allCases.map { key in (key.rawValue, key.schema) }
        return Dictionary(uniqueKeysWithValues: members)
    }()

    /// The schemas by name.
    static let all: JSON = [
        "Link": link,
        "Feature": [
            "type": "object",
            "required": ["type", "geometry", "properties"],
            "properties": [
                "type": ["type": "string", "enum": ["Feature"]],
                "id": ["type": "string"],
                "geometry": .reference("Geometry"),
                "properties": ["type": "object", "nullable": true],
                "links": ["type": "array", "items": .reference("Link")],
            ],
        ],
        "Geometry": [
            "type": "object",
            "nullable": true,
            "required": ["type", "coordinates"],
            "properties": [
                "type": ["type": "string", "enum": ["Point"]],
                "coordinates": [
                    "type": "array",
                    "items": ["type": "number"],
                    "minItems": 2,
                    "maxItems": 2,
                    "description": "Longitude and latitude in degrees.",
                ],
            ],
        ],
        "FeatureCollection": [
            "type": "object",
            "required": ["type", "features"],
            "properties": [
                "type": ["type": "string", "enum": ["FeatureCollection"]],
                "features": ["type": "array", "items": .reference("Feature")],
                "numberReturned": ["type": "integer", "minimum": 0],
                "numberMatched": ["type": "integer", "minimum": 0],
                "bbox": ["type": "array", "items": ["type": "number"]],
                "links": ["type": "array", "items": .reference("Link")],
            ],
        ],
        "Problem": [
            "type": "object",
            "required": ["type", "title", "status", "detail", "slug"],
            "properties": [
                "type": ["type": "string"],
                "title": ["type": "string"],
                "status": ["type": "integer"],
                "detail": ["type": "string"],
                "slug": ErrorList.slug,
                "field": ["type": "string"],
                "subject": [
                    "type": "object",
                    "required": ["kind", "id"],
                    "description": "The record that the error is about.",
                    "properties": [
                        "kind": [
                            "type": "string",
                            "enum": .list(recordKinds),
                        ],
                        "id": ["type": "string"],
                    ],
                ],
                "parameters": [
                    "type": "object",
                    "description": "The values in 'detail', such as a limit and the number that exceeds it.",
                    "properties": .object(errorParameters),
                ],
            ],
            "x-errors": ErrorList.document,
        ],
        "Days": HabitDays.schema,
        "CalendarAddress": CalendarRoutes.calendarAddressSchema,
        "OwnSession": SessionListRoutes.ownSessionSchema,
        "Passkey": PasskeyRoutes.passkeySchema,
        "Session": SignInRoutes.sessionSchema,
        "SharedView": ViewSchemas.view,
    ]
}

extension ErrorParameter.Key {
    /// The JSON schema of the parameter.
    fileprivate var schema: JSON {
        switch self {
        case .length: Self.integer("Number of characters.")
        case .count: Self.integer("Number of rows or records.")
        case .bytes: Self.integer("Size in bytes.")
        case .limit: Self.integer("Maximum of 'length', 'count' or 'bytes'.")
        case .seconds: ["type": "number", "description": "Time limit in seconds."]
        case .day: Self.date("Day at fault.")
        case .today: Self.date("Current date of the user.")
        case .localDay: Self.date("Local date of the instant.")
        case .timeZone: Self.text("Time zone of the dates: an IANA name or a UTC offset.")
        case .word: Self.text("Blocked word or phrase.")
        case .report: Self.text("ID of the report that failed.")
        case .event: Self.text("ID of the event that the habit already has on the day.")
        }
    }

    private static func integer(_ description: String) -> JSON {
        ["type": "integer", "description": .text(description)]
    }

    private static func date(_ description: String) -> JSON {
        ["type": "string", "format": "date", "description": .text(description)]
    }

    private static func text(_ description: String) -> JSON {
        ["type": "string", "description": .text(description)]
    }
}
