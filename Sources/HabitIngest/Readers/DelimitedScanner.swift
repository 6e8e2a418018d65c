import StoreEngine

/// A scanner that splits delimited text into rows and cells (RFC 4180), one row at a time.
///
/// A row that breaks the rules ends with its line. If a quote is never closed, the row is the rest of the input. A row
/// that exceeds the limit is skipped without keeping it in memory.
struct DelimitedScanner {
    /// The byte range of a cell's text in its row, without quotes.
    struct Cell {
        var start: Int
        var end: Int
        var isQuoted = false
        /// Whether the text contains doubled quotes.
        var hasEscapes = false
    }

    enum RowSyntaxError: Equatable {
        case strayQuote(at: Int)
        case textAfterQuote(at: Int)
        case openQuote(at: Int)
    }

    enum Row {
        case cells
        case blank
        case invalidSyntax(RowSyntaxError)
        /// The row exceeds the limit. The associated text is its beginning.
        case tooLong(String)
        case end
    }

    private let window: InputWindow
    private let delimiter: UInt8
    /// The largest of the bytes that end a run of plain text.
    private let largestSpecial: UInt8
    private let limit: Int
    /// The maximum number of cells to keep for each row.
    ///
    /// Further cells are only counted.
    var cellLimit: Int

    private(set) var cells: [Cell] = []
    private(set) var cellCount = 0
    /// The length of the row in bytes, without its line end.
    ///
    /// The row is at the beginning of the window.
    private(set) var length = 0
    /// The line (from 1) on which the row begins.
    private(set) var line = 1

    /// The offset of the next byte to scan in the window.
    private var position = 0
    /// The number of bytes in the window that belong to the scanned row, including its line end.
    private(set) var consumed = 0
    private var nextLine = 1
    private var hasQuotes = false
    private var syntaxError: RowSyntaxError?
    private var overflow: String?
    private var discardedLines = LineCounter()

    init(_ window: InputWindow, delimiter: UInt8, limit: Int, cellLimit: Int) {
        self.window = window
        self.delimiter = delimiter
        largestSpecial = max(delimiter, UInt8(ascii: ","))
        self.limit = limit
        self.cellLimit = cellLimit
    }

