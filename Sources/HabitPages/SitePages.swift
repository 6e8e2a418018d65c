import Base
import HTTPServing
import HabitAPI
import Rendering
import StoreEngine

/// The HTML representations of resources, with the settings of their maps.
package struct SitePages: WebPages {
    private let tiles: String?
    private let attribution: String

    /// Creates the pages.
    ///
    /// - Parameters:
    ///   - tiles: The URL template of the maps' tiles, with `{z}`, `{x}` and `{y}`; `nil` shows only the base map.
    ///   - attribution: The attribution of the tiles.
    package init(tiles: String?, attribution: String) {
        self.tiles = tiles
        self.attribution = attribution
    }

    private func site(_ base: String) -> PageSite {
        PageSite(base: base, tiles: tiles, attribution: attribution)
    }

    package func page(
        of document: JSON,
        title: String,
        below trail: WebPageTrail,
        base: String
    ) -> RenderedWebPage {
        let site = site(base)
        let links = WebPage.Link.links(of: trail, base: base)
        return DocumentPage(document, title: title).page(site, trail: links).rendered(site)
    }

    package func page(ofAPI document: JSON, base: String) -> RenderedWebPage {
        let site = site(base)
        return APIPage(document).page(site).rendered(site)
    }

    package func page(of problem: Problem, base: String) -> RenderedWebPage {
        let site = site(base)
        return problem.page(site).rendered(site)
    }

    package func table(
        _ shape: ResultShape,
        _ options: RenderOptions,
        of view: FeatureView
    ) -> any WebPageTable {
        FeatureTable(
            shape,
            options: options,
            view: view,
            site: site(view.base))
    }
}

extension WebPage {
    /// Returns the document and the header fields of its response.
    func rendered(_ site: PageSite) -> RenderedWebPage { RenderedWebPage(html: html(site), headers: headers) }
}

extension WebPage.Link {
    /// Returns the links to the pages above a page.
    ///
    /// - Parameters:
    ///   - trail: The pages above the page.
    ///   - base: The prefix of links.
    /// - Returns: The links, the landing page first.
    static func links(of trail: WebPageTrail, base: String) -> [WebPage.Link] {
        let home = WebPage.Link(text: "Habitat", href: "\(base)/")
        return switch trail {
        case .none: []
        case .home: [home]
        case .collections: [home, WebPage.Link(text: "Collections", href: "\(base)/collections")]
        }
    }
}
