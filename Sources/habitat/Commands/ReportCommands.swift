import ArgumentParser
import CommandLineText
import Foundation
import HabitModel
import HabitReport
import HabitStore

struct ReportCommands: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "report", abstract: "Reports: SELECTs in files, with parameters, rendered in any format.",
        discussion: """
            A report is a file ID.sql: a header that says what it takes and gives, then one SELECT over the views. Some come \
            with the program; your own go into a folder that --reports or HABITAT_REPORTS names.

            Examples:
              habitat report list
              habitat report show near
              habitat report run near --near 38.7223,-9.1393 --within 800m
            """,
        subcommands: [List.self, Show.self, Run.self, Check.self, New.self])

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "All reports there are: your own, and those that came with the program.",
            discussion: """
                Examples:
                  habitat report list
                  habitat report list --format json
                """)

        @OptionGroup var reports: ReportOptions
        @OptionGroup var output: OutputOptions
        @OptionGroup var common: CommonOptions

        func run() throws {
            try output.refuseExplanation()
            let entries = try reports.catalog().all()
            try output.show(common, whenEmpty: "There are no reports.") { begin in
                let receiver = try begin(Self.shape)
                for entry in entries { try receiver.take(Self.row(entry)) }
            }
        }

        private static let shape = ResultShape(
            columns: [
                Column("id", .text, at: 0), Column("title", .text, at: 1), Column("parameters", .text, at: 2),
                Column("formats", .text, at: 3, isSecondary: true),
                Column("nightly", .boolean, at: 4, isSecondary: true),
                Column("file", .text, at: 5, isSecondary: true),
            ],
            identity: ["id"])

        private static func row(_ entry: ReportCatalog.Entry) -> ValueRow {
            let file: Value = entry.isShipped ? .null : .text(entry.file)
            switch entry.report {
            case .success(let report):
                return ValueRow([
                    .text(entry.id), .text(report.title),
                    .text(report.parameters.map(\.optionName).joined(separator: " ")),
                    .text(report.formats.map(\.rawValue).joined(separator: " ")), .boolean(!report.nightly.isEmpty),
                    file,
                ])
            case .failure(let error):
                return ValueRow([
                    .text(entry.id), .text("cannot be read: \(error.commandText)"), .null, .null, .null, file,
                ])
            }
        }
    }

    struct Run: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "run", abstract: "Run a report, with a value for each parameter it needs: --name value.",
            discussion: """
                'habitat report show ID' tells which parameters a report takes and what its columns mean. Dates may be told \
                from today: today, yesterday, today-27. With --as it shows what that user may see.

                Examples:
                  habitat report run history --from 2026-11-01 --to 2026-11-20
                  habitat report run near --near 38.7223,-9.1393 --within 800m --format geojson
                  habitat report run completion --by week --as alice --columns name,due,done
                """)

        /// The names of its own options, which no parameter of a report can have.
        static let options = [
            "reports", "timeout", "limit", "format", "output", "share-output", "columns", "width", "plain", "crlf",
            "spreadsheet-safe",
            "include-unlocated", "explain", "store", "as", "operator", "quiet", "errors", "now", "today", "time-zone",
            "wait", "version", "help", "analyst-store",
        ]

        @Argument(help: ArgumentHelp("Which report: an id, or a file that ends in .sql.", valueName: "id|file"))
        var id: String
        @Argument(
            parsing: .allUnrecognized,
            help: ArgumentHelp("The report's own parameters.", valueName: "--name value"))
        var parameters: [String] = []
        @OptionGroup var reports: ReportOptions
        @OptionGroup var query: QueryOptions
        @OptionGroup var analyst: AnalystOptions
        @OptionGroup var output: OutputOptions
        @OptionGroup var common: CommonOptions

        func run() throws {
            let report = try reports.catalog().find(id)
            let arguments = try report.arguments(from: parameters)
            try refuseFormat(of: report)
            let clock = try common.clock()
            let limits = try query.limits(common)
            let rowLimit = try query.rowLimit()
            let engine = try common.openForAnalysis(analyst)
            let viewer = try engine.read { try common.viewer(in: $0) }
            try engine.read([report], as: viewer, clock: clock) { session in
                var run = try ReportRun(report, arguments, viewer: viewer, clock: clock, in: session)
                (run.query.limits, run.query.rowLimit) = (limits, rowLimit)
                if output.explain { return try output.explain(report.sql, try run.plan(in: session)) }
                let whenEmpty = "The report found no rows: 'habitat report show \(id)' tells what it looks for."
                try run.namingFile {
                    try output.show(
                        common, run.query, in: session, whenEmpty: whenEmpty, page: try report.page(run))
                }
            }
        }

        private func refuseFormat(of report: Report) throws {
            let format = try output.chosenFormat()
            guard !report.formats.contains(format) else { return }
            throw HabitError(
                .formatNotAvailable,
                "the report '\(id)' cannot be \(format.rawValue): it is written as \(report.formats.map(\.rawValue).joined(separator: ", "))",
                field: "format")
        }
    }

    struct New: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "new", abstract: "Begin a report of your own: a small one that runs, to be changed.",
            discussion: """
                It is written into the first folder of --reports or HABITAT_REPORTS, else into the current one.

                Example:
                  habitat report new weekly-rates
                """)

        @Argument(help: ArgumentHelp("The report's name: lower-case letters, digits and '-'.", valueName: "id"))
        var id: String
        @OptionGroup var reports: ReportOptions
        @OptionGroup var common: CommonOptions

        func run() throws {
            try Report.checkID(id)
            let folder = reports.folders.first ?? "."
            let path = folder == "." ? "\(id).sql" : (folder.hasSuffix("/") ? folder : folder + "/") + "\(id).sql"
            do {
                let file = OutputBuffer(try AtomicFile(path, replaces: false, sharing: .umask))
                file.append(ReportSkeleton.text(id: id))
                try file.close()
            } catch var error as HabitError where error.code == .outputExists {
                error.remedies = [.advice("choose another name"), .advice("remove it")]
                throw error
            }
            if ReportCatalog.isShipped(id) {
                common.notice("A report '\(id)' came with the program: in its folder this one takes its place.")
            }
            common.notice(
                "\(path) is there: change it, then 'habitat report check \(path)' and 'habitat report run \(id) --reports \(folder)'."
            )
        }
    }
}
