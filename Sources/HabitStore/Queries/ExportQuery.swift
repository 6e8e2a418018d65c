import HabitModel
import StoreEngine

/// The rows of each kind as an input has them: a load of them makes what the store holds.
///
/// Columns are named and ordered as the kind's fields. `utc_offset` is left out, since `at` says it. `days` are those that
/// a habit began with. The photos come first: see ``photos(in:_:)``.
public struct ExportQuery: Sendable {
    /// Only what is this user's; nil: the whole store.
    private let user: Int64?

    /// All there is.
    public init() { user = nil }

    /// What is the user's: their account, habits and their schedules, events, items, posts, claims on their items and
    /// theirs, messages and follows they are part of.
    ///
    /// Throws what ``HabitModel/Access`` says of `viewer`'s right to delete the user.
    public init(ofUser id: String, for viewer: Viewer, in session: any Session) throws {
        user = try Things(viewer: viewer, in: session).require(.delete, .user, id)
    }

    /// A user has no settings.
    public var kinds: [RecordKind] { RecordKind.allCases.filter { user == nil || $0 != .settings } }

    /// The rows of a kind, by id or natural key.
    public func selection(of kind: RecordKind) -> Selection {
        let source = ExportSource(kind)
        let projection = Projection(files: source.columns, kind)
        var select = SelectBuilder(columns: projection.sql, from: kind.table, order: [OrderTerm(source.order)])
        select.joins = source.joins
        if let user { select.require(source.isUsers, ["user": .integer(user)]) }
        return Selection(select.sql, shape: projection.shape)
    }

    // MARK: Photos

    /// A photo as it is stored.
    public struct StoredPhoto {
        public var sha256: [UInt8]
        public var mediaType: String
        public var bytes: [UInt8]
    }

    /// What rows say of a photo.
    public struct PhotoFields {
        public var path: String
        public var keepsEXIF: Bool

        public init(path: String, keepsEXIF: Bool) {
            self.path = path
            self.keepsEXIF = keepsEXIF
        }
    }

    /// Hands each photo of the rows to `body`, which says what the rows that come afterwards have for it; gives how many.
    public func photos(in session: any Session, _ body: (StoredPhoto) throws -> PhotoFields) throws -> Int {
        try session.run("DROP TABLE IF EXISTS exported_photo")
        try session.run(
            """
            CREATE TEMP TABLE exported_photo (
              photo_id INTEGER PRIMARY KEY,
              path TEXT NOT NULL,
              keep_exif INTEGER
            )
            """)
        let insert = try session.prepare("INSERT INTO exported_photo VALUES (:photo, :path, :keep_exif)")
        var count = 0
        try session.query(photoSQL) { row in
            let photo = StoredPhoto(sha256: row.blob(1), mediaType: row.text(2) ?? "", bytes: row.blob(3))
            let fields = try body(photo)
            try insert.bind([.integer(row.integer(0)), .text(fields.path), fields.keepsEXIF ? .boolean(true) : .null])
            try insert.run()
            count += 1
            return true
        }
        return count
    }

    private var photoSQL: SQL {
        let used = ["event", "item", "post"].map { table in
            "SELECT photo_id FROM \(table) WHERE photo_id IS NOT NULL" + (user == nil ? "" : " AND user_id = :user")
        }
        return SQL(
            """
            SELECT id, sha256, media_type, bytes
            FROM photo
            WHERE id IN (\(used.joined(separator: " UNION ")))
            ORDER BY id
            """, user.map { ["user": .integer($0)] } ?? [:])
    }
}
