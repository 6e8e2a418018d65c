import StoreEngine

/// Several results on one HTML page, one after the other: a heading, links to the sections, the sections.
///
/// ```swift
/// let page = HTMLPage(title: "Night", subtitle: "2026-11-20", sections: [.init("Streaks", "streaks")], into: buffer)
/// try page.begin()
/// var rows = page.section("streaks", shape, options)   // a Renderer: begin(), append(_:) …, end()
/// try page.end()
/// ```
public struct HTMLPage {
    private let title: String
    private let subtitle: String
    private let sections: [RenderOptions.Page.Entry]
    private let output: OutputBuffer

    /// - Parameter sections: the title and the id of each section that will follow.
    public init(
        title: String, subtitle: String, sections: [RenderOptions.Page.Entry] = [], into output: OutputBuffer
    ) {
        self.title = title
        self.subtitle = subtitle
        self.sections = sections
        self.output = output
    }

    /// - Throws: as `OutputBuffer.flush()`; so does `end()`.
    public func begin() throws {
        output.append(HTMLDocument.head(title: title, description: subtitle))
        output.append("<header>\n<h1>\(isolated: title)</h1>\n" as HTML)
        if !subtitle.isEmpty { output.append("<p class=\"about\">\(isolated: subtitle)</p>\n" as HTML) }
        if !sections.isEmpty {
            output.append(literal: "<nav aria-label=\"Sections\"><ul>\n")
            for section in sections {
                output.append("<li><a href=\"#\(section.value)\">\(isolated: section.name)</a></li>\n" as HTML)
            }
            output.append(literal: "</ul></nav>\n")
        }
        output.append(literal: "</header>\n<main>\n")
        try output.flushIfFull()
    }

    /// The renderer of one section, whose title, description, charts and links are those of `options.page`.
    ///
    /// It is to end before the next one begins. Its table is folded where it is long.
    ///
    /// - Parameter id: the section's anchor, alone on the page.
    public func section(_ id: String, _ shape: ResultShape, _ options: RenderOptions) -> HTMLRenderer {
        HTMLRenderer(shape, options, output, section: id)
    }

    public func end() throws {
        output.append(literal: "</main>\n")
        output.append(HTMLDocument.foot)
        try output.flushIfFull()
    }
}
