import ArgumentParser
import HabitModel
import HabitStore
import StoreEngine

struct Query: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "query", abstract: "Run a SELECT of your own over the views, and render it like a report.",
        discussion: """
            The views are users, habits, events, items, posts, follows, claims and messages, with the columns that the other \
            commands show; with --as they hold what that user may see. Beside them there are the functions that reports use: \
            events_near(longitude, latitude, metres), habit_standings(day), user_standings(day), habit_days(from, to), \
            weekday(day) and others. Nothing can be changed.

            Columns named longitude and latitude make the rows' places for GeoJSON. A parameter :name takes its value from -p.

            Examples:
              habitat query "SELECT user, count(*) AS events FROM events GROUP BY user ORDER BY events DESC, user LIMIT 5"
              habitat query "SELECT id, longitude, latitude FROM events WHERE day = :day ORDER BY id" -p day=2026-11-20 --format geojson
            """)

    @Argument(help: ArgumentHelp("One SELECT statement.", valueName: "sql"))
    var sql: String
    @Option(
        name: .customShort("p"), parsing: .unconditionalSingleValue,
        help: ArgumentHelp("The value of a parameter; repeatable.", valueName: "name=value"))
    var parameter: [String] = []
    @OptionGroup var options: QueryOptions
    @OptionGroup var analyst: AnalystOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var common: CommonOptions

    func run() throws {
        let clock = try common.clock()
        let parameters = try values()
        let limits = try options.limits(common)
        let rowLimit = try options.rowLimit()
        let engine = try common.openForAnalysis(analyst)
        let viewer = try engine.read { try common.viewer(in: $0) }
        try engine.analyze(as: viewer, clock: clock) { session in
            var query = AnalystQuery(sql, viewer: viewer, clock: clock, parameters: parameters)
            (query.limits, query.rowLimit) = (limits, rowLimit)
            if output.explain { return try output.explain(sql, try query.plan(in: session), common) }
            try output.show(common, query, in: session, whenEmpty: "The query found no rows.")
        }
    }

    private func values() throws -> [String: Value] {
        var values: [String: Value] = [:]
        for text in parameter {
            guard let equals = text.firstIndex(of: "="), equals != text.startIndex else {
                throw HabitError(.parameterInvalid, "-p takes NAME=VALUE, not '\(text)'", field: "p")
            }
            let value = String(text[text.index(after: equals)...])
            let name = String(text[..<equals])
            guard values.updateValue(Self.value(value), forKey: name) == nil else {
                throw HabitError(.parameterInvalid, "-p gives '\(name)' twice: give it once", field: name)
            }
        }
        return values
    }

    /// Returns a number if the text is a decimal number in its usual notation, otherwise the text.
    ///
    /// Texts such as `007` and `1e5` may be IDs.
    private static func value(_ text: String) -> Value {
        guard text.wholeMatch(of: /-?(0|[1-9][0-9]*)(\.[0-9]+)?/) != nil else { return .text(text) }
        return Int64(text).map { .integer($0) } ?? Double(text).map { .number($0) } ?? .text(text)
    }
}
