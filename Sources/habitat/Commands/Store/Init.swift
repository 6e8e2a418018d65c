import ArgumentParser
import Foundation
import HabitStore
import StoreEngine
import StorePostGIS

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
    /// Prints the statements that an administrator still has to run for the analyst's login.
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
