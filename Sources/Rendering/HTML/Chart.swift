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
        var words = Words(text)
        guard let name = words.next(), let kind = Self.kinds[name] else {
            let grammars = Self.kinds.values.map(\.grammar).sorted()
            let known = grammars.map { "'\($0)'" }.joined(separator: ", ")
            throw HabitError(.reportInvalid, "unknown chart '\(text)': write one of \(known)", field: "chart")
        }
        guard let chart = kind.parse(&words),
            words.isEmpty,
            chart.columns.allSatisfy(Self.isName),
            chart.parameters.allSatisfy(Self.isName)
        else {
            throw HabitError(.reportInvalid, "malformed chart '\(text)': write '\(kind.grammar)'", field: "chart")
        }
        self = chart
    }

    /// The words of a `chart:` line that are not parsed yet.
    private struct Words {
        private var rest: ArraySlice<String>

        init(_ text: String) {
            rest = text.split(whereSeparator: \.isWhitespace).map(String.init)[...]
        }

        var isEmpty: Bool { rest.isEmpty }

        mutating func next() -> String? { rest.popFirst() }

        mutating func next(unless keyword: String) -> String? {
            rest.first == keyword ? nil : rest.popFirst()
        }

        /// Whether the next word is `keyword`, which is removed.
        mutating func skip(_ keyword: String) -> Bool {
            guard rest.first == keyword else { return false }
            rest.removeFirst()
            return true
        }
    }

    /// The syntax of a kind of chart, and its parser.
    private struct Kind: Sendable {
        let grammar: String
        let parse: @Sendable (inout Words) -> Chart?
    }

    /// The kinds of charts by their first word.
    private static let kinds = [
        "map": Kind(grammar: "map [COLOR_COLUMN] [circle POSITION_PARAMETER DISTANCE_PARAMETER]", parse: map),
        "calendar": Kind(grammar: "calendar DAY_COLUMN VALUE_COLUMN by GROUP_COLUMN", parse: calendar),
        "bars": Kind(grammar: "bars VALUE_COLUMN by LABEL_COLUMN [COLOR_COLUMN]", parse: bars),
        "line": Kind(grammar: "line VALUE_COLUMN over DATE_COLUMN by GROUP_COLUMN", parse: line),
        "week": Kind(grammar: "week VALUE_COLUMN by WEEKDAY_COLUMN HOUR_COLUMN", parse: week),
    ]

    @Sendable private static func map(_ words: inout Words) -> Chart? {
        let color = words.next(unless: "circle")
        if words.isEmpty { return .map(color: color) }
        guard words.skip("circle"),
            let center = words.next(),
            let radius = words.next()
        else { return nil }
        let circle = Circle(center: center, radius: radius)
        return .map(color: color, circle: circle)
    }

    @Sendable private static func calendar(_ words: inout Words) -> Chart? {
        guard let day = words.next(),
            let value = words.next(),
            words.skip("by"),
            let group = words.next()
        else { return nil }
        return .calendar(day: day, value: value, group: group)
    }

    @Sendable private static func bars(_ words: inout Words) -> Chart? {
        guard let value = words.next(),
            words.skip("by"),
            let label = words.next()
        else { return nil }
        let color = words.next()
        return .bars(value: value, label: label, color: color)
    }

    @Sendable private static func line(_ words: inout Words) -> Chart? {
        guard let value = words.next(),
            words.skip("over"),
            let date = words.next(),
            words.skip("by"),
            let group = words.next()
        else { return nil }
        return .line(value: value, over: date, group: group)
    }

    @Sendable private static func week(_ words: inout Words) -> Chart? {
        guard let value = words.next(),
            words.skip("by"),
            let weekday = words.next(),
            let hour = words.next()
        else { return nil }
        return .week(value: value, weekday: weekday, hour: hour)
    }

    /// Whether `word` is a valid name of a column or a parameter.
    private static func isName(_ word: String) -> Bool {
        let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        guard let first = word.utf8.first, letters.contains(first) else { return false }
        return word.utf8.allSatisfy { byte in
            letters.contains(byte) || digits.contains(byte) || byte == UInt8(ascii: "_")
        }
    }

    /// The columns that the chart reads, in addition to the geometry of a map.
    public var columns: [String] {
        switch self {
        case .map(nil, _): []
        case .map(let color?, _): [color]
        case .calendar(let day, let value, let group): [day, value, group]
        case .bars(let value, let label, nil): [value, label]
        case .bars(let value, let label, let color?): [value, label, color]
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
