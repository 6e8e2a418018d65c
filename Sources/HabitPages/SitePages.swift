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

    private func site(_ visit: PageVisit) -> PageSite {
        PageSite(visit, tiles: tiles, attribution: attribution)
    }

    /// Returns the page with the form of the sign-in.
    ///
    /// - Parameters:
    ///   - visit: The person who opens the page, and its address.
    ///   - target: The page to which the sign-in leads.
    ///   - problem: The reason for which a sign-in was refused; `nil` before a sign-in.
    ///   - offersGoogle: Whether the map page offers a sign-in with Google.
    /// - Returns: The page.
    func signIn(
        _ visit: PageVisit,
        leadingTo target: OwnPath,
        problem: Problem?,
        offersGoogle: Bool
    ) -> RenderedWebPage {
        let site = site(visit)
        let page = SignInPage(target: target, problem: problem, offersGoogle: offersGoogle)
        return page.page(site).rendered(site)
    }

    /// Returns a path below the path of the public URL as a path of the origin.
    func path(of target: OwnPath, base: String) -> String {
        let visit = PageVisit(base: base, caller: .nobody, path: target.text)
        return site(visit).root + target.text
    }

    package func page(
        of document: JSON,
        title: String,
        below trail: WebPageTrail,
        for visit: PageVisit
    ) -> RenderedWebPage {
        let site = site(visit)
        let links = WebPage.Link.links(of: trail, base: visit.base)
        return DocumentPage(document, title: title).page(site, trail: links).rendered(site)
    }

    package func page(ofAPI document: JSON, for visit: PageVisit) -> RenderedWebPage {
        let site = site(visit)
        return APIPage(document).page(site).rendered(site)
    }

    package func page(of problem: Problem, for visit: PageVisit) -> RenderedWebPage {
        let site = site(visit)
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
            site: site(view.visit))
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
