import Base
import HabitModel

/// The problems of JSON records.
extension JSONRecordReader {
    /// Returns the outcome of the record `bytes` after a parser fault.
    func outcome(of fault: JSONFault, in bytes: Span<UInt8>, line: Int) -> Outcome {
        let hasNUL = firstIndex(of: 0, in: bytes, from: 0) != nil
        let cause = fault == .syntax && hasNUL ? JSONFault.nul : fault
        let explanation = cause.explanation
        let problem = RowProblem(
            line: line, column: nil, field: nil, code: explanation.code, reason: explanation.reason,
            original: beginning(of: bytes), kind: kind)
        return cause == .syntax ? .notJSON(problem) : .rejected(problem)
    }

    /// Returns the problem of a rejected record.
    ///
    /// Throws an error if the fault affects the complete input.
    func problem(_ fault: RowFault, in bytes: Span<UInt8>, line: Int) throws -> RowProblem {
        switch fault {
        case .row(let code, let reason, let field):
            return RowProblem(
                line: line, column: nil, field: field, code: code, reason: reason, original: beginning(of: bytes),
                kind: kind)
        case .noKindAnywhere:
            throw HabitError(
                .headerInvalid,
                "unknown record kind: the kinds are \(RecordKind.list)", field: "kind",
                .advice("put the member \"kind\" before the records"),
                .advice("start the file's name with a kind (events.geojson)"), .give(.kind), file: file, line: line)
        case .unknownName(let name):
            throw HabitError(
                .headerInvalid, "unknown field '\(name.prefix(80))'", field: String(name.prefix(80)),
                .advice("remove it"), .omit(.strictColumns), file: file, line: line)
        }
    }
}
