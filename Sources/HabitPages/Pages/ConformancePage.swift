import Base
import HabitAPI
import Rendering

/// The standards that the server follows, with the conformance classes of each.
struct ConformancePage {
    /// The document of the conformance classes.
    let document: JSON

    /// A standard, with the part of the addresses of its classes that names it.
    private struct Standard {
        let keys: [String]
        let title: String
        let sentence: String

        /// Whether a conformance class belongs to the standard.
        func contains(_ address: String) -> Bool {
            keys.contains { key in address.contains("/spec/\(key)/") }
        }
    }

    private static let standards = [
        Standard(
            keys: ["ogcapi-features-1"],
            title: PageText.Document.core,
            sentence: PageText.Document.coreAbout),
        Standard(
            keys: ["ogcapi-features-3"],
            title: PageText.Document.filtering,
            sentence: PageText.Document.filteringAbout),
        Standard(
            keys: ["ogcapi-common-3", "ogcapi-features-5"],
            title: PageText.Document.schemas,
            sentence: PageText.Document.schemasAbout),
        Standard(
            keys: ["cql2"],
            title: PageText.Document.cql2,
            sentence: PageText.Document.cql2About),
        Standard(
            keys: ["ogcapi-tiles-1"],
            title: PageText.Document.tiles,
            sentence: PageText.Document.tilesAbout),
        Standard(
            keys: ["tms"],
            title: PageText.Document.tileMatrixSet,
            sentence: PageText.Document.tileMatrixSetAbout),
    ]

    /// Returns the page.
    func page(_ site: PageSite) -> WebPage {
        var page = WebPage(title: PageText.Document.standards)
        page.trail = WebPage.Link.links(of: .home, base: site.base)
        page.description = PageText.Document.standardsAbout
        page.alternates = [WebPage.Alternate(type: .json, href: "\(site.base)/conformance?f=json")]
        let addresses = document["conformsTo"].elements.compactMap(\.textValue)
        for standard in Self.standards {
            let own = addresses.filter(standard.contains)
            page.content += Self.section(standard.title, sentence: standard.sentence, classes: own)
        }
        let others = addresses.filter { address in
            !Self.standards.contains { standard in standard.contains(address) }
        }
        page.content += Self.section(PageText.Document.otherStandards, sentence: "", classes: others)
        return page
    }

    /// Returns the section of a standard; empty without classes.
    private static func section(_ title: String, sentence: String, classes addresses: [String]) -> HTML {
        guard !addresses.isEmpty else { return "" }
        let items = addresses.reduce("" as HTML) { items, address in
            items + "<li><code>\(address)</code></li>\n"
        }
        return """
            <section>
            <h2>\(isolated: title)</h2>
            <p>\(isolated: sentence)</p>
            <ul class="classes">
            \(items)</ul>
            </section>

            """
    }
}
