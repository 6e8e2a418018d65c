import HabitModel
import HabitStore
import StoreEngine

/// A collection as one viewer sees it at one moment.
struct FeatureView: Sendable {
    let collection: FeatureCollection
    let viewer: Viewer
    /// Whether it is read as everybody may who has shown no token.
    var isPublic = false
    let clock: Clock
    /// What links begin with.
    let base: String

    /// The party in whose queue a request of the client with this address waits.
    func requester(_ client: String) -> Requester { isPublic ? .client(client) : Requester(viewer) }

    var address: String { "\(base)/collections/\(collection.id)" }

    func list(_ request: FeatureRequest, in session: any Session) throws -> Selection {
        try collection.list(request, viewer, clock, session)
    }

    /// The columns that the viewer sees, with the address of each one's photo.
    func columns(of shape: ResultShape) -> ResultShape {
        var shape = shape
        if photoAddress(in: shape) != nil {
            shape.choice?.append("photo_url")
            shape.columns.append(Column("photo_url", .text, at: FeatureRow.photoAddress))
        }
        if isPublic, let visible = collection.publicColumns {
            shape.columns.removeAll { !visible.contains($0.name) }
            shape.choice?.removeAll { !visible.contains($0) }
        }
        return shape
    }

    /// What is read from the rows of a selection with that shape.
    func rows(of shape: ResultShape) -> (any Row) -> FeatureRow {
        let photo = photoAddress(in: shape)
        return { FeatureRow(row: $0, photo: photo) }
    }

    private func photoAddress(in shape: ResultShape) -> PhotoAddress? {
        guard collection.hasPhotos, let object = collection.object,
            let id = shape.columns.first(where: { $0.name == "id" }),
            let flag = shape.columns.first(where: { $0.name == "has_photo" })
        else { return nil }
        // A public collection opens the photos at its own address and at no other.
        let items = isPublic ? address : "\(base)/collections/\(object.rawValue)s"
        return PhotoAddress(items: items + "/items/", id: id.index, hasPhoto: flag.index)
    }
}
