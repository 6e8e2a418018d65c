import Base
import CPostgres
import Foundation
import StoreEngine

/// A connection to a PostgreSQL database.
///
/// Only one thread may use it at a time. ``PostGISEngine`` enforces this with a lock.
final class PostGISConnection {
    private let handle: OpaquePointer
    private var prepared: [PreparedKey: String] = [:]
    /// The result whose rows the server is still sending.
    private var incoming: PostGISResult?
    private var path: SearchPath?
    /// Whether the state of the protocol is unknown, so that the connection must be reset.
    private var isLost = false
    /// Whether a statement has changed rows.
    ///
    /// The engine sets the value to `false` at the beginning of a transaction.
    var hasChangedRows = false
    /// Whether Citus distributes the store over several servers.
    ///
    /// The engine sets the value at the beginning of a transaction.
    var isDistributed = false
    /// The schema in which PostGIS is installed, as a quoted identifier.
    private(set) var postgisSchema = "public"

    private struct PreparedKey: Hashable {
        var sql: String
        var types: [Oid]
    }

    /// The schemas in which the server searches for names without a schema.
    enum SearchPath {
        /// The tables of the store.
        case store
        /// Only functions, for SQL whose statement contains the definitions of its views.
        case functions
        /// The views of users or of the operator, and functions, for the analyst's connection.
        case readerViews, operatorViews

        /// The schema of the views in the catalog, or `nil` if the statement contains them.
        var viewSchema: String? {
            switch self {
            case .store, .functions: nil
            case .readerViews: AnalystViews.forReaders
            case .operatorViews: AnalystViews.forOperator
            }
        }
    }

    /// Maximum number of prepared statements.
    ///
    /// If the limit is reached, all of them are deallocated.
    private static let preparedLimit = 500

    init(_ url: String) throws {
        if let problem = habitat_libpq_problem() {
            throw PostGISError(
                state: "",
                message:
                    "libpq 14 or newer cannot be loaded (\(String(cString: problem))): install the package libpq5 of Debian"
            )
        }
        guard Self.isWellFormed(url) else {
            throw PostGISError(
                state: "",
                message:
                    "its URL is malformed: write postgresql://user@host:port/database, and %40 for @ in a password"
            )
        }
        // The values of the URL have precedence over the preceding ones.
        let settings = Self.settings(environment: ProcessInfo.processInfo.environment)
        let keywords = CStrings(settings.keys + ["dbname"])
        let values = CStrings(settings.values + [url])
        let made = PQconnectdbParams(keywords.pointers, values.pointers, 1)
        guard let made else { throw PostGISError(state: "", message: "there is not enough memory") }
        handle = made
        PQsetNoticeReceiver(handle, { _, _ in }, nil)
        try configure()
    }

    deinit { PQfinish(handle) }

    /// Returns the settings of a connection whose URL does not contain them.
    ///
    /// libpq prefers a setting to its variable in the environment, and refuses an empty variable. Without a limit, it would
    /// wait for minutes for a server that is switched off.
    static func settings(environment: [String: String]) -> [String: String] {
        var settings = ["fallback_application_name": "habitat", "client_encoding": "UTF8"]
        let timeout = environment["PGCONNECT_TIMEOUT"] ?? ""
        settings["connect_timeout"] = timeout.isEmpty ? "10" : timeout
        return settings
    }

    /// Returns whether libpq can parse a connection URL, and the URL contains at most one `@` before the database.
    ///
    /// Messages of libpq on an invalid URL contain parts of it, which may be secret.
    private static func isWellFormed(_ url: String) -> Bool {
        let options = PQconninfoParse(url, nil)
        defer { PQconninfoFree(options) }
        guard options != nil else { return false }
        let parts = url.split(separator: "/")
        guard let authority = parts.dropFirst().first else { return true }
        let atSigns = authority.count { character in character == "@" }
        return atSigns < 2
    }

    /// The database, the host and the port, without secrets.
    var endpoint: String {
        let database = Self.text(PQdb(handle))
        let host = Self.text(PQhost(handle))
        let port = Self.text(PQport(handle))
        return "\(database) at \(host):\(port)"
    }

    /// Returns a text of libpq, or an empty text if the pointer is null.
    private static func text(_ pointer: UnsafeMutablePointer<CChar>?) -> String {
        guard let pointer else { return "" }
        return String(cString: pointer)
    }

