import Base
import HTTPServing
import HabitAPI
import HabitModel
import Rendering
import StoreEngine

/// Collects the features of a page, and writes them as a list or as one record, with a map.
final class FeatureTable: WebPageTable {
    private(set) var rowCount = 0
    let shape: ResultShape
    let site: PageSite
    /// The features of the page, at most ``FeaturePage/htmlLimit``.
    private(set) var records: [ListedRecord] = []
    private(set) var map = StaticMap()
    private let options: RenderOptions
    /// Whether the reader has no token.
    private let isPublic: Bool
    private let names: RecordNames
    /// Returns the URL of a record.
    private let address: (ListedRecord) -> String
    /// The names to which the features refer, after ``end()``.
    private var references: ReferenceNames?

    /// Creates an empty table.
    ///
    /// - Parameters:
    ///   - shape: The visible columns of the features.
    ///   - options: The precision of positions, and whether the page shows one feature.
    ///   - isPublic: Whether the reader has no token.
    ///   - names: The names that the page may show.
    ///   - site: The server's addresses.
    ///   - address: Returns the URL of a record.
    init(
        _ shape: ResultShape,
        options: RenderOptions,
        isPublic: Bool,
        names: RecordNames,
        site: PageSite,
        address: @escaping (ListedRecord) -> String
    ) {
        self.shape = shape
        self.options = options
        self.isPublic = isPublic
        self.names = names
        self.site = site
        self.address = address
    }

    func begin() {}

    func append(_ row: some Row) {
        rowCount += 1
        let parts = shape.identity.map { column in row.text(column.index) ?? "" }
        var record = ListedRecord(
            id: CompositeID.text(parts),
            of: row,
            columns: shape.columns,
            precision: options.precision)
        if case .point(let index)? = shape.geometry, let position = row.position(index) {
            record.position = position
            map.add(position, status: record.text("status"))
        }
        records.append(record)
    }

    func end() throws {
        references = try ReferenceNames(of: records, names)
    }

    /// The writer of the values, or `nil` before ``end()``.
    var markup: RecordMarkup? {
        references.map { references in
            RecordMarkup(
                site: site,
                names: references,
                isPublic: isPublic,
                isSingle: options.single)
        }
    }
}

extension FeatureTable {
    /// The map of the features; empty if no feature has a position.
    var mapFigure: HTML {
        guard let figure = map.figure else { return "" }
        return "<div class=\"charts\">\n\(figure)</div>\n"
    }

    /// Returns the table of the features.
    ///
    /// - Parameter title: The caption of the table.
    /// - Returns: The table; empty without features.
    func table(_ title: String) -> HTML {
        guard let markup else { return "" }
        let path = { [site, address] (record: ListedRecord) in site.path(address(record)) }
        return RecordTable(title: title, shape: shape, records: records, markup: markup, path: path).html
    }
}
