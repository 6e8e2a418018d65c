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
    private let links: RenderOptions.Page.CellLinks?
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
    init(value: Column, label: Column, color: Column?, group: String, page: RenderOptions.Page) {
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
        bars.append(
            Bar(
                label: columns.label.text(of: row) ?? "", value: value,
                color: columns.color?.text(of: row).flatMap(Swatch.init)))
    }

    private var areRates: Bool { columns.value.value != .integer && distribution.areRates }

    func figure() -> HTML? {
        guard !bars.isEmpty else { return nil }
        if omittedCount > 0, areRates, most < ChartLimit.groups { return distributionFigure }
        let full = areRates ? 1 : max(bars.reduce(0) { max($0, $1.value) }, .leastNonzeroMagnitude)
        let items = bars.reduce("" as HTML) { all, bar in
            all
                + Self.item(
                    label(bar.label), reading(bar), share: bar.value / full,
                    paint: bar.color.map { "--paint:\($0.color);" } ?? "")
        }
        return figure(caption: "\(name) by \(group)", items)
    }

    private var name: String { columns.value.name.replacing("_", with: " ") }

    private func figure(caption: String, _ items: HTML) -> HTML {
        """
        <figure class="chart bars"><figcaption>\(caption)</figcaption>
        <ul>
        \(items)</ul>
        \(note)</figure>

        """
    }

    private var note: HTML {
        if omittedCount == 0 || areRates && most < ChartLimit.groups { return "" }
        if most == ChartLimit.groups { return ChartText.note(omittedCount: omittedCount, "row") }
        return "<p class=\"note\">The chart shows the first \(most) of \(most + omittedCount) rows.</p>\n"
    }

    /// The number of rates in each tenth of the range.
    private var distributionFigure: HTML {
        let largest = Double(max(distribution.counts.max() ?? 0, 1))
        let items = distribution.counts.enumerated().reduce("" as HTML) { all, bin in
            let label = "\(bin.offset * 10)\u{2013}\(bin.offset * 10 + 10) %"
            return all + Self.item("\(label)", "\(bin.element)", share: Double(bin.element) / largest, paint: "")
        }
        return figure(caption: "Number of rows by " + name, items)
    }

    private func label(_ text: String) -> HTML {
        links.map { "<a href=\"\($0.target(of: text))\">\(isolated: text)</a>" } ?? "\(isolated: text)"
    }

    private static func item(_ label: HTML, _ reading: String, share: Double, paint: String) -> HTML {
        let length = 100 * min(1, max(0, share))
        let filled: HTML = length > 0 ? "<div style=\"\(paint)width:\(length)%\"></div>" : ""
        return "<li><span>\(label)</span> <strong>\(reading)</strong><div>\(filled)</div></li>\n"
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
        guard text.utf8.count == 7, text.hasPrefix("#"), text.dropFirst().allSatisfy(\.isHexDigit),
            text.utf8.allSatisfy({ $0 < 0x80 })
        else { return nil }
        color = text.lowercased()
    }

    /// The attributes of a shape with the color.
    ///
    /// The style sheet can lighten the color on a dark page.
    var attributes: HTML { attributes(also: "paint") }

    func attributes(also kind: String) -> HTML { "class=\"\(kind)\" style=\"--paint:\(color)\"" }
}
