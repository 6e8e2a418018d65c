import StoreEngine

/// A grid of seven weekdays and 24 hours, whose shades show numbers.
struct WeekCells: TextChart {
    private static let weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
    private static let shades = Array(" ░▒▓█")
    private static let asciiShades = Array(" .:*#")

    private let value: Column
    private let weekday: Column
    private let hour: Column
    private let heading: String
    private var numbers = Array(repeating: 0.0, count: 7 * 24)

    init(value: Column, weekday: Column, hour: Column, heading: String) {
        self.value = value
        self.weekday = weekday
        self.hour = hour
        self.heading = heading
    }

    mutating func add(_ row: some Row) {
        guard let number = value.number(of: row), number.isFinite, let weekday = weekday.number(of: row),
            let hour = hour.number(of: row), (1..<8).contains(weekday), (0..<24).contains(hour)
        else { return }
        numbers[(Int(weekday) - 1) * 24 + Int(hour)] += number
    }

    func write(to lines: TextLineWriter) {
        // A cell has two terminal columns, because one column is half as wide as a line is high.
        let size = lines.width >= 5 + 2 * 24 ? 2 : 1
        let shades = lines.style.isASCII ? Self.asciiShades : Self.shades
        let highest = numbers.max() ?? 0
        var hours = "     "
        for hour in stride(from: 0, to: 24, by: 6) {
            let text = "\(hour)"
            hours += text + String(repeating: " ", count: 6 * size - text.count)
        }
        lines.writeLine(hours)
        for (index, title) in Self.weekdays.enumerated() {
            let cells = numbers[index * 24..<(index + 1) * 24].map { number -> String in
                let shade = highest > 0 && number > 0 ? max(1, Int((number / highest * 4).rounded(.up))) : 0
                return String(repeating: String(shades[min(shade, 4)]), count: size)
            }
            lines.writeLine("\(title)  \(cells.joined())")
        }
        guard highest > 0, let darkest = shades.last else { return }
        lines.writeLine("\(darkest) up to \(HTML.decimal(highest, decimals: 2)) \(heading)")
    }
}
