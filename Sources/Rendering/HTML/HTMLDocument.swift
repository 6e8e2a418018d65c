/// The parts of a page between its heading and its rows.
enum HTMLDocument {
    /// Returns the description, the parameters and the links between the heading and the charts.
    static func introduction(_ page: RenderOptions.PageContent) -> HTML {
        var html: HTML = ""
        if !page.description.isEmpty {
            html += "<p class=\"about\">\(isolated: page.description)</p>\n"
        }
        if !page.parameters.isEmpty {
            html += "<dl class=\"parameters\">\n\(entries(page.parameters))</dl>\n"
        }
        let links = page.links.filter { isRelative($0.value) }
        if !links.isEmpty {
            html += "<p class=\"links\">\(HTMLText.Table.formats)\(items(links))</p>\n"
        }
        return html
    }

    /// Returns a folded list of the columns and their meanings.
    static func meanings(_ columns: [RenderOptions.PageContent.Entry]) -> HTML {
        if columns.isEmpty { return "" }
        return """
            <details class="meanings"><summary>\(HTMLText.Table.meanings)</summary>
            <dl>
            \(entries(columns))</dl>
            </details>

            """
    }

    private static func entries(_ entries: [RenderOptions.PageContent.Entry]) -> HTML {
        var html: HTML = ""
        for entry in entries {
            html += "<div><dt>\(isolated: entry.name)</dt><dd>\(isolated: entry.value)</dd></div>\n"
        }
        return html
    }

    private static func items(_ links: [RenderOptions.PageContent.Entry]) -> HTML {
        var html: HTML = ""
        for link in links {
            html += " <a href=\"\(link.value)\">\(isolated: link.name)</a>"
        }
        return html
    }

    /// Whether a link is a relative path.
    ///
    /// Other links are omitted, so that a page never refers to another site.
    private static func isRelative(_ path: String) -> Bool {
        if path.isEmpty || path.hasPrefix("/") { return false }
        return !path.contains(":") && !path.contains("\\")
    }
}
