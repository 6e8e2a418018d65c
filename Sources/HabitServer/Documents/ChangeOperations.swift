import Base
import HabitModel
import HabitStore

/// The operations with which clients keep a copy of their records.
extension APIDocument {
    static let changes: JSON = [
        "get": operation(
            "changes.list", "List changes",
            "Returns the changes since a token, in the order in which a client applies it: 'put' stores a feature, 'delete' removes one, and 'clear' removes all features of a collection, or of one user in it. Without a token, the response contains all records. Store 'token' and send it as 'since'. If 'more' is true, send the next request immediately.",
            parameters: [
                since,
                parameter(
                    "limit", "Maximum number of changes. The server returns at most \(ChangePage.limit).",
                    ["type": "integer", "minimum": 1, "default": .integer(ChangePage.limit)]),
            ],
            content: [MediaType.json.text: ["schema": page]]),
        "post": operation(
            "changes.send", "Send changes",
            "Applies at most \(SentChange.countLimit) changes in one transaction and returns the result of each: 'created', 'updated', 'deleted', 'unchanged', 'conflict' or 'refused'. A change that was already applied is 'unchanged'. A change that is based on an old version is a 'conflict', and the result contains the record as it is now.",
            content: [MediaType.json.text: ["schema": results]]
        ).merging([
            "requestBody": [
                "required": true,
                "description":
                    "A FeatureCollection whose features have the members 'collection' and 'version'. The body can also be NDJSON: one change in each line, with the members of the changes that the server lists. A new feature has an ID that the client chooses.",
                "content": [MediaType.geoJSON.text: ["schema": sentFeatures, "example": sentExample]],
            ]
        ]),
    ]

    private static let sentFeatures: JSON = [
        "type": "object", "required": ["type", "features"],
        "properties": [
            "type": ["type": "string", "enum": ["FeatureCollection"]],
            "features": [
                "type": "array", "minItems": 1,
                "description":
                    "Features with the members 'collection', 'id' and, if the client has read the feature, 'version'. A malformed feature is refused, and the others are applied.",
                "items": [:],
            ],
        ],
    ]

    private static let sentExample: JSON = [
        "type": "FeatureCollection",
        "features": [
            [
                "type": "Feature", "collection": "habits", "id": "alice:tea", "geometry": .null,
                "properties": ["title": "Tea", "days": "1111111"],
            ]
        ],
    ]

    static let changeStream: JSON = [
        "get": operation(
            "changes.stream", "Stream changes",
            "Sends changes as server-sent events until the client disconnects or the token of the request ends. The data of an event 'change' is a change of the list of changes. To resume, send the ID of the last event as 'Last-Event-ID' or 'since'.",
            parameters: [
                since,
                [
                    "name": "Last-Event-ID", "in": "header", "required": false, "schema": ["type": "string"],
                    "description": "The ID of the last event. It has precedence over 'since'.",
                ],
            ],
            content: [MediaType.eventStream.text: ["schema": ["type": "string"]]])
    ]

    private static let since = parameter(
        "since", "The token of the last response. A token is valid for 90 days.", ["type": "string"])

    private static let collectionName: JSON = [
        "type": "string", "enum": .list(ChangeFeed.kinds.map { .text($0.rawValue) }),
    ]

    private static let page: JSON = [
        "type": "object", "required": ["changes", "token", "more"],
        "properties": [
            "changes": [
                "type": "array",
                "items": [
                    "type": "object", "required": ["action", "collection"],
                    "properties": [
                        "action": ["type": "string", "enum": ["put", "delete", "clear"]],
                        "collection": collectionName, "feature": reference("Feature"),
                        "id": ["type": "string", "description": "The ID of the deleted feature."],
                        "user": ["type": "string", "description": "The owner of the features to remove."],
                        "version": ["type": "string", "description": "The version of the feature."],
                    ],
                ],
            ],
            "token": ["type": "string"], "more": ["type": "boolean"],
            "links": ["type": "array", "items": reference("Link")],
        ],
    ]

    private static let results: JSON = [
        "type": "object", "required": ["results"],
        "properties": [
            "results": [
                "type": "array",
                "items": [
                    "type": "object", "required": ["number", "result"],
                    "properties": [
                        "number": [
                            "type": "integer", "description": "The number of the change in the request, from 1.",
                        ],
                        "collection": collectionName, "id": ["type": "string"],
                        "result": [
                            "type": "string", "enum": .list(AppliedChange.Outcome.allCases.map { .text($0.rawValue) }),
                        ],
                        "version": ["type": "string"], "feature": reference("Feature"),
                        "problem": reference("Problem"),
                    ],
                ],
            ]
        ],
    ]
}
