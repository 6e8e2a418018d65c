import ArgumentParser
import HabitReport
import HabitStore
import StoreEngine

extension ReportCommands {
    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List custom and built-in reports.",
            discussion: """
                Examples:
                  habitat report list
                  habitat report list --format json
                """)

        @OptionGroup var reports: ReportOptions
        @OptionGroup(title: OutputOptions.title) var output: OutputOptions
        @OptionGroup(title: CommonOptions.title) var common: CommonOptions

        func run() throws {
            try output.refuseExplanation()
            let entries = try reports.catalog().all()
            try output.show(common, whenEmpty: "No reports found.") { begin in
                let receiver = try begin(Self.shape)
                try receiver.append(entries.map(Self.row))
            }
        }

        private static let shape = ResultShape(
            columns: [
                Column("id", .text, at: 0), Column("title", .text, at: 1), Column("parameters", .text, at: 2),
                Column("formats", .text, at: 3),
                Column("nightly", .boolean, at: 4),
                Column("file", .text, at: 5),
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
}
