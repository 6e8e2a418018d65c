import Base
import StoreEngine

/// Curves over days: a row for each group with its name, a sparkline and the last value.
struct Sparkline: TextChart {
    private let value: Column
    private let day: Column
    private let group: Column
    private var series = DaySeries<Double>()

    init(value: Column, day: Column, group: Column) {
        self.value = value
        self.day = day
        self.group = group
    }

    mutating func add(_ row: some Row) {
        guard let day = day.day(of: row),
            let number = value.number(of: row),
            number.isFinite
        else { return }
        series.add(number, on: day, to: group, of: row)
    }

    func write(to lines: TextLineWriter) {
        let curves = series.groups.map { group in
            SparklineCurve(group.values)
        }
        let labels = ChartLabels(series.groups.map(\.name), lineWidth: lines.width)
        let ends = curves.map { curve in
            text(of: curve.last)
        }
        let endWidth = ends.map(\.count).max() ?? 0
        let textWidth = labels.width + endWidth + 2 * TextLayout.gap
        let room = max(1, lines.width - textWidth)
        let longest = curves.map(\.length).max() ?? 0
        let width = min(room, longest)
        let scale = scale(of: curves, style: lines.style)
        let gap = String.spaces(TextLayout.gap)
        for (index, curve) in curves.enumerated() {
            let line = [
                labels.texts[index],
                scale.marks(of: curve, width: width),
                ends[index].alignedRight(in: endWidth),
            ]
            lines.writeLine(line.joined(separator: gap))
        }
    }

    private func text(of number: Double?) -> String {
        guard let number else { return "" }
        if value.measure == .share {
            return ChartText.percent(number)
        }
        return HTML.decimal(number, decimals: 2)
    }

    /// Returns the scale that all curves share.
    ///
    /// Shares have a scale from 0 to 1.
    private func scale(
        of curves: [SparklineCurve],
        style: TerminalStyle
    ) -> SparklineScale {
        let isShare = value.measure == .share
        let numbers = isShare ? [0, 1] : curves.flatMap(\.numbers)
        return SparklineScale(
            lowest: numbers.min() ?? 0,
            highest: numbers.max() ?? 0,
            levels: Array(style.isASCII ? "0123456789" : "▁▂▃▄▅▆▇█"))
    }
}

extension String {
    /// Returns the text after as many spaces as a column of this width requires.
    fileprivate func alignedRight(in width: Int) -> String {
        .spaces(width - count) + self
    }
}

/// The values of a group in the order of their days.
private struct SparklineCurve {
    let numbers: [Double]

    init(_ values: [Day: Double]) {
        let days = values.keys.sorted()
        numbers = days.compactMap { day in
            values[day]
        }
    }

    var length: Int { numbers.count }

    var last: Double? { numbers.last }

    /// Returns the curve, or the means of as many consecutive parts as a longer curve has room for.
    func points(atMost limit: Int) -> [Double] {
        let count = min(limit, length)
        return (0..<count).map { part in
            let begin = part * length / count
            let end = (part + 1) * length / count
            let sum = numbers[begin..<end].reduce(0, +)
            return sum / Double(end - begin)
        }
    }
}

/// The levels of a sparkline.
private struct SparklineScale {
    let lowest: Double
    let highest: Double
    /// The characters, from the lowest to the highest.
    let levels: [Character]

    /// Returns a curve with spaces up to a width.
    func marks(of curve: SparklineCurve, width: Int) -> String {
        let points = curve.points(atMost: width)
        let marks = String(points.map(mark))
        return marks + .spaces(width - points.count)
    }

    /// Returns the character for a number.
    private func mark(_ number: Double) -> Character {
        let highestLevel = Double(levels.count - 1)
        let level = fraction(of: number) * highestLevel
        return levels[Int(level.rounded())]
    }

    /// Returns the position of a number between the lowest and the highest one, from 0 to 1.
    private func fraction(of number: Double) -> Double {
        guard highest > lowest else { return 0 }
        let fraction = (number - lowest) / (highest - lowest)
        return min(1, max(0, fraction))
    }
}
