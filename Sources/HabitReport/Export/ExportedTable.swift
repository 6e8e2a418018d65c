import Base
import Geo
import HabitModel
import HabitStore
import Rendering
import StoreEngine

/// The file of one record kind in an export.
///
/// The file is created when its first bytes are written, so an NDJSON file without rows is not created. `ingest` rejects
/// empty files.
final class ExportedTable {
    /// The kind of the rows.
    let kind: RecordKind
    private let buffer: OutputBuffer
    private let renderer: any Renderer
    private let photos: ExportedPhotos
    private let isDecorated: Bool

    /// Creates the renderer of a file.
    ///
    /// - Throws: The errors of the renderer.
    init(
        _ kind: RecordKind,
        format: OutputFormat,
        photos: ExportedPhotos,
        to folder: some OutputFolder
    ) throws {
        self.kind = kind
        self.photos = photos
        var shape = ExportQuery().selection(of: kind).shape
        isDecorated = !format.isBinary || photos.count > 0
        if isDecorated { shape = ExportedRow.shape(of: shape, isExact: !format.isBinary) }
        var options = RenderOptions()
        options.precision = nil
        buffer = OutputBuffer(LateSink { try folder.open("\(kind.rawValue).\(format.rawValue)") })
        renderer = try format.renderer(for: shape, options: options, into: buffer)
        try renderer.begin()
    }

    /// The number of rows in the file.
    var rowCount: Int { renderer.rowCount }

    /// Writes the rows of a query to the file.
    ///
    /// - Parameters:
    ///   - sql: A query with the columns of the kind.
    ///   - session: The session of the thread that writes the file.
    /// - Throws: An error of the engine or of the output.
    func write(_ sql: SQL, in session: any Session) throws { try render(sql, in: session, by: renderer) }

    /// Renders the rows of a query in memory.
    ///
    /// Several threads can call the method at the same time.
    ///
    /// - Parameters:
    ///   - sql: A query with the columns of the kind.
    ///   - session: The session of the thread.
    /// - Returns: The rows.
    /// - Throws: An error of the engine, or `internal` if the format has no parts.
    func part(_ sql: SQL, in session: any Session) throws -> DocumentPart {
        guard let part = DocumentPart(of: renderer) else { throw HabitError(.internal, "the file has no parts") }
        try render(sql, in: session, by: part.renderer)
        return part
    }

    private func render(_ sql: SQL, in session: any Session, by target: any Renderer) throws {
        try session.query(sql) { row in
            if isDecorated {
                try target.append(ExportedRow(row: row, photos: photos))
            } else {
                try target.append(row)
            }
            return true
        }
    }

    /// Completes the file.
    func end() throws {
        try renderer.end()
        try buffer.close()
    }
}

/// A file that is created when its first bytes are written.
private final class LateSink: OutputSink {
    private let open: () throws -> any OutputSink
    private var file: (any OutputSink)?

    init(_ open: @escaping () throws -> any OutputSink) { self.open = open }

    func write(_ bytes: RawSpan) throws {
        let file = try self.file ?? open()
        self.file = file
        try file.write(bytes)
    }

    /// Completes the file, if it has been created.
    func commit() throws { try file?.commit() }
}

/// A row in the form that a load reads.
///
/// The fields of a photo contain its path and whether its metadata are kept. In text files, coordinates have all stored
/// bits: minus zero stays minus zero, which all other outputs write as zero.
private struct ExportedRow: RowDecorator {
    // A bit in the index of a column selects its value. The other bits are the index in the engine's row.
    private static let longitude = firstOwnIndex
    private static let latitude = longitude << 1
    private static let photo = latitude << 1
    private static let keepsEXIF = photo << 1

    let row: any Row
    let photos: ExportedPhotos

    /// Returns the shape with the columns of this row type.
    ///
    /// - Parameters:
    ///   - shape: The shape of the engine's rows.
    ///   - isExact: Whether coordinates are numbers with all stored bits.
    /// - Returns: The shape.
    static func shape(of shape: ResultShape, isExact: Bool) -> ResultShape {
        var shape = shape
        for (index, column) in shape.columns.enumerated() {
            switch (column.name, column.value) {
            case (_, .longitude) where isExact:
                shape.columns[index] = Column(column.name, .json, at: column.index | longitude)
            case (_, .latitude) where isExact:
                shape.columns[index] = Column(column.name, .json, at: column.index | latitude)
            case (Field.photo.name, _): shape.columns[index].index |= photo
            case (Field.keepEXIF.name, _): shape.columns[index].index |= keepsEXIF
            default: break
            }
        }
        return shape
    }

    func value(at index: Int) -> Value? {
        guard index >= Self.longitude else { return nil }
        let stored = index & (Self.longitude - 1)
        if index >= Self.photo {
            guard let photo = photos[row.integer(stored)] else { return .null }
            guard index >= Self.keepsEXIF else { return .text(photo.path) }
            return photo.keepsEXIF ? .boolean(true) : .null
        }
        let position = row.position(stored)
        let coordinate = index < Self.latitude ? position?.longitude : position?.latitude
        return .text(coordinate?.description)
    }
}
