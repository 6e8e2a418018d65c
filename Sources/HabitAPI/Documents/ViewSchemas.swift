import Base
import HTTPServing
import HabitModel

/// The schemas of shared views in the document at `/api`.
enum ViewSchemas {
    /// The schema of the definition of a view.
    static var definition: JSON {
        [
            "type": "object",
            "required": ["layers"],
            "properties": members,
            "additionalProperties": false,
        ]
    }

    /// The schemas of the members of a definition.
    ///
    /// A member that is null counts as missing.
    static var members: JSON {
        var members = optionalMembers.mapValues { schema in schema.merging(["nullable": true]) }
        members["layers"] = [
            "type": "array",
            "minItems": 1,
            "uniqueItems": true,
            "items": names(ViewDefinition.Layer.self),
        ]
        return .object(members)
    }

    private static var optionalMembers: [String: JSON] {
        [
            "habits": [
                "type": "array",
                "maxItems": .integer(ViewDefinition.habitLimit),
                "items": ["type": "string"],
                "description": "IDs of your habits whose events the view shows. Without it, the view shows all habits.",
            ],
            "outcome": names(Outcome.self),
            "comment": [
                "type": "string",
                "minLength": 1,
                "maxLength": .integer(ViewDefinition.commentLimit),
                "description": "A text that the comments of the events contain; case is ignored.",
            ],
            "from": day("The first day of events and posts."),
            "to": day("The last day of events and posts."),
            "days": [
                "type": "integer",
                "minimum": .integer(ViewDefinition.dayCounts.lowerBound),
                "maximum": .integer(ViewDefinition.dayCounts.upperBound),
                "description": "The number of days up to today, instead of `from` and `to`.",
            ],
            "bbox": [
                "type": "array",
                "minItems": 4,
                "maxItems": 4,
                "items": ["type": "number"],
                "description": "West, south, east and north of the rounded positions, in degrees.",
            ],
            "rounding": names(ViewDefinition.Rounding.self).merging([
                "description":
                    "The size of the cells whose centers replace positions: about 100 m (default), 1 km or 10 km."
            ]),
            "status": [
                "type": "boolean",
                "description":
                    "Whether the events have the current status of their habits, which also depends on events outside the view.",
            ],
        ]
    }

    /// The schema of a view in the list.
    static var view: JSON {
        [
            "type": "object",
            "required": ["id", "label", "definition", "created_at", "expires_at"],
            "properties": [
                "id": ["type": "string"],
                "label": ["type": "string", "nullable": true],
                "definition": definition,
                "created_at": ["type": "string", "format": "date-time"],
                "expires_at": [
                    "type": "string",
                    "format": "date-time",
                    "nullable": true,
                    "description": "The value is null if the view is valid until it is revoked.",
                ],
                "url": address("the page"),
                "embed_url": address("the page that other sites can embed"),
                "style_url": address("the style of MapLibre"),
                "tiles_url": address("the TileJSON document"),
            ],
        ]
    }

    private static func names<Name>(_: Name.Type) -> JSON where Name: RawRepresentable<String> & CaseIterable {
        ["type": "string", "enum": .list(Name.allCases.map { name in .text(name.rawValue) })]
    }

    private static func day(_ meaning: String) -> JSON {
        ["type": "string", "format": "date", "description": .text(meaning)]
    }

    private static func address(_ target: String) -> JSON {
        ["type": "string", "description": .text("URL of \(target), only in the response that creates the view.")]
    }
}
