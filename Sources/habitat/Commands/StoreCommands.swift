import ArgumentParser
import Foundation
import HabitModel
import HabitStore

struct Init: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "init", abstract: "Make an empty store; one that is there already is left as it is.",
        discussion: """
            The store is a SpatiaLite file that QGIS, ogr2ogr and GeoPandas open as it is. Only its owner may read it. With \
            --store postgresql://user@host/database it is that database, which must be there, with PostGIS on its server.

            With --analyst-store the command also prepares the views that this login reads, and prints the statements that an \
            administrator of the server has to run. It prints nothing once all of them have been run. Run the command again \
            after them, and after an update of the program.

            Examples:
              habitat init --store habits.db
              habitat init --store postgresql://habitat@db/habits --analyst-store postgresql://habitat_analyst@db/habits
            """)

    @OptionGroup var analyst: AnalystOptions
    @OptionGroup var common: CommonOptions

    func run() throws {
        try common.requireOperator("init")
        let location = try common.storeLocation()
        _ = try common.open(.create, analyst: analyst)
        if let analyst = try AnalystStore(option: analyst.analystStore, for: location) {
            try prepare(analyst, of: location)
        } else if case .file = location, ProcessInfo.processInfo.environment["HABITAT_ANALYST_STORE"] != nil {
            common.notice("HABITAT_ANALYST_STORE has no effect on a store in a file: --store names one on PostgreSQL.")
        }
        common.notice("The store '\(try common.storeLocation())' is ready: load data with 'habitat ingest PATH'.")
    }
}

extension Init {
    /// Prints what an administrator still has to do for the analyst's login.
    private func prepare(_ analyst: AnalystStore, of location: StoreLocation) throws {
        let statements = try location.openStatements(for: analyst)
        guard !statements.isEmpty else {
            return common.notice("The analyst's login can run user-supplied SQL.")
        }
        print(statements.joined(separator: "\n"))
        common.notice(
            "An administrator of the server runs the statements on the standard output in the store's database; then run 'habitat init' again."
        )
    }
}

struct Stats: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stats",
        abstract: "How many rows of each kind the store holds, how many have a place, and their bytes on disk.",
        discussion: """
            Examples:
              habitat stats
              habitat stats --format json
            """)

    @OptionGroup var output: OutputOptions
    @OptionGroup var common: CommonOptions

    func run() throws {
        try common.requireOperator("stats")
        try output.show(common, whenEmpty: "The store is empty.") { session, _, _ in
            try StoreStatistics().selection(in: session)
        }
    }
}

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
            if output.explain { return try output.explain(sql, try query.plan(in: session)) }
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

    /// A number where the text is written as one writes it; `007` and `1e5` may be somebody's id.
    private static func value(_ text: String) -> Value {
        guard text.wholeMatch(of: /-?(0|[1-9][0-9]*)(\.[0-9]+)?/) != nil else { return .text(text) }
        return Int64(text).map { .integer($0) } ?? Double(text).map { .number($0) } ?? .text(text)
    }
}
