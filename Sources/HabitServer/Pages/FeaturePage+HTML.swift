import Base
import HTTPTypes
import HabitModel
import HabitStore
import Hummingbird
import Rendering
import StoreEngine

extension FeatureView {
    /// The layer of the map page whose symbols the features have.
    fileprivate var layer: String {
        switch collection.object {
        case .item: "items"
        case .post: "posts"
        default: "mine"
        }
    }

    /// Returns the page of features without its alternates.
    fileprivate func page(_ title: String, _ table: FeatureTable, _ site: PageSite) -> WebPage {
        var page = WebPage(title: title)
        page.trail = HabitatServer.collectionsTrail(base) + [WebPage.Link(text: collection.title, href: address)]
        page.map = table.map(layer: layer, site)
        page.hasSignedLinks = photoLinks != nil
        return page
    }
}

extension FeaturePage {
    /// Largest page of HTML, in features.
    static let htmlLimit = 500

    /// Returns the page as an HTML document.
    ///
    /// - Parameters:
    ///   - table: The features of the page.
    ///   - next: The URL of the next page; `nil` if no feature follows.
    ///   - site: The server's addresses.
    /// - Returns: The page with the table, the map and the links to other pages of the list.
    func webPage(_ table: FeatureTable, next: String?, _ site: PageSite) -> WebPage {
        var page = view.page(view.collection.title, table, site)
        page.crumb = "Features"
        page.description = view.collection.description
        page.alternates = alternates.map { WebPage.Alternate(type: $0.type, href: $0.href) }
        var links: [(text: String, rel: String, href: String)] = []
        if parameters[.after] != nil {
            links.append(("First page", "first", items + parameters.query([FeatureParameter.after.rawValue: nil])))
        }
        if let next { links.append(("Next page", "next", next)) }
        let list = links.reduce("" as HTML) {
            $0 + "<li><a rel=\"\($1.rel)\" href=\"\(site.path($1.href))\">\($1.text)</a></li>\n"
        }
        page.content = table.table(view.collection.title)
        page.content += table.counts
        if !links.isEmpty { page.content += "<ul class=\"links\">\n\(list)</ul>\n" }
        return page
    }
}

extension SingleFeature {
    /// Returns the feature as an HTML document.
    ///
    /// - Parameters:
    ///   - table: The values of the feature.
    ///   - site: The server's addresses.
    /// - Returns: The page with the values, the photo and the map.
    func webPage(_ table: FeatureTable, _ site: PageSite) -> WebPage {
        var page = view.page(table.name, table, site)
        page.trail.append(WebPage.Link(text: "Features", href: "\(view.address)/items"))
        page.alternates = [WebPage.Alternate(type: .geoJSON, href: "\(address)?f=json")]
        page.content = table.table(table.name)
        return page
    }

    /// The links of the feature to itself and to its other form.
    func ownLinks(isPage: Bool) -> [(rel: String, href: String, type: MediaType)] {
        isPage
            ? [("self", "\(address)?f=html", .html), ("alternate", "\(address)?f=json", .geoJSON)]
            : [("self", address, .geoJSON), ("alternate", "\(address)?f=html", .html)]
    }
}

extension HabitatServer {
    /// Adds to a view what a response needs in addition to the features: the signer of photo links, and the site of a
    /// page.
    ///
    /// The photos of a page have signed links, because a page cannot send a token.
    func prepare(
        _ view: inout FeatureView, _ request: Request, _ parameters: RequestParameters, isPage: Bool
    ) throws {
        view.photoLinks = try photoLinks(parameters, for: view)
        guard isPage else { return }
        view.site = site(of: request)
        if !view.isPublic, view.collection.hasPhotos {
            view.photoLinks = signer(for: view.caller, at: view.clock)
        }
    }
}

/// The form of a single feature.
enum SingleFeatureForm: String, CaseIterable {
    /// `json` is an alias of `geojson`.
    case geojson, json, html
}