    private func configure() throws {
        guard PQstatus(handle) == CONNECTION_OK else { throw failure() }
        prepared = [:]
        path = nil
        incoming = nil
        isLost = false
        try execute(
            """
            SET timezone TO 'UTC'; SET datestyle TO 'ISO'; SET extra_float_digits TO 1; SET bytea_output TO 'hex';
            SET standard_conforming_strings TO on; SET client_min_messages TO warning; SET jit TO off
            """)
        // The server stops a statement if its client has disconnected, if its operating system supports this check.
        _ = try? execute("SET client_connection_check_interval TO '1s'")
        try findPostGIS()
    }

    func findPostGIS() throws {
        let schema = try execute(
            """
            SELECT quote_ident(nspname)
            FROM pg_extension
            JOIN pg_namespace ON pg_namespace.oid = extnamespace
            WHERE extname = 'postgis'
            """)
        if let schema = schema.text { postgisSchema = schema }
    }

    /// Returns the name of the role in a connection URL, or from the environment if the URL does not contain one.
    static func role(in url: String) throws -> String {
        if let problem = habitat_libpq_problem() {
            throw PostGISError(state: "", message: String(cString: problem))
        }
        let first = PQconninfoParse(url, nil)
        defer { PQconninfoFree(first) }
        var next = first
        while let option = next, let keyword = option.pointee.keyword {
            let isRole = String(cString: keyword) == "user"
            if isRole, let value = option.pointee.val {
                return String(cString: value)
            }
            next = option + 1
        }
        throw HabitError(
            .storeUnavailable,
            "the URL of the analyst's login contains no role: write postgresql://role@host:port/database",
            field: "analyst-store")
    }

    /// The name of the role of the connection.
    var role: String { Self.text(PQuser(handle)) }

    /// Ends a transaction and discards the state of the session: settings, prepared statements and cursors.
    func reset() throws {
        try execute("ROLLBACK")
        try execute("DISCARD ALL")
        try configure()
    }

    /// Connects again if the connection was lost, and returns whether it was.
    func restore() throws -> Bool {
        guard isLost || PQstatus(handle) != CONNECTION_OK else { return false }
        PQreset(handle)
        try configure()
        return true
    }

    /// An object that stops the running statement from any thread.
    var canceller: PostGISCanceller { PostGISCanceller(PQgetCancel(handle)) }

    // MARK: Statements

    /// Runs one or more statements without parameters, and returns the first value of the last result.
    @discardableResult
    func execute(_ sql: String) throws -> (text: String?, changes: Int) {
        try settle()
        let result = PQexec(handle, sql)
        defer { PQclear(result) }
        try check(result)
        note(result)
        let changes = Int(String(cString: PQcmdTuples(result))) ?? 0
        let hasValue = PQntuples(result) > 0 && PQgetisnull(result, 0, 0) == 0
        let text = hasValue ? String(cString: PQgetvalue(result, 0, 0)) : nil
        return (text, changes)
    }

    /// Sends a statement and returns its result, which is read row by row.
    ///
    /// The server compiles the statement once for each list of parameter types.
    func run(_ sql: String, _ values: [PostGISParameter], in path: SearchPath) throws -> PostGISResult {
        try settle()
        try use(path)
        let name = try prepare(sql, values.map(\.type))
        guard send(name, values) else { throw failure() }
        PQsetSingleRowMode(handle)
        let result = PostGISResult(on: self)
        incoming = result
        return result
    }

    /// Sends a prepared statement and its values, and returns whether libpq has accepted them.
    private func send(_ name: String, _ values: [PostGISParameter]) -> Bool {
        let textResults: Int32 = 0
        let sent = withParameters(values) { pointers, lengths, formats in
            PQsendQueryPrepared(handle, name, Int32(values.count), pointers, lengths, formats, textResults)
        }
        return sent == 1
    }

