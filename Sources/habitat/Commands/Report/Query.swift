import ArgumentParser
import Base
import HabitModel
import HabitReport
import HabitStore
import StoreEngine

struct Query: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "query", abstract: "Run a SELECT over the report views and render its rows.",
        discussion: """
            The views are users, habits, pauses, events, items, posts, follows, claims and messages. Their columns have \
            the same names as in the other commands. With --as, the views contain only rows that this user can see. The \
            query can also call the report functions, such as events_near(longitude, latitude, meters), \
            habit_standings(day), user_standings(day), habit_days(from, to) and weekday(day). The query cannot change \
            data. --schema lists all views, columns and functions.

            In GeoJSON, the columns longitude and latitude become the geometry of a row. The option -p sets the value \
            of a parameter :name. The values today, yesterday, today-7 and today+7 are dates.

            Examples:
              habitat query "SELECT user, count(*) AS events FROM events \\
                GROUP BY user ORDER BY events DESC, user LIMIT 5"
              habitat query "SELECT id, longitude, latitude FROM events \\
                WHERE day = :day ORDER BY id" -p day=2026-11-20 --format geojson
            """)

    @Argument(help: ArgumentHelp("One SELECT statement.", valueName: "sql"), completion: .anyText)
    var sql: String?
    @Flag(help: "List the views, their columns, and the functions.")
    var schema = false
    @Option(
        name: .customShort("p"), parsing: .unconditionalSingleValue,
        help: ArgumentHelp("Value of a parameter; repeatable.", valueName: "name=value"), completion: .anyText)
    var parameter: [String] = []
    @OptionGroup var options: QueryOptions
    @OptionGroup var threads: ThreadOption
    @OptionGroup var analyst: AnalystOptions
    @OptionGroup(title: OutputOptions.title) var output: OutputOptions
    @OptionGroup(title: CommonOptions.title) var common: CommonOptions

    func run() throws {
        if schema { return try showSchema() }
        guard let sql else {
            throw HabitError(.usage, "a SELECT is required: pass it as one argument, or list the views with --schema")
        }
        let clock = try common.clock()
        let texts = try parameterTexts()
        let limits = try options.limits(common)
        let rowLimit = try options.rowLimit()
        let team = try threads.team(for: AnalysisQuery.canUseThreads(sql) ? nil : 1) {
            try common.openForAnalysis(analyst)
        }
        let caller = try team.engine.read { session in
            let viewer = try common.viewer(in: session)
            let parameters = try values(of: texts, viewer, clock, in: session)
            return (viewer: viewer, parameters: parameters)
        }
        try team.read({ engine, snapshot, body in
            try engine.analyze(as: caller.viewer, clock: clock, at: snapshot, body)
        }) { session, crew in
            var query = AnalysisQuery(sql, viewer: caller.viewer, clock: clock, parameters: caller.parameters)
            query.limits = limits
            query.rowLimit = rowLimit
            if output.explain {
                let plan = try query.plan(in: session)
                return try output.explain(sql, plan: plan, common)
            }
            try output.show(common, query, in: session, crew: crew, whenEmpty: "The query found no rows.")
        }
    }

    private func showSchema() throws {
        guard sql == nil, parameter.isEmpty else {
            throw HabitError(.usage, "--schema and a SELECT are mutually exclusive: omit one of them", field: "schema")
        }
        try output.refuseExplanation()
        let rows = try common.open(.read).read { session in try ReportSchema.rows(in: session) }
        try output.show(common, whenEmpty: "") { begin in
            let receiver = try begin(ReportSchema.shape)
            try receiver.append(rows)
        }
    }

    /// Returns the texts of the parameters by name.
    private func parameterTexts() throws -> [String: String] {
        var texts: [String: String] = [:]
        for text in parameter {
            guard let equals = text.firstIndex(of: "="), equals != text.startIndex else {
                throw HabitError(
                    .parameterInvalid, "'\(text)' is not a parameter value: write -p NAME=VALUE", field: "p")
            }
            let value = String(text[text.index(after: equals)...])
            let name = String(text[..<equals])
            guard texts.updateValue(value, forKey: name) == nil else {
                throw HabitError(
                    .parameterInvalid, "parameter '\(name)' has two values: pass -p once for each parameter",
                    field: name)
            }
        }
        return texts
    }

    /// Returns the values of the parameters; relative dates depend on the current date of the viewer.
    private func values(
        of texts: [String: String], _ viewer: Viewer, _ clock: Clock, in session: any Session
    ) throws -> [String: Value] {
        try texts.mapValues { text in
            guard Parse.isRelativeDay(text) else { return Self.value(text) }
            let today = try clock.today(of: viewer, in: session)
            return .day(try Parse.day(text, field: "p", today: today))
        }
    }

    /// Returns a number if the text is a decimal number in its usual notation, otherwise the text.
    ///
    /// Texts such as `007` and `1e5` may be IDs.
    private static func value(_ text: String) -> Value {
        let usualNotation = /-?(0|[1-9][0-9]*)(\.[0-9]+)?/
        guard text.wholeMatch(of: usualNotation) != nil else { return .text(text) }
        if let integer = Int64(text) { return .integer(integer) }
        if let number = Double(text) { return .number(number) }
        return .text(text)
    }
}
