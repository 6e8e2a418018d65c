import Base
import HabitModel
import HabitReport
import HabitStore
import Hummingbird
import Rendering
import StoreEngine

/// The document at `/api`: every route with its parameters, bodies and responses (OpenAPI 3.0.3).
struct APIDocument {
    let server: HabitatServer
    let base: String
    /// Whether the document has the custom reports, whose descriptions are not public.
    var showsCustomReports = true

    var json: JSON {
        [
            "openapi": "3.0.3",
            "info": [
                "title": "Habitat", "version": .text(HabitatVersion.current),
                "description": .text(
                    "Habits, events, give-away items and photo posts as OGC API - Features collections. Coordinates are longitude, latitude in degrees (RFC 7946). Errors are problem details (RFC 9457) with a stable slug."
                ),
            ],
            "servers": [["url": .text(base)]],
            "security": [["token": []]],
            "paths": .object(paths),
            "components": [
                "securitySchemes": [
                    "token": ["type": "http", "scheme": "bearer"],
                    // The signature is part of the 'photo_url' in responses to requests with 'photo-links=signed'.
                    "photoLink": ["type": "apiKey", "in": "query", "name": "signature"],
                ],
                "schemas": Self.schemas,
                "responses": [
                    "Problem": [
                        "description": "The error and its remedy (RFC 9457).",
                        "content": [
                            "application/problem+json": ["schema": Self.reference("Problem")],
                            MediaType.html.text: ["schema": ["type": "string"]],
                        ],
                    ]
                ],
            ],
        ]
    }

    private var paths: [String: JSON] {
        var paths: [String: JSON] = [
            "/": [
                "get": Self.document(
                    "landing", "Get the landing page", "Returns links to the documents, collections, reports and map.",
                    hasPage: true)
            ],
            "/conformance": [
                "get": Self.document(
                    "conformance", "Get the conformance classes",
                    "Returns the conformance classes of OGC API - Features that the server implements.")
            ],
            "/api": ["get": Self.apiDocument],
            "/collections": [
                "get": Self.document(
                    "collections", "List collections",
                    "Returns the description, the links and the extent of each collection that the caller can read. Without a token, the list contains only public collections.",
                    hasPage: true)
            ],
            "/reports": [
                "get": Self.operation(
                    "reports", "List reports", "Returns the parameters, columns and formats of each report.",
                    content: [MediaType.json.text: ["schema": ["type": "object"]]])
            ],
            "/healthz": [
                "get": Self.document(
                    "health", "Check liveness", "Reads one row of the store. Returns 503 if the store is unavailable.")
            ],
            "/map": [
                "get": Self.document(
                    "map", "Get the map page", "Returns the page of the interactive map.", type: .html)
            ],
            "/session": Self.session,
            "/sessions": [
                "get": Self.operation(
                    "sessions.list", "List your sessions",
                    "Returns the valid tokens of the user, without their secrets.",
                    content: Self.sessionsContent)
            ],
            "/sessions/{sessionId}": Self.oneSession,
            "/changes": Self.changes, "/changes/stream": Self.changeStream, "/user": Self.account,
            "/user/export": [
                "get": Self.operation(
                    "user.export", "Export your data",
                    "Returns a ZIP archive of CSV files and photos that a store can load again: your account, habits, events, items, posts, claims, messages, follows and photos.",
                    content: [MediaType.zip.text: ["schema": ["type": "string", "format": "binary"]]])
            ],
        ]
        paths["/near"] = [
            "get": Self.operation(
                "near", "List records near a position",
                "Returns events, items and posts near a position. With several kinds, the ID of a feature is KIND/ID.",
                parameters: FeatureParameter.ofNear.map { parameter in
                    let description = parameter.description(sorts: HabitatServer.nearSorts)
                    return parameter == .near ? description.merging(["required": true]) : description
                }, content: Self.features)
        ]
        paths["/inbox"] = ["get": Self.inbox]
        for collection in FeatureCollection.all { addPaths(of: collection, to: &paths) }
        addTilePaths(to: &paths)
        addCalendarPaths(to: &paths)
        for entry in server.catalog.all() {
            guard let report = try? server.catalog.find(entry.id), report.isShipped || showsCustomReports else {
                continue
            }
            paths["/reports/\(report.id)"] = ["get": Self.operation(of: report)]
        }
        return paths
    }

