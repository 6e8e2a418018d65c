import Foundation
import HabitTestSupport
import Testing

/// A copy of ``StoreTemplate/sharing`` on which commands run.
final class SharingStore: Sendable {
    static let now = "2026-11-20T12:00:00+00:00"

    let folder: TemporaryFolder

    init() async throws { folder = try await StoreTemplate.sharing.copy() }

    /// Returns the path of a sample photo.
    static func photoPath(_ name: String) -> String { SampleData.path + "/photos/" + name }

    /// Names of the files in the folder, except the store and its WAL files.
    var files: [String] { folder.names.filter { !$0.hasPrefix("habitat.db") } }

    // MARK: Running

    func run(_ arguments: String..., as user: String? = nil) async throws -> ProgramResult {
        try await run(arguments, as: user)
    }

    func run(_ arguments: [String], as user: String? = nil) async throws -> ProgramResult {
        try await Program.habitat(["--now", Self.now] + (user.map { ["--as", $0] } ?? []) + arguments, in: folder)
    }

    /// Runs a command that must succeed and returns its result.
    @discardableResult
    func expectSuccess(
        _ arguments: String..., as user: String? = nil, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> ProgramResult {
        try await expectSuccess(arguments, as: user, sourceLocation: sourceLocation)
    }

    @discardableResult
    func expectSuccess(
        _ arguments: [String], as user: String? = nil, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> ProgramResult {
        let result = try await run(arguments, as: user)
        #expect(
            result.status == 0, "\(arguments.map { $0.prefix(60) }): \(result.errors)", sourceLocation: sourceLocation)
        return result
    }

    /// Runs a command that must fail, and returns its errors.
    ///
    /// The command must print one line on standard error, nothing on standard output, and leave the store unchanged.
    @discardableResult
    func expectRefusal(
        _ arguments: String..., as user: String? = nil, _ slug: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> String {
        try await expectRefusal(arguments, as: user, slug, sourceLocation: sourceLocation)
    }

    @discardableResult
    func expectRefusal(
        _ arguments: [String], as user: String? = nil, _ slug: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> String {
        let before = storeState
        let result = try await run(arguments, as: user)
        let comment: Comment = "\(arguments.map { $0.prefix(60) }) as \(user ?? "operator"): \(result.errors)"
        let isRight = result.status == Self.status[slug] && result.errors.hasPrefix("error[\(slug)]: ")
        #expect(isRight, "\(slug) expected; \(comment): exit \(result.status)", sourceLocation: sourceLocation)
        #expect(result.errors.split(separator: "\n").count <= 1, comment, sourceLocation: sourceLocation)
        #expect(result.output.isEmpty || !isRight, comment, sourceLocation: sourceLocation)
        #expect(storeState == before, "the store has changed; \(comment)", sourceLocation: sourceLocation)
        return result.errors
    }

    /// The expected exit statuses of the error codes, independent of ``Base/ErrorCode``.
    static let status: [String: Int32] = [
        "usage": 64, "confirm-required": 64, "parameter-invalid": 64,
        "own-item": 65, "picture-invalid": 65, "item-name-invalid": 65, "item-description-invalid": 65,
        "message-word-not-allowed": 65, "message-empty": 65, "message-too-long": 65, "photo-invalid": 65,
        "photo-too-large": 65, "caption-too-long": 65, "day-invalid": 65, "id-invalid": 65,
        "text-invalid": 65, "field-invalid": 65,
        "not-found": 66, "input-not-found": 66, "post-deleted": 66, "location-unavailable": 69,
        "output-not-writable": 73, "output-exists": 73, "no-space": 73, "download-failed": 74, "busy": 75,
        "event-exists": 76, "user-exists": 76, "already-requested": 76, "item-already-claimed": 76,
        "item-unavailable": 76, "item-state-conflict": 76,
        "not-yours": 77, "operator-only": 77, "not-signed-in": 77, "message-not-permitted": 77,
        "location-not-permitted": 77,
    ]

    // MARK: Queries

    /// A value that changes with every write to the store.
    ///
    /// Read it only when all commands have ended, so that no transaction is open.
    var storeState: Data? { try? TestServer.state(ofStoreAt: folder.file("habitat.db")) }

    /// Returns the rows of a query over the views, each as a line of CSV.
    func rows(_ sql: String, as user: String? = nil) async throws -> [String] {
        let result = try await run("query", sql, "--format", "csv", as: user)
        try #require(result.status == 0, "\(result.errors)")
        return Array(result.lines.dropFirst())
    }

    /// Runs Python with the store open as `db` and returns the printed text.
    @discardableResult
    func runPython(_ script: String) async throws -> String {
        let result = try await Program.run("/usr/bin/python3", ["-c", Self.scriptPrefix + script], in: folder.path)
        try #require(result.status == 0, "\(result.errors)")
        return result.output
    }

    /// Holds the write lock of the store while `body` runs, and executes `statement` in the same transaction.
    func withWriteLock<Result>(
        while statement: String = "SELECT 1", _ body: () async throws -> Result
    ) async throws -> Result {
        if TestServer.isUsed {
            return try await TestServer.withWriteLock(storeAt: folder.file("habitat.db"), while: statement, body)
        }
        let scratch = try TemporaryFolder()
        let script =
            Self.scriptPrefix + """
                import os, time
                db.execute('BEGIN IMMEDIATE')
                db.execute(\"\"\"\(statement)\"\"\")
                open('\(scratch.file("locked"))', 'w').close()
                while not os.path.exists('\(scratch.file("release"))'): time.sleep(0.005)
                db.execute('COMMIT')
                """
        let process = try Program.start("/usr/bin/python3", ["-c", script], in: folder.path, scratch: scratch)
        defer { process.terminate() }
        try await waitUntil("the lock is held") { scratch.names.contains("locked") }
        let result: Swift.Result<Result, any Error>
        do { result = .success(try await body()) } catch { result = .failure(error) }
        try scratch.write("", to: "release")
        await process.end()
        return try result.get()
    }

    private static let scriptPrefix = "import sqlite3\ndb = sqlite3.connect('habitat.db', isolation_level=None)\n"
}
