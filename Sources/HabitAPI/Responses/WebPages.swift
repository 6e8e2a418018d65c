import Base
import HTTPServing
import HTTPTypes
import Rendering
import StoreEngine

/// The HTML representations of resources.
///
/// The module of the pages implements it. The API only knows that a resource has a page.
package protocol WebPages: Sendable {
    /// Returns the page of a document that describes the server.
    ///
    /// - Parameters:
    ///   - document: The document.
    ///   - visit: The person who opens the page, and the address of the page.
    /// - Returns: The page.
    func page(of document: WebPageDocument, for visit: PageVisit) -> RenderedWebPage

    /// Returns the page of a problem.
    ///
    /// - Parameters:
    ///   - problem: The problem.
    ///   - visit: The person who opens the page, and the address of the page.
    /// - Returns: The page.
    func page(of problem: Problem, for visit: PageVisit) -> RenderedWebPage

    /// Returns the page of the reports.
    ///
    /// - Parameters:
    ///   - list: The reports and the searched text.
    ///   - visit: The person who opens the page, and the address of the page.
    /// - Returns: The page.
    func page(of list: ReportList, for visit: PageVisit) -> RenderedWebPage

    /// Returns the page of a report.
    ///
    /// - Parameters:
    ///   - form: The parameters of the report.
    ///   - result: The charts and the table; `nil` if the report has not run.
    ///   - visit: The person who opens the page, and the address of the page.
    /// - Returns: The page.
    func page(of form: ReportForm, result: HTML?, for visit: PageVisit) -> RenderedWebPage

    /// Returns an empty table for features.
    ///
    /// - Parameters:
    ///   - shape: The visible columns of the features.
    ///   - options: The precision of positions, and whether the table is a list of the values of one feature.
    ///   - view: The collection of the features.
    ///   - names: The names that the page may show.
    /// - Returns: The table.
    func table(
        _ shape: ResultShape,
        _ options: RenderOptions,
        of view: FeatureView,
        names: RecordNames
    ) -> any WebPageTable

    /// Returns an empty table for the records near a position.
    ///
    /// - Parameters:
    ///   - shape: The columns of the records.
    ///   - list: The list.
    ///   - names: The names that the page may show.
    /// - Returns: The table.
    func table(
        _ shape: ResultShape,
        near list: NearPage,
        names: RecordNames
    ) -> any WebPageTable

    /// Returns an empty inbox.
    ///
    /// - Parameters:
    ///   - shape: The columns of the entries.
    ///   - names: The names that the page may show.
    ///   - visit: The person who opens the page, and the address of the page.
    /// - Returns: The inbox.
    func inbox(_ shape: ResultShape, names: RecordNames, for visit: PageVisit) -> any WebPageInbox
}

/// A document that describes the server, and that is also a page.
package enum WebPageDocument: Sendable {
    /// The landing page of OGC API.
    case landing(JSON)
    /// The conformance classes.
    case conformance(JSON)
    /// The document at `/api`.
    case api(JSON)
    /// The list of the collections that a caller can read.
    case collections(JSON)
    /// A collection.
    case collection(JSON)
    /// The JSON Schema of the fields of a collection.
    case schema(JSON)
    /// The JSON Schema of the fields that filters of a collection compare.
    case queryables(JSON)

    /// The document.
    package var json: JSON {
        switch self {
        case .landing(let json), .conformance(let json), .api(let json), .collections(let json), .collection(let json),
            .schema(let json), .queryables(let json):
            json
        }
    }

    /// The media type of the document.
    package var type: ContentType {
        switch self {
        case .api: .openAPI
        case .schema, .queryables: .schema
        case .landing, .conformance, .collections, .collection: .json
        }
    }
}

/// The pages above a page.
package enum WebPageTrail: Sendable {
    case none
    /// The landing page.
    case home
    /// The landing page and the list of collections.
    case collections
}

/// A page and the header fields of its response.
package struct RenderedWebPage: Sendable {
    /// The HTML document in UTF-8.
    package let html: [UInt8]
    package let headers: HTTPFields

    /// Creates a page.
    package init(html: [UInt8], headers: HTTPFields) {
        self.html = html
        self.headers = headers
    }
}

/// The entries of an inbox, which a query appends.
package protocol WebPageInbox: Renderer {
    /// The page with the entries after `end()`.
    var page: RenderedWebPage { get }
}

/// The features of a page, which a query appends.
package protocol WebPageTable: Renderer {
    /// Returns the page of a list of features.
    ///
    /// - Parameters:
    ///   - list: The list.
    ///   - next: The URL of the next page; `nil` if no feature follows.
    /// - Returns: The page with the table, the map and the links to other pages of the list.
    func page(of list: FeaturePage, next: String?) -> RenderedWebPage

    /// Returns the page of a list of records near a position.
    ///
    /// - Parameters:
    ///   - list: The list.
    ///   - next: The URL of the next page; `nil` if no record follows.
    /// - Returns: The page with the table, the map and the links to other pages of the list.
    func page(of list: NearPage, next: String?) -> RenderedWebPage

    /// Returns the page of the feature that the table contains.
    ///
    /// - Parameter feature: The feature.
    /// - Returns: The page with the values, the photo and the map.
    func page(of feature: SingleFeature) -> RenderedWebPage
}