    private static let apiDocument: JSON = operation(
        "api", "Get the OpenAPI document", "Returns this document, or a page that describes it.",
        parameters: [
            parameter(
                "f", "Response format. The default is `json`.",
                ["type": "string", "enum": .list(DocumentForm.allCases.map { .text($0.rawValue) }), "default": "json"])
        ],
        content: ([MediaType.openAPI.text: ["schema": ["type": "object"]]] as JSON).merging(page)
    ).merging(["security": []])

    // MARK: Collections

    private func addPaths(of collection: FeatureCollection, to paths: inout [String: JSON]) {
        let path = "/collections/\(collection.id)"
        paths[path] = [
            "get": Self.document(
                "\(collection.id).describe", "Describe the collection \(collection.id)",
                "Returns the title, the description, the links and the extent of the collection. The extent contains only what the token's user can see; without a token, only public collections have one.",
                hasPage: true)
        ]
        paths["\(path)/schema"] = [
            "get": Self.document(
                "\(collection.id).schema", "Get the schema of the collection \(collection.id)",
                "Returns the JSON Schema of the properties of a feature.", type: .schema)
        ]
        paths["\(path)/queryables"] = [
            "get": Self.document(
                "\(collection.id).queryables", "Get the queryables of \(collection.id)",
                "Returns the JSON Schema of the properties that the parameter 'filter' accepts.", type: .schema)
        ]
        // A public collection accepts requests with and without a token.
        let isPublic = server.options.publicCollections.contains(collection.id)
        let reading: JSON = isPublic ? ["security": [["token": []], [:]]] : [:]
        var list: [String: JSON] = [
            "get": Self.operation(
                "\(collection.id).list", "List \(collection.nouns)", collection.description,
                parameters: collection.parameters.map { $0.description(sorts: collection.sorts) },
                content: Self.features
            ).merging(reading)
        ]
        var item: [String: JSON] = [
            "parameters": [Self.featureParameter],
            "get": Self.operation(
                "\(collection.id).get", "Get \(collection.noun)", "Returns the feature as GeoJSON or as a page.",
                parameters: (collection.hasPhotos ? [FeatureParameter.photoLinks.description] : [])
                    + [Self.form(SingleFeatureForm.allCases.map(\.rawValue))],
                content: Self.feature.merging(Self.page)
            ).merging(reading),
        ]
        let methods = collection.methods(of: .feature)
        if collection.methods(of: .list).contains(.post) {
            list["post"] = Self.change(
                "\(collection.id).create", "Create \(collection.noun)",
                "Returns 201 with the new feature. The header Location contains its URL.", status: "201", collection)
        }
        if methods.contains(.put) {
            item["put"] = Self.change(
                "\(collection.id).replace", "Replace \(collection.noun)",
                "Clears every omitted member except the photo, the state and the members that identify the feature. Returns the updated feature.",
                collection)
            item["patch"] = Self.change(
                "\(collection.id).update", "Update \(collection.noun)",
                "Changes the members in the request and keeps all others. Returns the updated feature.", collection)
        }
        if methods.contains(.delete) {
            item["delete"] = Self.operation(
                "\(collection.id).delete", "Delete \(collection.noun)", Self.deletions[collection.id] ?? "Returns 204.",
                parameters: Self.conditions, status: "204", content: nil)
        }
        paths["\(path)/items"] = .object(list)
        paths["\(path)/items/{featureId}"] = .object(item)
        if collection.hasPhotos {
            paths["\(path)/items/{featureId}/photo"] = photo(of: collection, isPublic: isPublic)
        }
    }

