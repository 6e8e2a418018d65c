/// The rows of a CSV text in memory.
///
/// The type reads files that the program itself has written.
package struct DelimitedRows {
    /// The text of a cell in UTF-8, or `nil` if the cell is empty and not quoted.
    package typealias Cell = [UInt8]?

    /// A row that breaks the rules of CSV.
    package struct MalformedRow: Error {
        /// The problem as a clause whose subject is "the row", for example "has text after a closing quote".
        package let description: String
    }

    private var scanner: DelimitedScanner
    private let count: Int

    /// The offset of the next row in the text, in bytes.
    package private(set) var offset = 0

    /// Creates a reader for a CSV text.
    ///
    /// - Parameter text: The text in UTF-8, which is copied.
    package init(_ text: ArraySlice<UInt8>) {
        let source = ByteSource(bytes: Array(text), name: "the text", mayBeCompressed: false)
        count = text.count
        scanner = DelimitedScanner(
            InputWindow(source, capacity: text.count + 1), delimiter: UInt8(ascii: ","), limit: text.count,
            cellLimit: .max)
    }

    /// The line (from 1) on which the last row begins.
    package var line: Int { scanner.line }

    /// Reads the next row.
    ///
    /// - Returns: The cells of the row, or `nil` at the end of the text.
    /// - Throws: ``MalformedRow`` if the row is not CSV or does not end with a line end.
    package mutating func next() throws -> [Cell]? {
        let row = try scanner.next()
        offset += scanner.consumed
        switch row {
        case .end: return nil
        case .invalidSyntax(.openQuote), .tooLong: throw MalformedRow(description: "has a quote that is not closed")
        case .invalidSyntax(.textAfterQuote): throw MalformedRow(description: "has text after a closing quote")
        case .invalidSyntax(.strayQuote):
            throw MalformedRow(description: "has a quote inside a cell that does not begin with one")
        case .blank, .cells:
            guard scanner.consumed > scanner.length else {
                throw MalformedRow(description: "does not end with a line end")
            }
            // An empty line is a row with one empty cell.
            return scanner.cells.isEmpty ? [nil] : scanner.cells.map(text)
        }
    }

    private func text(of cell: DelimitedScanner.Cell) -> Cell {
        guard cell.isQuoted || cell.end > cell.start else { return nil }
        return Array(scanner.text(of: cell))
    }
}
