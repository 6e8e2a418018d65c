import Base
import Geo
import HTTPServing
import HabitModel
import HabitReport
import HabitStore

/// The query parameters of a list of features: their names and their descriptions in `/api`.
///
/// A parameter with the name of a property selects the features whose property equals the value (OGC API - Features,
/// Part 1, recommendation `/rec/core/fc-filters`), because clients such as GDAL rely on that. Any other filter has
/// another name.
enum FeatureParameter: String, CaseIterable {
    case limit, bbox, datetime, near, within, cluster, habit
    case habitTitle = "habit-title"
    case notHabit = "not-habit"
    case comment
    case commentContains = "comment-contains"
    case commentWord = "comment-word"
    case photoLinks = "photo-links"
    case spreadsheetSafe = "spreadsheet-safe"
    case user, search, scope, state, item, status, kind, nearest, sortby, properties, precision, after, f
    case maxPoints = "max-points"
    case filter
    case filterLang = "filter-lang"
    case filterCRS = "filter-crs"

    /// The parameters of every list (OGC API - Features, Part 1, sections 7.15.2 to 7.15.4, and paging and formats).
    static let common: [FeatureParameter] = [
        .limit, .bbox, .datetime, .filter, .filterLang, .filterCRS, .properties, .precision, .after, .f,
        .spreadsheetSafe,
    ]
    /// The parameters of lists whose records have positions.
    static let spatial: [FeatureParameter] = [.near, .within, .cluster]
    /// The parameters of the list of records of several kinds near a position.
    static let ofNear: [FeatureParameter] =
        [.near, .within, .kind, .nearest, .bbox, .state] + ofEvents + [.datetime, .limit, .sortby, .precision]
        + [.photoLinks, .after, .f, .spreadsheetSafe]
    /// The parameters of lists of events.
    static let ofEvents: [FeatureParameter] = [
        .habit, .habitTitle, .notHabit, .comment, .commentContains, .commentWord, .user, .scope,
    ]
    /// The parameters of ``ofNear`` that apply only to events.
    static let onlyOfEvents: [FeatureParameter] = ofEvents.filter { $0 != .user }

    /// The parameters that a request may repeat.
    ///
    /// GDAL sends two `datetime` parameters for two comparisons, and a feature must satisfy both. If a request has
    /// several habits or titles, a feature must match one of them.
    static let repeatable = Set([FeatureParameter.habit, .habitTitle, .notHabit, .datetime].map(\.rawValue))

    static let defaultLimit = 100
    static let maximumLimit = 10_000