    private static func photoSecurity(isPublic: Bool) -> [JSON] {
        [["token": []], ["photoLink": []]] + (isPublic ? [[:]] : [])
    }

    private func photo(of collection: FeatureCollection, isPublic: Bool) -> JSON {
        let image: JSON = ["image/*": ["schema": ["type": "string", "format": "binary"]]]
        var operations: [String: JSON] = [
            "parameters": [Self.featureParameter],
            "get": Self.operation(
                "\(collection.id).photo", "Get the photo of \(collection.noun)",
                "Returns the image file. The signature in a 'photo_url' replaces the token until it expires. If the request has a token, the server ignores the signature.",
                parameters: [
                    Self.parameter(
                        "download",
                        "Whether a browser saves the photo as a file instead of showing it. Without a value, it does.",
                        ["type": "string", "enum": ["true", "false", ""], "default": "false"])
                ], content: image
            ).merging(["security": .list(Self.photoSecurity(isPublic: isPublic))]),
        ]
        if collection.methods(of: .photo).contains(.put) {
            var parameters = [Self.shrink]
            // The metadata of the photo of an item is always removed.
            if collection.object != .item {
                parameters.append(Self.flag("keep-exif", "Whether the server keeps the EXIF data of the photo."))
            }
            operations["put"] = Self.operation(
                "\(collection.id).setPhoto", "Set the photo of \(collection.noun)",
                "The body is a JPEG, PNG, WebP or GIF image of less than 65,536 bytes. Returns 204.",
                parameters: parameters + Self.conditions, status: "204", content: nil
            ).merging(["requestBody": ["required": true, "content": image]])
        }
        if collection.methods(of: .photo).contains(.delete) {
            operations["delete"] = Self.operation(
                "\(collection.id).removePhoto", "Remove the photo of \(collection.noun)", "Returns 204.",
                parameters: Self.conditions, status: "204",
                content: nil)
        }
        return .object(operations)
    }

    private static let features: JSON = [
        MediaType.geoJSON.text: ["schema": reference("FeatureCollection")], "text/csv": ["schema": ["type": "string"]],
        MediaType.html.text: ["schema": ["type": "string"]],
    ]

    private static let feature: JSON = [MediaType.geoJSON.text: ["schema": reference("Feature")]]

    private static let featureParameter: JSON = [
        "name": "featureId", "in": "path", "required": true, "schema": ["type": "string"],
        "description": "ID of the feature, percent-encoded.",
    ]

    /// The preconditions of a change.
    private static let conditions: [JSON] = [
        [
            "name": "If-Match", "in": "header", "required": false, "schema": ["type": "string"],
            "description":
                "ETag of the version to change, or a list of ETags. If the stored version has another ETag, the server returns 412 and changes nothing.",
        ],
        [
            "name": "If-None-Match", "in": "header", "required": false, "schema": ["type": "string"],
            "description":
                "ETags of versions to keep, or `*` for every version. If the stored version has one of them, the server returns 412 and changes nothing.",
        ],
    ]

    private static func change(
        _ id: String, _ summary: String, _ description: String, status: String = "200", _ collection: FeatureCollection
    ) -> JSON {
        let fields = collection.receivableFields
        let properties = JSON.object(
            Dictionary(uniqueKeysWithValues: fields.map { ($0.name, schema(of: $0, in: collection.kind)) }))
        let isFeature: JSON = [
            "type": "object", "required": ["type", "properties"],
            "properties": [
                "type": ["type": "string", "enum": ["Feature"]], "id": ["type": "string"],
                "geometry": reference("Geometry"), "properties": ["type": "object", "properties": properties],
            ],
        ]
        var record: JSON = ["schema": ["type": "object", "properties": properties]]
        if let example = (status == "201" ? newRecords : changedRecords)[collection.id] {
            record = record.merging(["example": example])
        }
        let isUpload = status == "201" && collection.hasPhotos
        let content: JSON = [MediaType.geoJSON.text: ["schema": isFeature], MediaType.json.text: record]
        let body: JSON = [
            "required": true, "description": "A GeoJSON Feature, or a JSON object with the fields as members.",
            "content": isUpload ? content.merging(uploadForm) : content,
        ]
        let parameters = status != "201" ? conditions : isUpload ? [shrink] : []
        return operation(id, summary, description, parameters: parameters, status: status, content: feature)
            .merging(["requestBody": body])
    }

