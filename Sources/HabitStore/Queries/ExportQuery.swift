import Base
import HabitModel
import StoreEngine

/// A query for the rows of each kind, in the form that a load accepts.
///
/// A load of the rows reproduces the content of the store. The columns have the names and the order of the kind's
/// fields. `utc_offset` is omitted, because `at` contains the offset. The row of a habit contains its first schedule,
/// and the rows of schedules contain the changes.
///
/// The fields `photo` and `keep_exif` contain the key of a photo of ``photos(in:_:)``.
public struct ExportQuery: Sendable {
    /// The key of the user whose rows are exported, or `nil` for the complete store.
    private let user: Int64?
    /// The viewer who gets the rows.
    private let viewer: Viewer

    /// Creates a query for the complete store.
    public init() {
        user = nil
        viewer = .operator
    }

    /// Creates a query for the rows of one user.
    ///
    /// The user owns the account, habits, schedules, events, items and posts. The rows also include claims by the user
    /// or on the user's items, messages from or to the user or about the user's items, and follows in both directions.
    /// For a user, they include no record that a block hides.
    ///
    /// - Parameters:
    ///   - id: The ID of the user.
    ///   - viewer: The viewer, who must have permission to delete the user.
    ///   - session: The session that looks up the user.
    /// - Throws: `not-found` if the user does not exist; otherwise the error of ``HabitModel/Access`` if `viewer`
    ///   cannot delete the user.
    public init(ofUser id: String, for viewer: Viewer, in session: any Session) throws {
        let access = AccessChecker(viewer: viewer, in: session)
        user = try access.require(.delete, on: .user, id: id)
        self.viewer = viewer
    }

    /// The kinds of record to export.
    ///
    /// The export of one user has no settings.
    public var kinds: [RecordKind] {
        RecordKind.allCases.filter { user == nil || $0 != .settings }
    }

    /// Returns a query for the rows of a kind, sorted by ID or natural key.
    ///
    /// - Parameters:
    ///   - kind: The kind of the rows.
    ///   - range: The IDs of the rows.
    /// - Returns: The query with the shape of its rows.
    public func selection(of kind: RecordKind, in range: IDRange = .all) -> Selection {
        let source = ExportSource(kind)
        let projection = Projection(files: source.columns, kind)
        let order = source.order.map { column in OrderTerm("\(raw: column)") }
        var select = Select(
            projection.columns,
            from: "\(raw: kind.table)",
            joins: source.joins,
            order: order)
        if let user {
            select.require(source.condition(user: user))
            select.require(Visibility(viewer: viewer).showsParties(of: kind))
        }
        if let first = order.first?.value {
            if let start = range.first {
                select.require("\(first) >= \(.text(start), as: "first_id")")
            }
            if let end = range.end {
                select.require("\(first) < \(.text(end), as: "end_id")")
            }
        }
        return Selection(select.sql, shape: projection.shape)
    }

    /// A range of IDs in the order of the rows.
    public struct IDRange: Sendable {
        /// All IDs.
        public static var all: IDRange { IDRange() }

        /// The first ID, or `nil` from the beginning on.
        fileprivate var first: String?
        /// The first ID after the range, or `nil` to the end.
        fileprivate var end: String?
    }

    /// Divides the rows of a kind into ranges, so that several sessions can read them.
    ///
    /// The method reads an index of all IDs.
    ///
    /// - Parameters:
    ///   - kind: The kind of the rows.
    ///   - size: The number of rows in a range, from 1.
    ///   - session: The session that reads the IDs.
    /// - Returns: At least one range. The rows of one user, and of a kind without IDs, are in one range.
    /// - Throws: An engine error.
    public func ranges(of kind: RecordKind, size: Int, in session: any Session) throws -> [IDRange] {
        let column = "\(kind.table).external_id"
        guard user == nil, ExportSource(kind).order == [column] else {
            return [.all]
        }
        var ranges: [IDRange] = []
        var rest = IDRange.all
        while true {
            var sql: SQL = "SELECT \(raw: column) FROM \(raw: kind.table)"
            if let first = rest.first {
                sql += " WHERE \(raw: column) >= \(.text(first), as: "first")"
            }
            sql += " ORDER BY \(raw: column) LIMIT 1 OFFSET \(.integer(Int64(size)), as: "size")"
            let found = try session.first(sql) { row in row.text(0) }
            guard let end = found ?? nil else {
                return ranges + [rest]
            }
            ranges.append(IDRange(first: rest.first, end: end))
            rest.first = end
        }
    }

    // MARK: Photos

    /// A photo with its stored bytes.
    public struct StoredPhoto {
        /// The key of the photo in the rows.
        public var key: Int64
        /// The SHA-256 digest of the bytes.
        public var sha256: [UInt8]
        /// The media type, such as `image/jpeg`.
        public var mediaType: String
        /// The bytes of the image file.
        public var bytes: [UInt8]
    }

    /// Calls `body` with each photo of the rows to export.
    ///
    /// - Parameters:
    ///   - session: The session that runs the export.
    ///   - body: A closure that receives the photo.
    /// - Throws: The error that `body` throws, or an engine error.
    public func photos(in session: any Session, _ body: (StoredPhoto) throws -> Void) throws {
        try session.query(photoSQL) { row in
            try body(
                StoredPhoto(
                    key: row.integer(0),
                    sha256: row.blob(1),
                    mediaType: row.text(2) ?? "",
                    bytes: row.blob(3)))
            return true
        }
    }

    private var photoSQL: SQL {
        let ofUser = user.map { key -> SQL in
            " AND user_id = \(.integer(key), as: "user")"
        }
        let used = RecordKind.withPhotos.map { kind -> SQL in
            "SELECT photo_id FROM \(raw: kind.table) WHERE photo_id IS NOT NULL\(ofUser ?? "")"
        }
        return """
            SELECT id, sha256, media_type, bytes
            FROM photo
            WHERE id IN (\(used.joined(separator: " UNION ")))
            ORDER BY id
            """
    }
}
