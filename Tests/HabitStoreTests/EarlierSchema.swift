import HabitModel

@testable import HabitStore

/// Statements that convert a store on PostgreSQL to the schema of an earlier version.
enum EarlierSchema {
    /// Removes the recorded imports.
    static let removingImports = "DROP TABLE habitat.import_run;"

    /// Replaces the kinds of tokens by the columns of earlier versions, and removes the sources of sessions.
    static let removingSessions = """
        ALTER TABLE habitat.token
          ADD COLUMN is_session INTEGER NOT NULL DEFAULT 0, ADD COLUMN is_calendar INTEGER NOT NULL DEFAULT 0,
          DROP COLUMN kind, DROP COLUMN source_id, DROP COLUMN operator_sha256;
        """

    /// Removes the recorded imports, the versions of records, the audiences of changes and the key of the store.
    static let removingVersions: String = {
        let tables = RecordKind.allCases.filter { kind in kind != .settings }.map(\.table)
        let columns = tables.map { table in "ALTER TABLE habitat.\(table) DROP COLUMN version CASCADE;" }
        return """
            \(removingImports)
            DROP FUNCTION habitat.note_other_change CASCADE;
            \(columns.joined(separator: "\n"))
            ALTER TABLE habitat.change DROP COLUMN audience CASCADE;
            ALTER TABLE habitat.store DROP COLUMN key;
            """
    }()
}