    /// Sends a statement for several lists of values in one network round trip, in the pipeline mode of libpq.
    ///
    /// - Returns: The results in the order of the lists. All rows are in memory.
    func run(_ sql: String, each lists: [[PostGISParameter]], in path: SearchPath) throws -> [PostGISResult] {
        guard !lists.isEmpty else { return [] }
        try settle()
        try use(path)
        let types = lists.map { values in values.map(\.type) }
        try makeRoom(for: Set(types).count)
        let names = try types.map { types in try prepare(sql, types) }
        guard PQenterPipelineMode(handle) == 1 else { throw failure() }
        let isSent = zip(names, lists).allSatisfy { name, values in send(name, values) }
        guard isSent, PQpipelineSync(handle) == 1 else {
            isLost = true
            throw failure()
        }
        var firstFailure: PostGISError?
        let results = lists.map { _ in
            let kept = receiveFromPipeline(&firstFailure)
            return PostGISResult(on: self, kept: kept)
        }
        let isOver = endPipeline()
        if let firstFailure { throw firstFailure }
        guard isOver else { throw failure() }
        return results
    }

    /// Returns the results of the next statement of the pipeline, and sets `firstFailure` if it is the first to fail.
    private func receiveFromPipeline(_ firstFailure: inout PostGISError?) -> [OpaquePointer] {
        var kept: [OpaquePointer] = []
        while let result = PQgetResult(handle) {
            switch PQresultStatus(result) {
            // The first result may still be in single-row mode, if the preceding statement was.
            case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_SINGLE_TUPLE:
                note(result)
                kept.append(result)
                continue
            // A preceding statement of the pipeline has failed.
            case PGRES_PIPELINE_ABORTED:
                break
            default:
                firstFailure = firstFailure ?? failure(result)
            }
            PQclear(result)
        }
        return kept
    }

    /// Ends the pipeline mode, and returns whether the connection can still be used.
    ///
    /// libpq also returns a result for the end of the pipeline.
    private func endPipeline() -> Bool {
        while let result = PQgetResult(handle) {
            PQclear(result)
        }
        let isOver = PQexitPipelineMode(handle) == 1
        if !isOver { isLost = true }
        return isOver
    }

    /// Returns the names of the columns of a statement's result.
    func columnNames(_ sql: String, _ types: [Oid], in path: SearchPath) throws -> [String] {
        try settle()
        try use(path)
        let result = PQdescribePrepared(handle, try prepare(sql, types))
        defer { PQclear(result) }
        try check(result)
        let columns = 0..<PQnfields(result)
        return columns.map { column in String(cString: PQfname(result, column)) }
    }

    private func prepare(_ sql: String, _ types: [Oid]) throws -> String {
        let key = PreparedKey(sql: sql, types: types)
        if let name = prepared[key] { return name }
        try makeRoom(for: 1)
        let name = "habitat_\(prepared.count)"
        let result = PQprepare(handle, name, sql, Int32(types.count), types)
        defer { PQclear(result) }
        try check(result)
        prepared[key] = name
        return name
    }

    /// Deallocates all prepared statements if `count` more would exceed the limit.
    private func makeRoom(for count: Int) throws {
        guard prepared.count + count > Self.preparedLimit else { return }
        try execute("DEALLOCATE ALL")
        prepared = [:]
    }

    func use(_ path: SearchPath) throws {
        guard self.path != path else { return }
        let names =
            switch path {
            case .store: "habitat, habitat_functions, \(postgisSchema), pg_catalog"
            case .functions: "habitat_functions, pg_catalog"
            // A schema of temporary tables that is not in the path would be searched first.
            case .readerViews: "\(AnalystViews.forReaders), habitat_functions, pg_catalog, pg_temp"
            case .operatorViews: "\(AnalystViews.forOperator), habitat_functions, pg_catalog, pg_temp"
            }
        try execute("SET search_path TO \(names)")
        self.path = path
    }

    /// Invalidates the cached search path.
    ///
    /// A rollback also undoes a change of the path.
    func forgetPath() { path = nil }

    /// Returns the name of the snapshot of the transaction, for `SET TRANSACTION SNAPSHOT`.
    func exportSnapshot() throws -> String { try execute("SELECT pg_export_snapshot()").text ?? "" }

    /// Returns the text as a quoted literal, for statements that do not accept parameters.
    func literal(_ text: String) -> String {
        let quoted = text.utf8CString.withUnsafeBufferPointer { bytes in
            // The last byte is the NUL at the end.
            PQescapeLiteral(handle, bytes.baseAddress, bytes.count - 1)
        }
        defer { PQfreemem(quoted) }
        guard let quoted else { return "''" }
        return String(cString: quoted)
    }

    /// Returns the name as a quoted identifier.
    func identifier(_ name: String) -> String {
        let escaped = name.replacing("\"", with: "\"\"")
        return "\"\(escaped)\""
    }

