/// The parts of a page around its rows. A page is one file: no script, nothing from the network, the style in its head.
enum HTMLDocument {
    /// The page up to its heading. The policy lets a browser load and run nothing but the style.
    static func head(title: String, description: String) -> HTML {
        let summary: HTML =
            description.isEmpty ? "" : "<meta name=\"description\" content=\"\(description)\">\n"
        return """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">
            \(summary)<title>\(title)</title>
            <style>
            \(style)</style>
            </head>
            <body>

            """
    }

    static let foot: HTML = "</body>\n</html>\n"

    /// Our own file, without anything that would end the element.
    private static let style = HTML(stringLiteral: String(decoding: PackageResources.page_css, as: UTF8.self))

    /// What stands between a heading and the charts: description, parameters, links.
    static func introduction(_ page: RenderOptions.Page) -> HTML {
        var html: HTML = ""
        if !page.description.isEmpty { html += "<p class=\"about\">\(isolated: page.description)</p>\n" }
        if !page.parameters.isEmpty { html += "<dl class=\"parameters\">\n\(entries(page.parameters))</dl>\n" }
        let links = page.links.filter { isRelative($0.value) }
        if !links.isEmpty {
            let items = links.reduce("" as HTML) { $0 + " <a href=\"\($1.value)\">\(isolated: $1.name)</a>" }
            html += "<p class=\"links\">Also as:\(items)</p>\n"
        }
        return html
    }

    /// What the columns mean, for who wants to know.
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

    /// A link leads to a file beside the page, never elsewhere.
    private static func isRelative(_ path: String) -> Bool {
        !path.isEmpty && !path.hasPrefix("/") && !path.contains(":") && !path.contains("\\")
    }
}
