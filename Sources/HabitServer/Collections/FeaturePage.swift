import Foundation
import HTTPTypes
import HabitModel
import HabitReport
import HabitStore
import Rendering
import StoreEngine

/// A page of a collection as one viewer gets it.
struct FeaturePage: Sendable {
    let view: FeatureView
    let request: FeatureRequest
    let parameters: RequestParameters

    /// Pages up to this size are put together before they are sent: their end is known when the answer begins.
    private static let heldLimit = 1000

    /// Whether it is sent while it is read.
    var isStreamed: Bool { request.page.limit > Self.heldLimit }

    /// Writes the page into the buffer that `begin` gives for the headers.
    func write(in session: any Session, _ head: HTTPFields, _ begin: (HTTPFields) throws -> OutputBuffer) throws {
        // What has no place lies in no box.
        let isNowhere = !view.collection.isSpatial && request.filter.box != nil
        let selection = try view.list(request, in: session)
        let shape = try shape(of: selection)
        if !isStreamed || isNowhere {
            let held = OutputBuffer()
            let next = try render(isNowhere ? nil : selection, shape, in: session, to: held)
            try begin(head.merging(links(next: next))).append(held)
        } else {
            let end = try end(in: session).map(address(ofPageBehind:))
            try render(selection, shape, in: session, to: try begin(head.merging(links(next: end))))
        }
    }

    /// The columns that the viewer sees, in the order asked for.
    private func shape(of selection: Selection) throws -> ResultShape {
        let shape = view.columns(of: selection.shape)
        guard let names = request.properties else { return shape }
        guard Set(names).count == names.count else {
            throw Problem.invalid("properties", "a property is named twice: name each once")
        }
        guard let selected = shape.selecting(names) else {
            let known = shape.names
            let name = names.first { !known.contains($0) } ?? ""
            throw Problem.invalid(
                "properties", "there is no property '\(name)': there are \(known.joined(separator: ", "))")
        }
        return selected
    }

    /// Where the page ends, if another one follows it.
    private func end(in session: any Session) throws -> Cursor? {
        var keys = request
        keys.properties = ["id"]
        let selection = try view.list(keys, in: session)
        var sql = selection.sql
        sql.text = "SELECT *\nFROM (\n\(sql.text)\n) AS page\nLIMIT 2 OFFSET \(request.page.limit - 1)"
        var last: Cursor?
        var count = 0
        try session.query(sql) { row in
            count += 1
            if count == 1 { last = Cursor(of: row, in: selection) }
            return true
        }
        return count > 1 ? last : nil
    }

    /// Writes the rows, and gives the address of the page behind them where there is one.
    @discardableResult
    private func render(
        _ selection: Selection?, _ shape: ResultShape, in session: any Session, to output: OutputBuffer
    ) throws -> String? {
        var options = RenderOptions()
        options.precision = request.precision
        if request.form == .csv {
            let renderer = CSVRenderer(shape, options, output)
            return try render(selection, in: session, renderer).next.map(address(ofPageBehind:))
        }
        let renderer = GeoJSONRenderer(features: shape, options, output)
        let (end, count) = try render(selection, in: session, renderer, ends: false)
        let next = end.map(address(ofPageBehind:))
        try renderer.end(adding: members(count: count, next: next))
        return next
    }

    private func render(
        _ selection: Selection?, in session: any Session, _ renderer: some Renderer, ends: Bool = true
    ) throws -> (next: Cursor?, count: Int) {
        var last: Cursor?
        var next: Cursor?
        var count = 0
        try renderer.begin()
        if let selection {
            let feature = view.rows(of: selection.shape)
            try session.query(selection.sql) { row in
                guard count < request.page.limit else {
                    next = last
                    return false
                }
                count += 1
                try renderer.append(feature(row))
                if count == request.page.limit { last = Cursor(of: row, in: selection) }
                return true
            }
        }
        if ends { try renderer.end() }
        return (next, count)
    }

    // MARK: Links (OGC API - Features, Part 1, section 7.15.6; RFC 8288)

    private var address: String { view.address + "/items" }

    private func address(ofPageBehind cursor: Cursor) -> String {
        address + parameters.query([FeatureParameter.after.rawValue: cursor.description])
    }

    private func links(next: String?) -> HTTPFields {
        let type = request.form.mediaType.text
        var links = ["<\(address)\(parameters.query([:]))>; rel=\"self\"; type=\"\(type)\""]
        if let next { links.append("<\(next)>; rel=\"next\"; type=\"\(type)\"") }
        return [.link: links.joined(separator: ", ")]
    }

    /// What a collection says beside its features.
    private func members(count: Int, next: String?) -> String {
        let other = parameters.query([FeatureParameter.f.rawValue: FeatureForm.csv.rawValue])
        var links: [JSON] = [
            Self.link("self", address + parameters.query([:]), .geoJSON),
            Self.link("alternate", address + other, .csv),
            Self.link("collection", view.address, .json),
        ]
        if let next { links.append(Self.link("next", next, .geoJSON)) }
        var members = #","numberReturned":\#(count),"#
        // All are counted where they are all here.
        if next == nil, request.page.after == nil { members += #""numberMatched":\#(count),"# }
        return members + #""links":"# + String(decoding: JSON.list(links).bytes, as: UTF8.self)
    }

    static func link(_ rel: String, _ href: String, _ type: MediaType, title: String? = nil) -> JSON {
        var link: [String: JSON] = ["rel": .text(rel), "href": .text(href), "type": .text(type.text)]
        link["title"] = title.map { .text($0) }
        return .object(link)
    }
}
