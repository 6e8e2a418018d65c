import HabitModel
import HabitStore

/// The operations with which clients keep a copy of their records.
extension APIDocument {
    static let changes: JSON = [
        "get": operation(
            "changes.list", "List changes",
            "Returns what has changed since a token, in the order in which a client applies it: 'put' stores a feature, 'delete' removes one, and 'clear' removes all features of a collection, or of one user in it. Without a token, the response contains all records. Store 'token' and send it as 'since'. If 'more' is true, send the next request at once.",
            parameters: [
                since,
                parameter(
                    "limit", "Maximum number of changes. The server returns at most \(ChangePage.limit).",
                    ["type": "integer", "minimum": 1, "default": .integer(ChangePage.limit)]),
            ],
            content: [MediaType.json.text: ["schema": page]]),
        "post": operation(
            "changes.send", "Send changes",
            "Applies at most \(SentChange.countLimit) changes in one transaction and returns the result of each: 'created', 'updated', 'deleted', 'unchanged', 'conflict' or 'refused'. A change that the server already has is 'unchanged'. A change that is based on an old version is a 'conflict', and the result contains the record as it is now.",
            content: [MediaType.json.text: ["schema": results]]
        ).merging([
            "requestBody": [
                "required": true,
                "description":
                    "One change in each line, with the members of the changes that the server lists, or a FeatureCollection whose features have the members 'collection' and 'version'. A new feature has an ID that the client chooses.",
                "content": [
                    MediaType.ndjson.text: [
                        "schema": ["type": "string"],
                        "example":
                            #"{"action":"put","collection":"habits","feature":{"id":"alice:tea","properties":{"title":"Tea","days":"1111111"}}}"#,
                    ]
                ],
            ]
        ]),
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
                    "type": "object", "required": ["collection", "id", "result"],
                    "properties": [
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
