import Base
import HabitModel
import StoreEngine
import StoreSpatiaLite

/// The file of a store, for operations on the complete file.
public struct StoreFile: Sendable {
    /// The suffixes of the files that SQLite keeps next to a store.
    public static let companions = SpatiaLiteEngine.companions

    private let path: String

    /// Creates a value for the file at `path`.
    public init(_ path: String) {
        self.path = path
    }

    /// Copies the store, which may have the schema of an earlier version.
    ///
    /// - Parameters:
    ///   - target: The path of an empty file.
    ///   - name: The path that errors name.
    ///   - progress: A closure that is called after every few MiB. An error that it throws stops the copy.
    /// - Throws: `store-unavailable` if the store does not exist, `store-not-habitat` if the file is not a store,
    ///   `store-damaged`, `no-space`, or the error of `progress`.
    public func copy(to target: String, named name: String, progress: () throws -> Void) throws {
        let engine = try examinedEngine()
        try engine.copy(to: target, named: name, progress: progress)
    }

    /// Opens the file, which may have the schema of an earlier version.
    private func examinedEngine() throws -> SpatiaLiteEngine {
        try SpatiaLiteEngine(
            path: path,
            access: .read,
            wait: .zero,
            schema: StoreSchema.spatiaLite.readingAllVersions,
            isExamined: true)
    }

    /// Migrates a copy that only this process uses to the current schema, and runs all checks of ``StoreDoctor``.
    ///
    /// A copy without damage begins a new log, because the clients of the original store have other records.
    ///
    /// If its schema contains objects that could run foreign SQL, the method does not migrate the copy and returns only
    /// the result of that check.
    ///
    /// Afterward the copy consists of one file.
    ///
    /// - Parameter name: The path that errors name.
    /// - Returns: One result for each check.
    /// - Throws: `store-damaged` if the copy cannot be migrated, or an error of the engine.
    public func examineCopy(named name: String) throws -> [CheckResult] {
        do {
            // A migration would run foreign triggers.
            let strange = try examinedEngine().refusedObjects
            guard strange.isEmpty else { return [Self.result(strange)] }
            let version = try SpatiaLiteEngine.version(ofStoreAt: path)
            if version < StoreSchema.spatiaLite.version {
                _ = try engine(for: .write)
                try SpatiaLiteEngine.turnOffLog(ofStoreAt: path)
            }
            let results = try StoreDoctor(engine(for: .read)).examine()
            let isDamaged = results.contains { result in result.status == .damaged }
            if !isDamaged {
                try beginLog()
            }
            return results
        } catch let error as HabitError where [.storeDamaged, .internal].contains(error.code) {
            throw HabitError(.storeDamaged, "the store '\(name)' is damaged", cause: error)
        }
    }

    /// Begins a new log of changes, and moves the write into the file.
    private func beginLog() throws {
        try engine(for: .write).write { session in
            try ChangeLog(session).begin()
        }
        try SpatiaLiteEngine.turnOffLog(ofStoreAt: path)
    }

    private func engine(for access: StoreAccess) throws -> SpatiaLiteEngine {
        try SpatiaLiteEngine(
            path: path,
            access: access,
            wait: .zero,
            schema: .spatiaLite)
    }

    private static func result(_ strange: [String]) -> CheckResult {
        var damage = CheckFindings("not created by Habitat")
        for name in strange {
            damage.add(name)
        }
        return damage.result(of: "schema")
    }

    /// Runs `body` while no other process can use the store.
    ///
    /// The method first moves all changes from the write-ahead log into the file, so that the store consists of one file.
    /// A file that SQLite cannot read keeps its other files.
    ///
    /// - Parameters:
    ///   - wait: The maximum time to wait for another process.
    ///   - body: A closure that receives the suffixes of the other files that the store still has.
    /// - Returns: The result of `body`.
    /// - Throws: `busy` if another process uses the store, `store-not-habitat` if the file is the database of another
    ///   program, `no-space`, or the error of `body`.
    public func withExclusiveUse<Result>(
        wait: Duration,
        _ body: (_ remains: [String]) throws -> Result
    ) throws -> Result {
        try SpatiaLiteEngine.withExclusiveUse(ofStoreAt: path, wait: wait, body)
    }
}
