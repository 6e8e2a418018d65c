import Base
import HabitModel
import Rendering
import StoreEngine

/// Writes features as the table of a page, or one feature as a list of names and values.
///
/// It also collects the features for the map of the page.
final class FeatureTable: Renderer {
    private(set) var rowCount = 0
    /// The title of the last feature, or its ID if it has no title.
    private(set) var name = ""
    /// The number of features that have a position.
    private var locatedCount = 0
    private let columns: [Column]
    /// The column with the ID of the feature; `nil` if the ID consists of several columns, or if the request does not
    /// select it.
    private let idColumn: Column?
    private let shape: ResultShape
    private let options: RenderOptions
    private let site: PageSite
    /// The URL of the list with the features.
    private let items: String
    private var rows: HTML = ""
    private let data = OutputBuffer()
    private let features: GeoJSONRenderer

    /// The columns that the map shows.
    private static let mapped: Set<String> = [
        "id", "user", "title", "name", "caption", "day", "at", "posted_at", "color", "status",
    ]

    /// Creates an empty table.
    ///
    /// - Parameters:
    ///   - shape: The visible columns of the features.
    ///   - options: The precision of positions, and whether the table is a list of the values of one feature.
    ///   - view: The collection of the features.
    ///   - site: The server's addresses.
    init(_ shape: ResultShape, _ options: RenderOptions, _ view: FeatureView, _ site: PageSite) {
        self.shape = shape
        self.options = options
        self.site = site
        items = view.address + "/items"
        let hasPhotos = shape.columns.contains { $0.index == FeatureRow.photoAddress }
        columns = shape.columns.filter { !hasPhotos || $0.name != "has_photo" }
        idColumn = columns.first { shape.identity == [$0] }
        var points = shape
        points.columns.removeAll { !Self.mapped.contains($0.name) }
        var all = RenderOptions()
        all.precision = options.precision
        features = GeoJSONRenderer(features: points, all, data)
    }

    func begin() throws { try features.begin() }

    func append(_ row: some Row) throws {
        rowCount += 1
        if case .point(let index)? = shape.geometry, row.position(index) != nil { locatedCount += 1 }
        try features.append(row)
        let id = CompositeID.text(shape.identity.map { row.text($0.index) ?? "" })
        name = ["title", "name", "caption"].lazy.compactMap { self.text($0, of: row) }.first ?? id
        if options.single { appendValues(of: row) } else { appendCells(of: row, id: id) }
    }

    private func appendValues(of row: some Row) {
        for column in columns {
            rows += "<div><dt>\(column.name)</dt><dd>\(cell(column, of: row))</dd></div>\n"
        }
    }

    /// Appends a row of the table, which contains a link to the page of the feature.
    private func appendCells(of row: some Row, id: String) {
        rows += "<tr>"
        if idColumn == nil { rows += "<td class=\"d\">\(link(id))</td>" }
        for column in columns {
            let opening: HTML =
                column.isNumber ? "<td class=\"n\">" : Self.isUnbroken(column) ? "<td class=\"d\">" : "<td>"
            rows += "\(opening)\(column == idColumn ? link(id) : cell(column, of: row))</td>"
        }
        rows += "</tr>\n"
    }

    func end() throws { try features.end() }

    private func link(_ id: String) -> HTML {
        "<a href=\"\(site.path("\(items)/\(id.urlEncoded)"))\">\(isolated: id)</a>"
    }

    private func text(_ name: String, of row: some Row) -> String? {
        shape.columns.first { $0.name == name }.flatMap { row.text($0.index) }
    }

    private func cell(_ column: Column, of row: some Row) -> HTML {
        if column.index == FeatureRow.photoAddress {
            guard let url = row.text(column.index).map(site.path) else { return "" }
            let kind: HTML = options.single ? " class=\"photo\"" : " loading=\"lazy\""
            return "<a href=\"\(url)\"><img src=\"\(url)\"\(kind) alt=\"Photo of \(name)\"></a>"
        }
        let value = OutputBuffer()
        _ = value.append(column.value, at: column.index, of: row, precision: options.precision) { value.append($0) }
        let text = value.text
        guard column.name == "color", let color = Swatch(text)?.color else { return "\(isolated: text)" }
        // The Content-Security-Policy blocks style attributes, but not presentation attributes.
        return """
            <svg class="swatch" viewBox="0 0 8 8" aria-hidden="true"><rect width="8" height="8" fill="\(color)"/></svg>\
            \(text)
            """
    }

    /// Returns the table with its caption and its header.
    ///
    /// - Parameter title: The caption of the table.
    /// - Returns: The table, the list of the values of one feature, or a note if there are no features.
    func table(_ title: String) -> HTML {
        if rowCount == 0 { return "<p>No features match the request.</p>\n" }
        if options.single { return "<dl>\n\(rows)</dl>\n" }
        let head = columns.reduce((idColumn != nil ? "" : "<th scope=\"col\">id</th>") as HTML) {
            let name = $1.index == FeatureRow.photoAddress ? "photo" : $1.name
            let opening: HTML = $1.isNumber ? "<th scope=\"col\" class=\"n\">" : "<th scope=\"col\">"
            return $0 + "\(opening)\(name)</th>"
        }
        // The user can focus and scroll the box with the keyboard.
        return """
            <div class="table" tabindex="0" role="region" aria-label="Table: \(title)">
            <table>
            <caption>\(isolated: title)</caption>
            <thead><tr>\(head)</tr></thead>
            <tbody>
            \(rows)</tbody>
            </table>
            </div>

            """
    }

    /// The number of features, and how many of them the map cannot show.
    var counts: HTML {
        let missing = rowCount - locatedCount
        var text: HTML = "<p class=\"count\">\(Self.count(rowCount))</p>\n"
        if locatedCount > 0, missing > 0 {
            text += """
                <p class="count">\(Self.count(missing)) without a position \(missing == 1 ? "is" : "are") not on the map.</p>

                """
        }
        return text
    }

    private static func count(_ number: Int) -> String { "\(number) \(number == 1 ? "feature" : "features")" }

    /// The columns with IDs of records.
    private static let references: Set<String> = [
        "id", "user", "habit", "item", "follower", "followee", "sender", "recipient", "claimed_by", "color", "status",
    ]

    /// Whether the values of a column are dates or IDs, which must not break across two lines.
    private static func isUnbroken(_ column: Column) -> Bool {
        switch column.value {
        case .day, .instant, .boolean: true
        default: references.contains(column.name)
        }
    }

    /// Returns the map of the features after ``end()``, or `nil` if no feature has a position.
    func map(layer: String, _ site: PageSite) -> PageMap? {
        guard locatedCount > 0 else { return nil }
        return PageMap(
            features: data.text, layer: layer, items: items, tiles: site.tiles, attribution: site.attribution)
    }
}
