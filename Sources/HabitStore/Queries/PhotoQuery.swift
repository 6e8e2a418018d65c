import Base
import HabitModel
import Photos
import StoreEngine

/// A lookup of the photo of an event, an item or a post.
public struct PhotoQuery: Sendable {
    /// The viewer of the photo.
    public var viewer: Viewer
    /// The kind of the record: `.event`, `.item` or `.post`.
    public var kind: AccessObject.Kind
    /// The ID of the record.
    public var id: String

    /// Creates a lookup of the photo of one record.
    public init(_ kind: AccessObject.Kind, _ id: String, viewer: Viewer) {
        self.kind = kind
        self.id = id
        self.viewer = viewer
    }

    /// Returns the key of the photo after a check that the viewer can see the record.
    ///
    /// - Throws: `not-found` if the viewer can see no such record or the record has no photo; `post-deleted` if the
    ///   owner has deleted the post.
    public func find(in session: any Session) throws -> Int64 {
        let key = try AccessChecker(viewer: viewer, in: session).require(.view, kind, id)
        let sql: SQL = """
            SELECT photo_id
            FROM \(raw: kind.rawValue)
            WHERE id = \(.integer(key), as: "id") AND photo_id IS NOT NULL
            """
        guard let photo = try session.first(sql, { $0.integer(0) }) else {
            throw HabitError(.notFound, "the \(kind.rawValue) '\(id)' has no photo", field: "photo")
        }
        return photo
    }

    /// Returns the media type, the size in bytes and the SHA-256 digest of a photo without reading its bytes.
    ///
    /// - Throws: `download-failed` if the store does not contain the photo.
    public static func describe(
        _ key: Int64, in session: any Session
    ) throws -> (mediaType: String, byteCount: Int, sha256: [UInt8]) {
        let sql: SQL = "SELECT media_type, length(bytes), sha256 FROM photo WHERE id = \(.integer(key), as: "id")"
        guard let found = try session.first(sql, { ($0.text(0) ?? "", Int($0.integer(1)), $0.blob(2)) }) else {
            throw damaged
        }
        return found
    }

    /// A photo as users receive it.
    public struct DeliveredPhoto: Sendable {
        /// The media type, such as `image/jpeg`.
        public var mediaType: String
        /// The bytes of the image file.
        public var bytes: [UInt8]
    }

    /// Returns a photo after a check of its digest.
    ///
    /// The photo of an item has no metadata, also if an earlier version stored it with metadata. The metadata can contain
    /// the exact position of the item.
    ///
    /// - Parameters:
    ///   - key: The key of the photo.
    ///   - sha256: The digest that ``describe(_:in:)`` returns.
    ///   - session: A session on the store.
    /// - Returns: The photo.
    /// - Throws: `download-failed` if the store does not contain the photo, or contains other bytes.
    public func photo(_ key: Int64, sha256: [UInt8], in session: any Session) throws -> DeliveredPhoto {
        let sql: SQL = "SELECT bytes, media_type FROM photo WHERE id = \(.integer(key), as: "id")"
        guard let stored = try session.first(sql, { ($0.blob(0), $0.text(1) ?? "") }), stored.0.sha256 == sha256 else {
            throw Self.damaged
        }
        guard kind == .item else { return DeliveredPhoto(mediaType: stored.1, bytes: stored.0) }
        guard let bytes = try? PhotoFile(stored.0).withoutMetadata() else { throw Self.damaged }
        return DeliveredPhoto(mediaType: Photo.mediaType(of: bytes) ?? stored.1, bytes: bytes)
    }

    private static var damaged: HabitError {
        HabitError(
            .downloadFailed, "the stored photo is missing or damaged", .take(.checkStore), .advice("restore a backup"))
    }
}
