import HabitModel
import HabitReport
import HabitStore
import Rendering
import StoreEngine

/// One feature of a collection as one viewer gets it.
struct SingleFeature: Sendable {
    let view: FeatureView
    let id: String

    struct Found: Sendable {
        var bytes: [UInt8]
        var tag: EntityTag
    }

    /// What follows from other things than the feature itself: a change of it is no change of the feature.
    private static let derived: Set<String> = [
        "status", "color", "completion_rate", "streak_current", "streak_longest", "score",
    ]

    var address: String { "\(view.address)/items/\(id.urlEncoded)" }

    /// The query for this feature.
    ///
    /// The only function that decides whether a request may see the feature or a resource below its address.
    /// - Throws: `not-found` and `post-deleted` if the viewer may not see a record with this ID.
    private func selection(in session: any Session) throws -> Selection {
        let (collection, viewer) = (view.collection, view.viewer)
        if let object = collection.object { try Things(viewer: viewer, in: session).require(.view, object, id) }
        return try collection.one(id, viewer, view.clock, session)
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

    /// The query for the feature's photo, for a viewer who may see the feature.
    ///
    /// - Throws: `not-found` if the collection does not contain the feature or the viewer may not see it; `post-deleted`.
    func photo(of kind: AccessObject.Kind, in session: any Session) throws -> PhotoQuery {
        try require(in: session)
        return PhotoQuery(kind, id, viewer: view.viewer)
    }

    /// Throws `not-found` where there is none that the viewer may see, `post-deleted`.
    func find(in session: any Session) throws -> Found {
        let (collection, viewer) = (view.collection, view.viewer)
        let selection = try selection(in: session)
        let shape = view.columns(of: selection.shape)
        let feature = view.rows(of: selection.shape)
        let whole = OutputBuffer()
        let stored = OutputBuffer()
        var isFound = false
        try session.query(selection.sql) { row in
            isFound = true
            try write(feature(row), shape, members, to: whole)
            var kept = shape
            kept.columns.removeAll { Self.derived.contains($0.name) }
            try write(feature(row), kept, "", to: stored)
            return false
        }
        guard isFound else { throw notFound }
        // Another photo is another feature, though it says the same.
        if let kind = collection.object, collection.hasPhotos,
            let photo = try? PhotoQuery(kind, id, viewer: viewer).find(in: session)
        {
            stored.append(EntityTag(ofPhoto: try PhotoQuery.describe(photo, in: session).sha256).value)
        }
        let bytes = whole.contents
        let isStored = stored.contents
        return Found(
            bytes: bytes,
            tag: EntityTag(
                stored: isStored, shown: [bytes, isStored].map { String(decoding: $0, as: UTF8.self) }))
    }

    /// Checks what a change needs whatever its body is.
    ///
    /// - Parameter condition: The request's If-Match.
    /// - Throws: `not-found`, `changed-meanwhile`, and `not-yours` for a feature that the viewer sees but may not edit.
    func requireEditable(if condition: String?, in session: any Session) throws {
        let things = Things(viewer: view.viewer, in: session)
        if let object = view.collection.object { try things.require(.view, object, id) }
        if condition != nil || view.collection.object == nil {
            try EntityTag.require(stored: try find(in: session).tag, for: condition)
        }
        if let object = view.collection.object { try things.require(.edit, object, id) }
    }

    private func write(_ row: some Row, _ shape: ResultShape, _ members: String, to output: OutputBuffer) throws {
        var options = RenderOptions()
        options.single = true
        let renderer = GeoJSONRenderer(features: shape, options, output)
        try renderer.begin()
        try renderer.append(row)
        try renderer.end(adding: members)
    }

    private var members: String {
        let links: JSON = [
            FeaturePage.link("self", address, .geoJSON),
            FeaturePage.link("collection", view.address, .json),
        ]
        return #","links":"# + String(decoding: links.bytes, as: UTF8.self)
    }
}
