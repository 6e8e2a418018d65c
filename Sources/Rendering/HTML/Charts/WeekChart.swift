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

    init(value: Column, weekday: Column, hour: Column) { columns = (value, weekday, hour) }

    mutating func add(_ row: some Row) {
        guard let value = columns.value.number(of: row), value.isFinite, value > 0,
            let weekday = columns.weekday.number(of: row).flatMap(Int.init(exactly:)), (1...7).contains(weekday)
        else { return }
        let hour = columns.hour.number(of: row).flatMap(Int.init(exactly:)) ?? Self.hours
        guard (0...Self.hours).contains(hour) else { return }
        values[weekday - 1][hour] += value
    }

    func figure() -> HTML? {
        let largest = values.flatMap(\.self).max() ?? 0
        guard largest > 0 else { return nil }
        var drawn = labels
        for (weekday, hours) in values.enumerated() {
            for (hour, value) in hours.enumerated() where hour < Self.hours || hasTimeless {
                drawn += square(value / largest, x: x(hour), y: y(weekday), title: reading(weekday, hour, value))
            }
        }
        let most = HTML.decimal(largest, decimals: 2)
        let caption = columns.value.name.replacing("_", with: " ") + " by weekday and hour"
        return """
            <figure class="chart week"><figcaption>\(caption)</figcaption>
            <p class="note">The largest square is \(most).</p>
            <div class="multiples">
            <figure class="wide">\(HTML.svg(summary, width: size.width * 2, of: size, drawn))</figure>
            </div>
            </figure>

            """
    }

    private var hasTimeless: Bool { values.contains { $0[Self.hours] > 0 } }

    private var size: (width: Double, height: Double) {
        let end = x(hasTimeless ? Self.hours : Self.hours - 1) + Self.pitch
        // The label of the last column is wider than the column.
        return (end + (hasTimeless ? 14 : 2), Self.top + 7 * Self.pitch)
    }

    private func x(_ hour: Int) -> Double {
        Self.left + Double(hour) * Self.pitch + (hour == Self.hours ? Self.gap : 0)
    }

    private func y(_ weekday: Int) -> Double { Self.top + Double(weekday) * Self.pitch }

    private var labels: HTML {
        var labels: HTML = ""
        for (weekday, name) in ChartText.weekdays.enumerated() {
            labels += "<text x=\"0\" y=\"\(y(weekday) + 10)\">\(name)</text>"
        }
        for hour in stride(from: 0, to: Self.hours, by: 3) {
            labels += "<text class=\"mid\" x=\"\(x(hour) + Self.pitch / 2)\" y=\"\(Self.top - 4)\">\(hour)</text>"
        }
        if hasTimeless {
            labels += "<text class=\"mid\" x=\"\(x(Self.hours) + Self.pitch / 2)\" y=\"\(Self.top - 4)\">none</text>"
        }
        return labels
    }

    /// Returns a frame and a filled square within it.
    private func square(_ share: Double, x: Double, y: Double, title: String) -> HTML {
        let side = share > 0 ? max(2, (Self.pitch - 2) * share.squareRoot()) : 0
        let inset = (Self.pitch - side) / 2
        let filled: HTML =
            side > 0
            ? "<rect class=\"paint\" x=\"\(x + inset)\" y=\"\(y + inset)\" width=\"\(side)\" height=\"\(side)\"/>" : ""
        return """
            <g><title>\(title)</title><rect class="track" x="\(x + 1)" y="\(y + 1)" width="\(Self.pitch - 2)" \
            height="\(Self.pitch - 2)"/>\(filled)</g>
            """
    }

    private func reading(_ weekday: Int, _ hour: Int, _ value: Double) -> String {
        let time = hour == Self.hours ? "no time" : "\(hour < 10 ? "0" : "")\(hour):00"
        return "\(ChartText.weekdays[weekday]) \(time): \(HTML.decimal(value, decimals: 2))"
    }

    /// The sum of each weekday for screen readers.
    private var summary: String {
        zip(ChartText.weekdays, values).map { name, hours in
            "\(name): \(HTML.decimal(hours.reduce(0, +), decimals: 2))"
        }.joined(separator: "; ")
    }
}
