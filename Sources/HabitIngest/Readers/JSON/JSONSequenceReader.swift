import Base
import HabitModel

/// A reader for JSON objects, one per line or each after a record separator (RFC 8142).
///
/// A malformed object does not affect the following objects.
final class JSONSequenceReader: RecordReader {
    let format: InputFormat
    let header: [String] = []
    var unknownFields: [String] { records.unknownFields }

    private enum Piece {
        /// The first `count` bytes of the window. The reader consumes `past` bytes with them, including the separator.
        case bytes(count: Int, past: Int)
        case tooLong(String)
        case end
    }

    private let window: InputWindow
    private let records: JSONRecordReader
    private let limit: Int
    private let separator: UInt8
    private var line = 1
    private var consumed = 0

    init(_ window: InputWindow, content: InputContent, options: ReaderOptions) throws {
        format = content.format
        self.window = window
        limit = options.recordLimit
        separator = content.framing == .recordSeparators ? ASCII.recordSeparator : ASCII.lineFeed
        records = try JSONRecordReader(options, format: content.format, file: window.source.name)
    }

    func next(into record: inout RawRecord) throws -> ReadOutcome {
        while true {
            consumePiece()
            let first = line
            switch try nextPiece() {
            case .end: return .end
            case .tooLong(let original):
                return .rejected(RowProblem(tooLongAt: first, limit: limit, original: original, kind: records.kind))
            case .bytes(let count, let past):
                consumed = past
                let bytes = window.bytes[..<count]
                let lead = bytes.prefix { $0.isJSONSpace || $0 == ASCII.recordSeparator }
                guard lead.count < count else { continue }
                let text = UnsafeBufferPointer(rebasing: bytes[lead.endIndex...])
                return try read(
                    text, line: first + lineFeeds(in: UnsafeBufferPointer(rebasing: lead).span), into: &record)
            }
        }
    }

    private func read(_ text: UnsafeBufferPointer<UInt8>, line: Int, into record: inout RawRecord) throws -> ReadOutcome
    {
        var end = text.count
        while end > 0, text[end - 1].isJSONSpace { end -= 1 }
        switch try records.read(UnsafeBufferPointer(rebasing: text[..<end]), line: line, into: &record) {
        case .record: return .record
        case .rejected(let problem), .notJSON(let problem): return .rejected(problem)
        }
    }

    /// Consumes the last piece and counts its lines.
    private func consumePiece() {
        let past = UnsafeBufferPointer(rebasing: window.bytes[..<min(consumed, window.count)])
        // A piece in line framing contains no line feed except at its end.
        line += separator == ASCII.lineFeed ? (past.last == ASCII.lineFeed ? 1 : 0) : lineFeeds(in: past.span)
        window.consume(consumed)
        consumed = 0
    }

    private func nextPiece() throws -> Piece {
        var position = 0
        var overflow: String?
        while true {
            let found = firstIndex(of: separator, in: window.bytes.span, from: position)
            position = found ?? window.count
            if position > limit || overflow != nil {
                overflow = overflow ?? beginning(of: window.bytes.span, limit: limit)
                consumed = position
                consumePiece()
                position = 0
            }
            if found != nil {
                if overflow == nil { return .bytes(count: position, past: position + 1) }
                consumed = 1
            } else if try window.fill() {
                continue
            } else if overflow == nil {
                return position == 0 ? .end : .bytes(count: position, past: position)
            }
            return overflow.map { .tooLong($0) } ?? .end
        }
    }
}

extension RowProblem {
    /// Creates the problem of a record that exceeds the limit, in bytes.
    init(tooLongAt line: Int, limit: Int, original: String, kind: RecordKind?) {
        self.init(
            line: line, column: nil, field: nil, code: .recordTooLong,
            reason: "the record is longer than \(limit) bytes: shorten it, or store its photo in a file",
            original: original,
            kind: kind)
    }
}
