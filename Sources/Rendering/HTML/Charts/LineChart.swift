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

    init(value: Column, over: Column, group: Column) { columns = (value, over, group) }

    mutating func add(_ row: some Row) {
        guard let day = columns.over.day(of: row), let value = columns.value.number(of: row), value.isFinite
        else { return }
        series.add(value, on: day, to: columns.group, of: row)
    }

    func figure() -> HTML? {
        guard let first = series.first, let last = series.last else { return nil }
        let days = first...last
        let prefix = Self.commonPrefix(series.groups.map(\.name))
        let curves = series.groups.map { group in
            Curve(
                name: group.name, label: String(group.name.dropFirst(prefix)),
                points: group.values.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
        }
        let full = Self.full(curves.flatMap(\.points).map(\.value).max() ?? 1)
        let areTogether =
            curves.count <= Self.combinedSeriesLimit
            && curves.allSatisfy { TerminalText($0.label).width <= Self.labelColumns }
        let drawn =
            areTogether
            ? together(curves, over: days, to: full) : curves.reduce("") { $0 + alone($1, over: days, to: full) }
        let caption = columns.value.name.replacing("_", with: " ") + " by " + columns.group.name
        return """
            <figure class="chart line"><figcaption>\(caption)</figcaption>
            <p class="note">\(first.description) to \(last.description)</p>
            <div class="multiples">
            \(drawn)</div>
            \(ChartText.note(omittedCount: series.omittedCount, "value"))</figure>

            """
    }

    /// Returns the top of the scale: 1 for rates and scores, otherwise the next number of 2, 5, 10, 20, 50 and so on.
    private static func full(_ largest: Double) -> Double {
        guard largest > 1 else { return 1 }
        let power = pow(10, floor(log10(largest)))
        return [1, 2, 5, 10].map { $0 * power }.first { $0 >= largest } ?? largest
    }

    /// Returns the length of a prefix such as `alice: ` that all names share, or 0.
    ///
    /// Labels omit the prefix.
    private static func commonPrefix(_ names: [String]) -> Int {
        guard names.count > 1, let first = names.first, let colon = first.range(of: ": ") else { return 0 }
        let prefix = first[..<colon.upperBound]
        return names.allSatisfy { $0.hasPrefix(prefix) && $0.count > prefix.count } ? prefix.count : 0
    }

    private func together(_ curves: [Curve], over days: ClosedRange<Day>, to full: Double) -> HTML {
        let plot = LinePlot(days: days, full: full, size: (360, 200), right: 126)
        var drawn = plot.axes
        for (i, curve) in curves.enumerated() { drawn += plot.path(curve, style: i) }
        // Each name is at the end of its curve. Names are moved apart so that they do not overlap.
        let ends = curves.enumerated().map { ($0.offset, $0.element, plot.y($0.element.last)) }.sorted {
            ($0.2, $0.0) < ($1.2, $1.0)
        }
        let labelPositions = spread(ends.map(\.2), apart: 11, within: 12...plot.bottom)
        for ((i, curve, _), y) in zip(ends, labelPositions) {
            drawn +=
                "<text class=\"line\(i)\" x=\"\(plot.right + 6)\" y=\"\(y + 3)\">\(ChartText.label(curve.label, columns: Self.labelColumns))</text>"
        }
        let label = curves.map(\.summary).joined(separator: "; ")
        return "<figure class=\"wide\">\(HTML.svg(label, width: 550, of: plot.size, drawn))</figure>\n"
    }

    private func alone(_ curve: Curve, over days: ClosedRange<Day>, to full: Double) -> HTML {
        let plot = LinePlot(days: days, full: full, size: (240, 100), right: 8)
        let drawn = plot.axes + plot.path(curve, style: 0)
        return """
            <figure><figcaption>\(isolated: curve.name)<small>\(curve.last) on the last day</small></figcaption>\
            \(HTML.svg(curve.summary, width: 250, of: plot.size, drawn))</figure>

            """
    }

    /// Moves positions apart that are closer than `gap`: first downward, then upward from the last one.
    private func spread(_ wanted: [Double], apart gap: Double, within range: ClosedRange<Double>) -> [Double] {
        var labelPositions = wanted
        for i in labelPositions.indices {
            labelPositions[i] = max(labelPositions[i], i == 0 ? range.lowerBound : labelPositions[i - 1] + gap)
        }
        for i in labelPositions.indices.reversed() {
            labelPositions[i] = min(
                labelPositions[i], i == labelPositions.count - 1 ? range.upperBound : labelPositions[i + 1] - gap)
        }
        return labelPositions
    }
}

