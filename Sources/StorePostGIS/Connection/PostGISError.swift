import Base

/// An error of a PostgreSQL server or of libpq.
struct PostGISError: Error {
    /// The five characters of SQLSTATE, or an empty text if the connection failed.
    var state: String
    var message: String
    var detail = ""

    /// The server of a cluster that Citus could not reach, as host and port, or `nil` for another error.
    var unavailableNode: Substring? {
        guard state.hasPrefix("08") || state.hasPrefix("57P") else { return nil }
        let node = #/remote node (?:[^ ]+@)?(?<endpoint>[^ @]+:[0-9]+)/#
        return message.firstMatch(of: node)?.endpoint
    }

    /// The message without line breaks.
    var messageOnOneLine: String {
        message.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    /// Whether Citus distributes the store.
    var isOfCluster = false

    /// Whether the cause is probably a lost connection between the servers of a cluster.
    ///
    /// Citus reports it as an internal error or an I/O error with one of many messages, or as a savepoint that does not
    /// exist on a new connection. A few errors of other causes have the same states.
    var hasLostNode: Bool { isOfCluster && ["XX000", "58030", "3B001"].contains(state) }

    /// The SQLSTATE of a table that does not exist or is not in the FROM clause.
    static let undefinedTable = "42P01"

    /// The column that does not exist, with the name of its table if the SQL names it, or `nil` for another error.
    var unknownColumn: Substring? {
        guard state == "42703" else { return nil }
        return message.firstMatch(of: #/column "?([^" ]+)"? /#)?.output.1
    }
}

extension PostGISError: LoggableError {
    /// The text for the log, without the detail, which contains values of rows.
    ///
    /// A message on data (class 22) or of a function (class P0) quotes values, which are removed.
    var logText: String {
        let isAboutData = ["22", "P0"].contains(state.prefix(2))
        let message = isAboutData ? ErrorLog.withoutQuoted(message) : message
        return "PostgreSQL error \(state): \(message)"
    }
}
