import StoreEngine

/// An HTML page with several results: a heading, links to the sections, and the sections.
///
/// ```swift
/// let page = HTMLPage(title: "Habits", subtitle: "2026-11-20", sections: [.init("Streaks", "streaks")], into: buffer)
/// try page.begin()
/// var rows = page.section("streaks", of: shape, options: options)   // a Renderer: begin(), append(_:) …, end()
/// try page.end()
/// ```
public struct HTMLPage {
    private let title: String
    private let subtitle: String
    private let sections: [RenderOptions.PageContent.Entry]
    private let output: OutputBuffer
    /// The links above the heading: the text and the target of each link.
    package var navigation: [RenderOptions.PageContent.Entry] = []
    /// The only script of the page, or `nil` if the page has no script.
    ///
    /// It is a constant of the program and contains no user-supplied text.
    package var script: StaticString?

    /// Creates a page.
    ///
    /// - Parameters:
    ///   - title: The heading of the page.
    ///   - subtitle: The paragraph below the heading. It may be empty.
    ///   - sections: The title and the ID of each section that follows.
    ///   - output: The buffer to which the page is appended.
    public init(
        title: String, subtitle: String, sections: [RenderOptions.PageContent.Entry] = [], into output: OutputBuffer
    ) {
        self.title = title
        self.subtitle = subtitle
        self.sections = sections
        self.output = output
    }

    private var frame: PageFrame {
        var frame = PageFrame(title: title, style: .inlined)
        frame.summary = subtitle
        frame.script = script
        return frame
    }

    /// Appends the head of the document, the heading and the links to the sections.
    ///
    /// - Throws: An error of `OutputBuffer.flush()`.
    public func begin() throws {
        output.append(frame.opening)
        output.append(literal: "<header>\n")
        if !navigation.isEmpty {
            var links: HTML = ""
            for link in navigation {
                links += "<a href=\"\(link.value)\">\(isolated: link.name)</a>\n"
            }
            output.append("<nav class=\"pages\" aria-label=\"\(HTMLText.Table.pages)\">\n\(links)</nav>\n" as HTML)
        }
        output.append("<h1>\(HTML.withUnbrokenDates(title))</h1>\n" as HTML)
        if !subtitle.isEmpty { output.append("<p class=\"about\">\(isolated: subtitle)</p>\n" as HTML) }
        if !sections.isEmpty {
            output.append("<nav aria-label=\"\(HTMLText.Table.sections)\"><ul>\n" as HTML)
            for section in sections {
                output.append("<li><a href=\"#\(section.value)\">\(isolated: section.name)</a></li>\n" as HTML)
            }
            output.append(literal: "</ul></nav>\n")
        }
        output.append(literal: "</header>\n<main>\n")
        try output.flushIfFull()
    }

    /// Appends markup between the sections.
    ///
    /// - Parameter html: The markup.
    package func append(_ html: HTML) { output.append(html) }

    /// Returns the renderer of one section.
    ///
    /// The title, the description, the charts and the links are in `options.page`. The caller must end the renderer
    /// before it begins the next one. The viewer can fold the section. A long table is folded.
    ///
    /// - Parameters:
    ///   - id: The anchor of the section, which must be unique on the page.
    ///   - shape: The columns of the rows.
    ///   - options: The options of the output.
    /// - Returns: A renderer that appends to the buffer of the page.
    public func section(_ id: String, of shape: ResultShape, options: RenderOptions) -> HTMLRenderer {
        HTMLRenderer(section: id, of: shape, options: options, into: output)
    }

    /// Appends the end of the document.
    ///
    /// - Throws: An error of `OutputBuffer.flush()`.
    public func end() throws {
        output.append(literal: "</main>\n")
        output.append(frame.closing)
        try output.flushIfFull()
    }
}

extension HTML {
    /// Returns a text in which a line break never splits a date.
    package static func withUnbrokenDates(_ text: String) -> HTML {
        let markup: HTML = "\(isolated: text)"
        let unbroken = markup.text.replacing(/\d{4}-\d\d-\d\d/) { date in
            "<time>\(date.output)</time>"
        }
        return HTML(stringLiteral: unbroken)
    }
}
