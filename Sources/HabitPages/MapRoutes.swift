import Base
import Foundation
import Geo
import HTTPServing
import HTTPTypes
import HabitAPI
import Hummingbird

/// The routes of the map: its page and its settings.
package struct MapRoutes: RouteGroup {
    /// The settings of the map, which everyone can read.
    package struct Settings: Sendable {
        /// The URL template of the map's tiles, with `{z}`, `{x}` and `{y}`; `nil` shows only the base map.
        let tiles: String?
        /// The attribution of the map's tiles.
        let attribution: String
        /// The IDs of the collections that everyone may read.
        let publicCollections: Set<String>
        /// The parts that the server shows.
        let sections: Sections

        /// Creates the settings.
        ///
        /// - Parameters:
        ///   - tiles: The URL template of the map's tiles, with `{z}`, `{x}` and `{y}`; `nil` shows only the base map.
        ///   - attribution: The attribution of the map's tiles.
        ///   - publicCollections: The IDs of the collections that everyone may read.
        ///   - sections: The parts that the server shows.
        package init(
            tiles: String?,
            attribution: String,
            publicCollections: Set<String>,
            sections: Sections
        ) {
            self.tiles = tiles
            self.attribution = attribution
            self.publicCollections = publicCollections
            self.sections = sections
        }
    }

    let settings: Settings

    /// Creates the routes.
    ///
    /// - Parameter settings: The settings of the map.
    package init(_ settings: Settings) { self.settings = settings }

    package var routes: [Route] {
        [
            Route(
                .get,
                "/map",
                operation: RouteOperation(
                    "map",
                    summary: "Get the map page",
                    description: "Returns the page of the interactive map.",
                    permission: .everyone,
                    query: nil,
                    content: .content(.html, schema: ["type": "object"])),
                handler: { call in try response(to: call.request) }),
            .undocumented("/map/settings", permission: .anyCaller) { call in
                Response(settings.json(for: call.caller), headers: [.cacheControl: "no-store"])
            },
        ]
    }

    /// Responds with the page.
    private func response(to request: Request) throws -> Response {
        let encoding = ContentEncoding(for: request)
        let tag = EntityTag(value: Self.digest).encoded(encoding)
        var headers = ContentPolicy.headers(policy)
        headers[.eTag] = tag.text
        headers[.cacheControl] = "no-cache"
        headers[.vary] = "Accept-Encoding"
        // A tile server may require the Referer header. It receives only the origin.
        headers[.referrerPolicy] = "strict-origin-when-cross-origin"
        guard !tag.matches(ifNoneMatch: request) else {
            return Response(status: .notModified, headers: headers)
        }
        return try Response(MapPage.document, encoded: encoding, headers: headers)
    }

    /// The digest of the page.
    private static let digest = MapPage.document.sha256.prefix(12).hexadecimal

    /// The Content-Security-Policy: only content of this server is allowed, and images of the tile server in addition.
    private var policy: String {
        ContentPolicy.text([
            "script-src 'self'",
            "style-src 'self'",
            ContentPolicy.images(settings.tiles),
            "connect-src 'self'",
        ])
    }
}

extension MapRoutes.Settings {
    /// Returns the document that the script of the map reads.
    ///
    /// - Parameter caller: The owner of the session; the document contains the name.
    /// - Returns: The document.
    fileprivate func json(for caller: Caller) -> JSON {
        var session: JSON = .null
        if case .viewer(let viewer) = caller {
            var user: JSON = .null
            if case .user(_, let id) = viewer { user = .text(id) }
            session = ["user": user]
        }
        return [
            "session": session,
            "tiles": JSON(tiles),
            "attribution": .text(attribution),
            "sections": .list(sections.shown.map { section in .text(section.rawValue) }),
            "public_collections": .list(publicCollections.sorted().map { id in .text(id) }),
        ]
    }
}
