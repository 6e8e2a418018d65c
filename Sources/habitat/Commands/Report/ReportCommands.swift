import ArgumentParser

struct ReportCommands: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "report", abstract: "List, run, check and create SQL reports.",
        discussion: """
            A report is a file ID.sql: a header that declares its parameters and columns, and one SELECT over the \
            report views. The program has built-in reports. Put custom reports into a folder and pass it with \
            --reports or HABITAT_REPORTS.

            Examples:
              habitat report list
              habitat report show near
              habitat report run near --near 38.7223,-9.1393 --within 800m
            """,
        subcommands: [List.self, Show.self, Run.self, Check.self, New.self])
}
