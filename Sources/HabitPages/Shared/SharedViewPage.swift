import Base
import Geo
import HTTPServing
import HTTPTypes
import HabitAPI
import HabitModel
import Rendering

/// The page of a shared view: a map without a script, and lists of the newest records.
struct SharedViewPage: Sendable {
    let content: SharedViewContent
    let site: PageSite

    // MARK: Documents

    /// The document for people, in UTF-8.
    var html: [UInt8] {
        var body: HTML = """
            <h1>\(PageText.Shared.title)</h1>
            <p class="about">\(PageText.Shared.about) \(rounded)</p>
            \(map)
            """
        for layer in content.layers { body += section(of: layer) }
        body += data
        return document(body)
    }

    /// The document for a frame of another site, in UTF-8.
    var embeddedHTML: [UInt8] {
        document(
            """
            <h1>\(PageText.Shared.title)</h1>
            \(map)<p class="note">\(rounded) \
            <a href="\(site.path(content.addresses.page))" target="_blank" rel="noopener noreferrer">\(PageText.Shared.open)</a></p>

            """)
    }

    /// The sentence on the rounding of the positions.
    private var rounded: String { PageText.Shared.rounded(to: content.rounding) }

    private func document(_ body: HTML) -> [UInt8] {
        let styles = StyleSheet.ofPages(and: [StyleSheet.charts.fileName, "records.css"], in: site)
        var frame = PageFrame(title: PageText.Shared.title, style: .linked(styles))
        frame.links = "<meta name=\"robots\" content=\"noindex, nofollow\">\n"
        let page: HTML = "\(frame.opening)<main id=\"content\">\n\(body)</main>\n\(frame.closing)"
        return Array(page.text.utf8)
    }

    /// Returns the header fields of the page.
    ///
    /// - Parameter framers: The pages that may show the page in a frame.
    /// - Returns: The header fields.
    static func headers(framedBy framers: String) -> HTTPFields {
        let policy = ContentPolicy.text(["style-src 'self'", "img-src 'self' data:"], framedBy: framers)
        var headers = ContentPolicy.headers(policy)
        headers[.referrerPolicy] = "no-referrer"
        return headers
    }

    // MARK: Parts

    /// The map of the rounded positions, each once; empty if no record has a position.
    private var map: HTML {
        var map = StaticMap()
        var known: Set<Position> = []
        for record in content.layers.flatMap(\.records) {
            guard let position = record.position, known.insert(position).inserted else { continue }
            map.add(position, status: record.status)
        }
        guard let figure = map.figure else { return "<p class=\"empty\">\(PageText.Shared.noPositions)</p>\n" }
        return "<div class=\"charts\">\n\(figure)</div>\n"
    }

    private func section(of layer: SharedViewContent.Layer) -> HTML {
        let title = PageText.Shared.name(of: layer.kind)
        let count = PageText.Shared.count(
            layer.count,
            shown: layer.records.count,
            isIncomplete: layer.isIncomplete)
        var items: HTML = ""
        for record in layer.records { items += item(record) }
        let list: HTML = items.text.isEmpty ? "" : "<ul class=\"entries\">\n\(items)</ul>\n"
        return """
            <section id="\(layer.kind.rawValue)">
            <h2>\(title)</h2>
            <p class="count">\(count)</p>
            \(list)</section>

            """
    }

    private func item(_ record: SharedViewContent.Record) -> HTML {
        let title = record.title ?? PageText.Shared.untitled
        var note: HTML = ""
        for text in record.notes {
            note += note.text.isEmpty ? "\(isolated: text)" : " · \(isolated: text)"
        }
        return "<li><div><strong>\(isolated: title)</strong>\n<p class=\"note\">\(note)</p></div></li>\n"
    }

    /// The links to the files of the view.
    private var data: HTML {
        let files = content.layers.flatMap(\.files) + ["tiles.json", "style.json"]
        var items: HTML = ""
        for file in files {
            items += "<li><a href=\"\(site.path(content.addresses.file(file)))\">\(file)</a></li>\n"
        }
        return """
            <section id="data">
            <h2>\(PageText.Shared.data)</h2>
            <ul class="files">
            \(items)</ul>
            </section>

            """
    }
}
