import StoreEngine

/// The bars after the values of a column of a text table.
struct BarColumn {
    /// The minimum width of the longest bar.
    static let narrowest = 10
    /// The maximum width of the longest bar.
    static let widest = 40
    private static let parts = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"]

    /// The index of the column with the values.
    let index: Int
    /// The value of the longest bar.
    private(set) var highest = 0.0
    /// The width of the longest bar in terminal columns.
    private(set) var width = 0

    /// Creates the bars of a chart, or returns `nil` if the table has no such chart or lacks its column.
    ///
    /// - Parameters:
    ///   - entries: The columns of the table.
    ///   - options: The options of the output, which contain the charts.
    init?(_ entries: [TextTable.Entry], _ options: RenderOptions) {
        let names = options.page.charts.compactMap { chart -> String? in
            if case .bars(let value, _, _) = chart { value } else { nil }
        }
        guard let name = names.first,
            let index = entries.firstIndex(where: { entry in entry.column.name == name })
        else { return nil }
        self.index = index
    }

    /// Sets the scale and the width of the bars.
    ///
    /// - Parameters:
    ///   - values: The values of the sample.
    ///   - isShare: Whether the longest bar stands for 1.
    ///   - room: The number of terminal columns next to the table.
    /// - Returns: Whether the bars fit.
    mutating func fit(_ values: [Double], isShare: Bool, room: Int) -> Bool {
        guard room >= Self.narrowest, let maximum = values.max(), maximum > 0 else { return false }
        highest = isShare ? max(1, maximum) : maximum
        width = min(room, Self.widest)
        return true
    }

    /// Returns the bar of a value.
    func bar(_ value: Double?, _ style: TerminalStyle) -> String {
        guard let value, value > 0, highest > 0 else { return "" }
        let eighths = Int((min(1, value / highest) * Double(8 * width)).rounded())
        if style.isASCII { return String(repeating: "#", count: (eighths + 4) / 8) }
        return String(repeating: "█", count: eighths / 8) + Self.parts[eighths % 8]
    }
}