    /// The form with a record and its photo.
    private static let uploadForm: JSON = [
        "multipart/form-data": [
            "schema": [
                "type": "object", "required": ["record"],
                "properties": [
                    "record": [
                        "type": "string",
                        "description":
                            "The record in JSON: a GeoJSON Feature, or an object with the fields as members.",
                    ],
                    "photo": ["type": "string", "format": "binary", "description": "The file of the photo."],
                ],
            ],
            "encoding": ["record": ["contentType": .text(MediaType.json.text)], "photo": ["contentType": "image/*"]],
        ]
    ]

    /// The parameter that lets the server shrink a photo.
    private static let shrink = flag(
        HabitatServer.shrink,
        "Whether the server converts a photo that is too large to a smaller JPEG. The upload may then have 16 MiB.")

    private static func flag(_ name: String, _ meaning: String) -> JSON {
        parameter(name, meaning, ["type": "string", "enum": ["true", "false"], "default": "false"])
    }

    /// A GIF of one pixel.
    private static let pixel: JSON = "R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"

    /// Examples of request bodies by collection ID.
    ///
    /// They are valid for the user alice of the sample data.
    private static let newRecords: [String: JSON] = [
        "habits": ["title": "Read", "days": "mon,wed,fri", "reason": "One book a month"],
        "events": ["habit": "alice:reading", "comment": "By the sea", "longitude": -9.1393, "latitude": 38.7223],
        "items": ["name": "Bicycle", "description": "Needs a tire", "photo": pixel],
        "posts": ["caption": "Sunset", "photo": pixel, "longitude": -9.1393, "latitude": 38.7223],
        "claims": ["item": "item-0007"], "follows": ["followee": "tama"],
        "messages": ["item": "item-0108", "recipient": "helena", "text": "You're welcome!"],
    ]

    private static let changedRecords: [String: JSON] = [
        "habits": ["title": "Read more", "days": "mon,wed,fri"], "events": ["comment": "At home"],
        "items": ["name": "Road bicycle", "photo": pixel], "posts": ["caption": "Sunset at the sea", "photo": pixel],
        "claims": ["state": "claimed"], "follows": ["status": "accepted"],
    ]

