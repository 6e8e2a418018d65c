import ArgumentParser

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
}
