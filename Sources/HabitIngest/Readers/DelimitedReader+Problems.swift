import HabitModel

/// The problems of delimited rows.
extension DelimitedReader {
    /// Returns the problem of a row that breaks the rules of CSV.
    func problem(_ flaw: DelimitedScanner.Flaw) -> RowProblem {
        switch flaw {
        case .strayQuote(let place):
            problem(
                .rowInvalid,
                "a quote stands inside a value that does not begin with one: quote the value and double the quotes in it",
                at: place)
        case .textAfterQuote(let place):
            problem(.rowInvalid, "text follows a closing quote: double the quotes inside a quoted value", at: place)
        case .openQuote(let place):
            problem(
                .rowInvalid,
                "the quote that opens here is never closed, so that the rest of the input is one row: close it",
                at: place)
        }
    }

    /// Returns the problem of a filled alias cell whose field has a column of its own.
    func shadowed(_ field: Field, _ index: Int) -> RowProblem {
        let reason =
            "the column '\(header[index])' is the field \(field.name), which has a column of its own: fill only that one"
        return problem(.fieldInvalid, reason, field: field.name, at: scanner.cells[index].start)
    }

    /// Returns a problem of the current row.
    ///
    /// It contains the column of the fault if the fault is on the first line.
    func problem(
        _ code: ErrorCode, _ reason: String, field: String? = nil, at place: Int? = nil, original: String? = nil
    ) -> RowProblem {
        let bytes = scanner.bytes.span
        var column: Int?
        if let place, place <= bytes.count, lineEnds(in: bytes.extracting(first: place)) == 0 {
            column = columnNumber(of: place, in: bytes)
        }
        return RowProblem(
            line: scanner.line, column: column, field: field, code: code, reason: reason,
            original: original ?? beginning(of: bytes), kind: options.kind)
    }
}
