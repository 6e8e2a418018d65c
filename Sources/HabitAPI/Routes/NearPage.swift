import Base
import Geo
import HTTPServing
import HTTPTypes
import HabitStore
import Rendering
import StoreEngine

/// A page of the records near a position.
package struct NearPage {
    let request: FeatureRequest
    let near: Near
    let parameters: RequestParameters
    /// The person who opens the page, and its address.
    package let visit: PageVisit
    let photos: NearPhotos

    /// The URL of the list without parameters.
    private var address: String { "\(visit.base)/near" }

    /// The position.
    package var center: Position { near.center }

    /// The maximum distance; `nil` if the request is for a number of closest records.
    package var distance: Distance? { request.nearest == nil ? near.distance : nil }

    /// The options of the table of a page.
    package var renderOptions: RenderOptions { request.renderOptions }

    /// The URL of the list with the parameters.
    package var requested: ListRequest {
        ListRequest(
            list: address,
            parameters: parameters,
            form: request.form,
            isByDistance: request.sort != .newest,
            required: [FeatureParameter.near.rawValue])
    }

    /// Returns the URL of a record.
    ///
    /// - Parameters:
    ///   - id: The ID of the record.
    ///   - kind: The kind of the record; `nil` for the only kind of the list.
    /// - Returns: The URL.
    package func address(of id: String, kind: String?) -> String {
        let collection = kind ?? photos.kind?.rawValue ?? ""
        return "\(photos.collections)/\(collection)/items/\(id.urlEncoded)"
    }

    /// Writes the page as GeoJSON or CSV, with the links to itself and to the next page.
    ///
    /// - Parameters:
    ///   - selection: The query for the page.
    ///   - session: The session in which the rows are read.
    ///   - begin: Starts the response with the given header fields and returns the buffer of its body.
    /// - Throws: The errors of the query and of `begin`.
    func write(
        _ selection: Selection,
        in session: any Session,
        begin: (HTTPFields) throws -> OutputBuffer
    ) throws {
        // The links depend on the rows, so the rows are rendered first.
        let held = OutputBuffer()
        let next = try render(selection, in: session, to: held)
        try begin(headers(next: next)).append(held)
    }

    /// Writes the page as HTML.
    ///
    /// - Parameters:
    ///   - selection: The query for the page.
    ///   - session: The session in which the rows are read.
    ///   - pages: The pages of the server.
    ///   - names: The names that the page may show.
    ///   - begin: Starts the response with the given header fields and returns the buffer of its body.
    /// - Throws: The errors of the query and of `begin`.
    func write(
        _ selection: Selection,
        in session: any Session,
        as pages: any WebPages,
        names: RecordNames,
        begin: (HTTPFields) throws -> OutputBuffer
    ) throws {
        var shape = photos.columns(of: selection.shape)
        // The link to a record contains its kind.
        shape.identity = shape.columns.filter { column in column.name == "id" }
        let table = pages.table(shape, near: self, names: names)
        let end = try read(selection, in: session, to: table)
        try table.end()
        let next = end.next.map(address(behind:))
        let page = table.page(of: self, next: next)
        try begin(headers(next: next).merging(page.headers)).append(page.html)
    }

    private func headers(next: String?) -> HTTPFields {
        var links = [link("self", to: ownAddress)]
        if let next { links.append(link("next", to: next)) }
        return [
            .contentType: mediaType.text,
            .link: links.joined(separator: ", "),
        ]
    }

    /// Writes the rows as GeoJSON or CSV, and returns the URL of the next page, or `nil` if no row follows.
    private func render(
        _ selection: Selection,
        in session: any Session,
        to output: OutputBuffer
    ) throws -> String? {
        let shape = photos.columns(of: selection.shape)
        let options = request.renderOptions
        if request.form == .csv {
            let renderer = CSVRenderer(shape, options, output)
            let end = try read(selection, in: session, to: renderer)
            try renderer.end()
            return end.next.map(address(behind:))
        }
        let renderer = GeoJSONRenderer(features: shape, options, output)
        let end = try read(selection, in: session, to: renderer)
        let next = end.next.map(address(behind:))
        let members = FeaturePage.members(
            of: end,
            page: request.page,
            links: links(next: next))
        renderer.end(adding: members)
        return next
    }

    private func read(
        _ selection: Selection,
        in session: any Session,
        to renderer: any Renderer
    ) throws -> PageEnd {
        let decorated = photos.rows(of: selection.shape)
        try renderer.begin()
        return try selection.read(request.page, in: session) { row in
            try renderer.append(decorated(row))
        }
    }

    private var mediaType: ContentType { request.form.mediaType }

    private var ownAddress: String { address + parameters.query([:]) }

    private func address(behind cursor: Cursor) -> String {
        address + parameters.query([FeatureParameter.after.rawValue: cursor.description])
    }

    private func links(next: String?) -> [JSON] {
        var links = [FeaturePage.link("self", to: ownAddress, type: .geoJSON)]
        if let next {
            links.append(FeaturePage.link("next", to: next, type: .geoJSON))
        }
        return links
    }

    /// Returns a link of the header field Link (RFC 8288).
    private func link(_ relation: String, to address: String) -> String {
        "<\(address)>; rel=\"\(relation)\"; type=\"\(mediaType.text)\""
    }
}

/// The URLs of the photos in a list of records near a position.
struct NearPhotos: Sendable {
    /// The URL of the list of collections.
    let collections: String
    /// The kind of all records; `nil` if each row contains its kind.
    let kind: NearQuery.Kind?
    /// The versions of photos.
    let versions: PhotoVersions
    /// Signs the URLs; `nil` if a client needs a token to read the photos.
    let signer: PhotoLinkSigner?

    /// Returns the columns of a list, including the URL of the photo.
    func columns(of shape: ResultShape) -> ResultShape {
        guard photo(in: shape) != nil else { return shape }
        var shape = shape
        shape.choice?.append("photo_url")
        shape.columns.append(Column("photo_url", .text, at: FeatureRow.photoAddress))
        return shape
    }

    /// Returns a function that adds the photo URL to rows of a selection with that shape.
    ///
    /// - Parameter shape: The shape of the rows.
    /// - Returns: A function that returns the decorated row.
    func rows(of shape: ResultShape) -> (any Row) -> any Row {
        guard let photo = photo(in: shape) else { return { row in row } }
        return { row in FeatureRow(row: row, photo: photo) }
    }

    private func photo(in shape: ResultShape) -> PhotoURL? {
        func column(_ name: String) -> Column? {
            shape.columns.first { column in column.name == name }
        }
        guard let id = column("id"), let flag = column("has_photo") else { return nil }
        var photo = PhotoURL(
            collections: collections,
            collection: kind?.rawValue,
            id: id.index,
            hasPhoto: flag,
            versions: versions,
            signer: signer)
        photo.kind = column("kind")?.index ?? 0
        return photo
    }
}
