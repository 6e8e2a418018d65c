import ArgumentParser
import Base
import HabitModel
import HabitStore
import StoreEngine
import StorePostGIS

struct Init: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "init", abstract: "Create a store and, for a person, an account.",
        usage: "habitat init [<options>]",
        discussion: """
            The store is a SpatiaLite file that QGIS, ogr2ogr and GeoPandas can open. Only its owner can read it. With \
            --store postgresql://user@host/database, the command creates the tables in that database. The database \
            must exist, and its server must have PostGIS. If the store exists, its records are unchanged.

            Without a configuration file, the command asks on a terminal for your name and your time zone. It then \
            creates the store, an account and the configuration file, which names both. --user, --name and --time-zone \
            answer the questions. The store is $XDG_DATA_HOME/habitat/habitat.db, otherwise \
            ~/.local/share/habitat/habitat.db, unless --store or HABITAT_STORE names it. In all other cases, the \
            command creates only the store.

            With --analyst-store, the command also creates the views for the analyst's login. It prints the SQL \
            statements that an administrator of the server must run, or nothing if all of them have been run. Run the \
            command again after the administrator has run them, and after each program update.

            Examples:
              habitat init --store habits.db
              habitat init --user zoe --name "Zoe Lima" --time-zone Europe/Lisbon
              habitat init --store postgresql://habitat@db/habits \\
                --analyst-store postgresql://habitat_analyst@db/habits
            """)

    @Option(
        parsing: .unconditional, help: ArgumentHelp("ID of the new account (default: your login).", valueName: "id"),
        completion: .anyText)
    var user: String?
    @Option(
        parsing: .unconditional, help: ArgumentHelp("Display name of the new account.", valueName: "text"),
        completion: .anyText)
    var name: String?
    @OptionGroup var analyst: AnalystOptions
    @OptionGroup(title: CommonOptions.title) var common: CommonOptions

    mutating func run() throws {
        try common.requireOperator("init")
        let configuration = try Configuration.current.get()
        let path = UserFolders.process.configurationFile
        let canSetUp = configuration.file == nil && path != nil
        guard user != nil || name != nil || (canSetUp && !common.quiet && Prompt.isPossible) else {
            return try createStore()
        }
        guard canSetUp, let path else {
            let problem =
                path == nil
                ? "no configuration file is selected: set HABITAT_CONFIG to the path of a file"
                : "the configuration file exists: create the account with 'habitat user add'"
            throw HabitError(.usage, problem, field: user == nil ? "name" : "user")
        }
        try setUp(path, configuration)
    }

    /// Creates or migrates the store.
    private func createStore() throws {
        try openStore()
        common.notice("The store '\(try common.storeLocation())' is ready: load data with 'habitat ingest PATH'.")
    }

    private func openStore() throws {
        let location = try common.storeLocation()
        _ = try common.open(.create, analyst: analyst)
        if let analyst = try AnalystLogin(analyst, for: location) {
            try prepare(analyst, of: location)
        } else if case .file = location, AnalystOptions.environment != nil {
            common.notice(
                "HABITAT_ANALYST_STORE has no effect on a store in a file: pass a PostgreSQL store with --store.")
        }
    }
}

extension Init {
    /// Creates the store, the account and the configuration file of a person.
    private mutating func setUp(_ path: String, _ configuration: Configuration) throws {
        let account = try NewAccount(user: user, name: name, timeZone: common.timeZone)
        if case .standard = configuration.store(option: common.store).origin, let store = UserFolders.process.store {
            try PrivateFile.makeFolder(of: store)
            common.store = store
        }
        try openStore()
        let isNew = try add(account)
        let store = try common.storeLocation()
        try ConfigurationFile.create(text(for: account, store: store, configuration), at: path)
        let folders = UserFolders.process
        let zone = isNew ? "\(account.name), \(account.timeZone)" : "already existed"
        common.notice("✓ Store \(folders.abbreviate(store.description))")
        common.notice("✓ Account \(account.id) (\(zone))")
        common.notice("  Settings: \(folders.abbreviate(path))")
        common.notice("  Next: habitat habit add Walk --days weekdays")
    }

    /// Creates the account.
    ///
    /// - Returns: `false` if the account exists, which is then unchanged.
    private func add(_ account: NewAccount) throws -> Bool {
        do {
            try common.open(.write).write { session in
                try AccountActions(.operator, in: session).add(account.id, account.draft)
            }
            return true
        } catch let error as HabitError where error.code == .userExists {
            return false
        }
    }

    /// Returns the text of the configuration file.
    ///
    /// A URL with a password or a query is omitted, because the file contains no secrets.
    private func text(
        for account: NewAccount, store: StoreLocation, _ configuration: Configuration
    ) throws -> String {
        var text = ConfigurationText("")
        if let path = storedPath(of: store) {
            _ = text.set(.store, to: .text(path))
        } else {
            common.notice("The configuration file does not contain the URL of the store: set HABITAT_STORE.")
        }
        _ = text.set(.user, to: .text(account.id))
        return text.text
    }

    /// Returns the store as the file names it: an absolute path with a leading `~/`, or a URL without secrets.
    private func storedPath(of store: StoreLocation) -> String? {
        switch store {
        case .file(let path): UserFolders.process.abbreviate(UserFolders.absolute(path))
        case .database(let url): url == store.description ? url : nil
        }
    }

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
