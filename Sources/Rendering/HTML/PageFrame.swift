import Base
import Foundation

/// The frame of every page: the HTML document around its content.
///
/// ```swift
/// let frame = PageFrame(title: "Habits", style: .inlined)
/// output.append(frame.opening)
/// output.append("<main>…</main>" as HTML)
/// output.append(frame.closing)
/// ```
package struct PageFrame: Sendable {
    /// The location of the style sheets of a page.
    package enum Style: Sendable {
        /// In the document.
        ///
        /// The page is one file without network resources. Its own content security policy permits only the style sheets
        /// and its script.
        case inlined
        /// In files with the given addresses.
        ///
        /// The response of the server has the content security policy.
        case linked([String])
    }

    private let title: String
    private let style: Style
    /// The summary of the page for search engines.
    ///
    /// It may be empty.
    package var summary = ""
    /// The only script of a page with inlined style sheets, or `nil` if the page has no script.
    ///
    /// It is a constant of the program and contains no user-supplied text.
    package var script: StaticString?
    /// Further elements of the head, such as links to other formats of the page.
    package var links: HTML = ""

    /// Creates the frame of a page.
    ///
    /// - Parameters:
    ///   - title: The title of the document.
    ///   - style: The location of its style sheets.
    package init(title: String, style: Style) {
        self.title = title
        self.style = style
    }

    /// The document up to the beginning of its body.
    package var opening: HTML {
        let about: HTML = summary.isEmpty ? "" : "<meta name=\"description\" content=\"\(summary)\">\n"
        return """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            \(policy)<meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">
            \(about)<title>\(title)</title>
            \(styles)\(links)</head>
            <body>

            """
    }

    /// The end of the body and of the document.
    package var closing: HTML {
        let script = script.map { script -> HTML in
            "<script>\(HTML(stringLiteral: script.description))</script>\n"
        }
        return "\(script ?? "")</body>\n</html>\n"
    }

    /// The content security policy of a page without network resources.
    private var policy: HTML {
        guard case .inlined = style else { return "" }
        var sources = "default-src 'none'; style-src 'unsafe-inline'"
        if let script {
            sources += "; script-src \(Self.source(of: script))"
        }
        return "<meta http-equiv=\"Content-Security-Policy\" content=\"\(HTML(stringLiteral: sources))\">\n"
    }

    /// Returns the source of a script in a content security policy: its digest.
    ///
    /// - Parameter script: The script.
    /// - Returns: The source in single quotes.
    package static func source(of script: StaticString) -> String {
        let digest = Data(script.description.utf8.sha256).base64EncodedString()
        return "'sha256-\(digest)'"
    }

    private var styles: HTML {
        switch style {
        case .inlined:
            return Self.inlinedStyles
        case .linked(let addresses):
            var links: HTML = ""
            for address in addresses {
                links += "<link rel=\"stylesheet\" href=\"\(address)\">\n"
            }
            return links
        }
    }

    private static let inlinedStyles: HTML = {
        let sheets = StyleSheet.allCases.map(\.text).joined()
        return "<style>\n\(HTML(stringLiteral: sheets))</style>\n"
    }()
}
