import Base
import HabitModel

/// The form of dates in a file: a Unicode pattern of year, month and day, such as `dd.MM.yyyy` or `M/d/yy`.
public struct DatePattern: Sendable, Equatable, CustomStringConvertible {
    private enum Part: Equatable {
        case year(digits: Int), month(digits: Int), day(digits: Int)
        case text(Character)
    }

    /// The form of dates without an option.
    static let iso8601 = try? DatePattern("yyyy-MM-dd", field: "")

    private let parts: [Part]
    /// The pattern as the user writes it.
    public let description: String

    /// Parses a pattern.
    ///
    /// - Parameters:
    ///   - pattern: Letters `y`, `M` and `d`, and other characters. Quoted text stands for itself.
    ///   - field: The name of the option, for the error.
    /// - Throws: `parameter-invalid`.
    public init(_ pattern: String, field: String) throws(HabitError) {
        var parts: [Part] = []
        var rest = pattern[...]
        var isQuoted = false
        while let first = rest.first {
            let count = rest.prefix { $0 == first }.count
            if first == "'" {
                isQuoted.toggle()
                rest.removeFirst()
                continue
            }
            if isQuoted || !first.isLetter {
                parts.append(.text(first))
                rest.removeFirst()
                continue
            }
            switch (first, count) {
            case ("y", 1), ("y", 2), ("y", 4), ("u", 4): parts.append(.year(digits: count))
            case ("M", 1), ("M", 2): parts.append(.month(digits: count))
            case ("d", 1), ("d", 2): parts.append(.day(digits: count))
            default: throw Self.invalid(pattern, field)
            }
            rest = rest.dropFirst(count)
        }
        let kinds = parts.map { part -> Int in
            switch part {
            case .year: 0
            case .month: 1
            case .day: 2
            case .text: 3
            }
        }
        guard !isQuoted, (0...2).allSatisfy({ kind in kinds.count { $0 == kind } == 1 }) else {
            throw Self.invalid(pattern, field)
        }
        self.parts = parts
        description = pattern
    }

    private static func invalid(_ pattern: String, _ field: String) -> HabitError {
        HabitError(
            .parameterInvalid,
            "'\(pattern)' is not a form of dates: write year, month and day once, such as dd.MM.yyyy or M/d/yy",
            field: field)
    }

    /// Parses a date, or returns `nil` if the text has another form or the date does not exist.
    ///
    /// A single letter accepts one or two digits. Two digits of a year are in the years 1970 to 2069.
    func day(_ text: some StringProtocol) -> Day? {
        guard let (day, rest) = prefix(of: Substring(text)), rest.isEmpty else { return nil }
        return day
    }

    /// Whether a text begins with a date of this form that does not exist, such as April 31.
    func isMissingDate(_ text: String) -> Bool {
        guard let numbers = numbers(in: text[...]), numbers.rest.first?.isNumber != true else { return false }
        return Day(year: numbers.year, month: numbers.month, day: numbers.day) == nil
    }

    /// Parses a date at the beginning of a text and returns it with the rest of the text.
    func prefix(of text: Substring) -> (day: Day, rest: Substring)? {
        guard let numbers = numbers(in: text) else { return nil }
        return Day(year: numbers.year, month: numbers.month, day: numbers.day).map { ($0, numbers.rest) }
    }

    /// Parses the numbers of a date at the beginning of a text, or returns `nil` if the text has another form.
    private func numbers(in text: Substring) -> (year: Int, month: Int, day: Int, rest: Substring)? {
        var rest = text
        var (year, month, day) = (0, 0, 0)
        for part in parts {
            switch part {
            case .text(let character):
                guard rest.first == character else { return nil }
                rest.removeFirst()
            case .year(let digits):
                guard let value = Self.number(&rest, digits == 1 ? 1...4 : digits...digits) else { return nil }
                year = digits == 2 ? (value < 70 ? 2000 + value : 1900 + value) : value
            case .month(let digits):
                guard let value = Self.number(&rest, digits...2) else { return nil }
                month = value
            case .day(let digits):
                guard let value = Self.number(&rest, digits...2) else { return nil }
                day = value
            }
        }
        return (year, month, day, rest)
    }

    private static func number(_ text: inout Substring, _ length: ClosedRange<Int>) -> Int? {
        let digits = text.utf8.prefix { $0 &- 48 < 10 }.prefix(length.upperBound)
        guard digits.count >= length.lowerBound, let value = Int(String(decoding: digits, as: UTF8.self)) else {
            return nil
        }
        text = text.dropFirst(digits.count)
        return value
    }
}
