import Base
import HabitModel
import StoreEngine
import Synchronization

/// An engine that keeps the SQL of all statements that it compiles.
final class RecordingEngine: Engine {
    private let base: any Engine
    private let recorded = Mutex<Set<String>>([])

    init(_ base: any Engine) { self.base = base }

    /// The texts of the statements, without duplicates.
    var statements: [String] { recorded.withLock { $0.sorted() } }

    private func session(_ base: any Session) -> RecordingSession {
        RecordingSession(base) { [self] text in _ = recorded.withLock { $0.insert(text) } }
    }

    func read<Result>(
        at snapshot: () throws -> String?, _ body: (any Session) throws -> Result
    ) throws -> Result {
        try base.read(at: snapshot) { try body(session($0)) }
    }

    func analyze<Result>(
        _ scope: AnalysisScope, at snapshot: () throws -> String?, _ body: (any Session) throws -> Result
    ) throws -> Result {
        try base.analyze(scope, at: snapshot) { try body(session($0)) }
    }

    func write<Result>(_ body: (any Session) throws -> Result) throws -> Result {
        try base.write { try body(session($0)) }
    }

    func bulkWrite<Result>(_ body: (any Session) throws -> Result) throws -> Result {
        try base.bulkWrite { try body(session($0)) }
    }

    func dataVersion() throws -> Int64 { try base.dataVersion() }
    func interrupt() { base.interrupt() }
    var writeAheadLog: (any WriteAheadLog)? { base.writeAheadLog }
    var fileCopier: (any FileCopier)? { base.fileCopier }
}

private final class RecordingSession: Session {
    private let base: any Session
    private let record: (String) -> Void

    init(_ base: any Session, _ record: @escaping (String) -> Void) {
        self.base = base
        self.record = record
    }

    func prepare(_ sql: String) throws -> any Statement {
        record(sql)
        return try base.prepare(sql)
    }

    var dialect: any Dialect { base.dialect }
    var keyedTexts: (any KeyedTextReader)? { base.keyedTexts }
    var newestRows: (any NewestRowFinder)? { base.newestRows }
    var fileMapping: (any FileMapping)? { base.fileMapping }
    var pipeline: (any QueryPipeline)? { base.pipeline }
    var snapshotExporter: (any SnapshotExporter)? { base.snapshotExporter }
    var checks: [StoreCheck] { base.checks }
    func deferringIndexes<Result>(_ body: () throws -> Result) throws -> Result { try base.deferringIndexes(body) }
    func attempt<Result>(_ body: () throws -> Result) throws -> Result { try base.attempt(body) }
    func batch(into table: String, columns: [String], keyed: Bool) throws -> any InsertBatch {
        try base.batch(into: table, columns: columns, keyed: keyed)
    }
    func inserts(
        into table: String, columns: [String], didInsert: @escaping (Int64) -> Void
    ) throws -> any Inserts { try base.inserts(into: table, columns: columns, didInsert: didInsert) }
    func flush() throws { try base.flush() }
    func register(_ functions: [TableFunction]) throws { try base.register(functions) }
    func prepareAnalysis(
        _ sql: String, over views: [AnalysisView], limits: QueryLimits, isExplained: Bool, origin: AnalysisOrigin
    ) throws -> any Statement {
        for view in views { record(view.select()) }
        return try base.prepareAnalysis(
            sql, over: views, limits: limits, isExplained: isExplained, origin: origin)
    }
    func tableSizes() throws -> [String: Int64] { try base.tableSizes() }
    func plan(_ sql: SQL) throws -> [String] {
        record(sql.text)
        return try base.plan(sql)
    }
    func planLines(of statement: any Statement) throws -> [String] { try base.planLines(of: statement) }
}
