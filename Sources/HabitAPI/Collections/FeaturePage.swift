import Base
import Foundation
import HTTPServing
import HTTPTypes
import HabitModel
import HabitReport
import HabitStore
import Rendering
import StoreEngine

/// A page of a collection for one viewer.
package struct FeaturePage: Sendable {
    package let view: FeatureView
    let request: FeatureRequest
    let parameters: RequestParameters

    /// Largest page, in features, that is rendered before it is sent.
    ///
    /// The link to the next page is then known when the response begins, without an additional query.
    private static let heldLimit = 1000

    /// Largest page of HTML, in features.
    static let htmlLimit = 500

    /// Whether the server sends the page while it reads the rows.
    var isStreamed: Bool { request.page.limit > Self.heldLimit }

    /// Writes the page.
    ///
    /// - Parameters:
    ///   - session: The session in which the rows are read.
    ///   - head: The header fields of the response, without the links.
    ///   - begin: Starts the response with the given header fields and returns the buffer of its body.
    /// - Throws: `parameter-invalid` for an unknown or repeated property, the errors of the query and those of `begin`.
    func write(
        in session: any Session,
        head: HTTPFields,
        begin: (HTTPFields) throws -> OutputBuffer
    ) throws {
        let request = try view.page(of: request, in: session)
        let selection = try view.list(request, in: session)
        let shape = try view.shape(of: selection, properties: request.properties)
        if let pages = view.pages {
            let table = pages.table(
                shape,
                request.renderOptions,
                of: view,
                names: view.names(in: session))
            let end = try render(selection, in: session, with: table)
            let next = address(ofPageBehind: end.next)
            let page = table.page(of: self, next: next)
            let links = links(next: next)
            try begin(head.merging(page.headers).merging(links)).append(page.html)
        } else if isStreamed {
            let end = try end(of: request, in: session)
            let links = links(next: address(ofPageBehind: end))
            let output = try begin(head.merging(links))
            try render(selection, as: shape, in: session, to: output)
        } else {
            let held = OutputBuffer()
            let next = try render(selection, as: shape, in: session, to: held)
            let links = links(next: next)
            try begin(head.merging(links)).append(held)
        }
    }

    /// Returns the cursor of the last row of the page, or `nil` if no row follows the page.
    private func end(
        of request: FeatureRequest,
        in session: any Session
    ) throws -> Cursor? {
        var keys = request
        keys.properties = ["id"]
        let selection = try view.list(keys, in: session)
        return try selection.end(of: request.page, in: session)
    }

    /// Writes the rows and returns the URL of the next page, or `nil` if no row follows.
    @discardableResult
    private func render(
        _ selection: Selection,
        as shape: ResultShape,
        in session: any Session,
        to output: OutputBuffer
    ) throws -> String? {
        if request.form == .csv {
            let renderer = CSVRenderer(shape, request.renderOptions, output)
            let end = try render(selection, in: session, with: renderer)
            return address(ofPageBehind: end.next)
        }
        let renderer = GeoJSONRenderer(
            features: shape,
            request.renderOptions,
            output)
        let end = try render(
            selection,
            in: session,
            with: renderer,
            ends: false)
        let next = address(ofPageBehind: end.next)
        renderer.end(adding: members(of: end, next: next))
        return next
    }

    private func render(
        _ selection: Selection,
        in session: any Session,
        with renderer: some Renderer,
        ends: Bool = true
    ) throws -> PageEnd {
        try renderer.begin()
        let feature = view.rows(of: selection.shape)
        let end = try selection.read(request.page, in: session) { row in
            try renderer.append(feature(row))
        }
        if ends { try renderer.end() }
        return end
    }

    // MARK: Links (OGC API - Features, Part 1, section 7.15.6; RFC 8288)

    /// The URL of the list.
    package var items: String { view.address + "/items" }

    /// The URL of the list with the parameters.
    package var requested: ListRequest {
        ListRequest(
            list: items,
            parameters: parameters,
            form: request.form,
            isByDistance: request.sort == .distance)
    }

    /// The URL of this page.
    private var address: String { items + parameters.query([:]) }

    /// Returns the URL of the page after a cursor, or `nil` without a cursor.
    private func address(ofPageBehind cursor: Cursor?) -> String? {
        guard let cursor else { return nil }
        let after = FeatureParameter.after.rawValue
        return items + parameters.query([after: cursor.description])
    }

    private func links(next: String?) -> HTTPFields {
        var links = ownLinks
        if let next { links.append(link(toNext: next)) }
        let fields = links.map(\.field)
        return [.link: fields.joined(separator: ", ")]
    }

    /// A link of the header field Link and of the document.
    private struct PageLink {
        let rel: String
        let href: String
        let type: ContentType

        /// The link in the header field.
        var field: String { "<\(href)>; rel=\"\(rel)\"; type=\"\(type.text)\"" }

        /// The link in the document.
        var json: JSON { FeaturePage.link(rel, to: href, type: type) }
    }

    /// The links that each page has.
    private var ownLinks: [PageLink] {
        let own = PageLink(rel: "self", href: address, type: request.form.mediaType)
        var links = [own]
        for (href, type) in requested.alternates {
            links.append(PageLink(rel: "alternate", href: href, type: type))
        }
        links.append(PageLink(rel: "collection", href: view.address, type: .json))
        return links
    }

    private func link(toNext next: String) -> PageLink {
        PageLink(rel: "next", href: next, type: request.form.mediaType)
    }

    /// Returns the members of a collection other than its features.
    private func members(of end: PageEnd, next: String?) -> String {
        let queryables = PageLink(
            rel: CollectionSchema.queryablesRelation,
            href: "\(view.address)/queryables",
            type: .schema)
        var links = ownLinks + [queryables]
        if let next { links.append(link(toNext: next)) }
        return Self.members(
            of: end,
            page: request.page,
            links: links.map(\.json))
    }

    /// Returns the members of a page other than its features, each after a comma.
    ///
    /// - Parameters:
    ///   - end: The number of features on the page, and whether another page follows.
    ///   - page: The requested page.
    ///   - links: The links of the page.
    /// - Returns: The members `numberReturned`, `numberMatched` if it is known, and `links`.
    static func members(of end: PageEnd, page: Page, links: [JSON]) -> String {
        var members = [JSON.Member("numberReturned", .integer(end.count))]
        // The total is known only if this page contains all features.
        if end.next == nil, page.after == nil {
            members.append(JSON.Member("numberMatched", .integer(end.count)))
        }
        members.append(JSON.Member("links", .list(links)))
        return members.continuation
    }

    static func link(
        _ rel: String,
        to href: String,
        type: ContentType,
        title: String? = nil
    ) -> JSON {
        var link: [String: JSON] = [
            "rel": .text(rel),
            "href": .text(href),
            "type": .text(type.text),
        ]
        if let title { link["title"] = .text(title) }
        return .object(link)
    }
}
