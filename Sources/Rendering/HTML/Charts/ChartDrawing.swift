import Base
import Glibc
import StoreEngine

/// A chart that collects values from the rows of a result and is drawn after the last row.
///
/// The number of values is limited. The figure reports the number of omitted values.
protocol ChartDrawing {
    mutating func add(_ row: some Row)
    /// Returns a `<figure>`, or `nil` if there is nothing to draw.
    func figure() -> HTML?
}

/// A point of a drawing, with x to the right and y downward.
typealias DrawingPoint = (x: Double, y: Double)

/// The size of a drawing in its own units.
typealias DrawingSize = (width: Double, height: Double)

enum ChartLimit {
    static let points = 20_000
    static let groups = 300
}

extension Chart {
    /// Returns the drawing of the chart, or `nil` if the rows lack a required column or a geometry.
    func drawing(of shape: ResultShape, on page: RenderOptions.PageContent) -> (any ChartDrawing)? {
        let cells = columns.compactMap { shape.column(named: $0) }
        guard cells.count == columns.count else { return nil }
        switch self {
        case .map(_, let circle):
            guard let geometry = shape.geometry else { return nil }
            return MapChart(
                geometry,
                color: cells.first,
                shade: MapChart.shade(of: shape),
                visits: shape.column(named: "visits"),
                circle: circle == nil ? nil : page.circle)
        case .calendar:
            return CalendarChart(day: cells[0], value: cells[1], group: cells[2])
        case .bars:
            let label = cells[1]
            // The label of a habit names its owner and title.
            let isHabit = label.name == "label" && shape.column(named: "habit") != nil
            return BarChart(
                value: cells[0],
                label: label,
                color: cells.count > 2 ? cells[2] : nil,
                group: isHabit ? "habit" : label.name.replacing("_", with: " "),
                page: page)
        case .line:
            return LineChart(value: cells[0], over: cells[1], group: cells[2])
        case .week:
            return WeekChart(value: cells[0], weekday: cells[1], hour: cells[2])
        }
    }
}

extension Column {
    /// Returns the cell as a string, or `nil` if it is null.
    func text(of row: some Row) -> String? {
        switch value {
        case .text, .day, .instantText, .json: return row.text(index)
        default:
            let buffer = OutputBuffer()
            let isWritten = buffer.append(value, at: index, of: row, precision: nil) { buffer.append($0) }
            return isWritten ? buffer.text : nil
        }
    }

    /// Returns the cell as a number, or `nil` if it is null or not a number.
    func number(of row: some Row) -> Double? {
        guard !row.isNull(index) else { return nil }
        switch value {
        case .integer, .boolean, .instant: return Double(row.integer(index))
        case .number: return row.number(index)
        case .any where row.storage(index) == .integer: return Double(row.integer(index))
        case .any where row.storage(index) == .number: return row.number(index)
        default: return text(of: row).flatMap(Double.init)
        }
    }

    /// Returns the cell as a date, or `nil` if it is not a date.
    ///
    /// The date of an instant is its local date.
    func day(of row: some Row) -> Day? {
        if value == .day { return row.day(index) }
        return text(of: row).flatMap { Day($0.prefix(10)) }
    }

    /// Whether the cell is a text column's UTF-8 of `text`, without a copy of the cell.
    func hasText(_ text: String, in row: some Row) -> Bool {
        guard value == .text else { return false }
        var isEqual = false
        _ = row.readText(index) { isEqual = $0.isEqual(toText: text) }
        return isEqual
    }
}

extension Span<UInt8> {
    /// Returns whether the bytes are the UTF-8 of a text.
    package func isEqual(toText text: String) -> Bool {
        var text = text
        return text.withUTF8 { other in
            count == other.count
                && withUnsafeBufferPointer { bytes in
                    guard let first = bytes.baseAddress, let second = other.baseAddress else { return true }
                    return memcmp(first, second, bytes.count) == 0
                }
        }
    }
}

