import ArgumentParser
import Base
import HabitModel
import HabitReport
import HabitStore
import Rendering
import StoreEngine

struct Log: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "log", abstract: "Show calendars of your habits.",
        discussion: """
            Text output has one line for each habit with as many weeks as fit, or a grid of 13 weeks for one habit. \
            Habits without an event or due day in these weeks are omitted. Other formats have the rows of the report \
            'calendar'.

            Examples:
              habitat log --as alice
              habitat log gym --as alice --weeks 26
            """)

    @Argument(
        help: ArgumentHelp("ID or title of a habit, or the beginning of its title.", valueName: "habit"),
        completion: .ownHabit)
    var habits: [String] = []
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Maximum number of weeks (default: as many as fit, 13 in other formats).", valueName: "number"),
        completion: .anyText)
    var weeks: Int?
    @OptionGroup var query: QueryOptions
    @OptionGroup var threads: ThreadOption
    @OptionGroup var analyst: AnalystOptions
    @OptionGroup(title: OutputOptions.title) var output: OutputOptions
    @OptionGroup(title: CommonOptions.title) var common: CommonOptions

    private static let whenEmpty = "No habits in these weeks: 'habitat habit list' shows your schedules."
    /// The number of weeks of a grid.
    private static let gridWeeks = 13
    /// The number of weeks that lines have at most.
    private static let lineWeeks = 26

    func run() throws {
        let weeks = try Parse.count(weeks, option: "weeks")
        guard try output.isForPeople else { return try showReport(weeks) }
        let clock = try common.clock()
        try common.open(.read).read { session in
            let user = try common.actingUser(common.viewer(in: session), clock, in: session)
            let ids = try ids(of: user)
            let standardWeeks = ids.count == 1 ? Self.gridWeeks : Self.lineWeeks
            let count = min(weeks ?? standardWeeks, 5200)
            let all = try HabitDay.calendar(weeks: count, of: user)
            let named = ids.compactMap { id in all.first { habit in habit.habit == id } }
            let chosen = ids.isEmpty ? all : named
            var isEmpty = true
            try output.showLines(common) { buffer, options in
                let rows = chosen.map { habit in CalendarRow(habit, options.style) }
                isEmpty = !CalendarText.write(rows, last: user.today, weeks: count, options, to: buffer)
            }
            if isEmpty { common.notice(Self.whenEmpty) }
        }
    }

    /// Returns the IDs of the chosen habits.
    ///
    /// - Throws: The errors of the names, and `not-yours`.
    private func ids(of user: ActingUser) throws -> [String] {
        let access = AccessChecker(viewer: user.viewer, in: user.session)
        return try habits.map { name in
            let id = try user.names.habitID(name, own: true)
            try access.require(.viewPrivate, on: .habit, id: id)
            return id
        }
    }

    /// Shows the rows of the report `calendar`.
    private func showReport(_ weeks: Int?) throws {
        let report = try ReportCatalog(folders: []).find("calendar")
        let format = try output.chosenFormat()
        guard report.formats.contains(format) else {
            let formats = report.formats.map(\.rawValue).joined(separator: ", ")
            throw HabitError(
                .formatNotAvailable, "the calendar has no format \(format.rawValue): use \(formats)", field: "format")
        }
        let clock = try common.clock()
        let limits = try query.limits(common)
        let rowLimit = try query.rowLimit()
        let team = try threads.team(for: 1) { try common.openForAnalysis(analyst) }
        let found = try team.engine.read { session in
            let user = try common.actingUser(common.viewer(in: session), clock, in: session)
            let ids = try ids(of: user)
            return (viewer: user.viewer, user: user.id, ids: Set(ids))
        }
        var arguments = ["user": found.user]
        arguments["weeks"] = weeks.map { weeks in "\(weeks)" }
        if found.ids.count == 1 { arguments["habit"] = found.ids.first }
        try team.read([report], as: found.viewer, clock: clock) { session, crew in
            var run = try ReportRun(report, arguments, viewer: found.viewer, clock: clock, in: session)
            run.query.limits = limits
            run.query.rowLimit = rowLimit
            if output.explain {
                let plan = try run.plan(in: session)
                return try output.explain(report.sql, plan: plan, common)
            }
            try output.show(common, whenEmpty: Self.whenEmpty, page: report.page(run)) { begin in
                _ = try run.query.run(in: session, crew: crew) { shape in
                    let receiver = try begin(shape)
                    let habit = shape.columns.first { column in column.name == "habit" }
                    return { row in
                        if !found.ids.isEmpty, let habit, let id = row.text(habit.index), !found.ids.contains(id) {
                            return
                        }
                        try receiver.append(row)
                    }
                }
            }
        }
    }
}

extension CalendarRow {
    /// Creates the row of a habit, with its rate after the days.
    fileprivate init(_ habit: HabitDay, _ style: TerminalStyle) {
        let rate = habit.rate.map(ShareText.forPeople)
        let status = style.text(ofStatus: habit.status.rawValue)
        let standing = [status, rate].compactMap(\.self).joined(separator: ", ")
        let heading = style.line([
            habit.title, ScheduleText.forPeople(habit.schedule.description), standing,
            "streak \(habit.streak), best \(habit.longestStreak)",
        ])
        self.init(
            title: habit.title, heading: heading, first: habit.firstDay, outcomes: habit.dayWords,
            note: rate)
    }
}
