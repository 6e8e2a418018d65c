import StoreEngine

/// The SQL of the table from which the report views in a catalog read their reader.
struct ReaderSessionSQL {
    private let declared: SchemaDeclaration.ReaderSession

    init(_ declared: SchemaDeclaration.ReaderSession) {
        self.declared = declared
    }

    /// The name of the table with its schema.
    var table: String {
        "\(AnalystViews.forReaders).\(declared.table)"
    }

    /// The row that the program has committed for the connection.
    ///
    /// The number and the start of the server process identify the session.
    private var ownRow: String {
        """
        "\(AnalystViews.forReaders)".\(declared.table) AS own
        WHERE own.pid = pg_backend_pid()
          AND own.started = (SELECT backend_start FROM pg_stat_get_activity(pg_backend_pid()))
        """
    }

    /// Returns a column of the row that the program has committed for the connection.
    ///
    /// PostgreSQL evaluates the term once per statement. A view reads the row with its owner's rights.
    private func term(_ column: String) -> String {
        "(SELECT own.\(column) FROM \(ownRow))"
    }

    /// Returns the terms of the views for the operator or for other readers.
    func terms(isForOperator: Bool) -> CatalogTerms {
        let reader = term(declared.reader)
        let zone = "\(declared.owners).\(declared.timeZone)"
        let today = "coalesce(\(term("local_days")) ->> \(zone), \(term("report_day"))) COLLATE \"C\""
        return CatalogTerms(
            isForOperator: isForOperator,
            reader: reader,
            today: today,
            condition: isForOperator ? term("is_operator") : "\(reader) IS NOT NULL")
    }

    /// The statements that create the schemas of the views, the table, and the view with the row of the connection.
    var creation: String {
        let reader = declared.reader
        return """
            \(AnalystViews.removal);
            CREATE SCHEMA \(AnalystViews.forReaders);
            CREATE SCHEMA \(AnalystViews.forOperator);
            CREATE UNLOGGED TABLE \(table) (
              pid INTEGER PRIMARY KEY,
              started TIMESTAMPTZ NOT NULL,
              is_operator BOOLEAN NOT NULL,
              \(reader) BIGINT,
              -- The date in UTC, or for all owners; and those of time zones that have another one.
              report_day TEXT COLLATE "C" NOT NULL,
              local_days JSONB NOT NULL,
              CHECK (is_operator = (\(reader) IS NULL))
            );
            CREATE VIEW \(AnalystViews.forReaders).own_session AS SELECT own.is_operator, own.\(reader) FROM \(ownRow);
            """
    }

    /// A SELECT of the row of the connection as a text: `t` for the operator, or `f` and the key of the reader.
    var ownSession: String {
        "SELECT concat_ws(' ', is_operator, \(declared.reader)) FROM \(AnalystViews.forReaders).own_session"
    }

    /// A SELECT of the time zones of all owners as a JSON array.
    var timeZones: String {
        "SELECT coalesce(json_agg(DISTINCT \(declared.timeZone)), '[]') FROM habitat.\(declared.owners)"
    }

    /// Returns the statements that commit the row of a connection.
    ///
    /// - Parameters:
    ///   - process: The server process of the connection and its start, as SQL values.
    ///   - reader: The key of the reader, or `nil` for the operator.
    ///   - today: The date in most time zones, as a quoted literal.
    ///   - localDays: The other dates by time zone as a JSON object, as a quoted literal.
    /// - Returns: The statements.
    func registration(
        of process: String,
        reader: Int64?,
        today: String,
        localDays: String
    ) -> String {
        let key = reader.map { key in "\(key)" } ?? "NULL"
        let column = declared.reader
        return """
            BEGIN;
            SET LOCAL synchronous_commit TO off;
            DELETE FROM \(table)
            WHERE NOT EXISTS (SELECT FROM pg_stat_get_activity(\(declared.table).pid));
            INSERT INTO \(table)
            VALUES (\(process), \(reader == nil), \(key), \(today), \(localDays))
            ON CONFLICT (pid) DO UPDATE
            SET (started, is_operator, \(column), report_day, local_days)
              = (excluded.started, excluded.is_operator, excluded.\(column), excluded.report_day, excluded.local_days);
            COMMIT
            """
    }
}
