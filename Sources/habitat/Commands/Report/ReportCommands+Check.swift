import ArgumentParser
import Base
import HabitModel
import HabitReport
import HabitStore
import StoreEngine
import StoreSpatiaLite

extension ReportCommands {
    struct Check: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "check",
            abstract: "Check the header and the SQL of reports.",
            discussion: """
                The command checks all reports, or only the named ones, and prints each problem with its file and \
                line. It does not need a store. The exit status is 65 if a report has problems.

                Examples:
                  habitat report check
                  habitat report check near completion --format json
                """)

        @Argument(
            help: ArgumentHelp(
                "Reports to check: IDs, or files that end in .sql (default: all).", valueName: "id|file"),
            completion: .report)
        var names: [String] = []
        @OptionGroup var reports: ReportOptions
        @OptionGroup(title: OutputOptions.title) var output: OutputOptions
        @OptionGroup(title: CommonOptions.title) var common: CommonOptions

        func run() throws {
            try output.refuseExplanation()
            let catalog = try reports.catalog()
            let ids = names.isEmpty ? catalog.ids : names
            let files = try ids.map { id in try catalog.bytes(of: id) }
            let found = try SpatiaLiteEngine.temporary().read { session in
                files.flatMap { id, bytes, file in
                    let check = ReportCheck.problems(
                        inFile: bytes, id: id, file: file, reservedOptions: Run.options)
                    let problems = check.report?.problems(reservedOptions: Run.options, in: session) ?? check.problems
                    return problems.map { problem in
                        (id, file, line: problem.line, message: problem.message)
                    }
                }
            }
            if try output.chosenFormat() == .text {
                try output.showText(common) { page in
                    for (_, file, line, message) in found {
                        page.add("\(file):\(line): \(message)\n")
                    }
                }
            } else {
                try output.show(common, whenEmpty: "") { begin in
                    let receiver = try begin(Self.shape)
                    for (id, file, line, message) in found {
                        try receiver.append(
                            ValueRow([.text(id), .text(file), .integer(Int64(line)), .text(message)]))
                    }
                }
            }
            guard found.isEmpty else {
                throw HabitError(
                    .reportInvalid, "\(found.count) problem\(found.count == 1 ? "" : "s") found: fix the lines above")
            }
            common.notice("Checked \(files.count) report\(files.count == 1 ? "" : "s"): no problems.")
        }

        private static let shape = ResultShape(columns: [
            Column("report", .text, at: 0), Column("file", .text, at: 1),
            Column("line", .integer, at: 2), Column("problem", .text, at: 3),
        ])
    }
}
