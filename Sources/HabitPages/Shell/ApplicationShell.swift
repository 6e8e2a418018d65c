import Base
import HTTPServing
import Rendering

/// The HTML document of the application, which loads its script and its style sheet.
///
/// The service worker keeps the document on the device, where another person may sign in. So it contains no data of a
/// person.
struct ApplicationShell {
    /// The paths at which a browser gets the document, except `/days`, which is also a resource of the API.
    static let paths = [
        "/days/{day}",
        "/habits",
        "/habits/{id}",
        "/habits/{id}/edit",
        "/history",
        "/people",
        "/people/{id}",
        "/events/{id}",
    ]

    /// The address of the view of today, which opens the application.
    static let today = "/days"

    /// The languages of the application.
    static let languages = ["en", "pt", "ja"]

    /// The path of the public URL, such as `/habitat`; empty if it has no path.
    let root: String
    let language: String

    /// The document in UTF-8.
    var document: [UInt8] {
        let page: HTML = """
            <!DOCTYPE html>
            <html lang="\(language)">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="\(Self.viewport)">
            <meta name="color-scheme" content="light dark">
            <title>Habitat</title>
            <link rel="manifest" href="\(root)\(ApplicationManifest.path)">
            <link rel="icon" href="\(file(WebFiles.icon))" type="image/svg+xml">
            <link rel="apple-touch-icon" href="\(file(WebFiles.largeIcon))">
            <link rel="stylesheet" href="\(file("application.css"))">
            <script type="module" src="\(file("application.js"))"></script>
            </head>
            <body>
            <div id="app"></div>
            <noscript>
            <p lang="en">\(PageText.Shell.noScript) <a href="\(root)/">\(PageText.Shell.pages)</a></p>
            </noscript>
            </body>
            </html>

            """
        return Array(page.text.utf8)
    }

    /// The page fills the screen of a phone, and shrinks when the keyboard opens.
    private static let viewport: HTML = """
        width=device-width, initial-scale=1, viewport-fit=cover, interactive-widget=resizes-content
        """

    private func file(_ name: String) -> String { "\(root)/\(WebFiles.all.path(of: name))" }

    /// The Content-Security-Policy of the application and of its service worker.
    ///
    /// The application shows photos that it has not sent yet, whose addresses begin with `blob:`.
    static let policy = ContentPolicy.text([
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' blob: data:",
        "connect-src 'self'",
        "worker-src 'self'",
        "manifest-src 'self'",
    ])
}
