import Base
import HabitModel

/// A reader for the elements of a JSON array, the Features of a FeatureCollection, or a single JSON object.
///
/// The document must be valid JSON. If it is not, reading ends with an error for the complete input.
final class JSONDocumentReader: RecordReader {
    let format: InputFormat
    let header: [String] = []
    var unknownFields: [String] { records.unknownFields }

    private enum State { case beginning, firstElement, nextElement, end }

    private let framing: InputContent.Framing
    private let limit: Int
    private let cursor: JSONCursor
    private let records: JSONRecordReader
    private var collection: CollectionMembers
    private var state = State.beginning

    init(_ window: InputWindow, content: InputContent, options: ReaderOptions) throws {
        format = content.format
        framing = content.framing
        limit = options.recordLimit
        cursor = JSONCursor(window, limit: limit)
        records = try JSONRecordReader(options, format: content.format, file: window.source.name)
        collection = CollectionMembers(cursor, records)
    }

    func next(into record: inout RawRecord) throws -> ReadOutcome {
        if state == .beginning, try !begin() { return .end }
        guard state != .end else { return .end }
        guard framing != .single else {
            defer { state = .end }
            return try readElement(into: &record)
        }
        guard try findElement() else { return .end }
        return try readElement(into: &record)
    }

    /// Moves to the first element.
    ///
    /// Returns `false` if the document is empty.
    private func begin() throws -> Bool {
        state = .firstElement
        guard try cursor.peek() != nil else {
            state = .end
            return false
        }
        switch framing {
        case .array: try cursor.take(UInt8(ascii: "["), "the bracket of an array")
        case .collection:
            try cursor.take(UInt8(ascii: "{"), "the brace of a FeatureCollection")
            try collection.moveToFeatures()
        case .single, .rows, .lines, .recordSeparators: break
        }
        return true
    }

    /// Moves to the next element, after its comma.
    ///
    /// Returns `false` at the end of the document.
    private func findElement() throws -> Bool {
        switch (try cursor.peek(), state) {
        case (UInt8(ascii: "]"), _):
            cursor.take(1)
            if framing == .collection { try collection.end() }
            try endDocument()
            return false
        case (nil, _): throw cursor.invalid("unexpected end of file in the array")
        case (UInt8(ascii: ","), .nextElement):
            cursor.take(1)
            if try cursor.peek() == UInt8(ascii: "]") {
                throw cursor.invalid("trailing comma in the array")
            }
        case (_, .nextElement): throw cursor.invalid("a comma is missing between two records")
        default: break
        }
        state = .nextElement
        return true
    }

    private func readElement(into record: inout RawRecord) throws -> ReadOutcome {
        let line = cursor.line
        switch try cursor.value() {
        case .tooLong(let original):
            try checkEndOfSingle()
            return .rejected(RowProblem(tooLongAt: line, limit: limit, original: original, kind: records.kind))
        case .bytes(let count):
            guard count > 0 else { throw cursor.invalid("a record is missing") }
            let outcome = try records.read(cursor.bytes(count), line: line, into: &record)
            cursor.take(count)
            try checkEndOfSingle()
            switch outcome {
            case .record: return .record
            case .rejected(let problem): return .rejected(problem)
            case .notJSON(let problem):
                throw HabitError(
                    problem.code, "\(problem.reason); no record of the document was loaded", file: cursor.file,
                    line: line)
            }
        }
    }

    private func checkEndOfSingle() throws {
        if framing == .single { try endDocument() }
    }

    private func endDocument() throws {
        state = .end
        guard try cursor.peek() == nil else { throw cursor.invalid("unexpected data after the end") }
    }
}