    // MARK: COPY

    /// Sends rows in the text format of COPY.
    func copy(_ sql: String, _ bytes: [UInt8]) throws {
        try settle()
        try use(.store)
        let begun = PQexec(handle, sql)
        defer { PQclear(begun) }
        guard PQresultStatus(begun) == PGRES_COPY_IN else { throw failure(begun) }
        let isSent = bytes.withUnsafeBytes(sendCopyData)
        guard isSent, PQputCopyEnd(handle, nil) == 1 else { throw failure() }
        try endCopy()
    }

    /// Sends rows in parts of at most 1 MiB, and returns whether libpq has accepted all.
    private func sendCopyData(_ bytes: UnsafeRawBufferPointer) -> Bool {
        let size = 1 << 20
        return stride(from: 0, to: bytes.count, by: size).allSatisfy { start in
            let end = min(start + size, bytes.count)
            let part = UnsafeRawBufferPointer(rebasing: bytes[start..<end])
            let address = part.baseAddress?.assumingMemoryBound(to: CChar.self)
            return PQputCopyData(handle, address, Int32(part.count)) == 1
        }
    }

    /// Reads the outcome of a COPY, and throws the first error of the server.
    private func endCopy() throws {
        var firstFailure: PostGISError?
        while let result = PQgetResult(handle) {
            defer { PQclear(result) }
            note(result)
            let isOK = PQresultStatus(result) == PGRES_COMMAND_OK
            if !isOK {
                firstFailure = firstFailure ?? failure(result)
            }
        }
        if let firstFailure { throw firstFailure }
    }

    // MARK: Results

    /// Reads the rest of the current result into memory, so that another statement can be sent.
    private func settle() throws {
        guard !isLost else { throw failure() }
        let result = incoming
        result?.bufferRemainingRows()
        incoming = nil
        // The result must not be released during the write to `incoming`, because its end may access the property.
        withExtendedLifetime(result) {}
    }

    /// Returns the next result of the statement that was sent, or `nil` after its end.
    func receive(_ result: PostGISResult) -> OpaquePointer? {
        guard incoming === result else { return nil }
        let next = PQgetResult(handle)
        note(next)
        if next == nil { withExtendedLifetime(incoming) { incoming = nil } }
        return next
    }

    /// Cancels the running statement and discards the rest of its result.
    func abandon() {
        guard let result = incoming else { return }
        canceller.cancel()
        withExtendedLifetime(result) { incoming = nil }
        while let result = PQgetResult(handle) { PQclear(result) }
    }

    /// Sets ``hasChangedRows`` if the tag of a completed statement reports changed rows.
    private func note(_ result: OpaquePointer?) {
        guard !hasChangedRows, let result, let status = PQcmdStatus(result) else { return }
        let tag = String(cString: status)
        let isChange = ["INSERT", "UPDATE", "DELETE", "COPY", "MERGE"].contains { command in
            tag.hasPrefix(command)
        }
        let hasNoRows = tag.hasSuffix(" 0")
        if isChange, !hasNoRows {
            hasChangedRows = true
        }
    }

    private func check(_ result: OpaquePointer?) throws {
        switch PQresultStatus(result) {
        case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_EMPTY_QUERY: return
        default: throw failure(result)
        }
    }

    func failure(_ result: OpaquePointer? = nil) -> PostGISError {
        func field(_ letter: Unicode.Scalar) -> String? {
            guard let text = PQresultErrorField(result, Int32(letter.value)) else { return nil }
            return String(cString: text)
        }
        let isConnected = PQstatus(handle) == CONNECTION_OK
        guard result != nil, isConnected, let state = field("C") else {
            let message = String(cString: PQerrorMessage(handle))
            return PostGISError(state: "", message: message.trimmingCharacters(in: .whitespacesAndNewlines))
        }
        return PostGISError(
            state: state,
            message: field("M") ?? "",
            detail: field("D") ?? "",
            isOfCluster: isDistributed)
    }
}

/// C strings with a null pointer at the end.
private struct CStrings: ~Copyable {
    let pointers: [UnsafePointer<CChar>?]

    init(_ strings: [String]) {
        let copies = strings.map { string in UnsafePointer(strdup(string)) }
        pointers = copies + [nil]
    }

    deinit {
        for pointer in pointers {
            free(UnsafeMutablePointer(mutating: pointer))
        }
    }
}
