import Base
import HabitModel
import StoreEngine

/// An import that has changed records of a user.
public struct RecordedImport: Sendable {
    /// The ID of the user who has received the records.
    public var user: String
    /// The names of the formats.
    public var format: String
    /// The names of the inputs.
    public var file: String
    /// The instant of the import.
    public var at: Instant
    /// The number of inserted records of each kind.
    public var inserted: [RecordKind: Int] = [:]
    /// The number of updated records.
    public var updated = 0

    /// Creates an import without records.
    ///
    /// - Parameters:
    ///   - user: The ID of the user who receives the records.
    ///   - format: The names of the formats.
    ///   - file: The names of the inputs.
    ///   - at: The instant of the import.
    public init(user: String, format: String, file: String, at: Instant) {
        self.user = user
        self.format = format
        self.file = file
        self.at = at
    }
}

/// Records an import with the version of its records and with its changes in the log.
public final class ImportRecorder {
    private let session: any Session
    private let version: Int64
    /// The number of the last change before the import.
    private let lastChange: Int64

    /// Creates the recorder of an import before its first write.
    ///
    /// - Parameter writer: The writer of all records of the import.
    /// - Throws: An error of the engine.
    public init(_ writer: RecordWriter) throws {
        session = writer.context.session
        version = writer.context.insertedVersion
        lastChange = try session.first("SELECT max(number) FROM change") { row in row.integer(0) } ?? 0
    }

    /// Records the import after the changes of its records are logged.
    ///
    /// An import that has changed no record is not recorded.
    ///
    /// - Parameter recorded: The import.
    /// - Throws: An error of the engine.
    public func record(_ recorded: RecordedImport) throws {
        let inserted = [RecordKind.habits, .events, .posts].map { kind in recorded.inserted[kind] ?? 0 }
        guard recorded.updated > 0 || inserted.contains(where: { count in count > 0 }) else { return }
        let user = try Lookup.user(recorded.user, visibleTo: .operator, in: session)
        let id = DerivedID.short([recorded.user, "import", "\(recorded.at.microseconds)", "\(version)"])
        let counts = (inserted + [recorded.updated]).map { count -> SQL in "\(.integer(Int64(count)), as: "count")" }
        let values: [SQL] =
            [
                "\(.text(id), as: "id")",
                "\(.integer(user), as: "user")",
                "\(.integer(recorded.at.microseconds), as: "at")",
                "\(.text(recorded.format), as: "format")",
                "\(.text(recorded.file), as: "file")",
            ] + counts + [
                "\(.integer(version), as: "version")",
                try change("min"),
                try change("max"),
            ]
        try session.run(
            """
            INSERT INTO import_run (
              external_id, user_id, imported_at, format, file, habits, events, posts, updated, version, first_change,
              last_change
            )
            VALUES (\(values.joined(separator: ", ")))
            """)
    }

    /// Returns the number of the first or the last change of the import.
    ///
    /// - Parameter function: The SQL function `min` or `max`.
    /// - Returns: The number, or null if the log has no change of the import.
    /// - Throws: An error of the engine.
    private func change(_ function: String) throws -> SQL {
        let sql: SQL = """
            SELECT \(raw: function)(number) FROM change WHERE number > \(.integer(lastChange), as: "last")
            """
        let number = try session.first(sql) { row in row.value(0) } ?? .null
        return "\(number, as: "change")"
    }
}
