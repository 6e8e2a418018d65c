import ArgumentParser
import Base
import HabitModel
import HabitReport
import Rendering

extension ReportCommands {
    struct New: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "new", abstract: "Create a report file from a template.",
            usage: "habitat report new <id> [<options>]",
            discussion: """
                The file is created in the first folder of --reports or HABITAT_REPORTS, otherwise in the current \
                folder.

                Example:
                  habitat report new weekly-rates
                """)

        @Argument(
            help: ArgumentHelp("ID of the report: lower-case letters, digits and '-'.", valueName: "id"),
            completion: .anyText)
        var id: String
        @OptionGroup var reports: ReportOptions
        @OptionGroup(title: CommonOptions.title) var common: CommonOptions

        func run() throws {
            try Report.checkID(id)
            let folder = try reports.folders.first ?? "."
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
                common.notice(
                    "'\(id)' is also a built-in report: pass '--reports \(folder)' to run the new report instead.")
            }
            common.notice(
                "Created \(path): edit it, then run 'habitat report check \(path)' and 'habitat report run \(id) --reports \(folder)'."
            )
        }
    }
}
