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
    private let isExact: Bool

    /// Creates the renderer of a file.
    ///
    /// - Throws: The errors of the renderer.
    init(_ kind: RecordKind, _ format: OutputFormat, to folder: some OutputFolder) throws {
        self.kind = kind
        isExact = !format.isBinary
        let shape = ExportQuery().selection(of: kind).shape
        var options = RenderOptions()
        options.precision = nil
        buffer = OutputBuffer(LateSink { try folder.open("\(kind.rawValue).\(format.rawValue)") })
        renderer = try format.renderer(for: isExact ? ExactRow.shape(of: shape) : shape, options: options, into: buffer)
        try renderer.begin()
    }

    /// The number of rows in the file.
    var rowCount: Int { renderer.rowCount }

    /// Whether several threads can render the file.
    var hasParts: Bool { DocumentPart(of: renderer) != nil }

    /// Renders the rows of a query.
    ///
    /// - Parameters:
    ///   - sql: A query with the columns of the kind.
    ///   - session: The session of the thread.
    ///   - asPart: Whether to render the rows in memory. Several threads can then call the method at the same time.
    /// - Returns: A closure that appends the rows to the file, if they are in memory.
    /// - Throws: An error of the engine or of the output.
    func render(_ sql: SQL, in session: any Session, asPart: Bool) throws -> () throws -> Void {
        let part = asPart ? DocumentPart(of: renderer) : nil
        let target = part?.renderer ?? renderer
        try session.query(sql) { row in
            if isExact { try target.append(ExactRow(row: row)) } else { try target.append(row) }
            return true
        }
        return { try part?.finish() }
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
