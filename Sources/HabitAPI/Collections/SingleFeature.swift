import Base
import HTTPServing
import HTTPTypes
import HabitModel
import HabitReport
import HabitStore
import Hummingbird
import Rendering
import StoreEngine

/// One feature of a collection for one viewer.
package struct SingleFeature: Sendable {
    package let view: FeatureView
    package let id: String

    struct LoadedFeature: Sendable {
        var bytes: [UInt8]
        var tag: EntityTag
        /// The header fields with the type of the document.
        var headers: HTTPFields
    }

    /// The properties that are derived from other records, which a client may send back.
    static let derived: Set<String> = [
        "status", "color", "completion_rate", "streak_current", "streak_longest", "score",
    ]

    package var address: String { "\(view.address)/items/\(id.urlEncoded)" }

    /// Returns the query for this feature, which has no rows if the viewer may not see the feature.
    ///
    /// - Throws: `not-found` and `post-deleted` if the viewer may not see a record with this ID; the errors of the query.
    private func selection(in session: any Session) throws -> Selection {
        do {
            return try view.one(id, in: session)
        } catch {
            try requireVisible(in: session)
            throw error
        }
    }

    /// Calls `body` with the row of the feature.
    ///
    /// Only this function decides whether a request can see the feature or a resource below its URL. The query selects
    /// by the same rules as ``Access``, which are checked only if there is no row, because their error names the reason.
    ///
    /// - Parameters:
    ///   - selection: The query for this feature.
    ///   - session: The session that runs the query.
    ///   - body: A closure that receives the row.
    /// - Throws: `not-found` if the collection has no such feature that the viewer may see, `post-deleted`, and the error
    ///   thrown by `body`.
    private func read(
        _ selection: Selection,
        in session: any Session,
        body: (any Row) throws -> Void
    ) throws {
        let isFound = try session.first(selection.sql) { row in
            try body(row)
            return true
        }
        guard isFound == nil else { return }
        try requireVisible(in: session)
        throw HabitError(
            .notFound,
            "there is no \(view.collection.kind.rawValue.dropLast()) '\(id)' that you may see",
            field: "id")
    }

    /// Checks that the viewer may see a record with this ID, if the records of the collection have access rules.
    private func requireVisible(in session: any Session) throws {
        guard let object = view.collection.object else { return }
        let access = AccessChecker(viewer: view.viewer, in: session)
        try access.require(.view, on: object, id: id)
    }

    /// Checks that the collection contains the feature and that the viewer may see it.
    ///
    /// - Throws: `not-found`, `post-deleted`.
    func require(in session: any Session) throws {
        let selection = try selection(in: session)
        try read(selection, in: session) { _ in }
    }

    /// Returns the query for the feature's photo if the viewer may see the feature.
    ///
    /// - Throws: `not-found` if the collection does not contain the feature or the viewer may not see it;
    ///   `post-deleted`.
    func photo(of kind: AccessObject.Kind, in session: any Session) throws -> PhotoQuery {
        try require(in: session)
        var query = PhotoQuery(kind, id, viewer: view.viewer)
        query.isPublic = view.isPublic
        return query
    }

    /// Returns the basis of the tag of a response with the feature.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - parameters: The parameters of the request, or `nil` for the response to a change.
    /// - Returns: The basis of the tag.
    func tag(of request: Request, _ parameters: RequestParameters? = nil) -> ResponseTag {
        let query = parameters?.canonical ?? ""
        let form = view.pages == nil ? "feature" : "page"
        return view.tag(of: request, [address, query, form])
    }

    /// Reads the feature and renders it as GeoJSON.
    ///
    /// - Parameters:
    ///   - responseTag: The basis of the tag of the response.
    ///   - session: The session in which the feature is read.
    /// - Returns: The document and its tag.
    /// - Throws: `not-found` if the collection has no such feature that the viewer may see, `post-deleted`.
    func find(tagged responseTag: ResponseTag, in session: any Session) throws -> LoadedFeature {
        let selection = try selection(in: session)
        let shape = view.columns(of: selection.shape)
        let feature = view.rows(of: selection.shape)
        let names = view.names(in: session)
        let table = view.pages.map { pages in
            pages.table(shape, Self.single, of: view, names: names)
        }
        let whole = OutputBuffer()
        try read(selection, in: session) { row in
            try Self.write(feature(row), shape: shape, adding: members, to: whole)
            try table?.begin()
            try table?.append(feature(row))
        }
        // The table reads names, so the query must have ended.
        try table?.end()
        var bytes = whole.contents
        var headers: HTTPFields = [.contentType: ContentType.geoJSON.text]
        if let table {
            let page = table.page(of: self)
            bytes = page.html
            headers = page.headers
        }
        let tags = try responseTag.tags(in: session)
        let shown = responseTag.value(tags)
        let version = try record.version(tags, in: session)
        let tag = version.map { version in EntityTag(version: version, shown: shown) }
        return LoadedFeature(bytes: bytes, tag: tag ?? shown, headers: headers)
    }

    /// The record of the feature, whose version only those see who may edit it.
    private var record: EditableRecord {
        EditableRecord(kind: view.collection.kind, id: id, viewer: view.viewer)
    }

    /// Checks the permission for a change, and the preconditions of the request.
    ///
    /// The collections without access rules rely on the method to find the feature.
    ///
    /// - Parameters:
    ///   - action: The change.
    ///   - preconditions: The preconditions of the request, which apply only to a permitted change.
    ///   - session: The session in which the feature is read.
    /// - Throws: `not-found`, `not-yours` for a feature that the viewer may see but not change, and `changed-meanwhile`.
    func require(_ action: Action, if preconditions: Preconditions, in session: any Session) throws {
        guard let object = view.collection.object else {
            try require(in: session)
            return try preconditions.check(stored: try record.storedTag(in: session))
        }
        let access = AccessChecker(viewer: view.viewer, in: session)
        guard !preconditions.isEmpty else {
            try access.require(action, on: object, id: id)
            return
        }
        let number = try access.version(for: action, on: object, id: id)
        try preconditions.check(stored: try record.storedTag(version: number, in: session))
    }

    /// The links of the feature to itself and to its other form.
    func ownLinks(isPage: Bool) -> [(rel: String, href: String, type: ContentType)] {
        let page = "\(address)?f=html"
        guard isPage else {
            return [
                ("self", address, .geoJSON),
                ("alternate", page, .html),
            ]
        }
        return [
            ("self", page, .html),
            ("alternate", "\(address)?f=json", .geoJSON),
        ]
    }

    /// Writes a row as a GeoJSON feature with additional members.
    static func write(
        _ row: some Row,
        shape: ResultShape,
        adding members: String,
        to output: OutputBuffer
    ) throws {
        let renderer = GeoJSONRenderer(features: shape, Self.single, output)
        try renderer.begin()
        try renderer.append(row)
        renderer.end(adding: members)
    }

    private static let single: RenderOptions = {
        var options = RenderOptions()
        options.single = true
        return options
    }()

    private var members: String {
        var links = ownLinks(isPage: false).map { link in
            FeaturePage.link(link.rel, to: link.href, type: link.type)
        }
        links.append(FeaturePage.link("collection", to: view.address, type: .json))
        links += view.collection.links(id, view)
        return [JSON.Member("links", .list(links))].continuation
    }
}
