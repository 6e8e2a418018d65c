import StoreEngine

/// The column of a text table whose values have bars.
struct BarColumn {
    /// The index in the columns of the table.
    let index: Int
    let column: Column

    /// Finds the column of a chart, or returns `nil` if the table has no chart with bars or lacks its column.
    ///
    /// - Parameters:
    ///   - entries: The columns of the table.
    ///   - charts: The charts of the output.
    init?(_ entries: [TextTable.Entry], charts: [Chart]) {
        let names = charts.compactMap(\.barColumnName)
        guard let name = names.first else { return nil }
        let columns = entries.map(\.column)
        let index = columns.firstIndex { column in
            column.name == name
        }
        guard let index else { return nil }
        self.index = index
        column = columns[index]
    }

    /// Returns the scale of the bars.
    ///
    /// - Parameters:
    ///   - values: The values of the sample.
    ///   - room: The number of terminal columns next to the table.
    /// - Returns: The scale, or `nil` if the bars do not fit or if no value is positive.
    func scale(of values: [Double], room: Int) -> BarScale? {
        guard room >= BarScale.narrowest else { return nil }
        guard var highest = values.max() else { return nil }
        guard highest > 0 else { return nil }
        if column.measure == .share {
            highest = max(1, highest)
        }
        let width = min(room, BarScale.widest)
        return BarScale(highest: highest, width: width)
    }
}

/// The lengths of the bars in a text table.
struct BarScale {
    /// The minimum width of the longest bar.
    static let narrowest = 10
    /// The maximum width of the longest bar.
    static let widest = 40
    /// The parts of a terminal column, in eighths.
    private static let parts = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"]

    /// The value of the longest bar.
    let highest: Double
    /// The width of the longest bar in terminal columns.
    let width: Int

    /// Returns the bar of a value.
    func bar(_ value: Double?, style: TerminalStyle) -> String {
        guard let value, value > 0 else { return "" }
        let fraction = min(1, value / highest)
        let length = fraction * Double(8 * width)
        let eighths = Int(length.rounded())
        if style.isASCII {
            let count = (eighths + 4) / 8
            return String(repeating: "#", count: count)
        }
        let count = eighths / 8
        let blocks = String(repeating: "█", count: count)
        return blocks + Self.parts[eighths % 8]
    }
}

extension Chart {
    /// The name of the column with the lengths of bars, or `nil` for other charts.
    fileprivate var barColumnName: String? {
        guard case .bars(let value, _, _) = self else { return nil }
        return value
    }
}
