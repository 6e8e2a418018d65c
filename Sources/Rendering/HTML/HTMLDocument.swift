import Base
import Foundation

/// The parts of a page around its rows.
///
/// A page is one file without network resources. Its style sheet is in the head.
enum HTMLDocument {
    /// Returns the page up to its heading.
    ///
    /// The content security policy permits only the style sheet and `script`.
    static func head(title: String, description: String, script: String? = nil) -> HTML {
        let summary: HTML =
            description.isEmpty ? "" : "<meta name=\"description\" content=\"\(description)\">\n"
        let scripts = script.map { "; script-src 'sha256-\(Data($0.utf8.sha256).base64EncodedString())'" } ?? ""
        return """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'\(HTML(stringLiteral: scripts))">
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

    /// The style sheet of this package.
    ///
    /// It contains no text that ends the `style` element.
    private static let style = HTML(stringLiteral: String(decoding: PackageResources.page_css, as: UTF8.self))

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
