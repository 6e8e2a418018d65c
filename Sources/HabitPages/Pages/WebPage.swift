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
            case .parquet: "Parquet"
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
    /// The names of the scripts of the page, which are files of the folder `Web`.
    ///
    /// They may send requests to the server.
    var scripts: [String] = []
    /// The names of the style sheets after those of every page.
    var styles: [String] = []
    /// Whether elements of the page have style attributes with numbers and colors, as charts have.
    var hasStyleAttributes = false

    /// The ID of the main part of a page, to which a link at the beginning leads.
    private static let contentID = "content"

    /// Returns the document.
    ///
    /// - Parameter site: The server's addresses. The page contains only paths, so that it works behind a proxy.
    /// - Returns: The document in UTF-8.
    func html(_ site: PageSite) -> [UInt8] {
        let icon = site.file(WebFiles.icon)
        var links: HTML = "<link rel=\"icon\" href=\"\(icon)\" type=\"image/svg+xml\">\n"
        var formats: HTML = ""
        for alternate in alternates {
            let path = site.path(alternate.href)
            links += "<link rel=\"alternate\" type=\"\(alternate.type.text)\" href=\"\(path)\">\n"
            formats += " <a href=\"\(path)\">\(alternate.name)</a>"
        }
        let about: HTML = description.isEmpty ? "" : "<p class=\"about\">\(isolated: description)</p>\n"
        let also: HTML = alternates.isEmpty ? "" : "<p class=\"count\">\(PageText.Frame.formats)\(formats)</p>\n"
        var frame = PageFrame(title: title, style: .linked(StyleSheet.ofPages(and: styles, in: site)))
        for script in scripts {
            links += "<script type=\"module\" src=\"\(site.file(script))\"></script>\n"
        }
        frame.links = links
        let page: HTML = """
            \(frame.opening)\(Self.topBar(site))\(navigation(site))<main id="\(Self.contentID)">
            <h1>\(isolated: title)</h1>
            \(about)\(also)\(content)</main>
            \(Self.foot(site))\(frame.closing)
            """
        return Array(page.text.utf8)
    }

    /// The style sheets of pages in the folder `Web`, the general one first.
    static let ownStyles = ["site.css", "home.css"]

    /// Returns the beginning of every page: the link that skips it, the way home, the application, the map, the reports, and
    /// the link to the person's account with the sign-out, or the link to the sign-in.
    static func topBar(_ site: PageSite) -> HTML {
        let person: HTML
        if let name = site.visit.caller.personName {
            person = """
                <a class="person" href="\(site.root)/account">\(isolated: name)</a>
                <form method="post" action="\(site.root)/sign-out"><button type="submit">\(PageText.Frame.signOut)</button></form>

                """
        } else {
            person = "<a class=\"person\" href=\"\(site.signIn)\">\(PageText.Frame.signIn)</a>\n"
        }
        var application: HTML = ""
        if site.hasApplication {
            application = "<a href=\"\(site.root)\(ApplicationShell.today)\">\(PageText.Frame.today)</a>\n"
        }
        return """
            <a class="skip" href="#\(Self.contentID)">\(PageText.Frame.skip)</a>
            <header class="top">
            <a class="home" href="\(site.root)/">Habitat</a>
            \(application)<a href="\(site.root)/map">\(PageText.Frame.map)</a>
            <a class="wide" href="\(site.root)/reports">\(PageText.Frame.reports)</a>
            \(person)</header>

            """
    }

    /// Returns the end of every page: the ways for developers, and the version.
    static func foot(_ site: PageSite) -> HTML {
        """
        <footer class="foot">
        <a href="\(site.root)/?f=html">\(PageText.Frame.developers)</a>
        <a href="\(site.root)/api">\(PageText.Frame.api)</a>
        <span>Habitat \(HabitatVersion.current)</span>
        </footer>

        """
    }

    private func navigation(_ site: PageSite) -> HTML {
        guard !trail.isEmpty else { return "" }
        let items = trail.reduce("" as HTML) { list, link in
            list + "<li><a href=\"\(site.path(link.href))\">\(isolated: link.text)</a></li>\n"
        }
        return """
            <nav aria-label="\(PageText.Frame.path)">
            <ol>
            \(items)<li aria-current="page">\(isolated: crumb ?? title)</li>
            </ol>
            </nav>

            """
    }

    /// The Content-Security-Policy of the page.
    private var policy: String {
        let ofScripts = scripts.isEmpty ? [] : ["script-src 'self'", "connect-src 'self'"]
        let ofStyles =
            hasStyleAttributes ? ["style-src 'self'", "style-src-attr 'unsafe-inline'"] : ["style-src 'self'"]
        return ContentPolicy.text(ofScripts + ofStyles + ["img-src 'self' data:"])
    }

    /// The header fields of the response.
    var headers: HTTPFields { ContentPolicy.headers(policy) }
}

extension StyleSheet {
    /// Returns the paths of the style sheets of pages.
    ///
    /// - Parameters:
    ///   - styles: The names of further style sheets of a page.
    ///   - site: The server's addresses.
    /// - Returns: The paths.
    static func ofPages(and styles: [String], in site: PageSite) -> [String] {
        let names = [StyleSheet.tokens, .page].map(\.fileName) + WebPage.ownStyles + styles
        return names.map { name in site.file(name) }
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
    /// The parts that the server shows.
    let sections: Sections

    init(_ visit: PageVisit, sections: Sections = .all) {
        self.visit = visit
        self.sections = sections
        let path = URLComponents(string: visit.base)?.percentEncodedPath ?? ""
        root = path.hasSuffix("/") ? String(path.dropLast()) : path
    }

    /// Whether the person can open the application; the operator has no habits.
    var hasApplication: Bool { sections.contains(.habits) && visit.caller != .viewer(.operator) }

    /// The path of the sign-in, which leads back to the page unless its address contains a secret.
    var signIn: String {
        guard !visit.path.hasSecret else { return "\(root)/sign-in" }
        return "\(root)/sign-in?to=\(visit.path.text.urlEncoded)"
    }

    /// Returns the path of a file that pages load.
    func file(_ name: String) -> String { "\(root)/\(WebFiles.all.path(of: name))" }

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
