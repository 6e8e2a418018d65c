import Geo
import HabitModel
import HabitStore
import Photos
import Rendering
import StoreEngine

/// An export of a store, or of one user's data, to a folder or an archive of files in the input formats.
///
/// The folder contains one file per record kind and the photos. A load of a folder with CSV or NDJSON creates the same
/// records: positions keep every bit, instants keep their UTC offset, and an empty text differs from a missing one.
/// Parquet files have the same values, but are only for other programs. Rows are sorted by ID or natural key, so that
/// equal stores produce equal files. Memory use does not grow with the number of rows.
public struct StoreExport {
    private let query: ExportQuery
    private let format: OutputFormat

    private static let photoFolder = "photos"

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
    /// - Returns: The number of rows of each kind, and the number of photos.
    /// - Throws: `no-space`, `write-failed`, `output-not-writable`.
    public func write(to folder: some OutputFolder, in session: any Session) throws -> [ValueRow] {
        try folder.makeFolder(Self.photoFolder)
        let photos = try query.photos(in: session) { try write($0, to: folder) }
        let rows = try query.kinds.map { kind in
            ValueRow([.text(kind.rawValue), .integer(Int64(try write(kind, to: folder, in: session)))])
        }
        return rows + [ValueRow([.text(Self.photoFolder), .integer(Int64(photos))])]
    }

    private func write(_ kind: RecordKind, to folder: some OutputFolder, in session: any Session) throws -> Int {
        let selection = query.selection(of: kind)
        let isBinary = format.isBinary
        let shape = isBinary ? selection.shape : ExactRow.shape(of: selection.shape)
        var options = RenderOptions()
        options.precision = nil
        var file: (buffer: OutputBuffer, renderer: any Renderer)?
        func open() throws -> any Renderer {
            if let file { return file.renderer }
            let buffer = OutputBuffer(try folder.open("\(kind.rawValue).\(format.rawValue)"))
            let renderer = try format.renderer(for: shape, options: options, into: buffer)
            try renderer.begin()
            file = (buffer, renderer)
            return renderer
        }
        // NDJSON has no header. A file without rows would be empty, and `ingest` rejects empty files.
        if format != .ndjson { _ = try open() }
        try session.query(selection.sql) { row in
            if isBinary { try open().append(row) } else { try open().append(ExactRow(row: row)) }
            return true
        }
        guard let (buffer, renderer) = file else { return 0 }
        try renderer.end()
        try buffer.close()
        return renderer.rowCount
    }

    private func write(
        _ photo: ExportQuery.StoredPhoto, to folder: some OutputFolder
    ) throws -> ExportQuery.PhotoFields {
        let name = OutputBuffer()
        name.append(hex: photo.sha256.span)
        let ending = Photo.fileExtension(of: photo.mediaType)
        let path = "\(Self.photoFolder)/\(name.text).\(ending)"
        let file = try folder.open(path)
        try file.write(photo.bytes.span.bytes)
        try file.commit()
        return .init(path: path, keepsEXIF: Self.holdsMetadata(photo.bytes))
    }

    /// Whether a load would remove metadata from the photo unless the record has `keep_exif`.
    private static func holdsMetadata(_ bytes: [UInt8]) -> Bool {
        guard let photo = try? Photo(bytes), !photo.hasEXIF else { return true }
        return (try? PhotoFile(bytes).photo(verifying: false).bytes) != bytes
    }
}

/// A row whose coordinates are numbers with all stored bits.
///
/// Minus zero stays minus zero. All other outputs write it as zero.
private struct ExactRow: RowDecorator {
    /// A bit in the index of a column with the longitude of a point.
    ///
    /// The other bits are the index of the point.
    private static let longitude = 1 << 20
    /// A bit in the index of a column with the latitude of a point.
    ///
    /// The other bits are the index of the point.
    private static let latitude = 1 << 21

    let row: any Row

    /// Returns the shape with the coordinate columns of this row type.
    static func shape(of shape: ResultShape) -> ResultShape {
        var shape = shape
        for (index, column) in shape.columns.enumerated() {
            switch column.value {
            case .longitude: shape.columns[index] = Column(column.name, .json, at: column.index | longitude)
            case .latitude: shape.columns[index] = Column(column.name, .json, at: column.index | latitude)
            default: break
            }
        }
        return shape
    }

    func value(at index: Int) -> Value? {
        guard index >= Self.longitude else { return nil }
        let position = row.position(index & (Self.longitude - 1))
        return .text((index < Self.latitude ? position?.longitude : position?.latitude)?.description)
    }
}
