import Rendering

/// The page of the map, whose body is a file of the folder `Web`.
///
/// Its addresses are relative, so that it works below every path.
enum MapPage {
    private static let sheets = [
        "tokens.css",
        "leaflet.css",
        "MarkerCluster.css",
        "markers.css",
        "map.css",
    ]

    private static let libraries = [
        "leaflet.min.js",
        "leaflet.markercluster.min.js",
    ]

    /// The document in UTF-8.
    static let document: [UInt8] = {
        let files = WebFiles.all
        let addresses = sheets.map { sheet in files.path(of: sheet) }
        var frame = PageFrame(title: PageText.Map.title, style: .linked(addresses))
        frame.links += "<link rel=\"icon\" href=\"\(files.path(of: WebFiles.icon))\" type=\"image/svg+xml\">\n"
        for library in libraries {
            frame.links += "<script defer src=\"\(files.path(of: library))\"></script>\n"
        }
        frame.links += "<script type=\"module\" src=\"\(files.path(of: "map.js"))\"></script>\n"
        let body = WebFiles.body(of: "map.html")
        return Array(frame.opening.text.utf8) + body + Array(frame.closing.text.utf8)
    }()
}
