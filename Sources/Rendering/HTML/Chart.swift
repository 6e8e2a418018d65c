import HabitModel

/// A chart of an HTML page, as the `chart:` line of a report says it.
public enum Chart: Sendable, Equatable {
    /// Points or boxes, coloured by a column that holds `#rrggbb`; with a circle round the position that a parameter holds.
    case map(color: String? = nil, circle: Circle? = nil)
    /// A heat map of days for each group: weeks as columns, Monday at the top.
    case calendar(day: String, value: String, group: String)
    /// Horizontal bars: rates where every value lies from 0 to 1, else counts.
    case bars(value: String, label: String, color: String? = nil)
    /// A curve from 0 to 1 for each group, over dates.
    case line(value: String, over: String, group: String)

    /// The parameters that hold a circle's centre and its radius.
    public struct Circle: Sendable, Equatable {
        public var center: String
        public var radius: String

        public init(center: String, radius: String) {
            self.center = center
            self.radius = radius
        }
    }

    /// Reads `map …`, `calendar …`, `bars …` or `line …`.
    ///
    /// - Throws: `HabitError` with `.reportInvalid`, which says what to write.
    public init(_ text: String) throws {
        let words = text.split(whereSeparator: \.isWhitespace).map(String.init)
        let rest = Array(words.dropFirst())
        guard let kind = words.first, let grammar = Self.grammars[kind] else {
            let known = Self.grammars.values.sorted().map { "'\($0)'" }.joined(separator: ", ")
            throw HabitError(.reportInvalid, "A chart is one of \(known), not '\(text)'.", field: "chart")
        }
        let chart: Chart? =
            switch kind {
            case "map": Self.map(rest)
            case "calendar": Self.calendar(rest)
            case "bars": Self.bars(rest)
            default: Self.line(rest)
            }
        guard let chart, (chart.columns + chart.parameters).allSatisfy(Self.isName) else {
            throw HabitError(.reportInvalid, "Write this chart as '\(grammar)', not as '\(text)'.", field: "chart")
        }
        self = chart
    }

    private static let grammars = [
        "map": "map [COLOR_COLUMN] [circle POSITION_PARAMETER DISTANCE_PARAMETER]",
        "calendar": "calendar DAY_COLUMN VALUE_COLUMN by GROUP_COLUMN",
        "bars": "bars VALUE_COLUMN by LABEL_COLUMN [COLOR_COLUMN]",
        "line": "line VALUE_COLUMN over DATE_COLUMN by GROUP_COLUMN",
    ]

    private static func map(_ words: [String]) -> Chart? {
        let color = words.first.flatMap { $0 == "circle" ? nil : $0 }
        let circle = words.dropFirst(color == nil ? 0 : 1)
        if circle.isEmpty { return .map(color: color) }
        guard circle.count == 3, circle.first == "circle" else { return nil }
        return .map(color: color, circle: Circle(center: words[words.count - 2], radius: words[words.count - 1]))
    }

    private static func calendar(_ words: [String]) -> Chart? {
        guard words.count == 4, words[2] == "by" else { return nil }
        return .calendar(day: words[0], value: words[1], group: words[3])
    }

    private static func bars(_ words: [String]) -> Chart? {
        guard (3...4).contains(words.count), words[1] == "by" else { return nil }
        return .bars(value: words[0], label: words[2], color: words.count == 4 ? words[3] : nil)
    }

    private static func line(_ words: [String]) -> Chart? {
        guard words.count == 5, words[1] == "over", words[3] == "by" else { return nil }
        return .line(value: words[0], over: words[2], group: words[4])
    }

    /// As a column or a parameter may be called.
    private static func isName(_ word: String) -> Bool {
        word.utf8.first.map { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) } ?? false
            && word.utf8.allSatisfy { byte in
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
                    || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: "_")
            }
    }

    /// The columns that the chart reads, beside the place of a map.
    public var columns: [String] {
        switch self {
        case .map(let color, _): [color].compactMap { $0 }
        case .calendar(let day, let value, let group): [day, value, group]
        case .bars(let value, let label, let color): [value, label] + [color].compactMap { $0 }
        case .line(let value, let over, let group): [value, over, group]
        }
    }

    /// The parameters that the chart reads.
    public var parameters: [String] {
        guard case .map(_, let circle?) = self else { return [] }
        return [circle.center, circle.radius]
    }

    /// Whether the rows must have a place.
    public var needsGeometry: Bool {
        if case .map = self { true } else { false }
    }
}
