import Base
import HabitModel

/// A reader for CSV and TSV files: a header, then one record per row.
final class DelimitedReader: RecordReader {
    let format: InputFormat
    let header: [String]
    var unknownFields: [String] { unknown.names }

    private let name: String
    let options: ReaderOptions
    private(set) var scanner: DelimitedScanner
    private var unknown: UnknownNames
    /// The converter of a table of another program, or `nil` for the program's own files.
    private let converter: CellConverter?
    /// The index of the column `kind`, or `nil` if the header does not have it.
    private let kindColumn: Int?
    /// The kind of the previous row.
    private var kind: RecordKind
    /// The meaning of the columns in records of ``kind``.
    private var targets: [ColumnMap.Target] = []
    /// The column maps of all kinds in the rows read so far.
    private var maps: [RecordKind: ColumnMap] = [:]

    private static let columnLimit = 4096

    /// Creates a reader and reads the header.
    ///
    /// - Throws: `header-invalid` or `encoding-invalid`.
    init(_ window: InputWindow, format: InputFormat, options: ReaderOptions) throws {
        self.format = format
        self.options = options
        name = window.source.name
        unknown = UnknownNames(isStrict: options.strictColumns)
        try window.fill(upTo: ImportFile.headSize)
        let declaration = DelimiterLine(window.bytes.span)
        if let declaration { window.consume(declaration.length) }
        let delimiter =
            options.table?.delimiter ?? declaration?.delimiter
            ?? Self.usualDelimiter(of: window, format: format, isTable: options.table != nil)
        scanner = DelimitedScanner(
            window, delimiter: delimiter, limit: options.recordLimit, cellLimit: Self.columnLimit)
        if declaration != nil { scanner.countSkippedLine() }
        let names = try HeaderReader.read(&scanner, file: name, kind: options.kind)
        if let table = options.table {
            let converter = try CellConverter(
                table, header: names, kind: options.kind, delimiter: delimiter, zones: options.zones, file: name)
            header = converter.header
            self.converter = converter
        } else {
            header = names
            converter = nil
        }
        kindColumn = header.firstIndex { name in name.lowercased() == "kind" }
        kind = options.kind ?? .users
        guard options.kind != nil || kindColumn != nil else { throw KindError.unknownKind(file: name, line: 1) }
        scanner.cellLimit = header.count
        if let kind = options.kind { try use(kind) }
        try noteUnknownColumns()
    }

    /// Returns the delimiter of an input without a declaration.
    private static func usualDelimiter(of window: InputWindow, format: InputFormat, isTable: Bool) -> UInt8 {
        if isTable { return ImportTable.delimiter(of: window.bytes.span) }
        return format.delimiter ?? UInt8(ascii: ",")
    }

    func next(into record: inout RawRecord) throws -> ReadOutcome {
        while true {
            switch try scanner.next() {
            case .end: return .end
            case .blank: continue
            case .cells: return try fill(&record)
            case .invalidSyntax(let syntaxError): return .rejected(problem(syntaxError))
            case .tooLong(let original):
                let reason =
                    "the row is longer than \(options.recordLimit) bytes: shorten it, or close an open quote"
                return .rejected(problem(.recordTooLong, reason, original: original))
            }
        }
    }

    private func fill(_ record: inout RawRecord) throws -> ReadOutcome {
        let buffer = scanner.bytes
        let bytes = buffer.span
        if let problem = textProblem(bytes) { return .rejected(problem) }
        guard scanner.cellCount == header.count else {
            let reason =
                "the row has \(scanner.cellCount) fields, but the header has \(header.count): quote values that contain a delimiter"
            return .rejected(problem(.rowInvalid, reason))
        }
        if let column = kindColumn, let problem = try findKind(at: column, bytes) { return .rejected(problem) }
        record.begin(kind, line: scanner.line, original: bytes)
        for (index, target) in targets.enumerated() {
            let cell = scanner.cells[index]
            switch target {
            case .optional where cell.end == cell.start: break
            case .field(let field), .optional(let field):
                record.set(value(of: cell, bytes), for: field, at: cell.isQuoted ? cell.start - 1 : cell.start)
            case .shadowed(let field) where cell.end > cell.start: return .rejected(shadowed(field, index))
            case .unknown where options.kind == nil && cell.end > cell.start:
                try unknown.note(columnName(index), kind: kind, file: name, line: scanner.line)
            case .ignored: record.isRejectedRow = true
            case .kind, .unknown, .shadowed: break
            }
        }
        converter?.convert(&record)
        return .record
    }

    /// Returns the problem of a row that is not UTF-8 or contains NUL, otherwise `nil`.
    private func textProblem(_ bytes: Span<UInt8>) -> RowProblem? {
        if let zero = firstIndex(of: 0, in: bytes, from: 0) {
            return problem(.textInvalid, "the row contains a NUL character: remove it", at: zero)
        }
        do {
            _ = try UTF8Span(validating: bytes)
            return nil
        } catch {
            let byteOffset = error.byteOffsets.lowerBound
            return problem(
                .encodingInvalid, "the row is not UTF-8: save the file as UTF-8, or convert it with iconv",
                at: byteOffset)
        }
    }

    /// Selects the kind that the row specifies.
    ///
    /// Returns a problem if the kind is missing or invalid.
    private func findKind(at column: Int, _ bytes: Span<UInt8>) throws -> RowProblem? {
        guard case .text(let text) = value(of: scanner.cells[column], bytes), !text.isEmpty else {
            if options.kind != nil { return nil }
            return problem(.fieldMissing, "the kind is missing: write one of \(RecordKind.list)", field: "kind")
        }
        if let reason = KindError.reason(text, known: options.kind) {
            return problem(.fieldInvalid, reason, field: "kind", at: scanner.cells[column].start)
        }
        if let own = RecordKind(rawValue: text), own != kind || targets.isEmpty { try use(own) }
        return nil
    }

    /// Returns the value of a cell.
    ///
    /// ``textProblem(_:)`` must have validated the row as UTF-8.
    private func value(of cell: DelimitedScanner.Cell, _ bytes: Span<UInt8>) -> RawValue {
        if cell.end == cell.start { return cell.isQuoted ? .text("") : .null }
        guard !cell.hasEscapes else { return .text(String(decoding: scanner.text(of: cell), as: UTF8.self)) }
        return .text(String(copying: UTF8Span(unchecked: bytes.extracting(cell.start..<cell.end))))
    }

    private func use(_ kind: RecordKind) throws {
        let map = try maps[kind] ?? ColumnMap(header, kind: kind, isMixed: options.kind == nil, file: name)
        guard map.hasFields else { throw HeaderReader.noField(header, kind: kind, file: name) }
        maps[kind] = map
        targets = map.targets
        self.kind = kind
    }

    /// Registers unknown columns.
    ///
    /// In a file of several kinds, a column is unknown if no kind has the field.
    private func noteUnknownColumns() throws {
        for (index, column) in header.enumerated() {
            let kinds = options.kind.map { [$0] } ?? RecordKind.allCases
            guard kinds.allSatisfy({ NameMeaning(column, in: $0) == .unknown }) else { continue }
            try unknown.note(columnName(index), kind: options.kind, file: name, line: 1)
        }
    }

    private func columnName(_ index: Int) -> String { header[index].isEmpty ? "column \(index + 1)" : header[index] }
}
