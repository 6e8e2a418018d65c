import Base
import HabitModel

/// The outcome of an event record: done, skipped, or "not done". A record that means "not done" is not an event.
extension RawRecord {
    /// Returns the outcome of the event, or `nil` if the record means "not done".
    ///
    /// A record means "not done" if `outcome`, `status` or a completion field has a negative value. An empty completion
    /// field means the same if `outcome`, `status` and all other completion fields are empty or absent. An empty `outcome`
    /// or `status` means the same in a table of another program. `status` has the words of `outcome`, which precedes it.
    ///
    /// - Throws: `field-invalid` or `outcome-invalid` for a value that means neither "done" nor "not done".
    func outcome() throws(HabitError) -> FieldInput<Outcome>? {
        let status = try outcomeWord(.status)
        if case .value(nil) = status { return nil }
        let word = try outcomeWord(.outcome)
        var isDone = false
        var isNotDone = false
        var isEmpty = isEmptyOutcomeNotDone && (isEmpty(.outcome) || isEmpty(.status))
        for field in kind.completionFields where field != .status {
            switch try completion(field) {
            case .absent: break
            case .null: isEmpty = true
            case .value(true): isDone = true
            case .value(false): isNotDone = true
            }
        }
        if isNotDone { return nil }
        if case .value(let outcome) = word { return outcome.map { .value($0) } }
        if case .value(let outcome) = status { return outcome.map { .value($0) } }
        if isDone { return .value(.done) }
        if isEmpty { return nil }
        if case .null = word { return .null }
        return .absent
    }

    /// Whether the record has a field without a value.
    private func isEmpty(_ field: Field) -> Bool { self[field] == .null || self[field] == .text("") }

    /// Whether the record means "not done", so that its other values have no effect.
    var isNotDone: Bool {
        guard kind == .events else { return false }
        do throws(HabitError) {
            return try outcome() == nil
        } catch {
            return false
        }
    }

    /// Returns the outcome that a field specifies, or `.value(nil)` for "not done".
    private func outcomeWord(_ field: Field) throws(HabitError) -> FieldInput<Outcome?> {
        if case .boolean(let isDone) = self[field] { return .value(isDone ? .done : nil) }
        return try token(field).map { (text: String) throws(HabitError) -> Outcome? in
            switch text.folded {
            case "done", "completed", "yes", "true", "1": return .done
            case "skipped", "skip": return .skipped
            case "missed", "no", "false", "0": return nil
            case _ where field == .status: throw HabitError.notOutcome(text, in: field)
            default: throw invalid(field, "must be one of done, skipped, missed, not '\(text.excerpt)'")
            }
        }
    }

    /// Returns whether a completion field means "done".
    ///
    /// In the field `value`, every number except 0 means "done".
    private func completion(_ field: Field) throws(HabitError) -> FieldInput<Bool> {
        let number: Double
        switch self[field] {
        case .absent: return .absent
        case .null, .text(""): return .null
        case .boolean(let isDone): return .value(isDone)
        case .integer(let integer): number = Double(integer)
        case .number(let value): number = value
        case .text(let text):
            if let isDone = Bool(word: text.folded) { return .value(isDone) }
            number = try decimal(text, field)
        case .nested: throw notCompletion(field)
        }
        if case .value = field { return .value(number != 0) }
        guard number == 0 || number == 1 else { throw notCompletion(field) }
        return .value(number != 0)
    }

    private func decimal(_ text: String, _ field: Field) throws(HabitError) -> Double {
        guard let number = Double(decimal: text) else { throw notCompletion(field, text) }
        return number
    }

    private func notCompletion(_ field: Field, _ text: String? = nil) -> HabitError {
        let expected = field == .value ? "a number, true or false" : "true or false"
        guard let text else { return invalid(field, "must be \(expected)") }
        return invalid(field, "must be \(expected), not '\(text.excerpt)'")
    }
}
