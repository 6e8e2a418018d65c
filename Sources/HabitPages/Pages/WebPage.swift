import Base
import Foundation
import HTTPServing
import HTTPTypes
import HabitAPI
import HabitModel
import Hummingbird
import Rendering

/// A page for people: an HTML document that links its style sheets and has no inline script.
struct WebPage: Sendable {
    /// A link with its text.
    struct Link: Sendable {
        let text: String
        let href: String
    }

    /// This page in another format.
    struct Alternate: Sendable {
        let type: ContentType
        let href: String

        /// The name of the format.
        var name: String {
            switch type {
            case .geoJSON: "GeoJSON"
            case .csv: "CSV"
            case .html: "HTML"
            case .openAPI: "OpenAPI"
            default: "JSON"
            }
        }
    }

    var title: String
    /// The text of the page in the path at its top; `nil` if it is the title.
    var crumb: String?
    /// The paragraph below the title.
    ///
    /// It may be empty.
    var description = ""
    /// The pages above this page, the landing page first.
    var trail: [Link] = []
    var alternates: [Alternate] = []
    /// The content after the description.
    var content: HTML = ""
    /// The map after the description; `nil` for a page without positions.
    var map: PageMap?
    /// Whether the page contains signed links of photos.
    var hasSignedLinks = false

    /// Returns the document.
    ///
    /// - Parameter site: The server's addresses. The page contains only paths, so that it works behind a proxy.
    /// - Returns: The document in UTF-8.
    func html(_ site: PageSite) -> [UInt8] {
        var links: HTML = ""
        var formats: HTML = ""
        for alternate in alternates {
            let path = site.path(alternate.href)
            links += "<link rel=\"alternate\" type=\"\(alternate.type.text)\" href=\"\(path)\">\n"
            formats += " <a href=\"\(path)\">\(alternate.name)</a>"
        }
        let about: HTML = description.isEmpty ? "" : "<p class=\"about\">\(isolated: description)</p>\n"
        let also: HTML = alternates.isEmpty ? "" : "<p class=\"count\">Also as:\(formats)</p>\n"
        var frame = PageFrame(title: title, style: .linked(StyleSheet.ofPages(in: site)))
        frame.links = links + (map?.head(site) ?? "")
        let page: HTML = """
            \(frame.opening)\(topBar(site))\(navigation(site))<main>
            <h1>\(isolated: title)</h1>
            \(about)\(also)\(map?.body(site) ?? "")\(content)</main>
            \(frame.closing)
            """
        return Array(page.text.utf8)
    }

    /// Returns the way home, and the name of the person with the sign-out, or the link to the sign-in.
    private func topBar(_ site: PageSite) -> HTML {
        let person: HTML
        if let name = site.visit.caller.personName {
            person = """
                <span class="person">\(isolated: name)</span>
                <form method="post" action="\(site.root)/sign-out"><button type="submit">Sign out</button></form>

                """
        } else {
            person = "<a class=\"person\" href=\"\(site.signIn)\">Sign in</a>\n"
        }
        return """
            <header class="top">
            <a class="home" href="\(site.root)/">Habitat</a>
            <a href="\(site.root)/map">Map</a>
            \(person)</header>

            """
    }

    private func navigation(_ site: PageSite) -> HTML {
        guard !trail.isEmpty else { return "" }
        let items = trail.reduce("" as HTML) { list, link in
            list + "<li><a href=\"\(site.path(link.href))\">\(isolated: link.text)</a></li>\n"
        }
        return """
            <nav aria-label="Path">
            <ol>
            \(items)<li aria-current="page">\(isolated: crumb ?? title)</li>
            </ol>
            </nav>

            """
    }

    /// The header fields of the response.
    var headers: HTTPFields {
        var headers: HTTPFields = [.contentType: ContentType.html.text]
        headers[.contentSecurityPolicy] =
            map?.policy ?? ContentPolicy.text(["style-src 'self'", "img-src 'self' data:"])
        // With the policy no-referrer, the browser would send the form of the sign-out without its origin.
        headers[.referrerPolicy] = "same-origin"
        headers[.permissionsPolicy] = ContentPolicy.permissions
        headers[.crossOriginOpenerPolicy] = "same-origin"
        // A tile server may require the Referer header. It receives only the origin.
        if map?.tiles != nil, !hasSignedLinks { headers[.referrerPolicy] = "strict-origin-when-cross-origin" }
        return headers
    }
}

extension StyleSheet {
    /// The paths of the style sheets of pages without charts.
    fileprivate static func ofPages(in site: PageSite) -> [String] {
        let names = [StyleSheet.tokens, .page].map(\.fileName) + ["site.css"]
        return names.map { name in "\(site.root)/map/\(name)" }
    }
}

/// The addresses of a server in its pages.
struct PageSite: Sendable {
    /// The person who opens the page, and the address of the page.
    let visit: PageVisit
    /// The prefix of links, such as `https://host/habits`.
    var base: String { visit.base }
    /// The path of ``base``, such as `/habits`; empty if it has no path.
    let root: String
    /// The URL template of the map's tiles; `nil` shows only the base map.
    let tiles: String?
    /// The attribution of the map's tiles.
    let attribution: String

    init(_ visit: PageVisit, tiles: String? = nil, attribution: String = "") {
        self.visit = visit
        self.tiles = tiles
        self.attribution = attribution
        let path = URLComponents(string: visit.base)?.percentEncodedPath ?? ""
        root = path.hasSuffix("/") ? String(path.dropLast()) : path
    }

    /// The path of the sign-in, which leads back to the page.
    var signIn: String { "\(root)/sign-in?to=\(visit.path.text.urlEncoded)" }

    /// Returns the path of a URL of this server, or the URL itself if it belongs to another server.
    func path(_ url: String) -> String {
        guard url.hasPrefix(base) else { return url }
        let rest = url.dropFirst(base.count)
        switch rest.first {
        case nil: return root + "/"
        case "/", "?": return root + rest
        default: return url
        }
    }
}
