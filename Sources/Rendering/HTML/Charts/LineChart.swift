import Base
import Foundation
import StoreEngine

/// A chart of curves over dates, on a scale from 0 to 1 or to a round number above the largest value.
///
/// Up to six curves are in one drawing, each with its name at its end. More curves have a panel each.
struct LineChart: ChartDrawing {
    private static let combinedSeriesLimit = 6
    /// Maximum width of a name at the end of a curve.
    ///
    /// If a name is wider, each curve has its own panel.
    private static let labelColumns = 21

    private let columns: (value: Column, over: Column, group: Column)
    private var series = DaySeries<Double>()

    init(value: Column, over: Column, group: Column) {
        columns = (value, over, group)
    }

    mutating func add(_ row: some Row) {
        guard let day = columns.over.day(of: row),
            let value = columns.value.number(of: row),
            value.isFinite
        else { return }
        series.add(value, on: day, to: columns.group, of: row)
    }

    func figure() -> HTML? {
        guard let first = series.first, let last = series.last else { return nil }
        let days = first...last
        let curves = curves
        let largest = curves.flatMap(\.points).map(\.value).max()
        let full = Self.full(largest ?? 1)
        var drawn: HTML = ""
        if Self.fitTogether(curves) {
            drawn = together(curves, over: days, to: full)
        } else {
            for curve in curves {
                drawn += alone(curve, over: days, to: full)
            }
        }
        return """
            <figure class="chart line"><figcaption>\(caption)</figcaption>
            <p class="note">\(HTMLText.Chart.range(from: first.description, to: last.description))</p>
            <div class="multiples">
            \(drawn)</div>
            \(ChartText.note(omittedCount: series.omittedCount, HTMLText.Chart.valueCount))</figure>

            """
    }

    private var caption: String {
        HTMLText.Chart.grouped(columns.value.name.replacing("_", with: " "), by: columns.group.name)
    }

    private var curves: [Curve] {
        let prefix = Self.commonPrefix(series.groups.map(\.name))
        return series.groups.map { group in
            let points = group.values.sorted { one, other in one.key < other.key }
            return Curve(
                name: group.name,
                label: String(group.name.dropFirst(prefix)),
                points: points.map { point in (point.key, point.value) })
        }
    }

    /// Whether one drawing has room for all curves and their labels.
    private static func fitTogether(_ curves: [Curve]) -> Bool {
        guard curves.count <= combinedSeriesLimit else { return false }
        return curves.allSatisfy { TerminalText($0.label).width <= labelColumns }
    }

    /// Returns the top of the scale: 1 for rates and scores, otherwise the next number of 2, 5, 10, 20, 50 and so on.
    private static func full(_ largest: Double) -> Double {
        guard largest > 1 else { return 1 }
        let power = pow(10, floor(log10(largest)))
        let roundNumbers = [1, 2, 5, 10].map { factor in factor * power }
        return roundNumbers.first { number in number >= largest } ?? largest
    }

    /// Returns the length of a prefix such as `alice: ` that all names share, or 0.
    ///
    /// Labels omit the prefix.
    private static func commonPrefix(_ names: [String]) -> Int {
        guard names.count > 1,
            let first = names.first,
            let colon = first.range(of: ": ")
        else { return 0 }
        let prefix = first[..<colon.upperBound]
        let isCommon = names.allSatisfy { name in
            name.hasPrefix(prefix) && name.count > prefix.count
        }
        return isCommon ? prefix.count : 0
    }

    private func together(_ curves: [Curve], over days: ClosedRange<Day>, to full: Double) -> HTML {
        let plot = LinePlot(days: days, full: full, size: (360, 200), right: 126)
        var drawn = plot.axes
        for (style, curve) in curves.enumerated() {
            drawn += plot.path(curve, style: style)
        }
        drawn += labels(of: curves, on: plot)
        let label = curves.map(\.summary).joined(separator: "; ")
        return """
            <figure class="wide" tabindex="0" aria-label="\(caption)">\(HTML.svg(label, width: 550, of: plot.size, drawn))</figure>

            """
    }

    /// The end of a curve of a drawing with several curves.
    private struct CurveEnd {
        let style: Int
        let label: String
        let y: Double
    }

