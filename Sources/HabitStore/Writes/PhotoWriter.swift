import Base
import HabitModel
import Photos
import StoreEngine

/// Stores each photo once for equal bytes.
///
/// Decodes a new photo first, to check that it is an image.
final class PhotoWriter {
    private let session: any Session
    private let find: OnDemand<any Statement>
    private let insert: OnDemand<any Statement>
    private var isUsed = false

    init(_ session: any Session) {
        self.session = session
        find = session.onDemand("SELECT id FROM photo WHERE sha256 = :sha256")
        insert = session.onDemand(
            "INSERT INTO photo (sha256, media_type, bytes) VALUES (:sha256, :type, :bytes) RETURNING id")
    }

    func column(_ photo: FieldInput<Photo>) throws -> Value? {
        if case .absent = photo { return nil }
        isUsed = true
        guard let photo = photo.value else { return .null }
        return .integer(try key(of: photo))
    }

    /// Removes the photos that no record uses, such as the photos of rejected records and replaced photos.
    func removeUnused() throws {
        guard isUsed else { return }
        try Self.removeUnused(in: session)
    }

    /// Removes the photos that no record uses.
    ///
    /// Reads the keys of all photos, but not their bytes.
    static func removeUnused(in session: any Session) throws {
        try session.run("DELETE FROM photo WHERE id IN (\(raw: unusedKeys))")
    }

    /// A query for the keys of the photos that no record uses.
    static let unusedKeys =
        "SELECT id FROM photo"
        + RecordKind.withPhotos.map { " EXCEPT SELECT photo_id FROM \($0.table) WHERE photo_id IS NOT NULL" }.joined()

    private func key(of photo: Photo) throws -> Int64 {
        let sha256 = photo.sha256
        if let key = try find.value().key([.blob(sha256)]) {
            return key
        }
        try HabitError.ofPhoto { () throws(PhotoError) in try photo.verify() }
        var key: Int64?
        let statement = try insert.value()
        try statement.bind([.blob(sha256), .text(photo.mediaType), .blob(photo.bytes)])
        try statement.forEach { row in
            key = row.integer(0)
            return true
        }
        guard let key else { throw HabitError(.internal, "the photo was not stored") }
        return key
    }
}
