import Base
import HTTPServing
import HabitModel
import HabitStore
import StoreEngine

/// A collection for one viewer at one moment.
package struct FeatureView: Sendable {
    package let collection: FeatureCollection
    let viewer: Viewer
    /// Whether the request has no token and the collection is public.
    package var isPublic = false
    let clock: Clock
    /// The prefix of links.
    package let base: String
    /// The versions of photos.
    let photoVersions: PhotoVersions
    /// Signs the URLs of photos; `nil` if the request does not contain `photo-links=signed`.
    package var photoLinks: PhotoLinkSigner?
    /// The pages of features if the response is an HTML page, otherwise `nil`.
    var pages: (any WebPages)?

    /// The caller who sees the collection.
    var caller: Caller { isPublic ? .nobody : .viewer(viewer) }
    /// The visit of the page with the list of the features.
    package var visit: PageVisit {
        PageVisit(base: base, caller: caller, path: "\(address.dropFirst(base.count))/items")
    }

    /// Returns the requester whose queue contains a request of the client with this IP address.
    func requester(_ client: String) -> Requester {
        Requester(caller, client: client)
    }

    package var address: String { "\(base)/collections/\(collection.id)" }

    /// Returns the query for a page.
    ///
    /// - Parameters:
    ///   - request: A request that ``page(of:in:)`` has returned.
    ///   - session: The session that runs the query.
    /// - Returns: The query.
    /// - Throws: The errors of the query.
    func list(_ request: FeatureRequest, in session: any Session) throws -> Selection {
        try collection.list(request, viewer, clock, session)
    }

    /// Returns a resolved request whose circle is not larger than its page requires.
    ///
    /// - Throws: The errors of ``resolved(_:in:)`` and of the query.
    func page(of request: FeatureRequest, in session: any Session) throws -> FeatureRequest {
        var request = try resolved(request, in: session)
        guard request.placedSort == .distance, let near = request.filter.near else {
            return request
        }
        var keys = request
        keys.properties = ["id"]
        request.filter.near = try near.smaller(containing: request.page, in: session) { circle in
            keys.filter.near = circle
            return try list(keys, in: session)
        }
        return request
    }

    /// Returns a request with the position of `near=last` and the condition of `filter`.
    ///
    /// - Throws: 403 `not-signed-in` if the operator requests the scope `friends`, and the errors of
    ///   ``FeatureRequest/located(for:in:)`` and ``FeatureRequest/filtered(by:)``.
    func resolved(_ request: FeatureRequest, in session: any Session) throws -> FeatureRequest {
        guard request.scope != .friends || viewer != .operator else {
            throw Problem.userRequired(
                "'scope=friends' needs the follows of a user: send the token of a user")
        }
        let located = try request.located(for: viewer, in: session)
        var resolved = try located.filtered(by: queryables)
        resolved.isPublic = isPublic
        return resolved
    }

    /// Returns the query for the feature with an ID.
    ///
    /// - Throws: The errors of the query.
    func one(_ id: String, in session: any Session) throws -> Selection {
        guard isPublic else {
            return try collection.one(id, viewer, clock, session)
        }
        return switch collection.kind {
        case .items:
            try ItemQuery.one(id, viewer: viewer, isPublic: true, clock: clock, in: session)
        case .events:
            try EventQuery.one(
                id,
                viewer: viewer,
                isPublic: true,
                isLocated: collection.id == FeatureCollection.locatedEventsID,
                standing: clock,
                in: session)
        case .posts:
            try PostQuery.one(id, viewer: viewer, isPublic: true, in: session)
        default:
            try collection.one(id, viewer, clock, session)
        }
    }

    /// Reads the area and the time of the features that the viewer can see.
    ///
    /// - Parameter session: The session that reads the features.
    /// - Returns: The extent, or `nil` if the features have neither positions nor instants.
    /// - Throws: The errors of the query.
    func extent(in session: any Session) throws -> Extent? {
        var query = ExtentQuery(collection.kind, viewer: viewer)
        query.isLocated = collection.id == FeatureCollection.locatedEventsID
        query.isPublic = isPublic
        return try query.extent(in: session)
    }

    /// The properties that the viewer may use in filters.
    var queryables: [Queryable] { collection.queryables(isPublic: isPublic) }

    /// Returns the properties that the viewer can request in addition to others.
    func optionalProperties(besides names: [String]) -> [String] {
        guard !isPublic else { return [] }
        return collection.optionalProperties.filter { name in !names.contains(name) }
    }

    /// Returns the visible columns, including the URL of the photo.
    func columns(of shape: ResultShape) -> ResultShape {
        var shape = shape
        if photoAddress(in: shape) != nil {
            shape.choice?.append("photo_url")
            let address = Column("photo_url", .text, at: FeatureRow.photoAddress)
            shape.columns.append(address)
        }
        if isPublic, let visible = collection.publicColumns {
            shape.columns.removeAll { column in !visible.contains(column.name) }
            shape.choice?.removeAll { name in !visible.contains(name) }
        }
        return shape
    }

    /// Returns the visible columns of a list in the requested order.
    ///
    /// - Parameters:
    ///   - selection: The query for the list.
    ///   - names: The names of the requested properties; `nil` for all columns.
    /// - Returns: The columns.
    /// - Throws: `parameter-invalid` for an unknown or repeated property.
    func shape(of selection: Selection, properties names: [String]?) throws -> ResultShape {
        let shape = columns(of: selection.shape)
        guard let names else { return shape }
        let known = shape.names + optionalProperties(besides: shape.names)
        try FeatureRequest.checkProperties(names, among: known)
        guard let selected = shape.selecting(names) else {
            throw HabitError(.internal, "the query has no column for a checked property")
        }
        return selected
    }

    /// Returns a function that adds the photo URL to rows of a selection with that shape.
    ///
    /// - Parameter shape: The shape of the rows.
    /// - Returns: A function that returns the decorated row.
    func rows(of shape: ResultShape) -> (any Row) -> FeatureRow {
        let photo = photoAddress(in: shape)
        return { row in FeatureRow(row: row, photo: photo) }
    }

    private func photoAddress(in shape: ResultShape) -> PhotoURL? {
        guard let object = collection.object,
            let id = shape.columns.first(where: { column in
                column.name == "id"
            }),
            let flag = collection.photoFlag(in: shape)
        else { return nil }
        // A public collection provides photos only below its own URL.
        return PhotoURL(
            collections: "\(base)/collections",
            collection: isPublic ? collection.id : "\(object.rawValue)s",
            id: id.index,
            hasPhoto: flag,
            versions: photoVersions,
            signer: photoLinks)
    }
}
