/// The parts of a page between its heading and its rows.
enum HTMLDocument {
    /// Returns the description, the parameters and the links between the heading and the charts.
    static func introduction(_ page: RenderOptions.Page) -> HTML {
        var html: HTML = ""
        if !page.description.isEmpty { html += "<p class=\"about\">\(isolated: page.description)</p>\n" }
        if !page.parameters.isEmpty { html += "<dl class=\"parameters\">\n\(entries(page.parameters))</dl>\n" }
        let links = page.links.filter { isRelative($0.value) }
        if !links.isEmpty {
            let items = links.reduce("" as HTML) { $0 + " <a href=\"\($1.value)\">\(isolated: $1.name)</a>" }
            html += "<p class=\"links\">Also as:\(items)</p>\n"
        }
        if let next = page.next, isRelative(next) {
            html += "<p class=\"links\"><a rel=\"next\" href=\"\(next)\">Next page</a></p>\n"
        }
        return html
    }

    /// Returns a folded list of the columns and their meanings.
    static func meanings(_ columns: [RenderOptions.Page.Entry]) -> HTML {
        if columns.isEmpty { return "" }
        return """
            <details class="meanings"><summary>What the columns mean</summary>
            <dl>
            \(entries(columns))</dl>
            </details>

            """
    }

    private static func entries(_ entries: [RenderOptions.Page.Entry]) -> HTML {
        entries.reduce("") { $0 + "<div><dt>\(isolated: $1.name)</dt><dd>\(isolated: $1.value)</dd></div>\n" }
    }

    /// Whether a link is a relative path.
    ///
    /// Other links are omitted, so that a page never refers to another site.
    private static func isRelative(_ path: String) -> Bool {
        !path.isEmpty && !path.hasPrefix("/") && !path.contains(":") && !path.contains("\\")
    }
}