    /// Returns the names of curves, each at the end of its curve.
    ///
    /// Names are moved apart so that they do not overlap.
    private func labels(of curves: [Curve], on plot: LinePlot) -> HTML {
        let ends = curves.enumerated().map { style, curve in
            let label = ChartText.label(curve.label, columns: Self.labelColumns)
            return CurveEnd(style: style, label: label, y: plot.y(curve.last))
        }
        let fromTop = ends.sorted { one, other in
            (one.y, one.style) < (other.y, other.style)
        }
        let positions = spread(fromTop.map(\.y), apart: 11, within: 12...plot.bottom)
        var labels: HTML = ""
        for (end, y) in zip(fromTop, positions) {
            labels += """
                <text class="line\(end.style)" x="\(plot.right + 6)" y="\(y + 3)">\(end.label)</text>
                """
        }
        return labels
    }

    private func alone(_ curve: Curve, over days: ClosedRange<Day>, to full: Double) -> HTML {
        let plot = LinePlot(days: days, full: full, size: (240, 100), right: 8)
        let drawn = plot.axes + plot.path(curve, style: 0)
        return """
            <figure><figcaption>\(isolated: curve.name)<small>\(HTMLText.Chart.onLastDay("\(curve.last)"))</small></figcaption>\
            \(HTML.svg(curve.summary, width: 250, of: plot.size, drawn))</figure>

            """
    }

    /// Moves positions apart that are closer than `gap`: first downward, then upward from the last one.
    private func spread(_ wanted: [Double], apart gap: Double, within range: ClosedRange<Double>) -> [Double] {
        var positions = wanted
        var highest = range.lowerBound
        for i in positions.indices {
            positions[i] = max(positions[i], highest)
            highest = positions[i] + gap
        }
        var lowest = range.upperBound
        for i in positions.indices.reversed() {
            positions[i] = min(positions[i], lowest)
            lowest = positions[i] - gap
        }
        return positions
    }
}

/// The values of one group, by day.
struct Curve {
    let name: String
    /// The name without the prefix that all curves of the chart share.
    let label: String
    let points: [(day: Day, value: Double)]

    var last: Double { points.last?.value ?? 0 }
    var summary: String {
        let day = points.last?.day.description ?? ""
        let value = HTMLText.Chart.value(HTML.decimal(last, decimals: 2), on: day)
        return "\(name): \(value)"
    }
}

/// The axes of a line chart: dates to the right, 0 to `full` upward.
///
/// Negative values are drawn on the axis.
struct LinePlot {
    let size: DrawingSize
    let right: Double
    private let days: ClosedRange<Day>
    private let full: Double
    private let left = 22.0
    private let top = 8.0

    init(days: ClosedRange<Day>, full: Double, size: DrawingSize, right margin: Double) {
        self.days = days
        self.full = full
        self.size = size
        right = size.width - margin
    }

    var bottom: Double { size.height - 16 }

    /// The horizontal coordinate of a day.
    ///
    /// If the chart has only one day, it is in the middle.
    func x(_ day: Day) -> Double {
        let span = days.lowerBound.distance(to: days.upperBound)
        if span == 0 { return (left + right) / 2 }
        let distance = days.lowerBound.distance(to: day)
        return left + (right - left) * Double(distance) / Double(span)
    }

    func y(_ value: Double) -> Double {
        let share = min(1, max(0, value / full))
        return bottom - (bottom - top) * share
    }

    func path(_ curve: Curve, style: Int) -> HTML {
        let points = vertices(of: curve)
        guard let end = points.last else { return "" }
        return """
            <path class="curve line\(style)" d="\(PathData.polyline(through: points))"/>\
            <circle class="line\(style)" cx="\(end.x)" cy="\(end.y)" r="2.5"/>
            """
    }

    /// Returns the points of a curve.
    ///
    /// A viewer cannot distinguish two points that are less than half a unit apart. The later point replaces the earlier
    /// one, except the first of the curve.
    private func vertices(of curve: Curve) -> [DrawingPoint] {
        var vertices: [DrawingPoint] = []
        for (day, value) in curve.points {
            let vertex = (x: x(day), y: y(value))
            if let previous = vertices.last, vertices.count > 1, vertex.x - previous.x < 0.5 {
                vertices.removeLast()
            }
            vertices.append(vertex)
        }
        return vertices
    }

