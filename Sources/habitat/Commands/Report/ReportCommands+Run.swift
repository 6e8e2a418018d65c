import ArgumentParser
import Base
import HabitIngest
import HabitModel
import HabitReport
import HabitStore

extension ReportCommands {
    struct Run: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "run", abstract: "Run a report and render its rows.",
            discussion: """
                'habitat report ID' is short for 'habitat report run ID'. Pass each parameter of the report as an \
                option: --name VALUE. 'habitat report show ID' describes the parameters and the columns. Dates can be relative: today, yesterday or today-27. An area is the name of a GeoJSON file. With --as, the report \
                contains only rows that this user can see.

                Examples:
                  habitat report run history --from 2026-11-01 --to 2026-11-20
                  habitat report run near --near 38.7223,-9.1393 --within 800m \\
                    --format geojson
                  habitat report run completion --by week --as alice --columns name,due,done
                """)

        /// The names of the command's options.
        ///
        /// A report parameter cannot have one of these names.
        static let options = [
            "reports", "table", "timeout", "limit", "threads", "format", "output", "share-output", "columns", "width",
            "color",
            "plain",
            "crlf",
            "spreadsheet-safe",
            "include-unlocated", "explain", "store", "as", "operator", "quiet", "verbose", "errors", "now", "today",
            "time-zone",
            "wait", "version", "help", "analyst-store",
        ]

        @Argument(
            help: ArgumentHelp("ID of the report, or a file that ends in .sql.", valueName: "id|file"),
            completion: .report)
        var id: String?
        @Argument(
            parsing: .allUnrecognized,
            help: ArgumentHelp("Parameters of the report.", valueName: "--name value"), completion: .anyText)
        var parameters: [String] = []
        @Flag(help: "Text: show the rows instead of a chart.")
        var table = false
        @OptionGroup var reports: ReportOptions
        @OptionGroup var query: QueryOptions
        @OptionGroup var threads: ThreadOption
        @OptionGroup var analyst: AnalystOptions
        @OptionGroup(title: OutputOptions.title) var output: OutputOptions
        @OptionGroup(title: CommonOptions.title) var common: CommonOptions

        func run() throws {
            let report = try report()
            let arguments = try readAreas(try report.arguments(from: parameters), of: report)
            try refuseFormat(of: report)
            let clock = try common.clock()
            let limits = try query.limits(common)
            let rowLimit = try query.rowLimit()
            let team = try threads.team(for: AnalysisQuery.canUseThreads(report.sql) ? nil : 1) {
                try common.openForAnalysis(analyst)
            }
            let viewer = try team.engine.read { session in try common.viewer(in: session) }
            try team.read([report], as: viewer, clock: clock) { session, crew in
                var run = try ReportRun(
                    report, arguments, viewer: viewer, clock: clock, nameRule: .beginning, places: .commandLine,
                    in: session)
                run.query.limits = limits
                run.query.rowLimit = rowLimit
                if output.explain {
                    let plan = try run.plan(in: session)
                    return try output.explain(report.sql, plan: plan, common)
                }
                let whenEmpty = "The report found no rows: 'habitat report show \(report.id)' describes its parameters."
                var page = report.page(run)
                if table, try output.chosenFormat() == .text { page.charts = [] }
                try run.namingFile {
                    try output.show(
                        common, run.query, in: session, crew: crew, whenEmpty: whenEmpty, page: page)
                }
            }
        }

        /// Returns the report that the command runs.
        ///
        /// - Throws: `usage` with the IDs of all reports if the command names no report; the errors of
        ///   ``ReportCatalog/find(_:)``.
        private func report() throws -> Report {
            let catalog = try reports.catalog()
            if let id { return try catalog.find(id) }
            throw HabitError(
                .usage,
                "the report is missing: name one, such as 'habitat report calendar': \(catalog.ids.joined(separator: ", "))"
            )
        }

        /// Returns the arguments with the content of each file of an area instead of its name.
        private func readAreas(_ arguments: [String: String], of report: Report) throws -> [String: String] {
            var arguments = arguments
            for parameter in report.parameters where parameter.kind == .area {
                guard let file = arguments[parameter.name] else { continue }
                try common.protect([file], from: output.output, option: "output")
                arguments[parameter.name] = try AreaFile.read(file).geoJSON
            }
            return arguments
        }

        private func refuseFormat(of report: Report) throws {
            let format = try output.chosenFormat()
            guard !report.formats.contains(format) else { return }
            let hint =
                format == .ics
                ? "; for ics, a report needs a column 'day', 'at' or '…_at', and ics in the line 'formats'" : ""
            throw HabitError(
                .formatNotAvailable,
                "report '\(report.id)' has no format \(format.rawValue): use \(report.formats.map(\.rawValue).joined(separator: ", "))\(hint)",
                field: "format")
        }
    }
}