    /// The bytes of the row.
    ///
    /// The buffer is valid until the next row is scanned.
    var bytes: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(rebasing: window.bytes[..<min(length, window.count)]) }

    /// Returns the text of a cell of the row.
    ///
    /// Each doubled quote becomes one quote.
    func text(of cell: Cell) -> [UInt8] {
        let text = bytes[cell.start..<cell.end]
        guard cell.hasEscapes else { return Array(text) }
        var isSecond = false
        return text.filter { byte in
            isSecond = byte == ASCII.quote && !isSecond
            return !isSecond
        }
    }

    /// Counts a line that the caller has consumed before the first row.
    mutating func countSkippedLine() { nextLine += 1 }

    mutating func next() throws -> Row {
        begin()
        guard try peek() != nil else { return .end }
        repeat { try scanCell() } while try isAtDelimiter()
        try endRow()
        if let overflow { return .tooLong(overflow) }
        if length > limit { return .tooLong(beginning(of: bytes.span, limit: limit)) }
        if let syntaxError { return .invalidSyntax(syntaxError) }
        return length == 0 ? .blank : .cells
    }

    private mutating func begin() {
        window.consume(consumed)
        line = nextLine
        cells.removeAll(keepingCapacity: true)
        cellCount = 0
        position = 0
        consumed = 0
        length = 0
        hasQuotes = false
        syntaxError = nil
        overflow = nil
        discardedLines = LineCounter()
    }

    private mutating func scanCell() throws {
        if try peek() == ASCII.quote { return try scanQuoted() }
        let start = position
        try scanPlain()
        if try peek() == ASCII.quote {
            try skipLine(.strayQuote(at: position))
        } else {
            keep(Cell(start: start, end: position))
        }
    }

    private mutating func scanQuoted() throws {
        hasQuotes = true
        let opening = position
        var cell = Cell(start: position + 1, end: position + 1, isQuoted: true)
        position += 1
        while try scanToQuote() {
            cell.end = position
            position += 1
            guard try peek() == ASCII.quote else {
                if let byte = try peek(), byte != delimiter, byte != ASCII.lineFeed, byte != ASCII.carriageReturn {
                    try skipLine(.textAfterQuote(at: position))
                } else {
                    keep(cell)
                }
                return
            }
            cell.hasEscapes = true
            position += 1
        }
        syntaxError = .openQuote(at: opening)
    }

    private mutating func keep(_ cell: Cell) {
        cellCount += 1
        if cells.count < cellLimit, overflow == nil { cells.append(cell) }
    }

    /// Consumes the delimiter after a cell.
    ///
    /// Returns `false` at the end of the row.
    private mutating func isAtDelimiter() throws -> Bool {
        guard syntaxError == nil, try peek() == delimiter else { return false }
        position += 1
        return true
    }

    /// Consumes the line end: LF, CRLF, or a single CR.
    private mutating func endRow() throws {
        guard let end = try peek() else { return finish(lineEnds: 0, bytes: 0) }
        guard end == ASCII.carriageReturn else { return finish(lineEnds: 1, bytes: 1) }
        let isPair = try peek(1) == ASCII.lineFeed
        finish(lineEnds: 1, bytes: isPair ? 2 : 1)
    }

    private mutating func finish(lineEnds: Int, bytes: Int) {
        length = position
        consumed = position + bytes
        if hasQuotes || overflow != nil {
            discardedLines.add(self.bytes.span)
            nextLine = line + discardedLines.count + lineEnds
        } else {
            nextLine = line + lineEnds
        }
    }

    /// Returns the byte `ahead` bytes after the position, or `nil` at the end of the input.
    @inline(__always)
    private mutating func peek(_ ahead: Int = 0) throws -> UInt8? {
        if position + ahead >= window.count, try !fill(behind: ahead) { return nil }
        return window.bytes[position + ahead]
    }

    /// Reads until the byte `ahead` bytes after the position is available.
    ///
    /// Returns `false` at the end of the input.
    private mutating func fill(behind ahead: Int) throws -> Bool {
        while position + ahead >= window.count {
            guard try refill() else { return false }
        }
        return true
    }

    /// Moves to the next delimiter, line end or quote.
    private mutating func scanPlain() throws {
        repeat {
            let bytes = window.bytes
            var i = position
            while i < bytes.count {
                let byte = bytes[i]
                // Letters, digits and most punctuation characters have larger codes than these four bytes, unless the
                // delimiter is unusual.
                if byte <= largestSpecial,
                    byte == delimiter || byte == ASCII.lineFeed || byte == ASCII.carriageReturn || byte == ASCII.quote
                {
                    position = i
                    return
                }
                i += 1
            }
            position = i
        } while try refill()
    }

    /// Moves to the next quote.
    ///
    /// Returns `false` if the rest of the input has no quote.
    private mutating func scanToQuote() throws -> Bool {
        repeat {
            if let found = firstIndex(of: ASCII.quote, in: window.bytes.span, from: position) {
                position = found
                return true
            }
            position = window.count
        } while try refill()
        return false
    }

    /// Stores a syntax error and moves to the end of the line.
    private mutating func skipLine(_ syntaxError: RowSyntaxError) throws {
        self.syntaxError = syntaxError
        while let byte = try peek(), byte != ASCII.lineFeed, byte != ASCII.carriageReturn { position += 1 }
    }

    /// Reads more bytes and discards the scanned part of a row that exceeds the limit.
    ///
    /// Returns `false` at the end.
    private mutating func refill() throws -> Bool {
        if position > limit, position <= window.count {
            let past = UnsafeBufferPointer(rebasing: window.bytes[..<position])
            if overflow == nil {
                overflow = beginning(of: past.span, limit: limit)
                cells.removeAll(keepingCapacity: true)
            }
            discardedLines.add(past.span)
            window.consume(position)
            position = 0
        }
        return try window.fill()
    }
}
