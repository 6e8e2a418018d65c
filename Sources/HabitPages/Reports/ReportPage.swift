import HTTPServing
import HabitAPI
import HabitReport
import Rendering

/// The page of a report: its form, its charts and its table, and the ways to get the same rows elsewhere.
struct ReportPage {
    let form: ReportForm
    /// The charts and the table; `nil` if the report has not run.
    let result: HTML?

    private var report: Report { form.report }

    /// Returns the page.
    func page(_ site: PageSite) -> WebPage {
        let address = ReportAddress(form: form, site: site)
        var page = WebPage(title: report.title)
        page.trail = WebPage.Link.links(of: .home, base: site.base)
        page.trail.append(WebPage.Link(text: PageText.Frame.reports, href: "\(site.base)/reports"))
        page.description = report.description
        page.styles = [StyleSheet.charts.fileName, ReportListPage.style]
        // The lengths of bars and the colors of records are attributes.
        page.hasStyleAttributes = true
        page.content = notice + fieldForm(site) + presets(address)
        if let result {
            page.content += """
                <section aria-labelledby="result">
                <h2 id="result">\(PageText.Report.result)</h2>
                \(result)\(downloads(address))\(command(site))</section>

                """
        }
        return page
    }

    /// The sentence about a value that is missing or refused.
    private var notice: HTML {
        guard let problem = form.problem, let field = problem.field else { return "" }
        let fields = ReportFields(form, site: nil)
        let link: HTML = "<a href=\"#\(fields.firstID(of: field))\">\(isolated: ReportFields.label(field))</a>"
        guard form.lacksValue else {
            return "<p class=\"problem\" role=\"alert\">\(PageText.Report.refused(link))</p>\n"
        }
        return "<p class=\"report-note\" role=\"status\">\(PageText.Report.missing(link))</p>\n"
    }

    private func fieldForm(_ site: PageSite) -> HTML {
        if report.parameters.isEmpty { return "" }
        let fields = ReportFields(form, site: site)
        return """
            <form class="report-form" method="get" action="\(site.root)/reports/\(report.id)">
            \(fields.html)<div class="send"><button type="submit">\(PageText.Report.show)</button>
            <a href="\(site.root)/reports/\(report.id)">\(PageText.Report.clear)</a></div>
            </form>

            """
    }

    private func presets(_ address: ReportAddress) -> HTML {
        let presets = address.presets
        if presets.isEmpty { return "" }
        var items: HTML = ""
        for preset in presets {
            let current: HTML = preset.isCurrent ? " aria-current=\"true\"" : ""
            items += "<li><a href=\"\(preset.href)\"\(current)>\(preset.title)</a></li>\n"
        }
        return """
            <nav class="report-presets" aria-label="\(PageText.Report.period)">
            <ul>
            \(items)</ul>
            </nav>

            """
    }

    private func downloads(_ address: ReportAddress) -> HTML {
        var links: HTML = ""
        for format in OutputFormat.linked where report.formats.contains(format) {
            let href = address.path(format: format)
            links += "<li><a href=\"\(href)\">\(format.title)</a></li>\n"
        }
        if links.text.isEmpty { return "" }
        return """
            <h3 id="all-rows">\(PageText.Report.allRows)</h3>
            <ul class="links" aria-labelledby="all-rows">
            \(links)</ul>

            """
    }

    private func command(_ site: PageSite) -> HTML {
        let command = ReportCommand(form: form, user: site.visit.caller.userID)
        let folder: HTML =
            report.isShipped
            ? "" : "<p class=\"note\">\(PageText.Report.folder("<code>--reports</code>"))</p>\n"
        return """
            <details>
            <summary>\(PageText.Report.command)</summary>
            <pre class="report-command" tabindex="0"><code>\(command.line)</code></pre>
            \(folder)</details>

            """
    }
}

extension Caller {
    /// The ID of the user; `nil` for the operator and for a visitor.
    var userID: String? {
        guard case .viewer(.user(_, let id)) = self else { return nil }
        return id
    }
}
