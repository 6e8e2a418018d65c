import ArgumentParser
import HabitStore
import StoreEngine
import StorePostGIS

struct Init: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "init", abstract: "Create an empty store.", usage: "habitat init [<options>]",
        discussion: """
            The store is a SpatiaLite file that QGIS, ogr2ogr and GeoPandas can open. Only its owner can read it. With \
            --store postgresql://user@host/database, the command creates the tables in that database. The database \
            must exist, and its server must have PostGIS. If the store exists, its records are unchanged.

            With --analyst-store, the command also creates the views for the analyst's login. It prints the SQL \
            statements that an administrator of the server must run, or nothing if all of them have been run. Run the \
            command again after the administrator has run them, and after each program update.

            Examples:
              habitat init --store habits.db
              habitat init --store postgresql://habitat@db/habits \\
                --analyst-store postgresql://habitat_analyst@db/habits
            """)

    @OptionGroup var analyst: AnalystOptions
    @OptionGroup var common: CommonOptions

    func run() throws {
        try common.requireOperator("init")
        let location = try common.storeLocation()
        _ = try common.open(.create, analyst: analyst)
        if let analyst = try AnalystLogin(analyst, for: location) {
            try prepare(analyst, of: location)
        } else if case .file = location, AnalystOptions.environment != nil {
            common.notice(
                "HABITAT_ANALYST_STORE has no effect on a store in a file: pass a PostgreSQL store with --store.")
        }
        common.notice("The store '\(try common.storeLocation())' is ready: load data with 'habitat ingest PATH'.")
    }
}

extension Init {
    /// Prints the statements that an administrator still has to run for the analyst's login.
    private func prepare(_ analyst: AnalystLogin, of location: StoreLocation) throws {
        let statements = try location.openStatements(for: analyst)
        guard !statements.isEmpty else {
            return common.notice("The analyst's login can run user-supplied SQL.")
        }
        print(statements.joined(separator: "\n"))
        common.notice(
            "As an administrator of the server, run the statements on the standard output in the database of the store. Then run 'habitat init' again."
        )
    }
}
