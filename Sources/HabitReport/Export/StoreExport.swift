import Base
import Geo
import HabitModel
import HabitStore
import Rendering
import StoreEngine

/// An export of a store, or of one user's data, to a folder or an archive of files in the input formats.
///
/// The folder contains one file per record kind and the photos. A load of a folder with CSV or NDJSON creates the same
/// records: positions keep every bit, instants keep their UTC offset, and an empty text differs from a missing one.
/// Parquet files have the same values, but are only for other programs. Rows are sorted by ID or natural key, so that
/// equal stores produce equal files. Memory use does not grow with the number of rows, but by about 100 bytes
/// for each photo.
public struct StoreExport {
    private let query: ExportQuery
    private let format: OutputFormat

    /// Creates an export.
    ///
    /// - Parameters:
    ///   - query: The rows and photos to export.
    ///   - format: The format of the files.
    /// - Throws: `format-not-available` if `format` is not CSV, NDJSON or Parquet.
    public init(_ query: ExportQuery, format: OutputFormat = .csv) throws {
        guard [.csv, .ndjson, .parquet].contains(format) else {
            throw HabitError(
                .formatNotAvailable,
                "the format \(format.rawValue) is not available for an export: use csv, ndjson or parquet",
                field: "format"
            )
        }
        self.query = query
        self.format = format
    }

    /// The shape of the rows that ``write(to:in:)`` returns.
    public static let shape = ResultShape(
        columns: [Column("kind", .text, at: 0), Column("rows", .integer, at: 1)], identity: ["kind"])

    /// Writes the session's state of the store to a folder.
    ///
    /// - Parameters:
    ///   - folder: The folder or archive, which the caller completes.
    ///   - session: A session on the state of the store to export.
    ///   - crew: Other threads that read and render rows.
    /// - Returns: The number of rows of each kind, and the number of photos.
    /// - Throws: `no-space`, `write-failed`, `output-not-writable`.
    public func write(
        to folder: some OutputFolder, in session: any Session, crew: ReadCrew = .alone
    ) throws -> [ValueRow] {
        try folder.makeFolder(ExportedPhotos.folder)
        let photos = ExportedPhotos()
        try query.photos(in: session) { photo in try photos.add(photo, to: folder) }
        let tables = try query.kinds.map { kind in
            try ExportedTable(kind, format: format, photos: photos, to: folder)
        }
        let tasks = try tables.flatMap { table in
            try self.tasks(for: table, isTeam: crew.isTeam, in: session)
        }
        try crew.run(tasks.count, in: session) { [query, tasks] index, helper in
            let task = tasks[index]
            let sql = query.selection(of: task.table.kind, in: task.range).sql
            let part = task.isPart ? try task.table.part(sql, in: helper) : nil
            return {
                // The number of rows that are not a part has no limit, so they are written while they are read.
                if let part {
                    try part.finish()
                } else {
                    try task.table.write(sql, in: session)
                }
                if task.isLast { try task.table.end() }
            }
        }
        var rows = tables.map { table in Self.row(table.kind.rawValue, count: table.rowCount) }
        rows.append(Self.row(ExportedPhotos.folder, count: photos.count))
        return rows
    }

    private static func row(_ name: String, count: Int) -> ValueRow {
        ValueRow([.text(name), .integer(Int64(count))])
    }

    /// Returns the tasks that write a table, of which the last one completes the file.
    ///
    /// - Parameters:
    ///   - table: The table.
    ///   - isTeam: Whether several threads render the rows.
    ///   - session: A session on the state of the store to export.
    /// - Returns: The tasks, in the order of the rows.
    /// - Throws: An error of the engine.
    private func tasks(for table: ExportedTable, isTeam: Bool, in session: any Session) throws -> [Task] {
        let ranges = isTeam ? try query.ranges(of: table.kind, size: Self.taskRows, in: session) : []
        var tasks = ranges.dropLast().map { range in Task(table: table, range: range) }
        let isPart = ranges.count > 1
        tasks.append(Task(table: table, range: ranges.last ?? .all, isLast: true, isPart: isPart))
        return tasks
    }

    /// Some rows of a table.
    private struct Task {
        var table: ExportedTable
        var range: ExportQuery.IDRange
        /// Whether the rows are the last rows of the table.
        var isLast = false
        /// Whether any thread can render the rows in memory.
        var isPart = true
    }

    /// The number of rows that one task renders in memory.
    private static let taskRows = 2_000
}
