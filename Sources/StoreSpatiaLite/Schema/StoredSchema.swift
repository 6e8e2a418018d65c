import Base
import GRDB
import StoreEngine
import Synchronization

/// The version and the definitions that the file of a store contains.
struct StoredSchema {
    /// The version of the schema, or 0 if the file names none.
    let version: Int
    /// The objects, sorted by type and name.
    let objects: [SchemaObject]

    /// Reads the schema of a database.
    ///
    /// - Parameter db: A connection in a transaction, because another process can migrate the store.
    /// - Throws: An error of SQLite.
    init(_ db: Database) throws {
        version = try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
        objects = try SchemaObject.all(in: db)
    }
}

/// The schema that the process has accepted last.
///
/// A process opens the same store many times. Each open reads the definitions, because another program can change them
/// at any time. The process compares only definitions whose digest differs from that of the accepted ones.
enum AcceptedSchema {
    private static let last = Mutex<[UInt8]?>(nil)

    /// Returns the objects with which a store is refused.
    ///
    /// - Parameters:
    ///   - stored: The schema of the store.
    ///   - schema: The schema of the current version.
    /// - Returns: The objects, or none if the store contains only definitions of Habitat.
    /// - Throws: The errors of ``SchemaComparison/init(_:_:findsMissing:)``.
    static func refusedObjects(_ stored: StoredSchema, _ schema: StoreSchema) throws -> [SchemaObject] {
        let digest = digest(stored, schema)
        if last.withLock({ $0 == digest }) { return [] }
        let refused = try SchemaComparison(stored, schema, findsMissing: false).refusedObjects
        if refused.isEmpty { last.withLock { $0 = digest } }
        return refused
    }

    /// The digest of everything that decides the comparison.
    ///
    /// It distinguishes texts by their bytes. Two texts that are equal in Unicode can differ for SQLite.
    private static func digest(_ stored: StoredSchema, _ schema: StoreSchema) -> [UInt8] {
        var texts = ["\(stored.version)", schema.objects]
        for object in stored.objects {
            texts += [object.type, object.name, object.table, object.sql]
        }
        return texts.lengthPrefixedSHA256
    }
}
