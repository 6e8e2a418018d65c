import HabitModel

@testable import HabitStore

/// Statements that convert a store on PostgreSQL to the schema of an earlier version.
enum EarlierSchema {
    /// Removes the recorded imports.
    static let removingImports = "DROP TABLE habitat.import_run;"

    /// Removes the fields of habits for their look, their order and their reminder.
    static let removingHabitFields = """
        ALTER TABLE habitat.habit
          DROP COLUMN tint CASCADE, DROP COLUMN symbol CASCADE, DROP COLUMN rank CASCADE,
          DROP COLUMN remind_time CASCADE;
        """

    /// Removes the marks of private positions.
    ///
    /// The trigger function reads them. The last step creates it again.
    static let removingPrivatePositions = """
        CREATE OR REPLACE FUNCTION habitat.count_events() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END';
        ALTER TABLE habitat.event DROP COLUMN is_private CASCADE;
        ALTER TABLE habitat.post DROP COLUMN is_private CASCADE;
        """

    /// Removes the read markers, the pauses, the blocks, the private places, the passkeys and the sources of sessions,
    /// and restores the earlier columns of tokens and the earlier name of the table of used ID tokens.
    static let removingSessions = """
        DROP TABLE habitat.read_marker CASCADE;
        DROP TABLE habitat.pause CASCADE;
        DROP TABLE habitat.block CASCADE;
        ALTER TABLE habitat.account DROP COLUMN private_places CASCADE;
        DROP TABLE habitat.passkey;
        ALTER TABLE habitat.used_once RENAME TO used_id_token;
        ALTER INDEX habitat.used_once_end RENAME TO used_id_token_end;
        ALTER TABLE habitat.token
          ADD COLUMN is_session INTEGER NOT NULL DEFAULT 0, ADD COLUMN is_calendar INTEGER NOT NULL DEFAULT 0,
          DROP COLUMN kind, DROP COLUMN source_id, DROP COLUMN operator_sha256, DROP COLUMN definition;
        """

    /// Removes the recorded imports, the versions of records, the audiences of changes and the key of the store.
    static let removingVersions: String = {
        let later: [RecordKind] = [.settings, .pauses, .blocks, .reads]
        let tables = RecordKind.allCases.filter { kind in !later.contains(kind) }.map(\.table)
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
