import Base
import HabitModel

/// A column `status` of events that contains the status of the habits, so that a load ignores it.
public struct IgnoredStatusColumn: Sendable, Equatable {
    /// The name of the column in the input.
    public var column: String
    /// The name of the input in messages.
    public var file: String

    /// The sentence for the user.
    public var message: String {
        "Ignored the column '\(column)' in '\(file)', because its words are the status of a habit and no outcomes"
    }
}

/// A reader that removes the column `status` from events if it contains the status of the habits.
///
/// The outputs of this program have a column with this name. The column has the status of the habits if all its words are
/// words of such a status. Otherwise it has outcomes, and a word of a habit's status is an error of its row. Only
/// the complete column distinguishes the two cases, so the reader reads the input a second time, up to the first outcome.
/// It does so only for an input that has a word of a habit's status, or no word, in its first row with the column.
///
/// A pipe cannot be read twice. There, the first row with a word decides, and another decision of a later row is an error
/// of the complete input.
final class StatusColumnReader: RecordReader {
    /// The meaning of the column.
    private enum Meaning { case outcome, habitStatus }
    /// A value in the column.
    private enum Cell { case empty, outcome, habitStatus }

    private let base: any RecordReader
    private let file: String
    private let isStrict: Bool
    /// Opens the input again at its beginning, or `nil` for a pipe.
    private let reopen: (() throws -> any RecordReader)?
    private var meaning: Meaning?
    /// Whether rows of a pipe had an empty cell that means "not done" if the column has outcomes.
    private var hasUndecidedRow = false

    var format: InputFormat { base.format }
    var header: [String] { base.header }
    var unknownFields: [String] { base.unknownFields }

    /// Creates a reader.
    ///
    /// - Parameters:
    ///   - base: The reader of the input, at its first record.
    ///   - file: The name of the input in messages.
    ///   - isStrict: Whether a column with the status of the habits is an error.
    ///   - reopen: Opens the input again at its beginning. `nil` if the input can be read only once.
    init(
        _ base: any RecordReader, file: String, isStrict: Bool, reopen: (() throws -> any RecordReader)?
    ) {
        self.base = base
        self.file = file
        self.isStrict = isStrict
        self.reopen = reopen
    }

    /// The column that the reader has removed, or `nil` if it has removed none.
    var ignoredColumn: IgnoredStatusColumn? {
        meaning == .habitStatus ? IgnoredStatusColumn(column: column, file: file) : nil
    }

    private var column: String {
        header.first { name in Field(spelling: name, in: .events) == .status } ?? Field.status.name
    }

    func next(into record: inout RawRecord) throws -> ReadOutcome {
        let outcome = try base.next(into: &record)
        if case .record = outcome, let cell = Self.cell(of: record) { try apply(cell, to: &record) }
        return outcome
    }

    /// Returns the value of the column, or `nil` if the record does not have the column.
    private static func cell(of record: RawRecord) -> Cell? {
        guard record.kind == .events else { return nil }
        switch record[.status] {
        case .absent: return nil
        case .null: return .empty
        case .text(let text) where text.allSatisfy(\.isWhitespace): return .empty
        case .text(let text): return HabitStatus(word: text) == nil ? .outcome : .habitStatus
        case .boolean, .integer, .number, .nested: return .outcome
        }
    }

    private func apply(_ cell: Cell, to record: inout RawRecord) throws {
        if meaning == nil {
            if cell == .empty, reopen == nil, !record.isRejectedRow {
                hasUndecidedRow = hasUndecidedRow || record.isEmptyOutcomeNotDone
                return
            }
            meaning = try decide(cell, record)
            if meaning == .habitStatus, hasUndecidedRow {
                throw mixedPipe("has empty cells before words of a habit's status", record)
            }
        }
        guard meaning == .habitStatus else { return }
        guard cell != .outcome else { throw mixedPipe("has outcomes after words of a habit's status", record) }
        if isStrict { throw unknownColumn(record) }
        record.replace(.absent, for: .status)
    }

    /// Returns the meaning of the column, from its first cell and the rest of the input.
    private func decide(_ cell: Cell, _ record: RawRecord) throws -> Meaning {
        // The rows in a file of rejected rows are only a part of their input.
        if cell == .outcome || record.isRejectedRow { return .outcome }
        guard let reader = try reopen?() else { return cell == .habitStatus ? .habitStatus : .outcome }
        var other = RawRecord()
        var hasStatus = false
        while true {
            switch try reader.next(into: &other) {
            case .end: return hasStatus ? .habitStatus : .outcome
            case .rejected: continue
            case .record:
                switch Self.cell(of: other) {
                case .outcome: return .outcome
                case .habitStatus: hasStatus = true
                case .empty, nil: continue
                }
            }
        }
    }

    // MARK: Errors

    private func mixedPipe(_ problem: String, _ record: RawRecord) -> HabitError {
        HabitError(
            .headerInvalid, "the column '\(column)' \(problem)",
            field: Field.status.name, .advice("correct the words"), .advice("pass the input as a file"), file: file,
            line: record.line)
    }

    private func unknownColumn(_ record: RawRecord) -> HabitError {
        HabitError(
            .headerInvalid, "unknown field '\(column)', because its words are the status of a habit and no outcomes",
            field: Field.status.name, .advice("remove it"), .omit(.strictColumns), file: file, line: record.line)
    }
}
