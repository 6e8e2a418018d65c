import Base
import StoreEngine

/// Horizontal bars, each below its label and its value.
///
/// The values are rates if all of them are from 0 to 1 and the column does not contain integers. Otherwise the longest
/// bar is the largest value. The bars are elements of the page and not a drawing, so that long labels wrap and all
/// texts have the same size at any width. A row without a value has no bar.
struct BarChart: ChartDrawing {
    private struct Bar {
        let label: String
        let value: Double
        let color: Swatch?
    }

    private let columns: (value: Column, label: Column, color: Column?)
    private let group: String
    private let most: Int
    private let links: RenderOptions.PageContent.CellLinks?
    private var bars: [Bar] = []
    private var omittedCount = 0
    private var distribution = RateDistribution()

    /// Creates a chart with the number of bars and the links of a page.
    ///
    /// - Parameters:
    ///   - value: The column with the lengths of the bars.
    ///   - label: The column with the labels.
    ///   - color: The column with the colors, or `nil`.
    ///   - group: The noun for a row in the caption, such as `habit`.
    ///   - page: The page.
    init(value: Column, label: Column, color: Column?, group: String, page: RenderOptions.PageContent) {
        self.group = group
        columns = (value, label, color)
        most = page.mostBars
        links = page.cellLinks?.column == label.name ? page.cellLinks : nil
    }

    mutating func add(_ row: some Row) {
        // A row without a value has no bar. The table shows it.
        guard let value = columns.value.number(of: row) else { return }
        distribution.add(value)
        guard bars.count < most else {
            omittedCount += 1
            return
        }
        let bar = Bar(
            label: columns.label.text(of: row) ?? "",
            value: value,
            color: columns.color?.text(of: row).flatMap(Swatch.init))
        bars.append(bar)
    }

    private var areRates: Bool {
        columns.value.value != .integer && distribution.areRates
    }

    /// Whether the chart has fewer bars than the most that a page can have.
    private var isShort: Bool { most < ChartLimit.groups }

    func figure() -> HTML? {
        guard !bars.isEmpty else { return nil }
        if omittedCount > 0, areRates, isShort { return distributionFigure }
        let full = full
        var items: HTML = ""
        for bar in bars {
            items += Self.item(
                label(bar.label),
                reading(bar),
                share: bar.value / full,
                color: bar.color)
        }
        return figure(caption: "\(name) by \(group)", legend: legend, items)
    }

    /// The value of a bar with the full width.
    private var full: Double {
        if areRates { return 1 }
        let largest = bars.reduce(0) { largest, bar in
            max(largest, bar.value)
        }
        return max(largest, .leastNonzeroMagnitude)
    }

    private var name: String { columns.value.name.replacing("_", with: " ") }

    private func figure(caption: String, legend: HTML = "", _ items: HTML) -> HTML {
        """
        <figure class="chart bars"><figcaption>\(caption)</figcaption>
        \(legend)<ul>
        \(items)</ul>
        \(note)</figure>

        """
    }

    /// The statuses of the bars, or an empty text if no bar has the color of a status.
    private var legend: HTML {
        let statuses = Set(bars.compactMap { $0.color?.status })
        return StatusWord.legend(of: statuses)
    }

    private var note: HTML {
        if omittedCount == 0 || areRates && isShort { return "" }
        if most == ChartLimit.groups { return ChartText.note(omittedCount: omittedCount, HTMLText.Table.rows) }
        return "<p class=\"note\">\(HTMLText.Chart.first(most, of: most + omittedCount))</p>\n"
    }

    /// The number of rates in each tenth of the range.
    private var distributionFigure: HTML {
        let largest = Double(max(distribution.counts.max() ?? 0, 1))
        var items: HTML = ""
        for (tenth, count) in distribution.counts.enumerated() {
            let start = tenth * 10
            let share = Double(count) / largest
            items += Self.item("\(start)\u{2013}\(start + 10) %", "\(count)", share: share, color: nil)
        }
        return figure(caption: HTMLText.Chart.distribution(of: name), items)
    }

    private func label(_ text: String) -> HTML {
        guard let links else { return "\(isolated: text)" }
        return "<a href=\"\(links.target(of: text))\">\(isolated: text)</a>"
    }

    private static func item(_ label: HTML, _ reading: String, share: Double, color: Swatch?) -> HTML {
        let length = 100 * min(1, max(0, share))
        let status = color?.status
        let paint = status == nil ? color.map { "--paint:\($0.color);" } ?? "" : ""
        let filled: HTML = length > 0 ? "<div style=\"\(paint)width:\(length)%\"></div>" : ""
        let kind: HTML = status.map { " class=\"\($0.cssClass)\"" } ?? ""
        let dot = status?.dot ?? ""
        return "<li\(kind)><span>\(dot)\(label)</span> <strong>\(reading)</strong><div>\(filled)</div></li>\n"
    }

    private func reading(_ bar: Bar) -> String {
        areRates ? ChartText.percent(bar.value) : HTML.decimal(bar.value, decimals: 2)
    }
}

/// The number of rates in each tenth of the range from 0 to 1.
struct RateDistribution {
    /// The number of rates in each tenth.
    ///
    /// The last tenth includes 1.
    private(set) var counts = [Int](repeating: 0, count: 10)
    /// Whether all values are from 0 to 1.
    private(set) var areRates = true

    /// Counts a value.
    mutating func add(_ value: Double) {
        guard (0...1).contains(value) else {
            areRates = false
            return
        }
        counts[min(9, Int(value * 10))] += 1
    }
}

/// A color in the data, `#rrggbb`.
///
/// No other text of the data is written into a style.
package struct Swatch: Hashable {
    /// The color as `#rrggbb`.
    package let color: String

    /// Creates the color of a text, or returns `nil` if the text is not `#rrggbb`.
    package init?(_ text: String) {
        guard text.utf8.count == 7,
            text.hasPrefix("#"),
            text.dropFirst().allSatisfy(\.isHexDigit),
            text.utf8.allSatisfy({ $0 < 0x80 })
        else { return nil }
        color = text.lowercased()
    }

    /// The status with the color, or `nil`.
    var status: StatusWord? { StatusWord(color: color) }

    /// Returns the attributes of a shape with the color.
    ///
    /// The style sheet has the colors of the statuses on a light and on a dark page. It lightens any other color on a dark
    /// page.
    ///
    /// - Parameter kind: The class of the shape.
    /// - Returns: The attributes `class` and `style`.
    func attributes(also kind: String) -> HTML {
        if let status { return "class=\"\(kind) \(status.cssClass)\"" }
        return "class=\"\(kind)\" style=\"--paint:\(color)\""
    }
}
