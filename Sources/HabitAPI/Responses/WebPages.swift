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
    ///   - title: The title of the page if the document has no member `title`.
    ///   - trail: The pages above the page.
    ///   - visit: The person who opens the page, and the address of the page.
    /// - Returns: The page.
    func page(of document: JSON, title: String, below trail: WebPageTrail, for visit: PageVisit) -> RenderedWebPage

    /// Returns the page of the document at `/api`.
    ///
    /// - Parameters:
    ///   - document: The document.
    ///   - visit: The person who opens the page, and the address of the page.
    /// - Returns: The page.
    func page(ofAPI document: JSON, for visit: PageVisit) -> RenderedWebPage

    /// Returns the page of a problem.
    ///
    /// - Parameters:
    ///   - problem: The problem.
    ///   - visit: The person who opens the page, and the address of the page.
    /// - Returns: The page.
    func page(of problem: Problem, for visit: PageVisit) -> RenderedWebPage

    /// Returns an empty table for features.
    ///
    /// - Parameters:
    ///   - shape: The visible columns of the features.
    ///   - options: The precision of positions, and whether the table is a list of the values of one feature.
    ///   - view: The collection of the features.
    /// - Returns: The table.
    func table(_ shape: ResultShape, _ options: RenderOptions, of view: FeatureView) -> any WebPageTable
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

/// The features of a page, which a query appends.
package protocol WebPageTable: Renderer {
    /// Returns the page of a list of features.
    ///
    /// - Parameters:
    ///   - list: The list.
    ///   - next: The URL of the next page; `nil` if no feature follows.
    /// - Returns: The page with the table, the map and the links to other pages of the list.
    func page(of list: FeaturePage, next: String?) -> RenderedWebPage

    /// Returns the page of the feature that the table contains.
    ///
    /// - Parameter feature: The feature.
    /// - Returns: The page with the values, the photo and the map.
    func page(of feature: SingleFeature) -> RenderedWebPage
}
