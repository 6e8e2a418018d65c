import StoreEngine

/// Horizontal bars, each below its label.
///
/// The values are rates if all of them are from 0 to 1 and the column does not contain integers. Otherwise the longest
/// bar is the largest value.
struct BarChart: ChartDrawing {
    private struct Bar {
        let label: String
        let value: Double?
        let color: Swatch?
    }

    private static let width = 340.0
    private static let rowHeight = 30.0
    private static let combinedSeriesLimit = 10

    private let columns: (value: Column, label: Column, color: Column?)
    private var bars: [Bar] = []
    private var omittedCount = 0

    init(value: Column, label: Column, color: Column?) { columns = (value, label, color) }

    mutating func add(_ row: some Row) {
        guard bars.count < ChartLimit.groups else {
            omittedCount += 1
            return
        }
        bars.append(
            Bar(
                label: columns.label.text(of: row) ?? "", value: columns.value.number(of: row),
                color: columns.color?.text(of: row).flatMap(Swatch.init)))
    }

    private var areRates: Bool {
        columns.value.value != .integer && bars.allSatisfy { (0...1).contains($0.value ?? 0) }
    }

    func figure() -> HTML? {
        guard !bars.isEmpty else { return nil }
        let full = areRates ? 1 : max(bars.reduce(0) { max($0, $1.value ?? 0) }, .leastNonzeroMagnitude)
        var panels: HTML = ""
        // The panels are next to each other if the page is wide enough. All have about the same number of bars.
        let count = (bars.count + Self.combinedSeriesLimit - 1) / Self.combinedSeriesLimit
        let together = (bars.count + count - 1) / count
        for start in stride(from: 0, to: bars.count, by: together) {
            panels += panel(bars[start..<min(start + together, bars.count)], full: full)
        }
        return """
            <figure class="chart bars"><figcaption>\(caption)</figcaption>
            <div class="multiples">
            \(panels)</div>
            \(ChartText.note(omittedCount: omittedCount, "row"))</figure>

            """
    }

    private var caption: String { columns.value.name.replacing("_", with: " ") + " by " + columns.label.name }

    private func panel(_ bars: ArraySlice<Bar>, full: Double) -> HTML {
        var drawn: HTML = ""
        for (i, bar) in bars.enumerated() { drawn += row(bar, at: Double(i) * Self.rowHeight, full: full) }
        let label = bars.map { "\($0.label): \(reading($0))" }.joined(separator: "; ")
        return "<figure>"
            + .svg(label, width: Self.width * 1.25, of: (Self.width, Double(bars.count) * Self.rowHeight), drawn)
            + "</figure>\n"
    }

    private func row(_ bar: Bar, at y: Double, full: Double) -> HTML {
        let length = Self.width * min(1, max(0, (bar.value ?? 0) / full))
        let paint = bar.color?.attributes ?? "class=\"paint\""
        let filled: HTML =
            length > 0 ? "<rect \(paint) y=\"\(y + 16)\" width=\"\(length)\" height=\"8\" rx=\"2\"/>" : ""
        return """
            <text y="\(y + 11)">\(ChartText.label(bar.label, columns: 42))</text>\
            <text x="\(Self.width)" y="\(y + 11)" class="end">\(reading(bar))</text>\
            <rect class="track" y="\(y + 16)" width="\(Self.width)" height="8" rx="2"/>\(filled)
            """
    }

    private func reading(_ bar: Bar) -> String {
        guard let value = bar.value else { return "–" }
        return areRates ? ChartText.percent(value) : HTML.decimal(value, decimals: 2)
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