    /// Returns the schema of a field in a request body.
    ///
    /// `null` clears the field.
    private static func schema(of field: Field, in kind: RecordKind) -> JSON {
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
                    "type": "string", "format": "byte",
                    "description": "A JPEG, PNG, WebP or GIF image of less than 65,536 bytes.",
                ]
            case .count: ["type": "integer", "minimum": 1]
            case .amount: ["type": "number", "minimum": 0]
            case .flag: ["type": "boolean", "default": false]
            // OpenAPI 3.0: `nullable` does not add null to an enumeration.
            case .choice(let values): ["type": "string", "enum": .list(values.map { .text($0) } + [.null])]
            case .offset, .text: ["type": "string"]
            }
        return schema.merging(["nullable": true])
    }

    /// Descriptions of DELETE by collection ID, for collections in which it has another effect than deleting a record.
    private static let deletions: [String: String] = [
        "claims": "Releases the claim, so that the item is available again. Returns 204.",
        "follows": "Stops following the user, cancels your request or removes the follower. Returns 204.",
    ]

    // MARK: Reports

    private static func operation(of report: Report) -> JSON {
        let own = report.parameters.map { parameter -> JSON in
            let form =
                switch parameter.kind {
                case .position: " The format is longitude,latitude in degrees."
                case .area: " The format is the text of a GeoJSON Polygon, MultiPolygon, Feature or FeatureCollection."
                default: ""
                }
            return Self.parameter(
                parameter.optionName, parameter.meaning + form, ["type": "string"],
                isRequired: parameter.need == .required)
        }
        return operation(
            "report.\(report.id)", "Run the report \(report.id)", report.title + ". " + report.description,
            parameters: own + tableParameters(report.formats), content: tableContent(report.formats))
    }

    /// The parameters of a response in one of several formats.
    private static func tableParameters(_ formats: [OutputFormat]) -> [JSON] {
        [
            parameter(
                "f", "Response format. The default is `json`.",
                ["type": "string", "enum": .list(formats.map { .text($0.rawValue) }), "default": "json"]),
            parameter(
                "limit",
                "Maximum number of rows. The default is 100,000. The server returns at most 100,000 rows; a larger limit is not an error.",
                ["type": "integer", "minimum": 1, "default": .integer(HabitatServer.maximumRows)]),
        ] + (formats.contains(.csv) ? [FeatureParameter.spreadsheetSafe.description] : [])
    }

    private static func tableContent(_ formats: [OutputFormat]) -> JSON {
        .object(
            Dictionary(
                formats.map { ($0.mediaType.text, ["schema": [:]] as JSON) }, uniquingKeysWith: { first, _ in first }))
    }

    private static let inbox = operation(
        "inbox", "List requests, claims and messages that need your response",
        "Returns requests to follow you, claims on your items, and messages to which you have not replied, newest first. Requires the token of a user.",
        parameters: tableParameters(HabitatServer.inboxFormats), content: tableContent(HabitatServer.inboxFormats))

    // MARK: Sessions

    private static let session: JSON = [
        "post": operation(
            "session.create", "Sign in with an ID token",
            "Verifies an OpenID Connect ID token of the identity provider, creates an account for a new identity, and returns 201 with a token that is valid for 30 days. Returns 401 if the ID token is invalid, and 404 if sign-in is disabled.",
            status: "201", content: sessionContent
        ).merging([
            "security": [],
            "requestBody": [
                "required": true,
                "content": [
                    "application/json": [
                        "schema": [
                            "type": "object", "required": ["id_token"],
                            "properties": [
                                "id_token": ["type": "string"], "nonce": ["type": "string"],
                                "time_zone": [
                                    "type": "string",
                                    "description":
                                        "IANA time zone of a new account. The default is the header Time-Zone, otherwise UTC.",
                                ],
                            ],
                        ]
                    ]
                ],
            ],
        ]),
        "get": operation(
            "session.get", "Get the current session",
            "Returns the user and the expiry time of the token in the request.",
            content: sessionContent),
        "delete": operation(
            "session.delete", "Sign out", "Revokes the token in the request. Returns 204.", status: "204", content: nil),
    ]

    private static let sessionsContent: JSON = [
        "application/json": [
            "schema": [
                "type": "object", "required": ["sessions"],
                "properties": ["sessions": ["type": "array", "items": reference("OwnSession")]],
            ]
        ]
    ]

    private static let oneSession: JSON = [
        "parameters": [
            [
                "name": "sessionId", "in": "path", "required": true, "schema": ["type": "string"],
                "description": "ID of a session in the list of sessions.",
            ]
        ],
        "get": operation(
            "sessions.get", "Get a session", "Returns a valid token of the user, without its secret.",
            content: ["application/json": ["schema": reference("OwnSession")]]),
        "delete": operation(
            "sessions.end", "End a session", "Revokes the token of the session. Returns 204.", status: "204",
            content: nil),
    ]

    // MARK: The caller's account

    private static let account: JSON = [
        "get": operation(
            "user.get", "Get your account", "Returns the account of the token's user.", content: accountContent),
        "patch": operation(
            "user.update", "Change your account",
            "Changes the members in the request and keeps all others. The time zone decides when your days begin and end. If you do not share your location, new positions are refused.",
            parameters: conditions, content: accountContent
        ).merging([
            "requestBody": [
                "required": true,
                "content": [
                    MediaType.json.text: [
                        "schema": [
                            "type": "object",
                            "properties": [
                                "name": schema(of: .name, in: .users), "time_zone": schema(of: .timeZone, in: .users),
                                "share_location": schema(of: .shareLocation, in: .users),
                            ],
                        ],
                        "example": ["name": "Alice", "time_zone": "Europe/Lisbon", "share_location": true],
                    ]
                ],
            ]
        ]),
        "delete": operation(
            "user.delete", "Delete your account",
            "Deletes the account and all its data permanently: habits, events, items, posts, claims, messages, follows and sessions. Returns 204.",
            parameters: conditions, status: "204", content: nil),
    ]

    private static let accountContent: JSON = [
        MediaType.json.text: [
            "schema": [
                "type": "object", "required": ["id", "name", "email", "time_zone", "share_location"],
                "properties": [
                    "id": ["type": "string"], "name": ["type": "string", "nullable": true],
                    "email": ["type": "string", "nullable": true], "time_zone": ["type": "string"],
                    "share_location": ["type": "boolean"],
                ],
            ]
        ]
    ]

    private static let sessionContent: JSON = ["application/json": ["schema": reference("Session")]]

    // MARK: Parts

    static func document(
        _ id: String, _ summary: String, _ description: String, type: MediaType = .json, hasPage: Bool = false
    ) -> JSON {
        let content: JSON = [type.text: ["schema": ["type": "object"]]]
        return operation(
            id, summary, description, parameters: hasPage ? [form(DocumentForm.allCases.map(\.rawValue))] : [],
            content: hasPage ? content.merging(page) : content
        ).merging(["security": []])
    }

    /// The content of a response that is an HTML page.
    private static let page: JSON = [MediaType.html.text: ["schema": ["type": "string"]]]

    /// Returns the parameter `f` of a response with these forms, the default form first.
    private static func form(_ names: [String]) -> JSON {
        parameter(
            "f", "Response format. Without the parameter, the header Accept selects the format.",
            ["type": "string", "enum": .list(names.map { .text($0) })])
    }

    static func operation(
        _ id: String, _ summary: String, _ description: String, parameters: [JSON] = [], status: String = "200",
        content: JSON?
    ) -> JSON {
        var response: [String: JSON] = ["description": "The request succeeded."]
        response["content"] = content
        var members: [String: JSON] = [
            "operationId": .text(id), "summary": .text(summary), "description": .text(description),
            "responses": [
                status: .object(response), "default": ["$ref": "#/components/responses/Problem"],
            ],
        ]
        if !parameters.isEmpty { members["parameters"] = .list(parameters) }
        return .object(members)
    }

    static func parameter(
        _ name: String, _ meaning: String, _ schema: JSON, isRequired: Bool = false
    ) -> JSON {
        [
            "name": .text(name), "in": "query", "required": .boolean(isRequired), "description": .text(meaning),
            "schema": schema,
        ]
    }

    static func reference(_ name: String) -> JSON { ["$ref": .text("#/components/schemas/\(name)")] }

    private static let link: JSON = [
        "type": "object", "required": ["href"],
        "properties": ["href": ["type": "string"], "rel": ["type": "string"], "type": ["type": "string"]],
    ]

    private static let schemas: JSON = [
        "Link": link,
        "Feature": [
            "type": "object", "required": ["type", "geometry", "properties"],
            "properties": [
                "type": ["type": "string", "enum": ["Feature"]], "id": ["type": "string"],
                "geometry": reference("Geometry"),
                "properties": ["type": "object", "nullable": true],
                "links": ["type": "array", "items": reference("Link")],
            ],
        ],
        "Geometry": [
            "type": "object", "nullable": true, "required": ["type", "coordinates"],
            "properties": [
                "type": ["type": "string", "enum": ["Point"]],
                "coordinates": [
                    "type": "array", "items": ["type": "number"], "minItems": 2, "maxItems": 2,
                    "description": "Longitude and latitude in degrees.",
                ],
            ],
        ],
        "FeatureCollection": [
            "type": "object", "required": ["type", "features"],
            "properties": [
                "type": ["type": "string", "enum": ["FeatureCollection"]],
                "features": ["type": "array", "items": reference("Feature")],
                "numberReturned": ["type": "integer", "minimum": 0],
                "numberMatched": ["type": "integer", "minimum": 0],
                "bbox": ["type": "array", "items": ["type": "number"]],
                "links": ["type": "array", "items": reference("Link")],
            ],
        ],
        "Problem": [
            "type": "object", "required": ["type", "title", "status", "detail", "slug"],
            "properties": [
                "type": ["type": "string"], "title": ["type": "string"], "status": ["type": "integer"],
                "detail": ["type": "string"], "slug": ["type": "string"], "field": ["type": "string"],
                "subject": [
                    "type": "object", "required": ["kind", "id"], "description": "The record that the error is about.",
                    "properties": [
                        "kind": [
                            "type": "string", "enum": .list(AccessObject.Kind.allCases.map { .text($0.rawValue) }),
                        ],
                        "id": ["type": "string"],
                    ],
                ],
                "parameters": [
                    "type": "object",
                    "description": "The values in 'detail', such as a limit and the number that exceeds it.",
                    "properties": .object(
                        Dictionary(uniqueKeysWithValues: ErrorParameter.Key.allCases.map { ($0.rawValue, $0.schema) })),
                ],
            ],
        ],
        "CalendarAddress": calendarAddress,
        "OwnSession": [
            "type": "object", "required": ["id", "created_at", "expires_at", "current"],
            "properties": [
                "id": ["type": "string"], "label": ["type": "string", "nullable": true],
                "created_at": ["type": "string", "format": "date-time"],
                "expires_at": ["type": "string", "format": "date-time"],
                "current": ["type": "boolean", "description": "Whether the request uses this session."],
            ],
        ],
        "Session": [
            "type": "object",
            "properties": [
                "token": ["type": "string"], "user": ["type": "string", "nullable": true],
                "expires_at": ["type": "string", "nullable": true],
            ],
        ],
    ]
}

