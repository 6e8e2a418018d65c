import Base
import HabitModel

/// The problems of JSON records.
extension JSONRecordReader {
    /// Returns the outcome of the record `bytes` after a parser fault.
    func outcome(of fault: JSONFault, _ bytes: Span<UInt8>, _ line: Int) -> Outcome {
        let (code, reason) = fault.explanation
        var problem = RowProblem(
            line: line, column: nil, field: nil, code: code, reason: reason, original: beginning(of: bytes),
            kind: kind)
        guard fault == .syntax else { return .rejected(problem) }
        guard firstIndex(of: 0, in: bytes, from: 0) == nil else {
            (problem.code, problem.reason) = JSONFault.nul.explanation
            return .rejected(problem)
        }
        return .notJSON(problem)
    }

    /// Returns the problem of a rejected record.
    ///
    /// Throws an error if the fault affects the complete input.
    func problem(_ fault: RowFault, _ bytes: Span<UInt8>, _ line: Int) throws -> RowProblem {
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
