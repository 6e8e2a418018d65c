import StoreEngine

extension OutputBuffer {
    /// Appends the value of one column in the form that all formats share.
    ///
    /// Text values are passed to `text`. Bytes without a declared type are passed to `text` in hexadecimal.
    ///
    /// - Parameters:
    ///   - value: The type of the column.
    ///   - index: The index of the column in `row`.
    ///   - row: The row that contains the value.
    ///   - precision: Maximum number of decimals of a degree. `nil` writes the shortest text of the same value.
    ///   - quotes: Whether instants are quoted and JSON values are embedded verbatim, as in a JSON output.
    ///   - text: A closure that appends a text in the format's own quoting.
    /// - Returns: `false`, with nothing appended, for null and for values without a decimal or RFC 3339 form.
    @inline(__always)
    package func append(
        _ value: Column.Value, at index: Int, of row: some Row, precision: Int?, quotes: Bool = false,
        text: (Span<UInt8>) -> Void
    ) -> Bool {
        switch value {
        case .text, .day, .instantText:
            return row.readText(index, text)
        case .integer:
            let number = row.integer(index)
            if number == 0, row.isNull(index) { return false }
            append(integer: number)
            return true
        case .number(let decimals):
            let number = row.number(index)
            if number == 0, row.isNull(index) { return false }
            return append(number, decimals: decimals)
        case .boolean:
            let number = row.integer(index)
            if number == 0, row.isNull(index) { return false }
            if number == 0 { append(literal: "false") } else { append(literal: "true") }
            return true
        case .instant(let offset):
            return append(instantAt: index, offsetAt: offset, of: row, quotes: quotes)
        case .longitude:
            guard let position = row.position(index) else { return false }
            return append(position.longitude, decimals: precision)
        case .latitude:
            guard let position = row.position(index) else { return false }
            return append(position.latitude, decimals: precision)
        case .json:
            // The output is JSON if instants are quoted, so that the value can be embedded verbatim.
            return row.readText(index) { if quotes { append($0) } else { text($0) } }
        case .any:
            return append(anyAt: index, of: row, text)
        }
    }

    private func append(instantAt index: Int, offsetAt offset: Int?, of row: some Row, quotes: Bool) -> Bool {
        let microseconds = row.integer(index)
        if microseconds == 0, row.isNull(index) { return false }
        let minutes = offset.flatMap { row.isNull($0) ? nil : row.integer($0) }
        let begin = count
        if quotes { append(UInt8(ascii: "\"")) }
        guard append(instant: microseconds, offset: minutes) else {
            truncate(to: begin)
            return false
        }
        if quotes { append(UInt8(ascii: "\"")) }
        return true
    }

    private func append(anyAt index: Int, of row: some Row, _ text: (Span<UInt8>) -> Void) -> Bool {
        switch row.storage(index) {
        case .null: return false
        case .integer: append(integer: row.integer(index))
        case .number: return append(row.number(index), decimals: nil)
        case .text: return row.readText(index, text)
        case .blob:
            let hexadecimal = OutputBuffer()
            hexadecimal.append(hex: row.blob(index).span)
            hexadecimal.withBytes(text)
        }
        return true
    }
}
