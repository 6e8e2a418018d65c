import Base
import StoreEngine

/// A grid of seven weekdays and 24 hours, whose shades show numbers.
struct WeekCells: TextChart {
    private static let hours = 24
    private static let emptyDay = Array(repeating: 0.0, count: hours)
    /// The space for the names of the weekdays.
    private static let margin = "     "
    private static let shades = Array(" ░▒▓█")
    private static let asciiShades = Array(" .:*#")

    private let value: Column
    private let weekday: Column
    private let hour: Column
    private let heading: String
    /// The sum of the values for each weekday and hour.
    private var days = Array(repeating: WeekCells.emptyDay, count: 7)

    init(
        value: Column,
        weekday: Column,
        hour: Column,
        heading: String
    ) {
        self.value = value
        self.weekday = weekday
        self.hour = hour
        self.heading = heading
    }

    mutating func add(_ row: some Row) {
        guard let number = value.number(of: row),
            let weekday = weekday.number(of: row),
            let hour = hour.number(of: row),
            number.isFinite,
            (1..<8).contains(weekday),
            (0..<24).contains(hour)
        else { return }
        let day = Int(weekday) - 1
        days[day][Int(hour)] += number
    }

    func write(to lines: TextLineWriter) {
        let width = cellWidth(in: lines.width)
        let hours = Self.hourTitles(cellWidth: width)
        lines.writeLine(Self.margin + hours)
        let shades = lines.style.isASCII ? Self.asciiShades : Self.shades
        let highest = days.joined().max() ?? 0
        for (title, numbers) in zip(DateNames.shortWeekdays, days) {
            var line = "\(title)  "
            for number in numbers {
                let index = Self.shadeIndex(of: number, highest: highest)
                let cell = repeatElement(shades[index], count: width)
                line.append(contentsOf: cell)
            }
            lines.writeLine(line)
        }
        guard highest > 0 else { return }
        guard let darkest = shades.last else { return }
        let most = HTML.decimal(highest, decimals: 2)
        lines.writeLine("\(darkest) up to \(most) \(heading)")
    }

    /// Returns the number of terminal columns of a cell.
    ///
    /// A cell has two terminal columns, because one column is half as wide as a line is high.
    private func cellWidth(in width: Int) -> Int {
        let wideGrid = Self.margin.count + 2 * Self.hours
        return width >= wideGrid ? 2 : 1
    }

    /// Returns a line with every sixth hour.
    private static func hourTitles(cellWidth: Int) -> String {
        var titles = ""
        for hour in stride(from: 0, to: hours, by: 6) {
            let title = "\(hour)"
            let padding = 6 * cellWidth - title.count
            titles += title + .spaces(padding)
        }
        return titles
    }

    /// Returns the index of the shade of a number, from 0 for none to 4 for the highest number.
    private static func shadeIndex(of number: Double, highest: Double) -> Int {
        guard number > 0 else { return 0 }
        let quarters = number / highest * 4
        let index = quarters.rounded(.up)
        let limited = min(4, max(1, index))
        return Int(limited)
    }
}
