import Base
import StoreEngine

/// Curves over days: a row for each group with its name, a sparkline and the last value.
struct Sparkline: TextChart {
    private static let levels = Array("▁▂▃▄▅▆▇█")
    private static let asciiLevels = Array("0123456789")

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
        guard let day = day.day(of: row), let number = value.number(of: row), number.isFinite else { return }
        series.add(number, on: day, to: group, of: row)
    }

    func write(to lines: TextLineWriter) {
        let curves = series.groups.map { group in
            group.values.sorted { first, second in first.key < second.key }.map(\.value)
        }
        let ends = curves.map { curve in curve.last.map { number in text(of: number) } ?? "" }
        let endWidth = ends.reduce(0) { width, end in max(width, end.count) }
        let labels = lines.padded(series.groups.map(\.name))
        let room = max(1, lines.width - labels.width - endWidth - 2 * TextLayout.gap)
        let all = curves.flatMap(\.self)
        let lowest = value.measure == .share ? 0 : all.min() ?? 0
        let highest = value.measure == .share ? 1 : all.max() ?? 0
        let longest = min(room, curves.reduce(0) { longest, curve in max(longest, curve.count) })
        let gap = String(repeating: " ", count: TextLayout.gap)
        for (index, curve) in curves.enumerated() {
            let points = Self.means(of: curve, count: min(room, curve.count))
            let marks = points.map { number in mark(number, lowest, highest, lines.style) }
            let blank = String(repeating: " ", count: longest - marks.count)
            let end = String(repeating: " ", count: endWidth - ends[index].count) + ends[index]
            lines.writeLine(labels.labels[index] + gap + String(marks) + blank + gap + end)
        }
    }

    private func text(of number: Double) -> String {
        value.measure == .share ? ChartText.percent(number) : HTML.decimal(number, decimals: 2)
    }

    /// Returns the character for a number between the lowest and the highest one.
    private func mark(_ number: Double, _ lowest: Double, _ highest: Double, _ style: TerminalStyle) -> Character {
        let levels = style.isASCII ? Self.asciiLevels : Self.levels
        let fraction = highest > lowest ? (number - lowest) / (highest - lowest) : 0
        let level = Int((min(1, max(0, fraction)) * Double(levels.count - 1)).rounded())
        return levels[min(level, levels.count - 1)]
    }

    /// Returns the means of `count` consecutive parts of some numbers.
    private static func means(of numbers: [Double], count: Int) -> [Double] {
        (0..<count).map { part in
            let begin = part * numbers.count / count
            let end = max(begin + 1, (part + 1) * numbers.count / count)
            let values = numbers[begin..<end]
            return values.reduce(0, +) / Double(values.count)
        }
    }
}
