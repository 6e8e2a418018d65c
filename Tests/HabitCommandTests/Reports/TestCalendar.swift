import Foundation

/// Numbers the days around the sample data with Foundation's calendar, independently of the program's calendar.
enum TestCalendar {
    /// Days in order, beginning with a Monday.
    private static let days: [String] = {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        guard var date = calendar.date(from: DateComponents(year: 2025, month: 12, day: 29)) else { return [] }
        return (0..<400).map { _ in
            let parts = calendar.dateComponents([.year, .month, .day], from: date)
            date = calendar.date(byAdding: .day, value: 1, to: date) ?? date
            let year = parts.year ?? 0
            let month = parts.month ?? 0
            let day = parts.day ?? 0
            return String(format: "%04d-%02d-%02d", year, month, day)
        }
    }()

    private static let numbers = Dictionary(uniqueKeysWithValues: zip(days, days.indices))

    /// Returns the number of a day, or -1 if it is not in the table.
    static func number(_ day: String) -> Int { numbers[day] ?? -1 }
    static func day(_ number: Int) -> String { days.indices.contains(number) ? days[number] : "no day" }
    /// Returns 1 for Monday to 7 for Sunday.
    static func weekday(_ number: Int) -> Int { number % 7 + 1 }
    static func monday(_ number: Int) -> Int { number - number % 7 }
}
