import Base
import HTTPServing
import HabitModel
import HabitStore

/// The document at `/api`: the operations of all routes with their parameters, bodies and responses (OpenAPI 3.0.3).
package struct APIDocument {
    let routes: [Route]
    let publicCollections: Set<String>
    let base: String
    let sections: Sections
    /// Whether the document has the custom reports, whose descriptions are not public.
    let showsCustomReports: Bool

    /// Creates a document.
    ///
    /// - Parameters:
    ///   - routes: The routes of the server.
    ///   - publicCollections: The IDs of the collections that everyone may read.
    ///   - base: The prefix of links.
    ///   - sections: The parts that the server shows.
    ///   - showsCustomReports: Whether the document has the custom reports, whose descriptions are not public.
    package init(
        routes: [Route],
        publicCollections: Set<String>,
        base: String,
        sections: Sections = .all,
        showsCustomReports: Bool = true
    ) {
        self.routes = routes
        self.publicCollections = publicCollections
        self.base = base
        self.sections = sections
        self.showsCustomReports = showsCustomReports
    }

    /// The document.
    package var json: JSON {
        [
            "openapi": "3.0.3",
            "info": [
                "title": "Habitat", "version": .text(HabitatVersion.current),
                "description": .text(
                    "\(sections.contents) as OGC API - Features collections. Coordinates are longitude, latitude in degrees (RFC 7946). Errors are problem details (RFC 9457) with a stable slug."
                ),
            ],
            "servers": [["url": .text(base)]],
            "security": .list(RouteOperation.Permission.credentials),
            "paths": .object(paths),
            "components": [
                "securitySchemes": [
                    "token": ["type": "http", "scheme": "bearer"],
                    // With a public https URL, the name of the cookie begins with '__Host-' or '__Secure-'.
                    "session": ["type": "apiKey", "in": "cookie", "name": "habitat"],
                    // The signature is part of the 'photo_url' in responses to requests with 'photo-links=signed'.
                    "photoLink": ["type": "apiKey", "in": "query", "name": "signature"],
                ],
                "schemas": APISchemas.all,
                "responses": [
                    "Problem": [
                        "description": "The error and its remedy (RFC 9457).",
                        "content": [
                            "application/problem+json": ["schema": .reference("Problem")],
                            ContentType.html.text: ["schema": ["type": "string"]],
                        ],
                    ]
                ],
            ],
        ]
    }

    /// The operations by path and method.
    private var paths: [String: JSON] {
        var paths: [String: [String: JSON]] = [:]
        for route in routes {
            for operation in route.documented(showsCustomReports) {
                let path = operation.path ?? route.path
                let method = route.method.rawValue.lowercased()
                paths[path, default: [:]][method] = operation.document(publicCollections: publicCollections)
                guard !operation.pathParameters.isEmpty else { continue }
                paths[path, default: [:]]["parameters"] = .list(operation.pathParameters)
            }
        }
        return paths.mapValues { members in .object(members) }
    }
}
