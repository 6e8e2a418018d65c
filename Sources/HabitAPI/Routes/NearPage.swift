import Base
import HTTPServing
import HTTPTypes
import HabitStore
import Rendering
import StoreEngine

/// A page of the records near a position.
struct NearPage {
    let request: FeatureRequest
    let parameters: RequestParameters
    /// The URL of the list without parameters.
    let address: String
    let photos: NearPhotos

    /// Writes the page with the links to itself and to the next page.
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
        var headers: HTTPFields = [.contentType: mediaType.text]
        if request.form == .html {
            headers[.contentSecurityPolicy] = RowFormat.pagePolicy
        }
        var links = [link("self", to: ownAddress)]
        if let next { links.append(link("next", to: next)) }
        headers[.link] = links.joined(separator: ", ")
        try begin(headers).append(held)
    }

    /// Writes the rows and returns the URL of the next page, or `nil` if no row follows.
    private func render(
        _ selection: Selection,
        in session: any Session,
        to output: OutputBuffer
    ) throws -> String? {
        let shape = photos.columns(of: selection.shape)
        var options = request.renderOptions
        switch request.form {
        case .geojson, .json:
            let renderer = GeoJSONRenderer(features: shape, options, output)
            let end = try read(selection, in: session, to: renderer)
            let next = end.next.map(address(behind:))
            let members = FeaturePage.members(
                of: end,
                page: request.page,
                links: links(next: next))
            renderer.end(adding: members)
            return next
        case .csv:
            let renderer = CSVRenderer(shape, options, output)
            let end = try read(selection, in: session, to: renderer)
            try renderer.end()
            return end.next.map(address(behind:))
        case .html:
            // The link to the next page is above the rows.
            let end = try selection.end(of: request.page, in: session)
            let next = end.map(address(behind:))
            options.page.title = "Near a position"
            options.page.next = next.map { next in "near" + next.dropFirst(address.count) }
            let renderer = try OutputFormat.html.renderer(for: shape, options: options, into: output)
            _ = try read(selection, in: session, to: renderer)
            try renderer.end()
            return next
        }
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
        func index(_ name: String) -> Int? {
            shape.columns.first { column in column.name == name }?.index
        }
        guard let id = index("id"), let flag = index("has_photo") else { return nil }
        var photo = PhotoURL(
            collections: collections,
            collection: kind?.rawValue,
            id: id,
            hasPhoto: flag,
            signer: signer)
        photo.kind = index("kind") ?? 0
        return photo
    }
}
