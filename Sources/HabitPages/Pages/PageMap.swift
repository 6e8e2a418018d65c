import Base
import HTTPServing
import HabitAPI
import HabitModel
import Rendering

/// The map of a page with features.
///
/// The page contains the features as data, and the script `page.js` draws them without a request.
struct PageMap: Sendable {
    /// The features as GeoJSON.
    let features: String
    /// The layer of the map page whose symbols the markers have.
    let layer: String
    /// The URL of the list with the features.
    let items: String
    /// The URL template of the tiles; `nil` shows only the base map.
    let tiles: String?
    let attribution: String

    /// The elements in the head of the page.
    func head(_ site: PageSite) -> HTML {
        var head: HTML = ""
        for style in ["leaflet/leaflet.css", "leaflet/MarkerCluster.css", "markers.css"] {
            head += "<link rel=\"stylesheet\" href=\"\(site.root)/map/\(style)\">\n"
        }
        for script in ["leaflet.min.js", "leaflet.markercluster.min.js"] {
            head += "<script defer src=\"\(site.root)/map/leaflet/\(script)\"></script>\n"
        }
        return head + "<script type=\"module\" src=\"\(site.root)/map/page.js\"></script>\n"
    }

    /// The map and its data.
    ///
    /// The map is hidden until the script draws it.
    func body(_ site: PageSite) -> HTML {
        let tileServer: HTML? = tiles.map { tiles in
            "data-tiles=\"\(tiles)\" data-attribution=\"\(attribution)\" "
        }
        return """
            <div id="map" role="region" aria-label="Map of the features" data-layer="\(layer)" \
            data-items="\(site.path(items))" \(tileServer ?? "")hidden></div>
            <script type="application/json" id="features">\(Self.data(features))</script>

            """
    }

    /// Returns a JSON document as the text of a `script` element.
    ///
    /// In JSON, `<` appears only in strings. Without it, no text of a feature can end the element.
    private static func data(_ json: String) -> HTML { HTML(stringLiteral: json.replacing("<", with: "\\u003c")) }

    /// The Content-Security-Policy of a page with this map: content of this server, and images of the tile server.
    var policy: String {
        ContentPolicy.text(["script-src 'self'", "style-src 'self'", ContentPolicy.images(tiles)])
    }
}
