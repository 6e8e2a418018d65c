import Base
import HabitModel

/// A reader that reads raw records one at a time.
///
/// Its memory use does not grow with the input.
public protocol RecordReader: AnyObject {
    /// The format of the input.
    var format: InputFormat { get }
    /// The column names in the order of the header, or an empty array for JSON formats.
    var header: [String] { get }
    /// The names of columns or members that are not fields, in order of occurrence. At most 100 names.
    var unknownFields: [String] { get }

    /// Reads the next record.
    ///
    /// - Parameter record: The record to overwrite.
    /// - Returns: Whether a record was read or rejected, or the input has ended.
    /// - Throws: A ``HabitError`` if the rest of the input cannot be read. The reader is not usable after an error.
    func next(into record: inout RawRecord) throws -> ReadOutcome
}

/// The options of a reader.
public struct ReaderOptions: Sendable {
    /// The kind of all records, or `nil` if the document or each record specifies its kind.
    public var kind: RecordKind?
    /// The format of the input, or `nil` to detect it from the content.
    public var format: InputFormat?
    /// Whether an unknown column or member is an error.
    public var strictColumns = false
    /// Whether an input without any content, not even a header, is accepted.
    public var allowsEmpty = true
    /// The maximum size of a record, in bytes.
    public var recordLimit = 1 << 20
    /// The form of a table of another program, or `nil` for the form of the program's own files.
    public var table: TableOptions?
    /// The time zones of local times in a table of another program.
    var zones = RowZones(nil)

    /// Creates options.
    ///
    /// - Parameters:
    ///   - kind: The kind of all records, or `nil` if the document or each record specifies its kind.
    ///   - format: The format of the input, or `nil` to detect it from the content.
    public init(kind: RecordKind? = nil, format: InputFormat? = nil) {
        self.kind = kind
        self.format = format
    }
}

/// Creates a reader for the format of `source`.
///
/// - Parameters:
///   - source: The input to read.
///   - options: The options of the reader.
/// - Returns: A reader at the first record.
/// - Throws: `header-invalid` if the columns or the kind cannot be determined or the input is empty, `encoding-invalid`
///   if the input does not begin with UTF-8 text, and the errors of ``ByteSource``.
public func openReader(_ source: ByteSource, _ options: ReaderOptions = ReaderOptions()) throws -> any RecordReader {
    let window = InputWindow(options.table.map { source.decoded($0.encoding) } ?? source)
    guard let content = try InputContent(of: window, options) else {
        guard options.allowsEmpty else {
            throw HabitError(
                .headerInvalid, "the input is empty", .advice("check the program that writes it"), .give(.allowEmpty),
                file: source.name, line: 1)
        }
        return EmptyReader(format: options.format ?? .csv)
    }
    return switch content.framing {
    case .rows: try DelimitedReader(window, format: content.format, options: options)
    case .lines, .recordSeparators: try JSONSequenceReader(window, content: content, options: options)
    case .array, .collection, .single: try JSONDocumentReader(window, content: content, options: options)
    }
}

/// A reader for an empty input, which does not even have a header.
private final class EmptyReader: RecordReader {
    let format: InputFormat
    let header: [String] = []
    let unknownFields: [String] = []

    init(format: InputFormat) { self.format = format }

    func next(into record: inout RawRecord) throws -> ReadOutcome { .end }
}
