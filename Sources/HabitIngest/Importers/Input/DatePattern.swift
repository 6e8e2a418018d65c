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
            let count = rest.prefix { character in character == first }.count
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
            case ("y", 1), ("y", 2), ("y", 4), ("u", 4):
                parts.append(.year(digits: count))
            case ("M", 1), ("M", 2):
                parts.append(.month(digits: count))
            case ("d", 1), ("d", 2):
                parts.append(.day(digits: count))
            default:
                throw Self.invalid(pattern, field)
            }
            rest = rest.dropFirst(count)
        }
        guard !isQuoted, Self.isComplete(parts) else { throw Self.invalid(pattern, field) }
        self.parts = parts
        description = pattern
    }

    /// Returns whether parts contain the year, the month and the day once each.
    private static func isComplete(_ parts: [Part]) -> Bool {
        var years = 0
        var months = 0
        var days = 0
        for part in parts {
            switch part {
            case .year: years += 1
            case .month: months += 1
            case .day: days += 1
            case .text: break
            }
        }
        return years == 1 && months == 1 && days == 1
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
        guard let numbers = numbers(in: text[...]) else { return false }
        let continues = numbers.rest.first?.isNumber == true
        return !continues && numbers.day == nil
    }

    /// Parses a date at the beginning of a text and returns it with the rest of the text.
    func prefix(of text: Substring) -> (day: Day, rest: Substring)? {
        guard let numbers = numbers(in: text) else { return nil }
        guard let day = numbers.day else { return nil }
        return (day, numbers.rest)
    }

    /// The numbers of a date, and the text after it.
    private struct Numbers {
        var year = 0
        var month = 0
        var dayOfMonth = 0
        var rest: Substring

        /// The date, or `nil` if it does not exist.
        var day: Day? { Day(year: year, month: month, day: dayOfMonth) }
    }

    /// Parses the numbers of a date at the beginning of a text, or returns `nil` if the text has another form.
    private func numbers(in text: Substring) -> Numbers? {
        var numbers = Numbers(rest: text)
        for part in parts {
            switch part {
            case .text(let character):
                guard numbers.rest.first == character else { return nil }
                numbers.rest.removeFirst()
            case .year(let digits):
                let counts = digits == 1 ? 1...4 : digits...digits
                guard let value = Self.number(&numbers.rest, counts) else { return nil }
                let century = value < 70 ? 2000 : 1900
                numbers.year = digits == 2 ? century + value : value
            case .month(let digits):
                guard let value = Self.number(&numbers.rest, digits...2) else { return nil }
                numbers.month = value
            case .day(let digits):
                guard let value = Self.number(&numbers.rest, digits...2) else { return nil }
                numbers.dayOfMonth = value
            }
        }
        return numbers
    }

    private static func number(_ text: inout Substring, _ length: ClosedRange<Int>) -> Int? {
        let allDigits = text.utf8.prefix { byte in byte &- UInt8(ascii: "0") < 10 }
        let digits = allDigits.prefix(length.upperBound)
        guard digits.count >= length.lowerBound else { return nil }
        guard let value = Int(String(decoding: digits, as: UTF8.self)) else { return nil }
        text = text.dropFirst(digits.count)
        return value
    }
}
