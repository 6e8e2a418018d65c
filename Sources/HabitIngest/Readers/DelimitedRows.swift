/// The rows of a CSV text in memory, as ``DelimitedScanner`` finds them: for files that the program itself has written.
package struct DelimitedRows {
    /// The text of a cell; `nil` if it is empty and not quoted.
    package typealias Cell = [UInt8]?

    /// What breaks the rules of CSV in a row.
    package struct Flaw: Error {
        /// A clause that follows "the row".
        package let description: String
    }

    private var scanner: DelimitedScanner
    private let count: Int

    /// The offset of the next row in the text.
    package private(set) var offset = 0

    package init(_ text: ArraySlice<UInt8>) {
        let source = ByteSource(bytes: Array(text), name: "the text")
        count = text.count
        scanner = DelimitedScanner(
            InputWindow(source, capacity: text.count + 1), delimiter: UInt8(ascii: ","), limit: text.count,
            cellLimit: .max)
    }

    /// The line, from 1, on which the last row begins.
    package var line: Int { scanner.line }

    /// Returns the cells of the next row; `nil` at the end.
    ///
    /// - Throws: ``Flaw`` if the row is not CSV or does not end with a line end.
    package mutating func next() throws -> [Cell]? {
        let row = try scanner.next()
        offset += scanner.consumed
        switch row {
        case .end: return nil
        case .flawed(.openQuote), .tooLong: throw Flaw(description: "has a quote that is not closed")
        case .flawed(.textAfterQuote): throw Flaw(description: "has text after a closing quote")
        case .flawed(.strayQuote): throw Flaw(description: "has a quote inside a cell that does not begin with one")
        case .blank, .cells:
            guard scanner.consumed > scanner.length else { throw Flaw(description: "does not end with a line end") }
            // A row of one empty cell is an empty line.
            return scanner.cells.isEmpty ? [nil] : scanner.cells.map(text)
        }
    }

    private func text(of cell: DelimitedScanner.Cell) -> Cell {
        guard cell.isQuoted || cell.end > cell.start else { return nil }
        return Array(scanner.text(of: cell))
    }
}
