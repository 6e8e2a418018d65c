import Base
import HabitModel

/// The problems of delimited rows.
extension DelimitedReader {
    /// Returns the problem of a row that breaks the rules of CSV.
    func problem(_ syntaxError: DelimitedScanner.RowSyntaxError) -> RowProblem {
        switch syntaxError {
        case .strayQuote(let byteOffset):
            problem(
                .rowInvalid,
                "an unquoted value contains a quote: quote the value and double the quotes in it",
                at: byteOffset)
        case .textAfterQuote(let byteOffset):
            problem(
                .rowInvalid, "text follows a closing quote: double the quotes inside a quoted value", at: byteOffset)
        case .openQuote(let byteOffset):
            problem(
                .rowInvalid,
                "the quote is never closed, so the rest of the input is one row: close the quote",
                at: byteOffset)
        }
    }

    /// Returns the problem of a filled alias cell whose field has a column of its own.
    func shadowed(_ field: Field, _ index: Int) -> RowProblem {
        let reason =
            "the column '\(header[index])' is an alias of \(field.name), which has its own column: fill only that column"
        return problem(.fieldInvalid, reason, field: field.name, at: scanner.cells[index].start)
    }

    /// Returns a problem of the current row.
    ///
    /// It contains the column of the fault if the fault is on the first line.
    func problem(
        _ code: ErrorCode, _ reason: String, field: String? = nil, at byteOffset: Int? = nil, original: String? = nil
    ) -> RowProblem {
        let bytes = scanner.bytes.span
        var column: Int?
        if let byteOffset, byteOffset <= bytes.count, lineEnds(in: bytes.extracting(first: byteOffset)) == 0 {
            column = columnNumber(of: byteOffset, in: bytes)
        }
        return RowProblem(
            line: scanner.line, column: column, field: field, code: code, reason: reason,
            original: original ?? beginning(of: bytes), kind: options.kind)
    }
}
