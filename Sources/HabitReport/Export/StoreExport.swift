import Geo
import HabitModel
import HabitStore
import Photos
import Rendering
import StoreEngine

/// Writes a store, or what is one user's, into a folder in the input formats: a file a kind, and the photos beside them.
///
/// A load of the folder makes the same records again: positions keep every bit, instants their own offset, and an empty
/// text is none that is missing. Rows come by id, so that equal stores give equal files. Memory does not grow with the
/// rows.
public struct StoreExport {
    private let query: ExportQuery
    private let format: OutputFormat

    private static let photoFolder = "photos"

    /// Throws `format-not-available` for a format but CSV and NDJSON.
    public init(_ query: ExportQuery, format: OutputFormat = .csv) throws {
        guard format == .csv || format == .ndjson else {
            throw HabitError(
                .formatNotAvailable, "an export is written as csv or ndjson, not as \(format.rawValue)", field: "format"
            )
        }
        self.query = query
        self.format = format
    }

    /// What the rows that ``write(to:in:)`` gives look like.
    public static let shape = ResultShape(
        columns: [Column("kind", .text, at: 0), Column("rows", .integer, at: 1)], identity: ["kind"])

    /// Writes the session's state of the store, and gives how many rows of each kind and how many photos that were.
    ///
    /// Throws `no-space`, `write-failed`, `output-not-writable`; the caller commits the folder.
    public func write(to folder: AtomicFolder, in session: any Session) throws -> [ValueRow] {
        try folder.makeFolder(Self.photoFolder)
        let photos = try query.photos(in: session) { try write($0, to: folder) }
        let rows = try query.kinds.map { kind in
            ValueRow([.text(kind.rawValue), .integer(Int64(try write(kind, to: folder, in: session)))])
        }
        return rows + [ValueRow([.text(Self.photoFolder), .integer(Int64(photos))])]
    }

    private func write(_ kind: RecordKind, to folder: AtomicFolder, in session: any Session) throws -> Int {
        let selection = query.selection(of: kind)
        var file: (buffer: OutputBuffer, renderer: any Renderer)?
        func open() throws -> any Renderer {
            if let file { return file.renderer }
            let buffer = OutputBuffer(try folder.open("\(kind.rawValue).\(format.rawValue)"))
            let renderer = try format.renderer(for: ExactRow.shape(of: selection.shape), into: buffer)
            try renderer.begin()
            file = (buffer, renderer)
            return renderer
        }
        // NDJSON has no header: without rows the file would be empty, which `ingest` refuses.
        if format != .ndjson { _ = try open() }
        try session.query(selection.sql) { row in
            try open().append(ExactRow(row: row))
            return true
        }
        guard let (buffer, renderer) = file else { return 0 }
        try renderer.end()
        try buffer.close()
        return renderer.rowCount
    }

    private func write(
        _ photo: ExportQuery.StoredPhoto, to folder: AtomicFolder
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

    /// Whether a load would take something out of the photo unless it is told to leave it.
    private static func holdsMetadata(_ bytes: [UInt8]) -> Bool {
        guard let photo = try? Photo(bytes), !photo.hasEXIF else { return true }
        return (try? PhotoFile(bytes).photo(verifying: false).bytes) != bytes
    }
}

/// A row whose coordinates are numbers with every bit that is stored; minus zero too, which no output else tells from zero.
private struct ExactRow: RowDecorator {
    /// In front of the index of a geometry, where its column stands for one of its coordinates.
    private static let longitude = 1 << 20
    private static let latitude = 1 << 21

    let row: any Row

    /// The shape with the coordinates as this row has them.
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
