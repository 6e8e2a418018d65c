import HabitModel
import StoreEngine

/// The photo of an event, an item or a post.
public struct PhotoQuery: Sendable {
    public var viewer: Viewer
    /// `.event`, `.item` or `.post`.
    public var kind: AccessObject.Kind
    public var id: String

    public init(_ kind: AccessObject.Kind, _ id: String, viewer: Viewer) {
        self.kind = kind
        self.id = id
        self.viewer = viewer
    }

    /// The key of the photo, once it is sure that the viewer may see it.
    ///
    /// Throws `not-found` (also where there is no photo), `post-deleted`.
    public func find(in session: any Session) throws -> Int64 {
        let key = try Things(viewer: viewer, in: session).require(.view, kind, id)
        let sql = SQL(
            "SELECT photo_id FROM \(kind.rawValue) WHERE id = :id AND photo_id IS NOT NULL", ["id": .integer(key)])
        guard let photo = try session.first(sql, { $0.integer(0) }) else {
            throw HabitError(.notFound, "the \(kind.rawValue) '\(id)' has no photo", field: "photo")
        }
        return photo
    }

    /// What is known of a photo before its bytes are read.
    public static func describe(
        _ key: Int64, in session: any Session
    ) throws -> (mediaType: String, byteCount: Int, sha256: [UInt8]) {
        let sql = SQL("SELECT media_type, length(bytes), sha256 FROM photo WHERE id = :id", ["id": .integer(key)])
        guard let found = try session.first(sql, { ($0.text(0) ?? "", Int($0.integer(1)), $0.blob(2)) }) else {
            throw unreadable
        }
        return found
    }

    public static func bytes(_ key: Int64, in session: any Session) throws -> [UInt8] {
        let sql = SQL("SELECT bytes FROM photo WHERE id = :id", ["id": .integer(key)])
        guard let bytes = try session.first(sql, { $0.blob(0) }) else { throw unreadable }
        return bytes
    }

    private static var unreadable: HabitError { HabitError(.downloadFailed, "the photo cannot be read from the store") }
}
