import Base
import Foundation
import Geo
import HTTPServing
import HTTPTypes
import HabitAPI
import Hummingbird

/// The routes of the map: its page, its settings, and the files that pages load.
package struct MapRoutes: RouteGroup {
    /// The settings of the map, which everyone can read.
    package struct Settings: Sendable {
        /// The URL template of the map's tiles, with `{z}`, `{x}` and `{y}`; `nil` shows only the base map.
        let tiles: String?
        /// The attribution of the map's tiles.
        let attribution: String
        /// The operator's client ID at Google; `nil` if sign-in is disabled.
        let googleClientID: String?
        /// The IDs of the collections that everyone may read.
        let publicCollections: Set<String>

        /// Creates the settings.
        ///
        /// - Parameters:
        ///   - tiles: The URL template of the map's tiles, with `{z}`, `{x}` and `{y}`; `nil` shows only the base map.
        ///   - attribution: The attribution of the map's tiles.
        ///   - googleClientID: The operator's client ID at Google; `nil` if sign-in is disabled.
        ///   - publicCollections: The IDs of the collections that everyone may read.
        package init(
            tiles: String?,
            attribution: String,
            googleClientID: String?,
            publicCollections: Set<String>
        ) {
            self.tiles = tiles
            self.attribution = attribution
            self.googleClientID = googleClientID
            self.publicCollections = publicCollections
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
                handler: { call in response(to: call.request, WebFile(MapPage.name)) }),
            .undocumented("/map/settings", permission: .anyCaller) { call in
                Response(settings.json(for: call.caller), headers: [.cacheControl: "no-store"])
            },
            .undocumented("/map/{file}") { call in
                let name = try call.pathParameter("file")
                // The page has a path of its own, and so have the files of a folder.
                let isFile = name != MapPage.name && !name.contains("/")
                return response(to: call.request, isFile ? WebFile(name) : nil)
            },
            .undocumented("/map/leaflet/{file}") { call in
                let name = try call.pathParameter("file")
                return response(to: call.request, WebFile("leaflet/\(name)"))
            },
        ]
    }

    /// Responds with a file, or with 404 if there is no such file.
    private func response(to request: Request, _ file: WebFile?) -> Response {
        guard let file else { return Problem(ofTransport: HTTPError(.notFound)).response }
        var headers: HTTPFields = [
            .contentType: file.type,
            .eTag: file.tag.text,
            .cacheControl: "no-cache",
        ]
        if file.name == MapPage.name {
            headers[.contentSecurityPolicy] = policy
            // A tile server may require the Referer header. It receives only the origin.
            headers[.referrerPolicy] = "strict-origin-when-cross-origin"
            headers[.permissionsPolicy] = ContentPolicy.permissions
            headers[.crossOriginOpenerPolicy] = "same-origin"
        }
        guard !file.tag.matches(ifNoneMatch: request) else {
            return Response(status: .notModified, headers: headers)
        }
        return Response(
            status: .ok,
            headers: headers,
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: file.bytes)))
    }

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
            "google_client_id": JSON(googleClientID),
            "public_collections": .list(publicCollections.sorted().map { id in .text(id) }),
        ]
    }
}
