import Base
import HTTPTypes
import HabitModel
import HabitReport
import HabitStore
import Rendering
import StoreEngine

/// One feature of a collection for one viewer.
struct SingleFeature: Sendable {
    let view: FeatureView
    let id: String

    struct LoadedFeature: Sendable {
        var bytes: [UInt8]
        var tag: EntityTag
        /// The header fields with the type of the document.
        var headers: HTTPFields
    }

    /// The properties that are derived from other records.
    ///
    /// A change of these properties does not change the feature.
    static let derived: Set<String> = [
        "status", "color", "completion_rate", "streak_current", "streak_longest", "score",
    ]

    var address: String { "\(view.address)/items/\(id.urlEncoded)" }

    /// Returns the query for this feature.
    ///
    /// Only this function decides whether a request can see the feature or a resource below its URL.
    /// - Throws: `not-found` and `post-deleted` if the viewer may not see a record with this ID.
    private func selection(in session: any Session) throws -> Selection {
        let (collection, viewer) = (view.collection, view.viewer)
        if let object = collection.object { try AccessChecker(viewer: viewer, in: session).require(.view, object, id) }
        return try view.one(id, in: session)
    }

    private var notFound: HabitError {
        HabitError(
            .notFound, "there is no \(view.collection.kind.rawValue.dropLast()) '\(id)' that you may see", field: "id")
    }

    /// Checks that the collection contains the feature and that the viewer may see it.
    ///
    /// - Throws: `not-found`, `post-deleted`.
    func require(in session: any Session) throws {
        guard try session.first(try selection(in: session).sql, { _ in true }) == true else { throw notFound }
    }

    /// Returns the query for the feature's photo if the viewer may see the feature.
    ///
    /// - Throws: `not-found` if the collection does not contain the feature or the viewer may not see it;
    ///   `post-deleted`.
    func photo(of kind: AccessObject.Kind, in session: any Session) throws -> PhotoQuery {
        try require(in: session)
        return PhotoQuery(kind, id, viewer: view.viewer)
    }

    /// Reads the feature and renders it as GeoJSON.
    ///
    /// - Returns: The document and its tag.
    /// - Throws: `not-found` if the collection has no such feature that the viewer may see, `post-deleted`.
    func find(in session: any Session) throws -> LoadedFeature {
        let (collection, viewer) = (view.collection, view.viewer)
        let selection = try selection(in: session)
        let shape = view.columns(of: selection.shape)
        let feature = view.rows(of: selection.shape)
        // The stored representation, and with it If-Match, does not depend on the signatures of links.
        let unsigned = view.rows(of: selection.shape, isSigned: false)
        let table = view.site.map { FeatureTable(shape, Self.single, view, $0) }
        let whole = OutputBuffer()
        let stored = OutputBuffer()
        var isFound = false
        try session.query(selection.sql) { row in
            isFound = true
            try Self.write(feature(row), shape, members, to: whole)
            try table?.begin()
            try table?.append(feature(row))
            try table?.end()
            var kept = shape
            kept.columns.removeAll { Self.derived.contains($0.name) }
            try Self.write(unsigned(row), kept, "", to: stored)
            return false
        }
        guard isFound else { throw notFound }
        // The tag contains the photo's digest, because a new photo may leave all properties unchanged.
        if let kind = collection.object, collection.hasPhotos,
            let photo = try? PhotoQuery(kind, id, viewer: viewer).find(in: session)
        {
            let sha256 = try PhotoQuery.describe(photo, in: session).sha256
            stored.append(EntityTag(ofPhoto: sha256, of: kind).value)
        }
        var (bytes, headers) = (whole.contents, [.contentType: MediaType.geoJSON.text] as HTTPFields)
        if let table, let site = view.site {
            let page = webPage(table, site)
            (bytes, headers) = (page.html(site), page.headers)
        }
        let isStored = stored.contents
        return LoadedFeature(
            bytes: bytes,
            tag: EntityTag(
                stored: isStored, shown: [bytes, isStored].map { String(decoding: $0, as: UTF8.self) }),
            headers: headers)
    }

    /// Checks the permission for a change, and the preconditions of the request.
    ///
    /// - Parameters:
    ///   - action: The change.
    ///   - preconditions: The preconditions of the request, which apply only to a permitted change.
    ///   - session: The session in which the feature is read.
    /// - Throws: `not-found`, `not-yours` for a feature that the viewer may see but not change, and `changed-meanwhile`.
    func require(_ action: Action, if preconditions: Preconditions, in session: any Session) throws {
        let access = AccessChecker(viewer: view.viewer, in: session)
        if let object = view.collection.object {
            try access.require(.view, object, id)
            try access.require(action, object, id)
        }
        guard !preconditions.isEmpty || view.collection.object == nil else { return }
        try preconditions.check(stored: try find(in: session).tag)
    }

    /// Writes a row as a GeoJSON feature with additional members.
    static func write(_ row: some Row, _ shape: ResultShape, _ members: String, to output: OutputBuffer) throws {
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
        let links =
            ownLinks(isPage: false).map { FeaturePage.link($0.rel, $0.href, $0.type) }
            + [FeaturePage.link("collection", view.address, .json)]
        return [JSON.Member("links", .list(links + view.collection.links(id, view)))].continuation
    }
}
