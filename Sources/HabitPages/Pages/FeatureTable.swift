import Base
import HTTPServing
import HabitAPI
import HabitModel
import Rendering
import StoreEngine

/// Writes features as the table of a page, or one feature as a list of names and values.
///
/// It also collects the features for the map of the page.
final class FeatureTable: WebPageTable {
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
    let site: PageSite
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
    init(
        _ shape: ResultShape,
        options: RenderOptions,
        view: FeatureView,
        site: PageSite
    ) {
        self.shape = shape
        self.options = options
        self.site = site
        items = view.address + "/items"
        let hasPhotos = shape.columns.contains(where: Self.isPhoto)
        columns = shape.columns.filter { column in !hasPhotos || column.name != "has_photo" }
        idColumn = columns.first { column in shape.identity == [column] }
        var points = shape
        points.columns.removeAll { column in !Self.mapped.contains(column.name) }
        var all = RenderOptions()
        all.precision = options.precision
        features = GeoJSONRenderer(features: points, all, data)
    }

    func begin() throws { try features.begin() }

    func append(_ row: some Row) throws {
        rowCount += 1
        if case .point(let index)? = shape.geometry, row.position(index) != nil {
            locatedCount += 1
        }
        try features.append(row)
        let id = CompositeID.text(shape.identity.map { column in row.text(column.index) ?? "" })
        name = title(of: row) ?? id
        if options.single { appendValues(of: row) } else { appendCells(of: row, id: id) }
    }

    private func title(of row: some Row) -> String? {
        for name in ["title", "name", "caption"] {
            if let title = text(name, of: row) { return title }
        }
        return nil
    }

    private func appendValues(of row: some Row) {
        for column in columns {
            let value = cell(column, of: row)
            rows += "<div><dt>\(column.name)</dt><dd>\(value)</dd></div>\n"
        }
    }

    /// Appends a row of the table, which contains a link to the page of the feature.
    private func appendCells(of row: some Row, id: String) {
        rows += "<tr>"
        if idColumn == nil { rows += "<td class=\"d\">\(link(id))</td>" }
        for column in columns {
            let content = column == idColumn ? link(id) : cell(column, of: row)
            rows += "\(Self.opening(of: column))\(content)</td>"
        }
        rows += "</tr>\n"
    }

    /// Returns the start tag of the cells of a column.
    private static func opening(of column: Column) -> HTML {
        if column.isNumber { return "<td class=\"n\">" }
        return isUnbroken(column) ? "<td class=\"d\">" : "<td>"
    }

    func end() throws { try features.end() }

    private func link(_ id: String) -> HTML {
        let address = site.path("\(items)/\(id.urlEncoded)")
        return "<a href=\"\(address)\">\(isolated: id)</a>"
    }

    private func text(_ name: String, of row: some Row) -> String? {
        let column = shape.columns.first { column in column.name == name }
        return column.flatMap { column in row.text(column.index) }
    }

    private func cell(_ column: Column, of row: some Row) -> HTML {
        if Self.isPhoto(column) {
            let address = row.text(column.index)
            return address.map(photo) ?? ""
        }
        let value = OutputBuffer()
        _ = value.append(
            column.value,
            at: column.index,
            of: row,
            precision: options.precision
        ) { text in value.append(text) }
        let text = value.text
        guard column.name == "color", let color = Swatch(text)?.color else {
            return "\(isolated: text)"
        }
        // The Content-Security-Policy blocks style attributes, but not presentation attributes.
        return """
            <svg class="swatch" viewBox="0 0 8 8" aria-hidden="true"><rect width="8" height="8" fill="\(color)"/></svg>\
            \(text)
            """
    }

    /// Whether a column has the addresses of the photos.
    private static func isPhoto(_ column: Column) -> Bool {
        column.index == FeatureRow.photoAddress
    }

    /// Returns the photo at an address, with a link to it.
    private func photo(at address: String) -> HTML {
        let url = site.path(address)
        let kind: HTML = options.single ? " class=\"photo\"" : " loading=\"lazy\""
        return "<a href=\"\(url)\"><img src=\"\(url)\"\(kind) alt=\"Photo of \(name)\"></a>"
    }

    /// Returns the table with its caption and its header.
    ///
    /// - Parameter title: The caption of the table.
    /// - Returns: The table, the list of the values of one feature, or a note if there are no features.
    func table(_ title: String) -> HTML {
        if rowCount == 0 { return "<p>No features match the request.</p>\n" }
        if options.single { return "<dl class=\"card\">\n\(rows)</dl>\n" }
        // The user can focus and scroll the box with the keyboard.
        return """
            <div class="table" tabindex="0" role="region" aria-label="Table: \(title)">
            <table>
            <caption>\(isolated: title)</caption>
            <thead><tr>\(header)</tr></thead>
            <tbody>
            \(rows)</tbody>
            </table>
            </div>

            """
    }

    /// The cells of the header of the table.
    private var header: HTML {
        var header: HTML = idColumn != nil ? "" : "<th scope=\"col\">id</th>"
        for column in columns {
            let name = Self.isPhoto(column) ? "photo" : column.name
            let kind: HTML = column.isNumber ? " class=\"n\"" : ""
            header += "<th scope=\"col\"\(kind)>\(name)</th>"
        }
        return header
    }

    /// The number of features, and how many of them the map cannot show.
    var counts: HTML {
        let missing = rowCount - locatedCount
        var text: HTML = "<p class=\"count\">\(Self.count(rowCount))</p>\n"
        if locatedCount > 0, missing > 0 {
            let verb = missing == 1 ? "is" : "are"
            text += """
                <p class="count">\(Self.count(missing)) without a position \(verb) not on the map.</p>

                """
        }
        return text
    }

    private static func count(_ number: Int) -> String {
        number == 1 ? "\(number) feature" : "\(number) features"
    }

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
            features: data.text,
            layer: layer,
            items: items,
            tiles: site.tiles,
            attribution: site.attribution)
    }
}
