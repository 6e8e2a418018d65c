import Base

/// A chart of an HTML page, as specified by the `chart:` line of a report.
public enum Chart: Sendable, Equatable {
    /// A map of points or boxes, colored by a column with values `#rrggbb`, optionally with a circle.
    case map(color: String? = nil, circle: Circle? = nil)
    /// A heat map of days for each group. Weeks are columns with Monday at the top.
    case calendar(day: String, value: String, group: String)
    /// Horizontal bars for rates, if all values are from 0 to 1, or for counts.
    case bars(value: String, label: String, color: String? = nil)
    /// A curve over dates for each group.
    case line(value: String, over: String, group: String)
    /// A grid of seven weekdays and 24 hours. The columns contain the weekday, from 1 for Monday, and the hour.
    case week(value: String, weekday: String, hour: String)

    /// The names of the parameters for the center and the radius of a circle.
    public struct Circle: Sendable, Equatable {
        /// The name of the parameter for the center.
        public var center: String
        /// The name of the parameter for the radius.
        public var radius: String

        /// Creates a circle.
        public init(center: String, radius: String) {
            self.center = center
            self.radius = radius
        }
    }

    /// Parses `map …`, `calendar …`, `bars …`, `line …` or `week …`.
    ///
    /// - Throws: `report-invalid` with the expected syntax.
    public init(_ text: String) throws {
        let words = text.split(whereSeparator: \.isWhitespace).map(String.init)
        let rest = Array(words.dropFirst())
        guard let name = words.first, let kind = Self.kinds[name] else {
            let known = Self.kinds.values.map(\.grammar).sorted().map { "'\($0)'" }.joined(separator: ", ")
            throw HabitError(.reportInvalid, "unknown chart '\(text)': write one of \(known)", field: "chart")
        }
        let chart = kind.parse(rest)
        guard let chart, (chart.columns + chart.parameters).allSatisfy(Self.isName) else {
            throw HabitError(.reportInvalid, "malformed chart '\(text)': write '\(kind.grammar)'", field: "chart")
        }
        self = chart
    }

    /// The syntax of a kind of chart, and its parser.
    private struct Kind: Sendable {
        let grammar: String
        let parse: @Sendable ([String]) -> Chart?
    }

    /// The kinds of charts by their first word.
    private static let kinds = [
        "map": Kind(grammar: "map [COLOR_COLUMN] [circle POSITION_PARAMETER DISTANCE_PARAMETER]", parse: map),
        "calendar": Kind(grammar: "calendar DAY_COLUMN VALUE_COLUMN by GROUP_COLUMN", parse: calendar),
        "bars": Kind(grammar: "bars VALUE_COLUMN by LABEL_COLUMN [COLOR_COLUMN]", parse: bars),
        "line": Kind(grammar: "line VALUE_COLUMN over DATE_COLUMN by GROUP_COLUMN", parse: line),
        "week": Kind(grammar: "week VALUE_COLUMN by WEEKDAY_COLUMN HOUR_COLUMN", parse: week),
    ]

    @Sendable private static func map(_ words: [String]) -> Chart? {
        let color = words.first.flatMap { $0 == "circle" ? nil : $0 }
        let circle = words.dropFirst(color == nil ? 0 : 1)
        if circle.isEmpty { return .map(color: color) }
        guard circle.count == 3, circle.first == "circle" else { return nil }
        return .map(color: color, circle: Circle(center: words[words.count - 2], radius: words[words.count - 1]))
    }

    @Sendable private static func calendar(_ words: [String]) -> Chart? {
        guard words.count == 4, words[2] == "by" else { return nil }
        return .calendar(day: words[0], value: words[1], group: words[3])
    }

    @Sendable private static func bars(_ words: [String]) -> Chart? {
        guard (3...4).contains(words.count), words[1] == "by" else { return nil }
        return .bars(value: words[0], label: words[2], color: words.count == 4 ? words[3] : nil)
    }

    @Sendable private static func line(_ words: [String]) -> Chart? {
        guard words.count == 5, words[1] == "over", words[3] == "by" else { return nil }
        return .line(value: words[0], over: words[2], group: words[4])
    }

    @Sendable private static func week(_ words: [String]) -> Chart? {
        guard words.count == 4, words[1] == "by" else { return nil }
        return .week(value: words[0], weekday: words[2], hour: words[3])
    }

    /// Whether `word` is a valid name of a column or a parameter.
    private static func isName(_ word: String) -> Bool {
        word.utf8.first.map { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) } ?? false
            && word.utf8.allSatisfy { byte in
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
                    || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: "_")
            }
    }

    /// The columns that the chart reads, in addition to the geometry of a map.
    public var columns: [String] {
        switch self {
        case .map(let color, _): [color].compactMap { $0 }
        case .calendar(let day, let value, let group): [day, value, group]
        case .bars(let value, let label, let color): [value, label] + [color].compactMap { $0 }
        case .line(let value, let over, let group): [value, over, group]
        case .week(let value, let weekday, let hour): [value, weekday, hour]
        }
    }

    /// The parameters that the chart reads.
    public var parameters: [String] {
        switch self {
        case .map(_, let circle?): [circle.center, circle.radius]
        case .map(_, nil), .calendar, .bars, .line, .week: []
        }
    }

    /// Whether the rows must have a geometry.
    public var needsGeometry: Bool {
        switch self {
        case .map: true
        case .calendar, .bars, .line, .week: false
        }
    }
}
