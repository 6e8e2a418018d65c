import Base
import HabitModel

/// The detected content of an input: its format and the framing of its records.
struct InputContent: Equatable {
    enum Framing { case rows, lines, recordSeparators, array, collection, single }

    var format: InputFormat
    var framing: Framing

    /// The number of bytes that are examined, unless the first object is longer.
    private static let firstBlock = 1 << 16

    /// Detects the content at the beginning of the input, or returns `nil` if the input has no content.
    ///
    /// Consumes only a byte order mark. If the options specify a format, only the framing is detected. Otherwise, an
    /// input that contains only white space counts as empty.
    init?(of window: InputWindow, _ options: ReaderOptions) throws {
        try window.fill(upTo: Self.firstBlock)
        try Self.checkEncoding(window)
        if window.bytes.starts(with: [0xEF, 0xBB, 0xBF]) { window.consume(3) }
        guard window.count > 0 else { return nil }
        let first = window.bytes.first { byte in !byte.isJSONSpace }
        if first == nil, options.format == nil, window.count < Self.firstBlock - 3 { return nil }
        if let format = options.format, format.delimiter != nil {
            self.init(format: format, framing: .rows)
        } else if first == ASCII.recordSeparator, options.format ?? .geojsonseq == .geojsonseq {
            self.init(format: .geojsonseq, framing: .recordSeparators)
        } else if let format = options.format {
            let framing = try Self.framing(of: format, beginningWith: first, in: window, options: options)
            self.init(format: format, framing: framing)
        } else if first == UInt8(ascii: "[") {
            self.init(format: .json, framing: .array)
        } else if first == UInt8(ascii: "{") {
            self = try Self.object(in: window, options)
        } else {
            self.init(format: Self.isTabbed(window.bytes.span) ? .tsv : .csv, framing: .rows)
        }
    }

    init(format: InputFormat, framing: Framing) {
        self.format = format
        self.framing = framing
    }

    /// Throws `encoding-invalid` for a Parquet file, for a UTF-16 byte order mark, or if the first line contains NUL.
    ///
    /// NUL in the first line means UTF-16, UTF-32 or binary data.
    private static func checkEncoding(_ window: InputWindow) throws {
        let bytes = window.bytes
        guard !bytes.starts(with: "PAR1".utf8) else {
            throw HabitError(
                .encodingInvalid, "Parquet files cannot be loaded", .advice("export the records as CSV or NDJSON"),
                file: window.source.name, line: 1)
        }
        let line = bytes.prefix { byte in byte != UInt8(ascii: "\n") }
        let isUTF16 = bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF])
        guard isUTF16 || line.contains(0) else { return }
        throw HabitError(
            .encodingInvalid, "the input is not UTF-8 text",
            .advice("save it as UTF-8, or convert it (iconv -f UTF-16 -t UTF-8 FILE > NEW)"), .give(.encoding),
            file: window.source.name, line: 1)
    }

    private static func framing(
        of format: InputFormat, beginningWith first: UInt8?, in window: InputWindow, options: ReaderOptions
    ) throws -> Framing {
        switch format {
        case .csv, .tsv: return .rows
        case .ndjson, .geojsonseq: return .lines
        case .json: return first == UInt8(ascii: "{") ? .single : .array
        case .geojson:
            guard first == UInt8(ascii: "{") else { return .collection }
            return try object(in: window, options).framing == .collection ? .collection : .single
        }
    }

    /// Returns the content of an input that begins with a JSON object.
    private static func object(in window: InputWindow, _ options: ReaderOptions) throws -> InputContent {
        var shape = ObjectShape(of: Array(window.bytes)[...])
        if case .unfinished = shape, window.count >= firstBlock - 3 {
            try window.fill(upTo: options.recordLimit)
            shape = ObjectShape(of: Array(window.bytes)[...])
        }
        return switch shape {
        case .collection: InputContent(format: .geojson, framing: .collection)
        case .feature(spansLines: true): InputContent(format: .geojson, framing: .single)
        case .feature(spansLines: false): InputContent(format: .geojsonseq, framing: .lines)
        case .plain(spansLines: true): InputContent(format: .ndjson, framing: .single)
        case .plain(spansLines: false), .unfinished: InputContent(format: .ndjson, framing: .lines)
        }
    }

    /// Whether the header contains a tab, but no comma, outside quotes.
    private static func isTabbed(_ bytes: Span<UInt8>) -> Bool {
        var isQuoted = false
        var hasTab = false
        for index in bytes.indices {
            switch bytes[index] {
            case UInt8(ascii: "\""): isQuoted.toggle()
            case UInt8(ascii: ",") where !isQuoted: return false
            case UInt8(ascii: "\t") where !isQuoted: hasTab = true
            case UInt8(ascii: "\n") where !isQuoted, UInt8(ascii: "\r") where !isQuoted: return hasTab
            default: break
            }
        }
        return hasTab
    }
}
