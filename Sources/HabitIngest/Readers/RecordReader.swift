import HabitModel

/// Reads raw records, one at a time, in memory that does not grow with the input.
public protocol RecordReader: AnyObject {
    var format: InputFormat { get }
    /// The names of the columns as the header has them; empty in JSON.
    var header: [String] { get }
    /// The columns or members that no field is named by, in the order in which they were met, at most 100.
    var unknownFields: [String] { get }

    /// Fills `record` with the next one.
    ///
    /// Throws a ``HabitError`` where nothing behind it can be read; the reader is of no more use then.
    func next(into record: inout RawRecord) throws -> ReadOutcome
}

/// What a reader cannot find in the input, or shall not look for there.
public struct ReaderOptions: Sendable {
    /// The kind of every record; nil: the document or each record says it.
    public var kind: RecordKind?
    /// Nil: found by content.
    public var format: InputFormat?
    /// Refuses the input where a column or member is unknown.
    public var strictColumns = false
    /// Accepts an input without any content, not even a header.
    public var allowsEmpty = true
    /// The longest record, in bytes.
    public var recordLimit = 1 << 20

    public init(kind: RecordKind? = nil, format: InputFormat? = nil) {
        self.kind = kind
        self.format = format
    }
}

/// A reader for what `source` holds.
///
/// Throws `header-invalid` where the columns or the kind cannot be told or the input is empty, `encoding-invalid` where the input is not
/// UTF-8 from its beginning, and what ``ByteSource`` throws.
public func openReader(_ source: ByteSource, _ options: ReaderOptions = ReaderOptions()) throws -> any RecordReader {
    let window = InputWindow(source)
    guard let content = try InputContent(of: window, options) else {
        guard options.allowsEmpty else {
            throw HabitError(
                .headerInvalid, "the input is empty", .advice("check the program that writes it"), .give(.allowEmpty),
                file: source.name, line: 1)
        }
        return EmptyReader(format: options.format ?? .csv)
    }
    return switch content.framing {
    case .rows: try DelimitedReader(window, content.format, options)
    case .lines, .recordSeparators: try JSONSequenceReader(window, content, options)
    case .array, .collection, .single: try JSONDocumentReader(window, content, options)
    }
}

/// Nothing at all, as an empty file has it: not even a header.
private final class EmptyReader: RecordReader {
    let format: InputFormat
    let header: [String] = []
    let unknownFields: [String] = []

    init(format: InputFormat) { self.format = format }

    func next(into record: inout RawRecord) throws -> ReadOutcome { .end }
}
