import ArgumentParser
import HabitModel
import HabitReport
import Rendering

extension ReportCommands {
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
