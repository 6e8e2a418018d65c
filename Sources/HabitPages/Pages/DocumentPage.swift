import Base
import HTTPServing
import HTTPTypes
import HabitAPI
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
    func page(
        _ site: PageSite,
        trail: [WebPage.Link]
    ) -> WebPage {
        let ownTitle = document["title"].textValue
        var page = WebPage(title: ownTitle ?? title)
        page.description = document.text("description")
        page.trail = trail
        page.alternates = document.alternates
        page.content = links(of: document, site)
        for collection in document["collections"].elements {
            page.content += section(of: collection, site)
        }
        return page
    }

    /// Returns the section about a collection.
    private func section(of collection: JSON, _ site: PageSite) -> HTML {
        let links = collection["links"].elements
        let own = links.first { link in link.text("rel") == "self" }
        let path = site.path(own?.text("href") ?? "")
        return """
            <section>
            <h2><a href="\(path)">\(isolated: collection.text("title"))</a></h2>
            <p>\(isolated: collection.text("description"))</p>
            \(self.links(of: collection, site))</section>

            """
    }

    /// Returns the list of the links to other documents.
    private func links(of document: JSON, _ site: PageSite) -> HTML {
        let links = document["links"].elements.filter { link in
            !["self", "alternate"].contains(link.text("rel"))
        }
        if links.isEmpty { return "" }
        // A person reads the pages first.
        let pages = links.filter { link in link.isPage }
        let others = links.filter { link in !link.isPage }
        var items: HTML = ""
        for link in pages + others {
            items += item(of: link, site)
        }
        return "<ul class=\"links\">\n\(items)</ul>\n"
    }

    /// Returns the item of a list of links.
    private func item(of link: JSON, _ site: PageSite) -> HTML {
        let relation = link["rel"].textValue
        let type = link.text("type")
        let address = link.text("href")
        let text = link["title"].textValue ?? relation
        // The titles of links to features name the format.
        let namesFormat = link.isPage || relation == "items"
        let format: HTML = namesFormat ? "" : " (\(Self.name(type)))"
        // Without the parameter, a browser would receive the page instead of GeoJSON.
        let isGeoJSON = type == ContentType.geoJSON.text
        let href = isGeoJSON ? "\(address)?f=\(FeatureForm.geojson)" : address
        return "<li><a href=\"\(site.path(href))\">\(isolated: text ?? address)</a>\(format)</li>\n"
    }

    /// Returns the name of the format of a media type.
    private static func name(_ type: String) -> String {
        if type.contains("json") { return "JSON" }
        return String(type.prefix { character in character != ";" })
    }
}

extension JSON {
    /// Returns the text of a member, or an empty text if there is no such member.
    fileprivate func text(_ name: String) -> String {
        self[name].textValue ?? ""
    }

    /// Whether a link of a document leads to a page for people.
    ///
    /// In a browser, the list of the collections is a page too.
    fileprivate var isPage: Bool {
        let isHTML = text("type") == ContentType.html.text
        return isHTML || text("rel") == "data"
    }

    /// The link of the page of a document to the document.
    fileprivate var alternates: [WebPage.Alternate] {
        guard let ownAddress else { return [] }
        return [WebPage.Alternate(type: .json, href: "\(ownAddress)?f=json")]
    }
}
