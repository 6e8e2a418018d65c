import Base
import HTTPServing
import HabitModel
import HabitStore

/// The bodies of requests that create or change a record (OpenAPI request body objects).
enum RecordBody {
    /// Describes the body of a request that creates a record.
    ///
    /// - Parameter collection: The collection of the record.
    /// - Returns: The request body object.
    static func ofNewRecord(in collection: FeatureCollection) -> JSON {
        let content = content(of: collection, example: newRecords[collection.id])
        return body(collection.hasPhotos ? content.merging(uploadForm) : content)
    }

    /// Describes the body of a request that changes a record.
    ///
    /// - Parameter collection: The collection of the record.
    /// - Returns: The request body object.
    static func ofChangedRecord(in collection: FeatureCollection) -> JSON {
        body(content(of: collection, example: changedRecords[collection.id]))
    }

    private static func body(_ content: JSON) -> JSON {
        [
            "required": true,
            "description": "A GeoJSON Feature, or a JSON object with the fields as members.",
            "content": content,
        ]
    }

    private static func content(of collection: FeatureCollection, example: JSON?) -> JSON {
        var schemas: [String: JSON] = [:]
        for field in collection.receivableFields {
            schemas[field.name] = schema(of: field, in: collection.kind)
        }
        let properties = JSON.object(schemas)
        let feature: JSON = [
            "type": "object",
            "required": ["type", "properties"],
            "properties": [
                "type": ["type": "string", "enum": ["Feature"]],
                "id": ["type": "string"],
                "geometry": .reference("Geometry"),
                "properties": ["type": "object", "properties": properties],
            ],
        ]
        var record: JSON = ["schema": ["type": "object", "properties": properties]]
        if let example { record = record.merging(["example": example]) }
        return [
            ContentType.geoJSON.text: ["schema": feature],
            ContentType.json.text: record,
        ]
    }

    /// The form with a record and its photo.
    private static let uploadForm: JSON = [
        "multipart/form-data": [
            "schema": [
                "type": "object",
                "required": ["record"],
                "properties": [
                    "record": [
                        "type": "string",
                        "description":
                            "The record in JSON: a GeoJSON Feature, or an object with the fields as members.",
                    ],
                    "photo": ["type": "string", "format": "binary", "description": "The file of the photo."],
                ],
            ],
            "encoding": ["record": ["contentType": .text(ContentType.json.text)], "photo": ["contentType": "image/*"]],
        ]
    ]

    // MARK: Examples

    /// A GIF of one pixel.
    private static let pixel: JSON = "R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"

    /// Examples of request bodies by collection ID.
    ///
    /// They are valid for the user alice of the sample data.
    private static let newRecords: [String: JSON] = [
        "habits": ["title": "Read", "days": "mon,wed,fri", "reason": "One book a month"],
        "pauses": ["habit": "alice:reading", "from": "2026-12-01", "to": "2026-12-14"],
        "events": [
            "habit": "alice:reading",
            "comment": "By the sea",
            "longitude": -9.1393,
            "latitude": 38.7223,
        ],
        "items": ["name": "Bicycle", "description": "Needs a tire", "photo": pixel],
        "posts": [
            "caption": "Sunset",
            "photo": pixel,
            "longitude": -9.1393,
            "latitude": 38.7223,
        ],
        "claims": ["item": "item-0007"],
        "follows": ["followee": "tama"],
        "messages": ["item": "item-0108", "recipient": "helena", "text": "You're welcome!"],
    ]

    private static let changedRecords: [String: JSON] = [
        "habits": ["title": "Read more", "days": "mon,wed,fri"],
        "pauses": ["to": "2026-12-20"],
        "events": ["comment": "At home"],
        "items": ["name": "Road bicycle", "photo": pixel],
        "posts": ["caption": "Sunset at the sea", "photo": pixel],
        "claims": ["state": "claimed"],
        "follows": ["status": "accepted"],
    ]

    // MARK: Fields

    /// Returns the schema of a field in a request body.
    ///
    /// `null` clears the field.
    static func schema(of field: Field, in kind: RecordKind) -> JSON {
        let schema: JSON =
            switch field.form(in: kind) {
            case .longitude: ["type": "number", "minimum": -180, "maximum": 180]
            case .latitude: ["type": "number", "minimum": -90, "maximum": 90]
            case .day: ["type": "string", "format": "date"]
            case .instant: ["type": "string", "format": "date-time"]
            case .schedule:
                [
                    "type": "string",
                    "description": "Weekdays: names (mon,wed,fri), numbers from Monday (1,3,5) or a mask (1010100).",
                ]
            case .photo:
                [
                    "type": "string",
                    "format": "byte",
                    "description": .text("A JPEG, PNG, WebP or GIF image. \(PhotoRoutes.sizes(of: kind))"),
                ]
            case .count: ["type": "integer", "minimum": 1]
            case .amount: ["type": "number", "minimum": 0]
            case .integer(let range): JSON.object(["type": "integer"]).merging(CollectionSchema.bounds(of: range))
            // An empty text removes the time, as in files.
            case .timeOfDay: ["type": "string", "pattern": .text("^(\(CollectionSchema.timePattern))?$")]
            case .flag: ["type": "boolean", "default": false]
            // OpenAPI 3.0: `nullable` does not add null to an enumeration.
            case .choice(let values):
                [
                    "type": "string",
                    "enum": .list(values.map { value in .text(value) } + [.null]),
                ]
            case .offset, .text: ["type": "string"]
            }
        return schema.merging(["nullable": true])
    }
}
