import HabitModel
import HabitReport
import HabitStore

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

    /// Throws `not-found` where there is none that the viewer may see, `post-deleted`.
    func find(in session: any Session) throws -> Found {
        let (collection, viewer) = (view.collection, view.viewer)
        if let object = collection.object { try Things(viewer: viewer, in: session).require(.view, object, id) }
        let selection = try collection.one(id, viewer, view.clock, session)
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
        guard isFound else {
            throw HabitError(
                .notFound, "there is no \(collection.kind.rawValue.dropLast()) '\(id)' that you may see", field: "id")
        }
        // Another photo is another feature, though it says the same.
        if let kind = collection.object, collection.hasPhotos,
            let photo = try? PhotoQuery(kind, id, viewer: viewer).find(in: session)
        {
            stored.append(EntityTag(ofPhoto: try PhotoQuery.describe(photo, in: session).sha256).value)
        }
        let bytes = Array(whole.bytes)
        let isStored = Array(stored.bytes)
        return Found(
            bytes: bytes,
            tag: EntityTag(
                stored: isStored, shown: [bytes, isStored].map { String(decoding: $0, as: UTF8.self) }))
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
