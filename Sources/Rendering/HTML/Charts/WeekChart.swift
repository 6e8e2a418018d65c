import Base
import StoreEngine

/// A grid of the hours of a week: seven rows for the weekdays and a column for each hour.
///
/// The area of a square is proportional to the value. Values without an hour are in a column of their own.
struct WeekChart: ChartDrawing {
    private static let hours = 24
    private static let pitch = 14.0
    private static let left = 26.0
    private static let top = 14.0
    /// Space before the column of the values without an hour.
    private static let gap = 8.0

    private let columns: (value: Column, weekday: Column, hour: Column)
    /// The sum of the values for each weekday and hour.
    ///
    /// The last column contains the values without an hour.
    private var values = [[Double]](repeating: [Double](repeating: 0, count: hours + 1), count: 7)

    init(value: Column, weekday: Column, hour: Column) {
        columns = (value, weekday, hour)
    }

    mutating func add(_ row: some Row) {
        guard let value = columns.value.number(of: row),
            value.isFinite,
            value > 0,
            let weekday = columns.weekday.integer(of: row),
            (1...7).contains(weekday)
        else { return }
        let hour = columns.hour.integer(of: row) ?? Self.hours
        guard (0...Self.hours).contains(hour) else { return }
        values[weekday - 1][hour] += value
    }

    func figure() -> HTML? {
        let largest = values.flatMap(\.self).max() ?? 0
        guard largest > 0 else { return nil }
        var drawn = labels
        for (weekday, hours) in values.enumerated() {
            for (hour, value) in hours.enumerated() where hour < Self.hours || hasTimeless {
                let title = reading(value, weekday: weekday, hour: hour)
                drawn += square(value / largest, x: x(hour), y: y(weekday), title: title)
            }
        }
        let most = HTML.decimal(largest, decimals: 2)
        let caption = HTMLText.Chart.byWeekday(columns.value.name.replacing("_", with: " "))
        return """
            <figure class="chart week"><figcaption>\(caption)</figcaption>
            <p class="note">\(HTMLText.Chart.largest(most))</p>
            <div class="multiples">
            <figure class="wide" tabindex="0" aria-label="\(caption)">\(HTML.svg(summary, width: size.width * 2, of: size, drawn))</figure>
            </div>
            </figure>

            """
    }

    private var hasTimeless: Bool { values.contains { $0[Self.hours] > 0 } }

    private var size: DrawingSize {
        let lastColumn = hasTimeless ? Self.hours : Self.hours - 1
        let end = x(lastColumn) + Self.pitch
        // The label of the last column is wider than the column.
        let margin = hasTimeless ? 14.0 : 2
        let height = Self.top + 7 * Self.pitch
        return (end + margin, height)
    }

    private func x(_ hour: Int) -> Double {
        let gap = hour == Self.hours ? Self.gap : 0
        return Self.left + Double(hour) * Self.pitch + gap
    }

    private func y(_ weekday: Int) -> Double {
        Self.top + Double(weekday) * Self.pitch
    }

    private var labels: HTML {
        var labels: HTML = ""
        for (weekday, name) in DateNames.shortWeekdays.enumerated() {
            labels += "<text x=\"0\" y=\"\(y(weekday) + 10)\">\(name)</text>"
        }
        for hour in stride(from: 0, to: Self.hours, by: 3) {
            labels += label("\(hour)", above: hour)
        }
        if hasTimeless {
            labels += label(HTMLText.Chart.noTimeShort, above: Self.hours)
        }
        return labels
    }

    /// Returns the label of a column.
    private func label(_ text: String, above hour: Int) -> HTML {
        let middle = x(hour) + Self.pitch / 2
        return "<text class=\"mid\" x=\"\(middle)\" y=\"\(Self.top - 4)\">\(text)</text>"
    }

    /// Returns a frame and a filled square within it.
    private func square(_ share: Double, x: Double, y: Double, title: String) -> HTML {
        let frame = Self.pitch - 2
        return """
            <g><title>\(title)</title><rect class="track" x="\(x + 1)" y="\(y + 1)" width="\(frame)" \
            height="\(frame)"/>\(filledSquare(share, x: x, y: y))</g>
            """
    }

    private func filledSquare(_ share: Double, x: Double, y: Double) -> HTML {
        guard share > 0 else { return "" }
        let side = max(2, (Self.pitch - 2) * share.squareRoot())
        let inset = (Self.pitch - side) / 2
        return """
            <rect class="paint" x="\(x + inset)" y="\(y + inset)" width="\(side)" height="\(side)"/>
            """
    }

    private func reading(_ value: Double, weekday: Int, hour: Int) -> String {
        let digits = hour < 10 ? "0\(hour)" : "\(hour)"
        let time = hour == Self.hours ? HTMLText.Chart.noTime : digits + ":00"
        return "\(DateNames.shortWeekdays[weekday]) \(time): \(HTML.decimal(value, decimals: 2))"
    }

    /// The sum of each weekday for screen readers.
    private var summary: String {
        let sums = zip(DateNames.shortWeekdays, values).map { name, hours in
            let sum = hours.reduce(0, +)
            return "\(name): \(HTML.decimal(sum, decimals: 2))"
        }
        return sums.joined(separator: "; ")
    }
}

extension Column {
    /// Returns the cell as an integer, or `nil` if it is not a whole number.
    fileprivate func integer(of row: some Row) -> Int? {
        number(of: row).flatMap(Int.init(exactly:))
    }
}
