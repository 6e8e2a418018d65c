import Base
import HTTPServing
import HabitAPI
import Rendering
import StoreEngine

/// The HTML representations of resources.
package struct SitePages: WebPages {
    /// The parts that the server shows.
    private let sections: Sections

    /// Creates the pages.
    ///
    /// - Parameter sections: The parts that the server shows.
    package init(sections: Sections = .all) {
        self.sections = sections
    }

    private func site(_ visit: PageVisit) -> PageSite { PageSite(visit, sections: sections) }

    /// Returns a page of a visit.
    ///
    /// - Parameters:
    ///   - visit: The person who opens the page, and its address.
    ///   - make: Returns the page with the addresses of the server.
    /// - Returns: The document and the header fields of its response.
    func page(_ visit: PageVisit, _ make: (PageSite) -> WebPage) -> RenderedWebPage {
        let site = site(visit)
        return make(site).rendered(site)
    }

    /// Returns a path below the path of the public URL as a path of the origin.
    func path(of target: OwnPath, base: String) -> String {
        let visit = PageVisit(base: base, caller: .nobody, path: target.text)
        return site(visit).root + target.text
    }

    package func page(of document: WebPageDocument, for visit: PageVisit) -> RenderedWebPage {
        page(visit) { site in
            switch document {
            case .landing(let json): LandingPage(document: json).page(site)
            case .conformance(let json): ConformancePage(document: json).page(site)
            case .api(let json): APIPage(json).page(site)
            case .collections(let json): CollectionsPage(document: json).page(site)
            case .collection(let json): CollectionPage(document: json).page(site)
            case .schema(let json): SchemaPage(schema: json, subject: .fields).page(site)
            case .queryables(let json): SchemaPage(schema: json, subject: .conditions).page(site)
            }
        }
    }

    package func page(of problem: Problem, for visit: PageVisit) -> RenderedWebPage {
        let site = site(visit)
        return problem.page(site).rendered(site)
    }

    package func page(of list: ReportList, for visit: PageVisit) -> RenderedWebPage {
        page(visit) { site in ReportListPage(list: list).page(site) }
    }

    package func page(of form: ReportForm, result: HTML?, for visit: PageVisit) -> RenderedWebPage {
        page(visit) { site in ReportPage(form: form, result: result).page(site) }
    }

    package func table(
        _ shape: ResultShape,
        _ options: RenderOptions,
        of view: FeatureView,
        names: RecordNames
    ) -> any WebPageTable {
        FeatureTable(
            shape,
            options: options,
            isPublic: view.isPublic,
            names: names,
            site: site(view.visit)
        ) { record in
            "\(view.address)/items/\(record.id.urlEncoded)"
        }
    }

    package func table(
        _ shape: ResultShape,
        near list: NearPage,
        names: RecordNames
    ) -> any WebPageTable {
        FeatureTable(
            shape,
            options: list.renderOptions,
            isPublic: false,
            names: names,
            site: site(list.visit)
        ) { record in
            list.address(of: record.id, kind: record.text("kind"))
        }
    }

    package func inbox(
        _ shape: ResultShape,
        names: RecordNames,
        for visit: PageVisit
    ) -> any WebPageInbox {
        InboxList(shape, names: names, site: site(visit))
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
        case .collections: [home, WebPage.Link(text: PageText.Frame.collections, href: "\(base)/collections")]
        }
    }
}
