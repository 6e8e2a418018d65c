import Base
import Foundation
import HTTPTypes
import HabitModel
import HabitReport
import HabitStore
import Rendering
import StoreEngine

/// A page of a collection for one viewer.
struct FeaturePage: Sendable {
    let view: FeatureView
    let request: FeatureRequest
    let parameters: RequestParameters

    /// Largest page, in features, that is rendered before it is sent.
    ///
    /// The link to the next page is then known when the response begins, without an additional query.
    private static let heldLimit = 1000

    /// Whether the server sends the page while it reads the rows.
    var isStreamed: Bool { request.page.limit > Self.heldLimit }

    /// Writes the page.
    ///
    /// - Parameters:
    ///   - session: The session in which the rows are read.
    ///   - head: The header fields of the response, without the links.
    ///   - begin: Starts the response with the given header fields and returns the buffer of its body.
    /// - Throws: `parameter-invalid` for an unknown or repeated property, the errors of the query and those of `begin`.
    func write(in session: any Session, _ head: HTTPFields, _ begin: (HTTPFields) throws -> OutputBuffer) throws {
        let request = try view.page(of: request, in: session)
        let selection = try view.list(request, in: session)
        let shape = try shape(of: selection)
        if let site = view.site {
            var options = RenderOptions()
            options.precision = request.precision
            options.spreadsheetSafe = request.isSpreadsheetSafe
            let table = FeatureTable(shape, options, view, site)
            let next = try render(selection, in: session, table).next.map(address(ofPageBehind:))
            let page = webPage(table, next: next, site)
            return try begin(head.merging(page.headers).merging(links(next: next))).append(page.html(site))
        }
        if !isStreamed {
            let held = OutputBuffer()
            let next = try render(selection, shape, in: session, to: held)
            try begin(head.merging(links(next: next))).append(held)
        } else {
            let end = try end(of: request, in: session).map(address(ofPageBehind:))
            try render(selection, shape, in: session, to: try begin(head.merging(links(next: end))))
        }
    }

    /// Returns the visible columns in the requested order.
    private func shape(of selection: Selection) throws -> ResultShape {
        let shape = view.columns(of: selection.shape)
        guard let names = request.properties else { return shape }
        guard Set(names).count == names.count else {
            throw Problem.invalid("properties", "'properties' contains a name twice: send each name once")
        }
        guard let selected = shape.selecting(names) else {
            let known = shape.names
            let name = names.first { !known.contains($0) } ?? ""
            throw Problem.invalid(
                "properties", "unknown property '\(name)': use \(known.joined(separator: ", "))")
        }
        return selected
    }

    /// Returns the cursor of the last row of the page, or `nil` if no row follows the page.
    private func end(of request: FeatureRequest, in session: any Session) throws -> Cursor? {
        var keys = request
        keys.properties = ["id"]
        return try view.list(keys, in: session).end(of: request.page, in: session)
    }

    /// Writes the rows and returns the URL of the next page, or `nil` if no row follows.
    @discardableResult
    private func render(
        _ selection: Selection, _ shape: ResultShape, in session: any Session, to output: OutputBuffer
    ) throws -> String? {
        var options = RenderOptions()
        options.precision = request.precision
        options.spreadsheetSafe = request.isSpreadsheetSafe
        if request.form == .csv {
            let renderer = CSVRenderer(shape, options, output)
            return try render(selection, in: session, renderer).next.map(address(ofPageBehind:))
        }
        let renderer = GeoJSONRenderer(features: shape, options, output)
        let end = try render(selection, in: session, renderer, ends: false)
        let next = end.next.map(address(ofPageBehind:))
        renderer.end(adding: members(of: end, next: next))
        return next
    }

    private func render(
        _ selection: Selection, in session: any Session, _ renderer: some Renderer, ends: Bool = true
    ) throws -> PageEnd {
        try renderer.begin()
        let feature = view.rows(of: selection.shape)
        let end = try selection.read(request.page, in: session) { row in try renderer.append(feature(row)) }
        if ends { try renderer.end() }
        return end
    }

    // MARK: Links (OGC API - Features, Part 1, section 7.15.6; RFC 8288)

    /// The URL of the list.
    var items: String { view.address + "/items" }

    private func address(ofPageBehind cursor: Cursor) -> String {
        items + parameters.query([FeatureParameter.after.rawValue: cursor.description])
    }

    private func links(next: String?) -> HTTPFields {
        let type = request.form.mediaType.text
        var links = ["<\(items)\(parameters.query([:]))>; rel=\"self\"; type=\"\(type)\""]
        links += alternates.map { "<\($0.href)>; rel=\"alternate\"; type=\"\($0.type.text)\"" }
        links.append("<\(view.address)>; rel=\"collection\"; type=\"\(MediaType.json.text)\"")
        if let next { links.append("<\(next)>; rel=\"next\"; type=\"\(type)\"") }
        return [.link: links.joined(separator: ", ")]
    }

    /// The URLs of this page in the other forms, and their media types.
    var alternates: [(href: String, type: MediaType)] {
        [FeatureForm.geojson, .csv, .html].filter { $0.mediaType != request.form.mediaType }.map { form in
            (items + parameters.query([FeatureParameter.f.rawValue: form.rawValue]), form.mediaType)
        }
    }

    /// Returns the members of a collection other than its features.
    private func members(of end: PageEnd, next: String?) -> String {
        var links = [Self.link("self", items + parameters.query([:]), .geoJSON)]
        links += alternates.map { Self.link("alternate", $0.href, $0.type) }
        links.append(Self.link("collection", view.address, .json))
        links.append(Self.link(CollectionSchema.queryablesRelation, "\(view.address)/queryables", .schema))
        if let next { links.append(Self.link("next", next, .geoJSON)) }
        return Self.members(of: end, page: request.page, links: links)
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
        if end.next == nil, page.after == nil { members.append(.init("numberMatched", .integer(end.count))) }
        members.append(.init("links", .list(links)))
        return members.continuation
    }

    static func link(_ rel: String, _ href: String, _ type: MediaType, title: String? = nil) -> JSON {
        var link: [String: JSON] = ["rel": .text(rel), "href": .text(href), "type": .text(type.text)]
        link["title"] = title.map { .text($0) }
        return .object(link)
    }
}
