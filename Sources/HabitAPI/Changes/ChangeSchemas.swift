import Base
import HTTPServing
import HabitStore

/// The JSON schemas of the changes that clients read and send.
enum ChangeSchemas {
    /// A page of changes.
    static let page: JSON = [
        "type": "object",
        "required": ["changes", "token", "more"],
        "properties": [
            "changes": ["type": "array", "items": change],
            "token": ["type": "string"],
            "more": ["type": "boolean"],
            "links": ["type": "array", "items": .reference("Link")],
        ],
    ]

    /// One change in a page.
    private static let change: JSON = [
        "type": "object",
        "required": ["action", "collection"],
        "properties": [
            "action": ["type": "string", "enum": ["put", "delete", "clear"]],
            "collection": collection,
            "feature": .reference("Feature"),
            "id": ["type": "string", "description": "The ID of the deleted feature."],
            "user": ["type": "string", "description": "The owner of the features to remove."],
            "version": ["type": "string", "description": "The version of the feature."],
        ],
    ]

    /// The name of a collection with changes.
    private static let collection = choice(of: SyncedCollection.names)

    /// The ID of a collection that a client can change.
    private static let writableCollection: JSON = {
        let writable = FeatureCollection.all.filter { collection in collection.writes != nil }
        return choice(of: writable.map(\.id))
    }()

    private static func choice(of names: [String]) -> JSON {
        [
            "type": "string",
            "enum": .list(names.map { name in .text(name) }),
        ]
    }

    /// The changes that a client sends.
    static let sent: JSON = [
        "type": "object",
        "required": ["type", "features"],
        "properties": [
            "type": ["type": "string", "enum": ["FeatureCollection"]],
            "features": [
                "type": "array",
                "minItems": 1,
                "description":
                    "Features with the members 'collection', 'id' and, if the client has read the feature, 'version'. A malformed feature is refused, and the others are applied.",
                "items": [:],
            ],
        ],
    ]

    /// A change that a client sends, which is valid for the user alice of the sample data.
    static let sentExample: JSON = [
        "type": "FeatureCollection",
        "features": [
            [
                "type": "Feature",
                "collection": "habits",
                "id": "alice:tea",
                "geometry": .null,
                "properties": ["title": "Tea", "days": "1111111"],
            ]
        ],
    ]

    /// The results of the changes that a client has sent.
    static let results: JSON = [
        "type": "object",
        "required": ["results"],
        "properties": ["results": ["type": "array", "items": result]],
    ]

    private static let result: JSON = [
        "type": "object",
        "required": ["number", "result"],
        "properties": [
            "number": [
                "type": "integer",
                "description": "The number of the change in the request, from 1.",
            ],
            "collection": writableCollection,
            "id": ["type": "string"],
            "result": [
                "type": "string",
                "enum": .list(AppliedChange.Outcome.allCases.map { .text($0.rawValue) }),
            ],
            "version": [
                "type": "string",
                "description": "The version of the record, or of 'feature' after a conflict.",
            ],
            "feature": [
                "allOf": [.reference("Feature")],
                "nullable": true,
                "description":
                    "The current feature after a conflict, which can be another event of the same habit and day; null if it does not exist.",
            ],
            "problem": .reference("Problem"),
        ],
    ]
}
