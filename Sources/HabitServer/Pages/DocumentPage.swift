import Base
import HTTPTypes
import HabitModel
import Hummingbird
import Rendering

/// The HTML page of a document that describes the server: its title, its description and its links.
struct DocumentPage {
    private let document: JSON
    /// The title of a document without the member `title`.
    private let title: String

    init(_ document: JSON, title: String) {
        self.document = document
        self.title = title
    }

    /// Returns the page.
    ///
    /// - Parameters:
    ///   - site: The server's addresses.
    ///   - trail: The pages above this page.
    /// - Returns: The page with the links of the document.
    func page(_ site: PageSite, trail: [WebPage.Link]) -> WebPage {
        var page = WebPage(title: document["title"].text ?? title)
        page.description = document["description"].text ?? ""
        page.trail = trail
        page.alternates = document.alternates
        page.content = links(of: document, site)
        for collection in document["collections"].elements {
            let own = collection["links"].elements.first { $0["rel"].text == "self" }?["href"].text ?? ""
            page.content += """
                <section>
                <h2><a href="\(site.path(own))">\(isolated: collection["title"].text ?? "")</a></h2>
                <p>\(isolated: collection["description"].text ?? "")</p>
                \(links(of: collection, site))</section>

                """
        }
        return page
    }

    /// Returns the list of the links to other documents.
    private func links(of document: JSON, _ site: PageSite) -> HTML {
        let links = document["links"].elements.filter { !["self", "alternate"].contains($0["rel"].text) }
        // A person reads the pages first.
        let pages = links.filter(\.isPage) + links.filter { !$0.isPage }
        let items = pages.reduce("" as HTML) { list, link in
            let (rel, type) = (link["rel"].text ?? "", link["type"].text ?? "")
            var href = link["href"].text ?? ""
            let text = link["title"].text ?? link["rel"].text ?? href
            // The titles of links to features name the format.
            let kind: HTML = link.isPage || rel == "items" ? "" : " (\(Self.name(type)))"
            // Without the parameter, a browser would receive the page instead of GeoJSON.
            if type == MediaType.geoJSON.text { href += "?f=\(FeatureForm.geojson)" }
            return list + "<li><a href=\"\(site.path(href))\">\(isolated: text)</a>\(kind)</li>\n"
        }
        return links.isEmpty ? "" : "<ul class=\"links\">\n\(items)</ul>\n"
    }

    /// Returns the name of the format of a media type.
    private static func name(_ type: String) -> String {
        type.contains("json") ? "JSON" : String(type.prefix { $0 != ";" })
    }
}

extension JSON {
    /// The member of an object, or `null` if the value is not an object with this member.
    subscript(_ name: String) -> JSON {
        guard case .object(let members) = self else { return .null }
        return members[name] ?? .null
    }

    /// The text, or `nil` if the value is not a text.
    var text: String? { if case .text(let text) = self { text } else { nil } }

    /// The elements of a list, or an empty array if the value is not a list.
    var elements: [JSON] { if case .list(let elements) = self { elements } else { [] } }

    /// Whether a link of a document leads to a page for people.
    ///
    /// In a browser, the list of the collections is a page too.
    fileprivate var isPage: Bool { self["type"].text == MediaType.html.text || self["rel"].text == "data" }

    /// The address of a document: the link `self`, or `nil` without this link.
    fileprivate var ownAddress: String? { self["links"].elements.first { $0["rel"].text == "self" }?["href"].text }

    /// The link of the page of a document to the document.
    fileprivate var alternates: [WebPage.Alternate] {
        ownAddress.map { [WebPage.Alternate(type: .json, href: "\($0)?f=json")] } ?? []
    }

    /// Returns the document with a link to its page.
    fileprivate var linkingToPage: JSON {
        guard let ownAddress else { return self }
        let link = FeaturePage.link("alternate", "\(ownAddress)?f=html", .html, title: "This document as HTML")
        return merging(["links": .list(self["links"].elements + [link])])
    }

    /// The value of the header Link of the response with the document or its page.
    fileprivate func linkHeader(isPage: Bool) -> String? {
        guard let own = ownAddress else { return nil }
        let (json, html) = (MediaType.json.text, MediaType.html.text)
        return isPage
            ? "<\(own)?f=html>; rel=\"self\"; type=\"\(html)\", <\(own)?f=json>; rel=\"alternate\"; type=\"\(json)\""
            : "<\(own)>; rel=\"self\"; type=\"\(json)\", <\(own)?f=html>; rel=\"alternate\"; type=\"\(html)\""
    }
}

extension HabitatServer {
    /// Responds with a document that describes the server, as JSON or as a page.
    ///
    /// The parameter `f` selects the form, otherwise the header Accept.
    /// - Parameters:
    ///   - request: The request.
    ///   - title: The title of the page if the document has no member `title`.
    ///   - trail: Returns the pages above the page.
    ///   - make: Returns the document with links that begin with `base`.
    /// - Returns: The response.
    /// - Throws: `parameter-invalid`.
    func documentOrPage(
        _ request: Request, title: String, trail: (_ base: String) -> [WebPage.Link] = { _ in [] },
        _ make: (_ base: String) -> JSON
    ) throws -> Response {
        let form = try RequestParameters(request, known: ["f"]).choice("f", DocumentForm.self)
        let site = site(of: request)
        let document = make(site.base)
        let isPage = request.wantsPage(form?.rawValue)
        var headers: HTTPFields = [.cacheControl: "no-cache", .vary: "Accept, Accept-Encoding"]
        headers[.link] = document.linkHeader(isPage: isPage)
        guard isPage else { return Response(document.linkingToPage, headers: headers) }
        let page = DocumentPage(document, title: title).page(site, trail: trail(site.base))
        return try compressed(
            page.html(site), ContentEncoding(for: request), .ok, headers.merging(page.headers))
    }

    /// Returns the addresses of the server for the pages of a request.
    func site(of request: Request) -> PageSite {
        PageSite(base: base(of: request), tiles: options.tiles, attribution: options.attribution)
    }

    /// Returns the link to the landing page.
    static func home(_ base: String) -> WebPage.Link { WebPage.Link(text: "Habitat", href: "\(base)/") }

    /// Returns the links to the landing page and to the list of collections.
    static func collectionsTrail(_ base: String) -> [WebPage.Link] {
        [home(base), WebPage.Link(text: "Collections", href: "\(base)/collections")]
    }
}

/// The form of a document that describes the server.
enum DocumentForm: String, CaseIterable {
    case json, html
}