/// The values of one group, by day.
struct Curve {
    let name: String
    /// The name without the prefix that all curves of the chart share.
    let label: String
    let points: [(day: Day, value: Double)]

    var last: Double { points.last?.value ?? 0 }
    var summary: String { "\(name): \(HTML.decimal(last, decimals: 2)) on \(points.last?.day.description ?? "")" }
}

/// The axes of a line chart: dates to the right, 0 to `full` upward.
///
/// Negative values are drawn on the axis.
struct LinePlot {
    let size: (width: Double, height: Double)
    let right: Double
    private let days: ClosedRange<Day>
    private let full: Double
    private let left = 22.0
    private let top = 8.0

    init(days: ClosedRange<Day>, full: Double, size: (width: Double, height: Double), right margin: Double) {
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
        return left + (right - left) * Double(days.lowerBound.distance(to: day)) / Double(span)
    }

    func y(_ value: Double) -> Double { bottom - (bottom - top) * min(1, max(0, value / full)) }

    func path(_ curve: Curve, style: Int) -> HTML {
        var points: [(x: Double, y: Double)] = []
        for point in curve.points {
            let place = (x(point.day), y(point.value))
            // A viewer cannot distinguish two points that are less than half a unit apart.
            if let before = points.last, points.count > 1, place.0 - before.x < 0.5 { points.removeLast() }
            points.append(place)
        }
        guard let end = points.last else { return "" }
        let path = points.enumerated().map { i, point in
            "\(i == 0 ? "M" : "L")\(HTML.decimal(point.x, decimals: 1)) \(HTML.decimal(point.y, decimals: 1))"
        }
        return """
            <path class="curve line\(style)" d="\(path.joined())"/>\
            <circle class="line\(style)" cx="\(end.x)" cy="\(end.y)" r="2.5"/>
            """
    }

    var axes: HTML {
        var axes: HTML = ""
        for value in [0, full / 2, full] {
            let name = value < 1000 ? HTML.decimal(value, decimals: 1) : HTML.decimal(value / 1000, decimals: 1) + "k"
            axes += "<path class=\"grid\" d=\"M\(left) \(y(value))H\(right)\"/>"
            axes += "<text class=\"end\" x=\"\(left - 4)\" y=\"\(y(value) + 3)\">\(name)</text>"
        }
        let ticks = DayTicks(days, most: size.width > 300 ? 5 : 4)
        for (day, name) in ticks.labels {
            let x = x(day)
            // Near a margin, a centered name would extend beyond the drawing.
            let anchor = x > right - 16 ? "end" : x < left + 12 ? "" : "mid"
            axes += "<path class=\"grid\" d=\"M\(x) \(top)V\(bottom + 3)\"/>"
            axes += "<text class=\"\(anchor)\" x=\"\(x)\" y=\"\(size.height - 3)\">\(name)</text>"
        }
        return axes
    }
}

/// The days with a mark on an axis: single days, Mondays, the first days of months, or the first days of years.
struct DayTicks {
    let labels: [(day: Day, name: String)]

    init(_ days: ClosedRange<Day>, most: Int) {
        for step in [1, 2] where days.count <= step * most {
            labels = stride(from: 0, to: days.count, by: step).map {
                let day = days.lowerBound.advanced(by: $0)
                return (day, Self.dayName(day))
            }
            return
        }
        for weeks in [1, 2, 4] where days.count <= 7 * weeks * most {
            let monday = days.lowerBound.advanced(by: 6).monday
            labels = stride(from: monday, through: days.upperBound, by: 7 * weeks).map { ($0, Self.dayName($0)) }
            return
        }
        var step = 1
        var steps = [2, 3, 6, 12, 24, 60, 120, 240, 600, 1200, 2400, 6000, 12000, 24000, 60000, 120_000][...]
        while days.count > 30 * step * most, let next = steps.popFirst() { step = next }
        labels = Self.months(days, by: step)
    }

    private static func dayName(_ day: Day) -> String { "\(day.civil.day) \(ChartText.month(day))" }

    private static func months(_ days: ClosedRange<Day>, by step: Int) -> [(day: Day, name: String)] {
        let (year, month, _) = days.lowerBound.civil
        // Months are counted from the year 0, so that the steps are aligned with years.
        let start = (year * 12 + month - 1 + step - 1) / step * step
        return stride(from: start, to: 120_000, by: step).lazy
            .compactMap { Day(year: $0 / 12, month: $0 % 12 + 1, day: 1) }
            .prefix { $0 <= days.upperBound }
            .filter { days.contains($0) }
            .map { day in
                (day, step % 12 == 0 ? String(day.civil.year) : "\(ChartText.month(day)) \(day.civil.year)")
            }
    }
}