    var meaning: String {
        switch self {
        case .limit:
            "Maximum number of features in the page. The default is \(Self.defaultLimit). The server returns at most \(Self.maximumLimit) features; a larger limit is not an error."
        case .bbox:
            "Selects the features in this bounding box, and features without a geometry: west,south,east,north in degrees. west may be greater than east."
        case .datetime:
            "Selects the features at this instant or in this interval (RFC 3339, '..' for an open end). Dates without a time are local calendar dates. Repeatable; a feature must match all values."
        case .near:
            "Selects the features near this position: longitude,latitude in degrees (the order of RFC 7946), or `last` for the position of the caller's newest located event."
        case .within:
            "Maximum distance from `near`, with a unit, such as 5km, 800m or 3mi. The default is \(Near.defaultDistance). Requires `near`."
        case .cluster:
            "Zoom of a map from 0 to 24. The response then contains clusters instead of features: the number of features in each cell of a grid, \(MapQuery.cellsPerSide) cells to the side of a tile, for complete cells that `bbox` touches. `limit`, `properties`, `sortby` and `after` do not apply."
        case .habit:
            "Selects the events of these habits: IDs separated by commas. Repeatable; an event must match one ID."
        case .habitTitle:
            "Selects the events of all visible habits with this title. Case is ignored. Repeatable; an event must match one value."
        case .notHabit:
            "Excludes the events of the habit with this ID, or of all visible habits with this title. Repeatable; an event must match no value."
        case .comment: "Selects the events whose whole comment is this text. Case matters."
        case .commentContains: "Selects the events whose comment contains this text. Case is ignored."
        case .commentWord: "Selects the events whose comment contains this word. Case is ignored."
        case .user: "Selects the features of these users: IDs separated by commas."
        case .search: "Selects the users whose name or ID contains this text. Case is ignored."
        case .scope:
            "`mine` selects the caller's events, `friends` the newest event of each habit of each followed user, `all` every visible event. The default is `mine`. An operator, and a request without a token for a public collection, get the events of all users; `friends` requires a user."
        case .state:
            "Selects the items in these states, separated by commas, or in every state (`all`). The default is `available`."
        case .item: "Selects the messages about the item with this ID."
        case .status: "Selects the follows with this status."
        case .kind:
            "Kinds of records: `events`, `items`, `posts`, or several separated by commas. The default is `events`."
        case .nearest: "Number of closest records to return, at any distance up to `within`."
        case .sortby: "Sort order."
        case .properties:
            "Properties to return: names separated by commas. The default is all properties except `user_name`, the name of the user, which events, habits, items and posts have only on request."
        case .maxPoints:
            "Maximum number of points in a tile. A tile with more features contains clusters. The default is \(MapQuery.pointLimit)."
        case .precision: "Maximum number of decimal places of coordinates. The default is 7."
        case .after: "Cursor of the page, from the `next` link of the previous page."
        case .photoLinks:
            "`signed` adds a signature to each `photo_url`, so that a page can show the photo without a token for 5 to 10 minutes."
        case .f:
            "Response format. Without the parameter, the header Accept selects the format. The default is `geojson`. `parquet` is a file with all features, or with the first `limit` features; `after` does not apply to it."
        case .spreadsheetSafe:
            "Whether CSV has an apostrophe before each text that a spreadsheet might evaluate as a formula. Other formats are unchanged."
        case .filter:
            "Selects the features for which this CQL2 expression is true (OGC 21-065), in addition to the other parameters. `queryables` of the collection lists its properties. At most \(FilterLimits.nodes) operators, properties and values, \(FilterLimits.depth) levels deep."
        case .filterLang: "Encoding of `filter`. The default is `\(FilterLanguage.text.rawValue)`."
        case .filterCRS:
            "Coordinate reference system of the geometries in `filter`. The server supports only longitude and latitude on WGS 84."
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
        case .near:
            [
                "oneOf": [
                    ["type": "array", "items": ["type": "number"], "minItems": 2, "maxItems": 2],
                    ["type": "string", "enum": ["last"]],
                ]
            ]
        case .within: ["type": "string", "default": .text("\(Near.defaultDistance)")]
        case .nearest: ["type": "integer", "minimum": 1]
        case .cluster: ["type": "integer", "minimum": 0, "maximum": .integer(MapTile.zooms.upperBound)]
        case .kind:
            [
                "type": "array", "items": Self.choice(NearQuery.Kind.allCases.map(\.rawValue)), "minItems": 1,
            ]
        case .user, .habit, .properties: ["type": "array", "items": ["type": "string"]]
        case .scope: Self.choice(EventQuery.Scope.allCases.map(\.rawValue))
        case .state:
            [
                "type": "array", "items": Self.choice(ItemQuery.State.allCases.map(\.rawValue) + [ItemQuery.State.all]),
                "minItems": 1,
            ]
        case .status: Self.choice(FollowStatus.allCases.map(\.rawValue))
        case .sortby: Self.choice(SortBy.allCases.map(\.rawValue))
        case .precision: ["type": "integer", "minimum": 0, "maximum": 15, "default": 7]
        case .maxPoints:
            [
                "type": "integer",
                "minimum": 1,
                "maximum": .integer(MapQuery.pointLimit),
                "default": .integer(MapQuery.pointLimit),
            ]
        case .photoLinks: Self.choice(PhotoLinkForm.allCases.map(\.rawValue))
        case .f: Self.choice(FeatureForm.allCases.map(\.rawValue))
        case .spreadsheetSafe: Self.choice(Flag.allCases.map(\.rawValue)).merging(["default": "false"])
        case .filterLang:
            Self.choice(FilterLanguage.allCases.map(\.rawValue)).merging([
                "default": .text(FilterLanguage.text.rawValue)
            ])
        case .filterCRS: Self.choice([FilterNode.crs]).merging(["default": .text(FilterNode.crs)])
        case .filter, .datetime, .habitTitle, .notHabit, .comment, .commentContains, .commentWord, .item,
            .search, .after:
            ["type": "string"]
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

extension FeatureParameter {
    /// Returns the OpenAPI parameter object of a parameter of a list with these sort orders, the usual one first.
    func description(sorts: [SortBy]) -> JSON {
        guard self == .sortby, let usual = sorts.first else { return description }
        let distance = sorts.dropFirst().contains(.distance) ? " The default is `+distance` with `near`." : ""
        let meanings = sorts.map { sort in "`\(sort.rawValue)` (\(sort.meaning))" }.joined(separator: " or ")
        return description.merging([
            "description": .text("Sort order: \(meanings). The default is `\(usual.rawValue)`.\(distance)"),
            "schema": Self.choice(sorts.map(\.rawValue)),
        ])
    }
}

extension FeatureParameter {
    /// Returns the description of the parameter for an operation.
    ///
    /// - Parameter sorts: The sort orders of the list, the usual one first.
    /// - Returns: The query parameter.
    func queryParameter(sorts: [SortBy]) -> QueryParameter {
        QueryParameter(
            rawValue,
            isRepeatable: Self.repeatable.contains(rawValue),
            document: description(sorts: sorts))
    }
}

/// A sort order of a list.
enum SortBy: String, CaseIterable {
    case newest = "-time"
    case oldest = "+time"
    case distance = "+distance"

    var meaning: String {
        switch self {
        case .newest: "newest first"
        case .oldest: "oldest first"
        case .distance: "nearest first, requires `near`"
        }
    }
}

/// The form of the URLs of photos.
enum PhotoLinkForm: String, CaseIterable {
    case signed
}

package enum FeatureForm: String, CaseIterable {
    /// `json` is an alias of `geojson`.
    case geojson, json, csv, html, parquet

    /// The forms of a list that has only pages.
    static let ofPages: [FeatureForm] = [.geojson, .json, .csv, .html]

    var mediaType: ContentType {
        switch self {
        case .geojson, .json: .geoJSON
        case .csv: .csv
        case .html: .html
        case .parquet: .parquet
        }
    }

    /// Selects Parquet, HTML or CSV if the client prefers it to GeoJSON (RFC 9110, section 12.5.1), otherwise GeoJSON.
    ///
    /// - Parameters:
    ///   - accept: The header Accept.
    ///   - forms: The forms of the list.
    init(accept: String?, among forms: [FeatureForm]) {
        let accepted = AcceptedTypes(accept)
        let html = accepted.quality("text/html") ?? 0
        let csv = accepted.quality("text/csv", "text/*") ?? 0
        let parquet = accepted.quality(ContentType.parquet.text) ?? 0
        if forms.contains(.parquet), parquet > max(html, csv, accepted.json) {
            self = .parquet
        } else if accepted.prefersHTML, html >= csv {
            self = .html
        } else {
            self = csv > accepted.json ? .csv : .geojson
        }
    }
}
