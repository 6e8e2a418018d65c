import HTTPServing
import HabitAPI
import HabitReport
import Rendering

/// The page of the reports: cards in groups, and a search field.
struct ReportListPage {
    /// The style sheet of the pages of reports.
    static let style = "report-page.css"

    let list: ReportList

    /// Returns the page.
    func page(_ site: PageSite) -> WebPage {
        var page = WebPage(title: PageText.Frame.reports)
        page.trail = WebPage.Link.links(of: .home, base: site.base)
        page.description = PageText.Report.about
        page.styles = [Self.style]
        page.alternates = [WebPage.Alternate(type: .json, href: "\(site.base)/reports?f=json")]
        page.content = searchForm(site) + result(site)
        if list.hasNights {
            let path = site.root + NightlyRoutes.path
            page.content += "<p><a class=\"button\" href=\"\(path)\">\(PageText.Report.nights)</a></p>\n"
        }
        for section in list.sections {
            page.content += Self.markup(of: section, site)
        }
        return page
    }

    private func searchForm(_ site: PageSite) -> HTML {
        """
        <form class="report-search" role="search" method="get" action="\(site.root)/reports">
        <label for="q">\(PageText.Report.searchField)</label>
        <input id="q" name="q" type="search" maxlength="100" value="\(list.search)">
        <button type="submit">\(PageText.Report.search)</button>
        </form>

        """
    }

    /// The number of reports of a search; empty without a search.
    private func result(_ site: PageSite) -> HTML {
        if list.search.isEmpty { return "" }
        let count = list.sections.reduce(0) { sum, section in sum + section.reports.count }
        let all: HTML = "<a href=\"\(site.root)/reports\">\(PageText.Report.all)</a>"
        if count == 0 {
            return """
                <p class="empty" role="status">\(PageText.Report.noneContains(list.search)) \(all)</p>

                """
        }
        return "<p class=\"count\" role=\"status\">\(PageText.Report.contain(count)) \(all)</p>\n"
    }

    private static func markup(of section: ReportList.Section, _ site: PageSite) -> HTML {
        var cards: HTML = ""
        for report in section.reports {
            cards += card(of: report, site)
        }
        let id = "group-\(section.group.rawValue)"
        return """
            <section aria-labelledby="\(id)">
            <h2 id="\(id)">\(section.group.title)</h2>
            <ul class="report-cards">
            \(cards)</ul>
            </section>

            """
    }

    private static func card(of report: Report, _ site: PageSite) -> HTML {
        """
        <li>\(ChartPicture(report).svg)
        <h3><a href="\(site.root)/reports/\(report.id)">\(isolated: report.title)</a></h3>
        <p>\(isolated: report.firstSentence)</p></li>

        """
    }
}

extension Report {
    /// The first sentence of the description.
    var firstSentence: String {
        guard let end = description.firstRange(of: ". ") else { return description }
        return description[..<end.lowerBound] + "."
    }
}
