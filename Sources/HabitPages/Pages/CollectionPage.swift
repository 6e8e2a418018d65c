import Base
import HabitAPI
import HabitModel
import Rendering

/// A collection in plain words: what one finds in it, where and when, and the list in all formats.
struct CollectionPage {
    /// The document of the collection.
    let document: JSON

    /// Returns the page.
    func page(_ site: PageSite) -> WebPage {
        var page = WebPage(title: document.text("title"))
        page.trail = WebPage.Link.links(of: .collections, base: site.base)
        page.description = CollectionWords.sentence(about: document.text("id")) ?? ""
        page.alternates = document.alternates
        page.content = """
            <p>\(isolated: document.text("description"))</p>
            \(facts)\(signIn(site))<section>
            <h2>\(PageText.Document.list)</h2>
            \(DocumentLinks(of: document, site) { relation in relation == "items" }.list)</section>
            <section>
            <h2>\(PageText.Frame.developers)</h2>
            \(DocumentLinks(of: document, site) { relation in relation != "items" }.list)</section>

            """
        return page
    }

    /// Returns the section about the collection on the page of all collections.
    func section(_ site: PageSite) -> HTML {
        let path = site.path(document.ownAddress ?? "")
        let sentence = CollectionWords.sentence(about: document.text("id")) ?? ""
        return """
            <section>
            <h2><a href="\(path)">\(isolated: document.text("title"))</a></h2>
            <p>\(isolated: sentence)</p>
            <p class="note">\(isolated: document.text("description"))</p>
            \(facts)\(DocumentLinks(of: document, site).list)</section>

            """
    }

    // MARK: Facts

    private var facts: HTML {
        var rows: HTML = ""
        func add(_ name: String, _ value: HTML) {
            rows += "<div><dt>\(name)</dt><dd>\(value)</dd></div>\n"
        }
        if let area { add(PageText.Document.area, area) }
        if let time { add(PageText.Document.time, time) }
        let systems = document["crs"].elements.compactMap(\.textValue)
        for system in systems {
            add(PageText.Document.places, PageText.Document.degrees("<code>\(system)</code>"))
        }
        add(PageText.Document.name, "<code>\(document.text("id"))</code>")
        add(PageText.Document.kind, "<code>\(document.text("itemType"))</code>")
        return "<dl class=\"card facts\">\n\(rows)</dl>\n"
    }

    /// The area in words; `nil` for a collection without places that the caller can see.
    private var area: HTML? {
        let box = document["extent"]["spatial"]["bbox"].elements.first?.elements.compactMap(\.numberValue) ?? []
        guard box.count == 4 else { return nil }
        let southWest = Self.place(longitude: box[0], latitude: box[1])
        let northEast = Self.place(longitude: box[2], latitude: box[3])
        return PageText.Document.range(from: southWest, to: northEast)
    }

    private static func place(longitude: Double, latitude: Double) -> HTML {
        let latitude = PageText.Document.latitude(latitude)
        let longitude = PageText.Document.longitude(longitude)
        return "\(latitude), \(longitude)"
    }

    /// The time in words; `nil` for a collection without times that the caller can see.
    private var time: HTML? {
        let ends = document["extent"]["temporal"]["interval"].elements.first?.elements ?? []
        guard ends.count == 2 else { return nil }
        let first = Self.moment(ends[0], otherwise: PageText.Document.beginning)
        let last = Self.moment(ends[1], otherwise: PageText.Document.now)
        return PageText.Document.range(from: first, to: last)
    }

    private static func moment(_ end: JSON, otherwise words: String) -> HTML {
        guard let text = end.textValue else { return "\(words)" }
        guard let instant = OffsetInstant(text)?.instant else { return "\(text)" }
        let date = instant.day(at: .utc).civil
        let month = DateNames.months[date.month - 1]
        return "<time datetime=\"\(text)\">\(date.day) \(month) \(date.year)</time>"
    }

    private func signIn(_ site: PageSite) -> HTML {
        guard site.visit.caller == .nobody else { return "" }
        return "<p>\(PageText.Document.ownRecords(DocumentLinks.signIn(site)))</p>\n"
    }
}

/// The collections that a caller can read, in plain words.
struct CollectionsPage {
    /// The document of the collections.
    let document: JSON

    /// Returns the page.
    func page(_ site: PageSite) -> WebPage {
        var page = WebPage(title: PageText.Frame.collections)
        page.trail = WebPage.Link.links(of: .home, base: site.base)
        page.description = PageText.Document.collectionsAbout
        page.alternates = document.alternates
        page.content = "<p>\(isolated: document.text("description"))</p>\n"
        if site.visit.caller == .nobody {
            page.content += "<p>\(PageText.Document.allCollections(DocumentLinks.signIn(site)))</p>\n"
        }
        for collection in document["collections"].elements {
            page.content += CollectionPage(document: collection).section(site)
        }
        return page
    }
}

extension JSON {
    /// The link of the page of a document to the document.
    fileprivate var alternates: [WebPage.Alternate] {
        guard let ownAddress else { return [] }
        return [WebPage.Alternate(type: .json, href: "\(ownAddress)?f=json")]
    }

    /// The number, or `nil` if the value is not a number.
    fileprivate var numberValue: Double? {
        switch self {
        case .number(let number): number
        case .integer(let number): Double(number)
        default: nil
        }
    }
}
