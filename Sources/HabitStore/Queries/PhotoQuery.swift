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
    /// Whether the photo goes to a client without a token.
    public var isPublic = false

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
        let access = AccessChecker(viewer: viewer, in: session)
        let key = try access.require(.view, on: kind, id: id)
        let sql: SQL = """
            SELECT photo_id
            FROM \(raw: kind.rawValue)
            WHERE id = \(.integer(key), as: "id") AND photo_id IS NOT NULL
            """
        let photo = try session.first(sql) { row in row.integer(0) }
        guard let photo else {
            throw HabitError(
                .notFound,
                "the \(kind.rawValue) '\(id)' has no photo",
                field: "photo")
        }
        return photo
    }

    /// Returns the SHA-256 digest of the photo as the viewer receives it, or `nil` if the record has no photo.
    ///
    /// The caller must have checked that the viewer can see the record. The bytes are read only if the viewer receives
    /// them without metadata.
    ///
    /// - Parameter session: A session on the store.
    /// - Returns: The digest.
    /// - Throws: `download-failed` if the store does not contain the photo; an error of the engine.
    public func digestOfVisible(in session: any Session) throws -> [UInt8]? {
        let sql: SQL = """
            SELECT photo_id
            FROM \(raw: kind.rawValue)
            WHERE external_id = \(.text(id.composed), as: "id") AND photo_id IS NOT NULL
            """
        let key = try session.first(sql) { row in row.integer(0) }
        guard let key else { return nil }
        let stored = try Self.describe(key, in: session).sha256
        guard try omitsMetadata(in: session) else { return stored }
        return try photo(key, sha256: stored, in: session).bytes.sha256
    }

    /// Returns the media type, the size in bytes and the SHA-256 digest of a photo without reading its bytes.
    ///
    /// - Throws: `download-failed` if the store does not contain the photo.
    public static func describe(
        _ key: Int64,
        in session: any Session
    ) throws -> (mediaType: String, byteCount: Int, sha256: [UInt8]) {
        let sql: SQL = "SELECT media_type, length(bytes), sha256 FROM photo WHERE id = \(.integer(key), as: "id")"
        let found = try session.first(sql) { row in
            (
                mediaType: row.text(0) ?? "",
                byteCount: Int(row.integer(1)),
                sha256: row.blob(2)
            )
        }
        guard let found else { throw damaged }
        return found
    }

    /// A photo as users receive it.
    public struct DeliveredPhoto: Sendable {
        /// The media type, such as `image/jpeg`.
        public var mediaType: String
        /// The bytes of the image file.
        public var bytes: [UInt8]

        /// Returns the photo as viewers receive it who do not receive its metadata.
        ///
        /// - Throws: `download-failed` if the file is damaged.
        public func withoutMetadata() throws -> DeliveredPhoto {
            guard let file = try? PhotoFile(bytes) else { throw PhotoQuery.damaged }
            return replacing(file.withoutMetadata())
        }

        /// Returns a still copy without metadata.
        ///
        /// - Parameter width: The maximum width in pixels.
        /// - Returns: The copy.
        /// - Throws: `download-failed` if the file is damaged, or `internal` if a library fails.
        public func copy(width: Int) throws -> DeliveredPhoto {
            guard let file = try? PhotoFile(bytes) else { throw PhotoQuery.damaged }
            let copy = try HabitError.ofPhoto { () throws(PhotoError) in try file.copy(width: width) }
            return replacing(copy)
        }

        private func replacing(_ bytes: [UInt8]) -> DeliveredPhoto {
            DeliveredPhoto(mediaType: Photo.mediaType(of: bytes) ?? mediaType, bytes: bytes)
        }
    }

    /// Returns a photo after a check of its digest.
    ///
    /// The result of ``omitsMetadata(in:)`` decides whether it has metadata.
    ///
    /// - Parameters:
    ///   - key: The key of the photo.
    ///   - sha256: The digest that ``describe(_:in:)`` returns.
    ///   - session: A session on the store.
    /// - Returns: The photo.
    /// - Throws: `download-failed` if the store does not contain the photo, or contains other bytes.
    public func photo(_ key: Int64, sha256: [UInt8], in session: any Session) throws -> DeliveredPhoto {
        let sql: SQL = "SELECT bytes, media_type FROM photo WHERE id = \(.integer(key), as: "id")"
        let stored = try session.first(sql) { row in
            DeliveredPhoto(mediaType: row.text(1) ?? "", bytes: row.blob(0))
        }
        guard let stored, stored.bytes.sha256 == sha256 else {
            throw Self.damaged
        }
        guard try omitsMetadata(in: session) else { return stored }
        return try stored.withoutMetadata()
    }

    /// Returns whether the viewer receives the photo without its metadata.
    ///
    /// The metadata can contain an exact position. The photo of an item is therefore sent without metadata, also if an earlier
    /// version stored it with metadata. Others do not receive the metadata if they do not see the position of the record, or if the
    /// owner has private places: the metadata can contain another position than the record.
    ///
    /// - Parameter session: A session on the store.
    /// - Returns: Whether the metadata is removed.
    /// - Throws: An error of the engine.
    public func omitsMetadata(in session: any Session) throws -> Bool {
        if kind == .item { return true }
        if viewer == .operator, !isPublic { return false }
        let table = kind.rawValue
        let shown = Visibility(viewer: viewer, isPublic: isPublic).position(in: table).expression
        let sql: SQL = """
            SELECT user_id, CASE WHEN geometry IS NOT NULL AND \(shown) IS NULL THEN 1 ELSE 0 END
            FROM \(raw: table)
            WHERE external_id = \(.text(id.composed), as: "id")
            """
        let found = try session.first(sql) { row in
            (owner: row.integer(0), isHidden: row.integer(1) == 1)
        }
        guard let found else { return true }
        if case .user(found.owner, _) = viewer { return false }
        if found.isHidden { return true }
        let places: SQL = """
            SELECT private_places
            FROM account
            WHERE id = \(.integer(found.owner), as: "owner") AND private_places IS NOT NULL
            """
        return try session.first(places) { _ in true } ?? false
    }

    fileprivate static var damaged: HabitError {
        HabitError(
            .downloadFailed,
            "the stored photo is missing or damaged",
            .take(.checkStore),
            .advice("restore a backup"))
    }
}