/// Values by day for up to 300 groups, in the order in which the groups first appear.
struct DaySeries<Value> {
    private(set) var groups: [(name: String, values: [Day: Value])] = []
    private(set) var first: Day?
    private(set) var last: Day?
    private(set) var omittedCount = 0
    private var indexes: [String: Int] = [:]
    private var count = 0
    /// The index of the group of the previous value.
    private var lastIndex: Int?

    /// Adds a value.
    ///
    /// It replaces an earlier value of the same day and group. Consecutive values of a group need no lookup by name.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - day: The day of the value.
    ///   - column: The column with the name of the group. A missing name is an empty text.
    ///   - row: The row of the value.
    mutating func add(_ value: Value, on day: Day, to column: Column, of row: some Row) {
        guard count < ChartLimit.points, let index = index(of: column, of: row) else {
            omittedCount += 1
            return
        }
        lastIndex = index
        if groups[index].values.updateValue(value, forKey: day) == nil { count += 1 }
        first = min(first ?? day, day)
        last = max(last ?? day, day)
    }

    /// Returns the index of the group, which is new if necessary, or `nil` if there are too many groups.
    private mutating func index(of column: Column, of row: some Row) -> Int? {
        if let lastIndex, column.hasText(groups[lastIndex].name, in: row) {
            return lastIndex
        }
        let name = column.text(of: row) ?? ""
        if let known = indexes[name] { return known }
        guard groups.count < ChartLimit.groups else { return nil }
        indexes[name] = groups.count
        groups.append((name, [:]))
        return groups.count - 1
    }
}

/// The texts and parts that the charts share.
enum ChartText {
    static func month(_ day: Day) -> String { DateNames.shortMonths[day.civil.month - 1] }

    /// Returns a label in a drawing, where text does not wrap.
    ///
    /// A long text is truncated to `columns` terminal columns.
    static func label(_ text: String, columns: Int) -> String { TerminalText(text).cut(to: columns).isolated }

    static func percent(_ rate: Double) -> String {
        HTML.decimal(rate * 100, decimals: 0) + " %"
    }

    /// Returns a note on the number of omitted values, or an empty text if the number is 0.
    ///
    /// - Parameters:
    ///   - omittedCount: The number.
    ///   - words: Returns a number with the name of the values.
    /// - Returns: The note.
    static func note(omittedCount: Int, _ words: (Int) -> String) -> HTML {
        if omittedCount == 0 { return "" }
        let note = HTMLText.Chart.omitted(
            words(omittedCount),
            points: ChartLimit.points,
            groups: ChartLimit.groups)
        return "<p class=\"note\">\(note)</p>"
    }
}

/// Parts of the data of an SVG path, with absolute coordinates that have at most one decimal.
enum PathData {
    /// Returns a command to move or to draw a line to a point.
    static func command(_ letter: Character, to point: DrawingPoint) -> String {
        "\(letter)\(number(point.x)) \(number(point.y))"
    }

    /// Returns the lines through the points.
    static func polyline(through points: [DrawingPoint]) -> String {
        let commands = points.enumerated().map { i, point in
            command(i == 0 ? "M" : "L", to: point)
        }
        return commands.joined()
    }

    static func number(_ coordinate: Double) -> String {
        HTML.decimal(coordinate, decimals: 1)
    }
}

extension HTML {
    /// Returns both pieces of markup, one after the other.
    package static func + (a: HTML, b: HTML) -> HTML { "\(a)\(b)" }

    /// Returns an `<svg>` with a title for screen readers.
    ///
    /// - Parameters:
    ///   - label: The title.
    ///   - width: The width in CSS pixels if the page is wide enough.
    ///   - box: The size of the drawing in its own units.
    ///   - content: The shapes of the drawing.
    /// - Returns: The `<svg>` element.
    static func svg(_ label: String, width: Double, of box: DrawingSize, _ content: HTML) -> HTML {
        """
        <svg role="img" aria-label="\(label)" viewBox="0 0 \(box.width) \(box.height)" width="\(width)">\
        <title>\(label)</title>\(content)</svg>
        """
    }
}
