import Base
import HTTPServing
import HabitAPI
import HabitModel
import Rendering

extension FeatureTable {
    func page(of list: FeaturePage, next: String?) -> RenderedWebPage {
        let collection = list.view.collection
        var page = page(collection.title, of: list.view)
        page.description = collection.description
        page.alternates = Self.alternates(of: list.requested)
        page.alternates.append(WebPage.Alternate(type: .parquet, href: list.requested.file))
        page.content = content(
            of: list.requested,
            titled: collection.title,
            ifEmpty: EmptyList(list.requested, collection: collection.id),
            next: next)
        page.content += DataSnippets(of: list).html(site)
        return page.rendered(site)
    }

    func page(of list: NearPage, next: String?) -> RenderedWebPage {
        var page = WebPage(title: PageText.Near.title)
        page.trail = WebPage.Link.links(of: .home, base: site.base)
        page.description = PageText.Near.about
        page.styles = styles
        page.alternates = Self.alternates(of: list.requested)
        page.content = Self.circle(of: list)
        page.content += content(
            of: list.requested,
            titled: page.title,
            ifEmpty: EmptyList(list.requested, collection: nil),
            next: next)
        page.content += DataSnippets(of: list).html(site)
        return page.rendered(site)
    }

    /// Returns the sentence about the position and the distance.
    private static func circle(of list: NearPage) -> HTML {
        let center = HTML.coordinates(of: list.center)
        guard let distance = list.distance else {
            return "<p class=\"count\">\(PageText.Near.nearest(to: center))</p>\n"
        }
        let meters = distance.meters
        let radius: HTML = meters < 1000 ? "\(meters)\u{202F}m" : "\(meters / 1000)\u{202F}km"
        let circle = PageText.Near.circle(around: center, within: radius)
        return "<p class=\"count\">\(circle)</p>\n"
    }

    private static func alternates(of list: ListRequest) -> [WebPage.Alternate] {
        list.alternates.map { alternate in
            WebPage.Alternate(type: alternate.type, href: alternate.href)
        }
    }

    /// Returns the conditions of a list, the table, the links to other pages of the list and the map.
    ///
    /// - Parameters:
    ///   - list: The list.
    ///   - title: The caption of the table.
    ///   - empty: The words if the list has no records.
    ///   - next: The URL of the next page; `nil` if no record follows.
    /// - Returns: The content.
    private func content(
        of list: ListRequest,
        titled title: String,
        ifEmpty empty: EmptyList,
        next: String?
    ) -> HTML {
        var content = filters(of: list)
        if records.isEmpty {
            content += empty.html(site)
        } else {
            content += counts
            content += table(title)
        }
        content += Self.links(of: list, next: next, site)
        content += mapFigure
        return content
    }

    func page(of feature: SingleFeature) -> RenderedWebPage {
        let record = records.first
        let name = record?.title ?? feature.id
        var page = page(name, of: feature.view)
        let list = WebPage.Link(text: feature.view.collection.title, href: "\(feature.view.address)/items")
        page.trail.append(list)
        let document = WebPage.Alternate(type: .geoJSON, href: "\(feature.address)?f=json")
        page.alternates = [document]
        if let record, let markup {
            page.content = RecordDetails(of: record, shape, named: name, markup).html
        }
        page.content += mapFigure
        page.content += DataSnippets(of: feature).html(site)
        return page.rendered(site)
    }

    /// Returns the page of features without its content and its alternates.
    private func page(_ title: String, of view: FeatureView) -> WebPage {
        var page = WebPage(title: title)
        page.trail = WebPage.Link.links(of: .collections, base: view.base)
        page.styles = styles
        return page
    }

    private var styles: [String] {
        let ofRecords = ["records.css"]
        return map.count > 0 ? [StyleSheet.charts.fileName] + ofRecords : ofRecords
    }

    /// Returns the conditions of a list, each with a link that removes it; empty without conditions.
    private func filters(of list: ListRequest) -> HTML {
        let filters = list.filters
        if filters.isEmpty { return "" }
        var items: HTML = ""
        for filter in filters {
            let text = "\(filter.name.replacing("-", with: " ")): \(value(of: filter))"
            items += """
                <li><span>\(isolated: text)</span> \
                <a href="\(site.path(filter.removal))" aria-label="\(PageText.Record.removal(of: text))">\(PageText.Record.remove)</a></li>

                """
        }
        return "<ul class=\"chips\" aria-label=\"\(PageText.Record.filters)\">\n\(items)</ul>\n"
    }

    /// Returns the value of a condition, with the name of a user if a feature of the page shows it.
    private func value(of filter: ListFilter) -> String {
        guard filter.name == "user", let markup else { return filter.value }
        return markup.names.user(filter.value)
    }

    /// The number of features, and how many of them the map cannot show.
    private var counts: HTML {
        let missing = rowCount - map.count
        var text: HTML = "<p class=\"count\">\(PageText.Record.count(rowCount))</p>\n"
        if map.count > 0, missing > 0 {
            text += "<p class=\"count\">\(PageText.Record.missing(missing))</p>\n"
        }
        return text
    }

    /// Returns the list of the links to other pages of a list; empty for a list with one page.
    private static func links(
        of list: ListRequest,
        next: String?,
        _ site: PageSite
    ) -> HTML {
        var items: HTML = ""
        func add(_ text: String, relation: String, to href: String) {
            let path = site.path(href)
            items += "<li><a rel=\"\(relation)\" href=\"\(path)\">\(text)</a></li>\n"
        }
        if let first = list.firstPage {
            add(PageText.Record.first, relation: "first", to: first)
        }
        if let next {
            add(PageText.Record.next, relation: "next", to: next)
        }
        if items.text.isEmpty { return "" }
        return "<nav aria-label=\"\(PageText.Record.pages)\">\n<ul class=\"links\">\n\(items)</ul>\n</nav>\n"
    }
}
