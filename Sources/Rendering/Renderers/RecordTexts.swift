import StoreEngine

/// The values of one record in the form for people.
public struct RecordTexts {
    private var texts: [String: String] = [:]

    /// Reads the values of a row.
    ///
    /// - Parameters:
    ///   - row: The row.
    ///   - shape: The columns of the row.
    ///   - options: The options of the output.
    public init(of row: some Row, shape: ResultShape, options: RenderOptions = RenderOptions()) {
        let cells = TextCellWriter(options)
        for entry in TextTable(cardOf: shape).entries {
            let text = cells.cell(entry, of: row).text
            if text.width > 0 { texts[entry.column.name] = text.isolated }
        }
    }

    /// The value of a column, or `nil` if it is blank or if there is no such column.
    ///
    /// The column `place` has the position of the record.
    public subscript(name: String) -> String? { texts[name] }
}
