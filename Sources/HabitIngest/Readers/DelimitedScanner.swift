import StoreEngine

/// Parts delimited text into rows and cells as RFC 4180 has it, one row at a time.
///
/// A row that breaks the rules ends with its line; one whose quote is never closed is the rest of the input. A row over
/// the limit is passed over without being kept.
struct DelimitedScanner {
    /// Where a cell's text stands in its row, without quotes.
    struct Cell {
        var start: Int
        var end: Int
        var isQuoted = false
        /// Whether quotes stand doubled in it.
        var hasEscapes = false
    }

    enum Flaw: Equatable {
        case strayQuote(at: Int)
        case textAfterQuote(at: Int)
        case openQuote(at: Int)
    }

    enum Row {
        case cells
        case blank
        case flawed(Flaw)
        /// With the row's beginning.
        case tooLong(String)
        case end
    }

    private let window: InputWindow
    private let delimiter: UInt8
    private let limit: Int
    /// How many cells of a row are kept; the rest are only counted.
    var cellLimit: Int

    private(set) var cells: [Cell] = []
    private(set) var cellCount = 0
    /// The row's bytes, without its line end, are the first of the window.
    private(set) var length = 0
    /// The line, from 1, on which the row begins.
    private(set) var line = 1

    /// How far the row is scanned, and what of it is past (the line end included) once it is.
    private var position = 0
    private(set) var consumed = 0
    private var nextLine = 1
    private var hasQuotes = false
    private var flaw: Flaw?
    private var overflow: String?
    private var discardedLines = LineCounter()

    init(_ window: InputWindow, delimiter: UInt8, limit: Int, cellLimit: Int) {
        self.window = window
        self.delimiter = delimiter
        self.limit = limit
        self.cellLimit = cellLimit
    }

    /// The row's bytes; valid until the next row is scanned.
    var bytes: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(rebasing: window.bytes[..<min(length, window.count)]) }

    /// The text of a cell of the row, with doubled quotes made one.
    func text(of cell: Cell) -> [UInt8] {
        let text = bytes[cell.start..<cell.end]
        guard cell.hasEscapes else { return Array(text) }
        var isSecond = false
        return text.filter { byte in
            isSecond = byte == ASCII.quote && !isSecond
            return !isSecond
        }
    }

    mutating func next() throws -> Row {
        begin()
        guard try peek() != nil else { return .end }
        repeat { try scanCell() } while try isAtDelimiter()
        try endRow()
        if let overflow { return .tooLong(overflow) }
        if length > limit { return .tooLong(beginning(of: bytes.span, limit: limit)) }
        if let flaw { return .flawed(flaw) }
        return length == 0 ? .blank : .cells
    }

    private mutating func begin() {
        window.consume(consumed)
        line = nextLine
        cells.removeAll(keepingCapacity: true)
        (cellCount, position, consumed, length) = (0, 0, 0, 0)
        (hasQuotes, flaw, overflow, discardedLines) = (false, nil, nil, LineCounter())
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
        flaw = .openQuote(at: opening)
    }

    private mutating func keep(_ cell: Cell) {
        cellCount += 1
        if cells.count < cellLimit, overflow == nil { cells.append(cell) }
    }

    /// Takes the delimiter behind a cell; false at the end of the row.
    private mutating func isAtDelimiter() throws -> Bool {
        guard flaw == nil, try peek() == delimiter else { return false }
        position += 1
        return true
    }

    /// Takes the line end: LF, CRLF, or CR alone.
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

    /// The byte `ahead` of the position; nil at the end of the input.
    @inline(__always)
    private mutating func peek(_ ahead: Int = 0) throws -> UInt8? {
        if position + ahead >= window.count, try !fill(behind: ahead) { return nil }
        return window.bytes[position + ahead]
    }

    /// Reads on until there is a byte `ahead` of the position; false at the end of the input.
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
                // Letters, digits and most signs are larger than any of the four.
                if byte <= 0x2C,
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

    /// Moves to the next quote; false where there is none.
    private mutating func scanToQuote() throws -> Bool {
        repeat {
            if let found = firstIndex(of: ASCII.quote, in: window.bytes, from: position) {
                position = found
                return true
            }
            position = window.count
        } while try refill()
        return false
    }

    /// Moves to the end of the line, whatever stands there.
    private mutating func skipLine(_ flaw: Flaw) throws {
        self.flaw = flaw
        while let byte = try peek(), byte != ASCII.lineFeed, byte != ASCII.carriageReturn { position += 1 }
    }

    /// More bytes; what is scanned of a row over the limit is let go.
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
