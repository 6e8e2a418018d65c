import Base
import HabitModel

extension ReportParser {
    mutating func column(_ entry: ReportHeader.Entry) -> ReportColumn? {
        guard let (words, meaning) = split(entry, form: ReportColumn.form, atLeast: 2) else { return nil }
        checkName(words[0], of: "column", entry.line)
        guard let kind = ReportColumn.Kind(rawValue: words[1]) else {
            problem(
                entry.line, "unknown type \(words[1].quoted): \(Self.hint(words[1], ReportColumn.Kind.allCases))")
            return nil
        }
        let unit = words.count > 2 ? words[2] : nil
        if words.count > 3 {
            problem(entry.line, "the unit \(words[2...].joined(separator: " ").quoted) has several words: use one word")
        } else if let unit, let measure = ReportColumn.measure(named: unit, of: kind) {
            return ReportColumn(name: words[0], kind: kind, measure: measure, meaning: meaning, line: entry.line)
        } else if let unit {
            checkUnit(unit, of: kind, entry.line)
        }
        return ReportColumn(name: words[0], kind: kind, unit: unit, meaning: meaning, line: entry.line)
    }

    mutating func parameter(_ entry: ReportHeader.Entry) -> ReportParameter? {
        guard let (words, meaning) = split(entry, form: ReportParameter.form, atLeast: 3) else { return nil }
        checkName(words[0], of: "parameter", entry.line)
        let choices = words[1].contains("|") ? words[1].split(separator: "|").map(String.init) : []
        guard let kind = choices.isEmpty ? ReportParameter.Kind(rawValue: words[1]) : .text else {
            problem(
                entry.line, "unknown type \(words[1].quoted): \(Self.hint(words[1], ReportParameter.Kind.allCases))"
            )
            return nil
        }
        guard let need = need(words[2...], entry.line) else { return nil }
        let parameter = ReportParameter(
            name: words[0], kind: kind, choices: choices, need: need, meaning: meaning, line: entry.line)
        if case .default(let text) = need, let reason = parameter.reasonToRefuse(text) {
            problem(entry.line, "the default value is invalid: \(reason)")
        }
        return parameter
    }

    private mutating func need(_ words: ArraySlice<String>, _ line: Int) -> ReportParameter.Need? {
        let value = words.dropFirst().joined(separator: " ")
        switch words.first {
        case "required" where value.isEmpty: return .required
        case "optional" where value.isEmpty: return .optional
        case "default" where !value.isEmpty: return .default(value)
        case "default": problem(line, "'default' has no value: write a value as in 'default 5km', or 'optional'")
        case "required", "optional":
            problem(line, "unexpected \(value.quoted) after '\(words.first ?? "")': write ' - ' before the meaning")
        default:
            problem(
                line,
                "unexpected \((words.first ?? "").quoted) after the type: write required, optional or default VALUE")
        }
        return nil
    }

    /// Returns the words before ` - ` and the meaning after it, or `nil` after adding a problem.
    private mutating func split(
        _ entry: ReportHeader.Entry, form: String, atLeast count: Int
    ) -> (words: [String], meaning: String)? {
        guard !entry.value.isEmpty else { return nil }
        let parts = entry.value.split(separator: " - ", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[1].withoutSpaces.isEmpty else {
            problem(entry.line, "the meaning is missing: write '\(form)'")
            return nil
        }
        let words = String(parts[0]).words
        guard words.count >= count else {
            problem(entry.line, "a word is missing before ' - ': write '\(form)'")
            return nil
        }
        return (words, String(parts[1].withoutSpaces))
    }

    private mutating func checkName(_ name: String, of what: String, _ line: Int) {
        let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        let beginsWithLetter = letters.contains(name.utf8.first ?? 0)
        let hasOnlyNameCharacters = name.utf8.allSatisfy { byte in
            letters.contains(byte) || digits.contains(byte) || byte == UInt8(ascii: "_")
        }
        guard name.utf8.count > 64 || !beginsWithLetter || !hasOnlyNameCharacters else { return }
        problem(
            line,
            "\(name.quoted) is not a valid \(what) name: use at most 64 lower-case letters, digits and '_', with a letter first"
        )
    }

    /// Checks the unit of a column.
    ///
    /// The unit determines the number of decimals. A different spelling of such a unit would lose the decimals
    /// silently.
    private mutating func checkUnit(_ unit: String, of kind: ReportColumn.Kind, _ line: Int) {
        guard kind == .number || kind == .integer else {
            return problem(line, "a column of the type \(kind.rawValue) cannot have a unit: remove \(unit.quoted)")
        }
        guard let right = Self.unit(unit.lowercased()), right != unit else { return }
        problem(line, "the spelling \(unit.quoted) of the unit is not supported: write '\(right)'")
    }

    private static func unit(_ text: String) -> String? {
        switch text {
        case "m", "metre", "metres", "meter", "meters": "m"
        case "degrees", "degree", "deg", "°": "degrees"
        default: nil
        }
    }
}

extension ReportParameter {
    /// Returns the reason why `text` is not a valid value in any store, or `nil` if it may be valid.
    func reasonToRefuse(_ text: String) -> String? {
        do {
            // The date for relative dates does not matter for a syntax check.
            _ = try read(text, today: Day(number: 0))
            return nil
        } catch let error as HabitError {
            return error.plainText
        } catch {
            return "\(error)"
        }
    }
}
