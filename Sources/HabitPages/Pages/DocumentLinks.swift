import Base
import HTTPServing
import HabitAPI
import Rendering

/// The links of a document that describes the server, as a list for people.
struct DocumentLinks {
    private let links: [JSON]
    private let site: PageSite

    /// Creates the list of the links to other documents.
    ///
    /// - Parameters:
    ///   - document: The document.
    ///   - site: The addresses of the server.
    ///   - isIncluded: Whether the list contains a link with a relation.
    init(of document: JSON, _ site: PageSite, where isIncluded: (String) -> Bool = { _ in true }) {
        links = document["links"].elements.filter { link in
            let relation = link.text("rel")
            return !["self", "alternate"].contains(relation) && isIncluded(relation)
        }
        self.site = site
    }

    /// The list; empty without links.
    var list: HTML {
        if links.isEmpty { return "" }
        // A person reads the pages first.
        let pages = links.filter(isPage)
        let others = links.filter { link in !isPage(link) }
        var items: HTML = ""
        for link in pages + others {
            items += item(of: link)
        }
        return "<ul class=\"links\">\n\(items)</ul>\n"
    }

    /// Returns the link to the sign-in, which leads back to the page.
    static func signIn(_ site: PageSite) -> HTML {
        "<a href=\"\(site.signIn)\">\(PageText.Frame.signIn)</a>"
    }

    /// Returns the item of a list of links.
    private func item(of link: JSON) -> HTML {
        let relation = link["rel"].textValue
        let type = link.text("type")
        let address = link.text("href")
        let text = link["title"].textValue ?? relation
        // The titles of links to records name the format.
        let namesFormat = isPage(link) || relation == "items"
        let format: HTML = namesFormat ? "" : " (\(Self.name(type)))"
        return
            "<li><a href=\"\(site.path(target(of: address, type)))\">\(isolated: text ?? address)</a>\(format)</li>\n"
    }

    /// Returns the address of a link, with the format if a browser would receive the page instead of it.
    private func target(of address: String, _ type: String) -> String {
        switch type {
        case ContentType.geoJSON.text: "\(address)?f=\(FeatureForm.geojson)"
        case ContentType.openAPI.text: "\(address)?f=json"
        default: address
        }
    }

    /// The paths of the JSON documents that are pages in a browser.
    private static let pages = ["/collections", "/conformance", "/reports"]

    /// Whether a link of a document leads to a page for people.
    private func isPage(_ link: JSON) -> Bool {
        let address = link.text("href")
        let types = [ContentType.html.text, ContentType.schema.text]
        return types.contains(link.text("type")) || Self.pages.contains { path in address == site.base + path }
    }

    /// Returns the name of the format of a media type.
    private static func name(_ type: String) -> String {
        if type.contains("json") { return "JSON" }
        return String(type.prefix { character in character != ";" })
    }
}

extension JSON {
    /// Returns the text of a member, or an empty text if there is no such member.
    func text(_ name: String) -> String {
        self[name].textValue ?? ""
    }
}