    var axes: HTML { valueAxis + dayAxis }

    private var valueAxis: HTML {
        var axis: HTML = ""
        for value in [0, full / 2, full] {
            let y = y(value)
            axis += "<path class=\"grid\" d=\"M\(left) \(y)H\(right)\"/>"
            axis += "<text class=\"end\" x=\"\(left - 4)\" y=\"\(y + 3)\">\(Self.text(of: value))</text>"
        }
        return axis
    }

    /// Returns a value of the axis as text, with thousands as `k`.
    private static func text(of value: Double) -> String {
        if value < 1000 { return HTML.decimal(value, decimals: 1) }
        return HTML.decimal(value / 1000, decimals: 1) + "k"
    }

    private var dayAxis: HTML {
        var axis: HTML = ""
        let ticks = DayTicks(days, most: size.width > 300 ? 5 : 4)
        for (day, name) in ticks.labels {
            let x = x(day)
            axis += "<path class=\"grid\" d=\"M\(x) \(top)V\(bottom + 3)\"/>"
            axis += "<text class=\"\(anchor(at: x))\" x=\"\(x)\" y=\"\(size.height - 3)\">\(name)</text>"
        }
        return axis
    }

    /// Returns the class of the name of a day.
    ///
    /// Near a margin, a centered name would extend beyond the drawing.
    private func anchor(at x: Double) -> String {
        if x > right - 16 { return "end" }
        return x < left + 12 ? "" : "mid"
    }
}

/// The days with a mark on an axis: single days, Mondays, the first days of months, or the first days of years.
struct DayTicks {
    let labels: [(day: Day, name: String)]

    init(_ days: ClosedRange<Day>, most: Int) {
        let daySteps = [1, 2]
        let weekSteps = [1, 2, 4]
        if let step = daySteps.first(where: { days.count <= $0 * most }) {
            labels = Self.days(days, by: step)
        } else if let step = weekSteps.first(where: { days.count <= 7 * $0 * most }) {
            labels = Self.mondays(days, by: step)
        } else {
            let step = Self.monthSteps.first { days.count <= 30 * $0 * most }
            labels = Self.months(days, by: step ?? Self.longestMonthStep)
        }
    }

    /// Numbers of months between two marks.
    private static let monthSteps = [
        1, 2, 3, 6, 12, 24, 60, 120, 240, 600, 1200, 2400, 6000, 12000, 24000, 60000,
    ]
    private static let longestMonthStep = 120_000

    private static func days(_ days: ClosedRange<Day>, by step: Int) -> [(day: Day, name: String)] {
        stride(from: 0, to: days.count, by: step).map { offset in
            let day = days.lowerBound.advanced(by: offset)
            return (day, dayName(day))
        }
    }

    private static func mondays(_ days: ClosedRange<Day>, by weeks: Int) -> [(day: Day, name: String)] {
        let monday = days.lowerBound.advanced(by: 6).monday
        return stride(from: monday, through: days.upperBound, by: 7 * weeks).map { day in
            (day, dayName(day))
        }
    }

    private static func dayName(_ day: Day) -> String { "\(day.civil.day) \(ChartText.month(day))" }

    private static func months(_ days: ClosedRange<Day>, by step: Int) -> [(day: Day, name: String)] {
        let first = days.lowerBound.civil
        // Months are counted from the year 0, so that the steps are aligned with years.
        let firstMonth = first.year * 12 + first.month - 1
        let start = (firstMonth + step - 1) / step * step
        var labels: [(day: Day, name: String)] = []
        for month in stride(from: start, to: 120_000, by: step) {
            guard let day = Day(year: month / 12, month: month % 12 + 1, day: 1) else { continue }
            guard day <= days.upperBound else { break }
            if days.contains(day) { labels.append((day, monthName(day, step: step))) }
        }
        return labels
    }

    private static func monthName(_ day: Day, step: Int) -> String {
        let year = day.civil.year
        return step % 12 == 0 ? String(year) : "\(ChartText.month(day)) \(year)"
    }
}
