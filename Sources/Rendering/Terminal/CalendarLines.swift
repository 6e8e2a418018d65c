import Base
import StoreEngine

/// The outcomes of days: a line for each habit, or a grid of weeks for one habit.
struct CalendarLines: TextChart {
    private let day: Column
    private let value: Column
    private let group: Column
    private var series = DaySeries<DayMark>()

    init(day: Column, value: Column, group: Column) {
        self.day = day
        self.value = value
        self.group = group
    }

    mutating func add(_ row: some Row) {
        guard let day = day.day(of: row), let mark = value.text(of: row).flatMap(DayMark.init) else { return }
        series.add(mark, on: day, to: group, of: row)
    }

    func write(to lines: TextLineWriter) {
        guard let first = series.first, let last = series.last else { return }
        let groups = series.groups.map { group in CalendarText.Group(name: group.name, values: group.values) }
        let weeks = Int(last.monday.number - first.monday.number) / 7 + 1
        CalendarText(groups: groups, last: last, weeks: weeks).write(to: lines)
    }
}

extension DayMark {
    /// Returns the symbol of the day as an output can show it.
    func text(_ style: TerminalStyle) -> String {
        // The ASCII form of the dot is the form of a skipped day.
        self == .none && style.isASCII ? " " : style.text(of: symbol)
    }

    /// The symbol in a text.
    var symbol: TerminalSymbol {
        switch self {
        case .done: .full
        case .partlyDone: .partlyDone
        case .missed: .missed
        case .skipped: .skipped
        case .unplanned: .unplanned
        case .open: .open
        case .none: .separator
        }
    }
}
