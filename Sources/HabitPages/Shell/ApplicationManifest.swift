import Base

/// The web application manifest, with which a browser installs the application (W3C Web Application Manifest).
struct ApplicationManifest {
    /// The path below the path of the public URL.
    static let path = "/manifest.webmanifest"

    /// The path of the public URL; empty if it has no path.
    let root: String

    var json: JSON {
        let today = root + ApplicationShell.today
        return [
            "id": .text(today),
            "name": "Habitat",
            "short_name": "Habitat",
            "start_url": .text(today),
            "scope": .text("\(root)/"),
            "display": "standalone",
            "background_color": "#f6f4ee",
            "theme_color": "#1f6f4a",
            "icons": [
                icon(WebFiles.icon, type: "image/svg+xml", sizes: "any", purpose: "any"),
                icon(WebFiles.largeIcon, type: "image/png", sizes: "512x512", purpose: "any"),
                icon(WebFiles.largeIcon, type: "image/png", sizes: "512x512", purpose: "maskable"),
            ],
        ]
    }

    private func icon(_ name: String, type: String, sizes: String, purpose: String) -> JSON {
        [
            "src": .text("\(root)/\(WebFiles.all.path(of: name))"),
            "type": .text(type),
            "sizes": .text(sizes),
            "purpose": .text(purpose),
        ]
    }
}
