import Base
import HTTPServing
import HabitAPI
import HabitModel
import Rendering

extension FeatureView {
    /// The layer of the map page whose symbols the features have.
    fileprivate var layer: String {
        switch collection.object {
        case .item: "items"
        case .post: "posts"
        default: "mine"
        }
    }
}

extension FeatureTable {
    func page(of list: FeaturePage, next: String?) -> RenderedWebPage {
        let collection = list.view.collection
        var page = page(collection.title, of: list.view)
        page.crumb = "Features"
        page.description = collection.description
        page.alternates = list.alternates.map { alternate in
            WebPage.Alternate(type: alternate.type, href: alternate.href)
        }
        page.content = table(collection.title)
        page.content += counts
        page.content += Self.links(of: list, next: next, site)
        return page.rendered(site)
    }

    func page(of feature: SingleFeature) -> RenderedWebPage {
        var page = page(name, of: feature.view)
        let list = WebPage.Link(text: "Features", href: "\(feature.view.address)/items")
        page.trail.append(list)
        let document = WebPage.Alternate(type: .geoJSON, href: "\(feature.address)?f=json")
        page.alternates = [document]
        page.content = table(name)
        return page.rendered(site)
    }

    /// Returns the page of features without its content and its alternates.
    private func page(_ title: String, of view: FeatureView) -> WebPage {
        var page = WebPage(title: title)
        page.trail = WebPage.Link.links(of: .collections, base: view.base)
        let collection = WebPage.Link(text: view.collection.title, href: view.address)
        page.trail.append(collection)
        page.map = map(layer: view.layer, site)
        page.hasSignedLinks = view.photoLinks != nil
        return page
    }

    /// Returns the list of the links to other pages of a list; empty for a list with one page.
    private static func links(
        of list: FeaturePage,
        next: String?,
        _ site: PageSite
    ) -> HTML {
        var items: HTML = ""
        func add(_ text: String, relation: String, to href: String) {
            let path = site.path(href)
            items += "<li><a rel=\"\(relation)\" href=\"\(path)\">\(text)</a></li>\n"
        }
        if let first = list.firstPage {
            add("First page", relation: "first", to: first)
        }
        if let next {
            add("Next page", relation: "next", to: next)
        }
        if items.text.isEmpty { return "" }
        return "<ul class=\"links\">\n\(items)</ul>\n"
    }
}
