import Geo
import HabitModel
import HabitReport
import HabitStore

/// The query parameters of a list of features: their names and their descriptions in `/api`.
///
/// A parameter with the name of a property selects the features whose property equals the value (OGC API - Features,
/// Part 1, recommendation `/rec/core/fc-filters`), because clients such as GDAL rely on that. Any other filter has
/// another name.
enum FeatureParameter: String, CaseIterable {
    case limit, bbox, datetime, near, within, habit
    case habitTitle = "habit-title"
    case comment
    case commentContains = "comment-contains"
    case user, scope, state, sortby, properties, precision, after, f

    /// The parameters of every list (OGC API - Features, Part 1, sections 7.15.2 to 7.15.4, and paging and formats).
    static let common: [FeatureParameter] = [.limit, .bbox, .datetime, .sortby, .properties, .precision, .after, .f]
    /// The parameters of lists whose records have positions.
    static let placed: [FeatureParameter] = [.near, .within]

    /// The parameters that a request may repeat.
    ///
    /// GDAL sends two `datetime` parameters for two comparisons, and a feature must satisfy both. If a request has
    /// several habits or titles, a feature must match one of them.
    static let repeatable: Set<String> = [habit.rawValue, habitTitle.rawValue, datetime.rawValue]

    static let defaultLimit = 100
    static let maximumLimit = 10_000

    var meaning: String {
        switch self {
        case .limit:
            "Maximum number of features in the page. The default is \(Self.defaultLimit). The server returns at most \(Self.maximumLimit) features; a larger limit is not an error."
        case .bbox:
            "Selects the features in this bounding box: west,south,east,north in degrees. west may be greater than east."
        case .datetime:
            "Selects the features at this instant or in this interval (RFC 3339, '..' for an open end). Dates without a time are local calendar dates. Repeatable; a feature must match all values."
        case .near: "Selects the features near this position: longitude,latitude in degrees (the order of RFC 7946)."
        case .within:
            "Maximum distance from `near`, with a unit, such as 5km, 800m or 3mi. The default is \(Near.defaultDistance). Requires `near`."
        case .habit: "Selects the events of the habit with this ID. Repeatable; an event must match one value."
        case .habitTitle:
            "Selects the events of all visible habits with this title. Case is ignored. Repeatable; an event must match one value."
        case .comment: "Selects the events whose whole comment is this text. Case matters."
        case .commentContains: "Selects the events whose comment contains this text. Case is ignored."
        case .user: "Selects the features of these users: IDs separated by commas."
        case .scope:
            "`mine` selects the caller's events, `friends` the newest event of each habit of each followed user, `all` every visible event. The default is `mine`; an operator or a public collection always has `all`."
        case .state: "Selects the items in this state. The default is `available`."
        case .sortby:
            "Sort order: `-time` (newest first) or `+distance` (nearest first, requires `near`). The default is `+distance` with `near`, otherwise `-time`."
        case .properties: "Properties to return: names separated by commas. The default is all properties."
        case .precision: "Maximum number of decimal places of coordinates. The default is 7."
        case .after: "Cursor of the page, from the `next` link of the previous page."
        case .f: "Response format. The default is `geojson`."
        }
    }

    var schema: JSON {
        switch self {
        case .limit:
            // A larger number is not an error, so the document names no maximum (OGC API - Features, Part 1, 7.15.2).
            ["type": "integer", "minimum": 1, "default": .integer(Self.defaultLimit)]
        case .bbox:
            [
                "type": "array", "items": ["type": "number"],
                "oneOf": [["minItems": 4, "maxItems": 4], ["minItems": 6, "maxItems": 6]],
            ]
        case .near: ["type": "array", "items": ["type": "number"], "minItems": 2, "maxItems": 2]
        case .within: ["type": "string", "default": .text("\(Near.defaultDistance)")]
        case .user, .properties: ["type": "array", "items": ["type": "string"]]
        case .scope: Self.choice(EventQuery.Scope.allCases.map(\.rawValue))
        case .state: Self.choice(ItemQuery.State.allCases.map(\.rawValue))
        case .sortby: Self.choice(SortBy.allCases.map(\.rawValue))
        case .precision: ["type": "integer", "minimum": 0, "maximum": 15, "default": 7]
        case .f: Self.choice(FeatureForm.allCases.map(\.rawValue))
        case .datetime, .habit, .habitTitle, .comment, .commentContains, .after: ["type": "string"]
        }
    }

    private static func choice(_ values: [String]) -> JSON {
        ["type": "string", "enum": .list(values.map { .text($0) })]
    }

    /// The OpenAPI parameter object.
    ///
    /// The items of a list are separated by commas.
    var description: JSON {
        [
            "name": .text(rawValue), "in": "query", "required": false, "description": .text(meaning), "schema": schema,
            "style": "form", "explode": false,
        ]
    }
}

enum SortBy: String, CaseIterable {
    case time = "-time"
    case distance = "+distance"
}

enum FeatureForm: String, CaseIterable {
    /// `json` is an alias of `geojson`.
    case geojson, json, csv

    var mediaType: MediaType { self == .csv ? .csv : .geoJSON }
}
