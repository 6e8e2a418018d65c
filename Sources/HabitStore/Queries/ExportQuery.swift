import HabitModel
import StoreEngine

/// A query for the rows of each kind, in the form that a load accepts.
///
/// A load of the rows reproduces the content of the store. The columns have the names and the order of the kind's
/// fields. `utc_offset` is omitted, because `at` contains the offset. The row of a habit contains its first schedule,
/// and the rows of schedules contain the changes.
///
/// Export the photos before the rows: see ``photos(in:_:)``.
public struct ExportQuery: Sendable {
    /// The key of the user whose rows are exported, or `nil` for the complete store.
    private let user: Int64?

    /// Creates a query for the complete store.
    public init() { user = nil }

    /// Creates a query for the rows of one user.
    ///
    /// The user owns the account, habits, schedules, events, items and posts. The rows also include claims by the user
    /// or on the user's items, messages from or to the user or about the user's items, and follows in both directions.
    ///
    /// - Parameters:
    ///   - id: The ID of the user.
    ///   - viewer: The viewer, who must have permission to delete the user.
    ///   - session: The session that looks up the user.
    /// - Throws: `not-found` if the user does not exist; otherwise the error of ``HabitModel/Access`` if `viewer`
    ///   cannot delete the user.
    public init(ofUser id: String, for viewer: Viewer, in session: any Session) throws {
        user = try AccessChecker(viewer: viewer, in: session).require(.delete, .user, id)
    }

    /// The kinds of record to export.
    ///
    /// The export of one user has no settings.
    public var kinds: [RecordKind] { RecordKind.allCases.filter { user == nil || $0 != .settings } }

    /// Returns a query for the rows of a kind, sorted by ID or natural key.
    public func selection(of kind: RecordKind) -> Selection {
        let source = ExportSource(kind)
        let projection = Projection(files: source.columns, kind)
        var select = SelectBuilder(columns: projection.sql, from: kind.table, order: [OrderTerm(source.order)])
        select.joins = source.joins
        if let user { select.require(source.isUsers, ["user": .integer(user)]) }
        return Selection(select.sql, shape: projection.shape)
    }

    // MARK: Photos

    /// A photo with its stored bytes.
    public struct StoredPhoto {
        /// The SHA-256 digest of the bytes.
        public var sha256: [UInt8]
        /// The media type, such as `image/jpeg`.
        public var mediaType: String
        /// The bytes of the image file.
        public var bytes: [UInt8]
    }

    /// The values of the photo fields in exported rows.
    public struct PhotoFields {
        /// The value of the field `photo`: the path of the photo file.
        public var path: String
        /// The value of the field `keep_exif`.
        public var keepsEXIF: Bool

        /// Creates the values of the photo fields.
        public init(path: String, keepsEXIF: Bool) {
            self.path = path
            self.keepsEXIF = keepsEXIF
        }
    }

    /// Calls `body` with each photo of the rows to export.
    ///
    /// The method stores the results of `body` in the temporary table `exported_photo`. The queries of
    /// ``selection(of:)`` join this table.
    ///
    /// - Parameters:
    ///   - session: The session that runs the export.
    ///   - body: A closure that returns the photo fields for the rows that have the photo.
    /// - Returns: The number of photos.
    /// - Throws: The error that `body` throws, or an engine error.
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
        let used = RecordKind.withPhotos.map { kind in
            "SELECT photo_id FROM \(kind.table) WHERE photo_id IS NOT NULL"
                + (user == nil ? "" : " AND user_id = :user")
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
