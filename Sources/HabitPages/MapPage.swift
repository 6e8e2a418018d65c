import Rendering

/// The page of the map, whose body is a file of the folder `Web`.
enum MapPage {
    /// The name of the file.
    static let name = "map.html"

    private static let sheets = [
        "tokens.css",
        "leaflet/leaflet.css",
        "leaflet/MarkerCluster.css",
        "markers.css",
        "map.css",
    ]

    private static let libraries = [
        "leaflet/leaflet.min.js",
        "leaflet/leaflet.markercluster.min.js",
    ]

    /// Returns the document.
    ///
    /// - Parameter body: The content of the body in UTF-8.
    /// - Returns: The document in UTF-8.
    static func document(around body: [UInt8]) -> [UInt8] {
        let addresses = sheets.map { sheet in "map/\(sheet)" }
        var frame = PageFrame(title: "Habitat map", style: .linked(addresses))
        for library in libraries {
            frame.links += "<script defer src=\"map/\(library)\"></script>\n"
        }
        frame.links += "<script type=\"module\" src=\"map/map.js\"></script>\n"
        return Array(frame.opening.text.utf8) + body + Array(frame.closing.text.utf8)
    }
}
