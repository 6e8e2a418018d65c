import Base
import Crypto
import Foundation
import Geo
import HTTPTypes
import HabitModel
import Hummingbird

/// Routes of the map: its page, scripts and style, and the Leaflet library.
extension HabitatServer {
    func addMap(to router: Router<HabitContext>) {
        router.route("map", [.get: { request, _ in self.asset(request, "map.html", Self.assets["map.html"]) }])
        router.route("map/settings", [.get: { _, _ in self.settings() }])
        router.route("map/:file", [.get: file])
        router.route("map/leaflet/:file", [.get: library])
    }

    private func settings() -> Response {
        Response([
            "tiles": JSON(options.tiles), "attribution": .text(options.attribution),
            "google_client_id": JSON(options.signIn?.clients.first),
            "public_collections": .list(options.publicCollections.sorted().map { .text($0) }),
        ])
    }

    private func file(_ request: Request, _ context: HabitContext) throws -> Response {
        let name = try context.parameter("file")
        return asset(request, name, name == "map.html" ? nil : Self.assets[name] ?? Self.world[name])
    }

    private static let assets: [String: [UInt8]] = [
        "map.html": PackageResources.map_html, "map.css": PackageResources.map_css,
        "base.css": PackageResources.base_css, "page.js": PackageResources.page_js,
        "address.js": PackageResources.address_js, "api.js": PackageResources.api_js,
        "background.js": PackageResources.background_js, "base-map.js": PackageResources.base_map_js,
        "calendar.js": PackageResources.calendar_js, "canvas-layer.js": PackageResources.canvas_layer_js,
        "circle.js": PackageResources.circle_js,
        "dom.js": PackageResources.dom_js, "graticule.js": PackageResources.graticule_js,
        "layers.js": PackageResources.layers_js, "map.js": PackageResources.map_js,
        "markers.js": PackageResources.markers_js, "popup.js": PackageResources.popup_js,
        "session.js": PackageResources.session_js, "view.js": PackageResources.view_js,
    ]

    /// The levels of the base map, encoded when a client first requests one of them.
    private static let world = Dictionary(
        uniqueKeysWithValues: BaseMap.Level.allCases.map { ("world-\($0.rawValue).js", $0.module) })

    private static let types: [String: String] = [
        "html": "text/html; charset=utf-8", "css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8",
        "png": "image/png", "svg": "image/svg+xml",
    ]

    private func asset(_ request: Request, _ name: String, _ bytes: [UInt8]?) -> Response {
        guard let bytes, let type = Self.types[name.split(separator: ".").last.map(String.init) ?? ""] else {
            return Problem(HTTPError(.notFound)).response
        }
        let tag = EntityTag(of: [name, String(decoding: bytes, as: UTF8.self)])
        var headers: HTTPFields = [.contentType: type, .eTag: tag.text, .cacheControl: "no-cache"]
        if name.hasSuffix(".html") {
            headers[.contentSecurityPolicy] = policy
            // A tile server may require the Referer header. It receives only the origin.
            headers[.referrerPolicy] = "strict-origin-when-cross-origin"
        }
        if tag.matches(ifNoneMatch: request) { return Response(status: .notModified, headers: headers) }
        return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
    }

    /// The Content-Security-Policy: only content of this server is allowed, and images of the tile server in addition.
    private var policy: String {
        ContentPolicy.text([
            "script-src 'self'", "style-src 'self'", ContentPolicy.images(options.tiles), "connect-src 'self'",
        ])
    }

    private func library(_ request: Request, _ context: HabitContext) throws -> Response {
        let name = try context.parameter("file")
        return asset(request, name, Self.libraries[name])
    }

    /// The files of Leaflet and its plugin, which the build embeds from Debian's packages.
    private static let libraries = EmbeddedLibraries.files.compactMapValues { Data(base64Encoded: $0).map(Array.init) }
}

extension BaseMap.Level {
    /// A JavaScript module with the encoded lines and the cities.
    ///
    /// It is a module, because the policy of the pages permits scripts of the server, but no other requests.
    fileprivate var module: [UInt8] {
        func lines(_ text: String) -> JSON { .list(text.split(separator: "\n").map { .text(String($0)) }) }
        let world: JSON = [
            "unitsPerDegree": .integer(BaseMap.unitsPerDegree), "land": lines(encodedLand),
            "borders": lines(encodedBorders),
            "cities": .list(
                cities.map { [.number($0.position.longitude), .number($0.position.latitude), .text($0.name)] }),
        ]
        return Array("export default ".utf8) + world.bytes
    }
}