extension FeatureCollection {
    /// The plural name of a feature, such as "located events".
    fileprivate var nouns: String { id.replacing("-", with: " ") }

    /// The name of a feature with its indefinite article, such as "an event".
    fileprivate var noun: String {
        let noun = nouns.dropLast()
        return ("aeiou".contains(noun.prefix(1)) ? "an " : "a ") + noun
    }
}

extension ErrorParameter.Key {
    /// The JSON schema of the parameter.
    fileprivate var schema: JSON {
        switch self {
        case .length: ["type": "integer", "description": "Number of characters."]
        case .count: ["type": "integer", "description": "Number of rows or records."]
        case .bytes: ["type": "integer", "description": "Size in bytes."]
        case .limit: ["type": "integer", "description": "Maximum of 'length', 'count' or 'bytes'."]
        case .seconds: ["type": "number", "description": "Time limit in seconds."]
        case .day: ["type": "string", "format": "date", "description": "Day at fault."]
        case .today: ["type": "string", "format": "date", "description": "Current date of the user."]
        case .localDay: ["type": "string", "format": "date", "description": "Local date of the instant."]
        case .timeZone: ["type": "string", "description": "Time zone of the dates: an IANA name or a UTC offset."]
        case .word: ["type": "string", "description": "Blocked word or phrase."]
        case .report: ["type": "string", "description": "ID of the report that failed."]
        }
    }
}
