import Rendering
import StoreEngine

/// A receiver of the rows of a report that several outputs share.
protocol RowTarget: AnyObject {
    /// Receives the columns before the first row.
    func begin(_ shape: ResultShape) throws
    /// Receives a row, which is valid only during the call.
    func append(_ row: any Row) throws
    /// Receives the end of the rows.
    func end() throws
}

extension ResultRenderer: RowTarget {}

/// A table of a limited number of rows in a text.
final class LimitedTable: RowTarget {
    private let renderer: ResultRenderer
    private let most: Int
    private let output: OutputBuffer
    private let file: String?
    private var rowCount = 0

    /// Creates a table.
    ///
    /// - Parameters:
    ///   - renderer: The renderer of the rows.
    ///   - most: The maximum number of rows.
    ///   - output: The buffer of the renderer, to which the number of the omitted rows is appended.
    ///   - file: The name of a file that contains all rows, or `nil`.
    init(_ renderer: ResultRenderer, most: Int, into output: OutputBuffer, file: String?) {
        self.renderer = renderer
        self.most = most
        self.output = output
        self.file = file
    }

    func begin(_ shape: ResultShape) throws { try renderer.begin(shape) }

    func append(_ row: any Row) throws {
        rowCount += 1
        if rowCount <= most { try renderer.append(row) }
    }

    func end() throws {
        try renderer.end()
        guard rowCount > most else { return }
        let more = rowCount - most
        let note =
            if let file {
                NightlyText.Run.moreRowsInFile(more, file: file)
            } else {
                NightlyText.Run.moreRows(more)
            }
        output.append("\(note)\n")
    }
}
