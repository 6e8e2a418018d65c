import HabitModel
import StoreEngine
import StoreSpatiaLite

/// A change of the schema, which a store of an earlier version makes once.
///
/// The number of the last step that ran is the version of the schema. Steps are never edited once they are released.
enum SchemaStep {
    /// A file for stores in a file.
    case spatiaLite([UInt8])
    /// A file for stores on PostgreSQL.
    case postGIS([UInt8])
    /// A statement that both engines accept, such as one that adds a column.
    case both(String)

    /// All steps in their order.
    private static let all: [SchemaStep] = [
        .spatiaLite(PackageResources._01_records_sql), .spatiaLite(PackageResources._02_skipped_days_sql),
        .spatiaLite(PackageResources._03_short_comments_sql), .spatiaLite(PackageResources._04_sign_in_sql),
        .spatiaLite(PackageResources._05_comment_edits_sql), .spatiaLite(PackageResources._06_event_cells_sql),
        .spatiaLite(PackageResources._07_wide_integers_sql), .spatiaLite(PackageResources._08_accounts_sql),
        .postGIS(PackageResources.postgis_001_records_sql), .postGIS(PackageResources.postgis_002_shards_sql),
        .postGIS(PackageResources.postgis_003_accounts_sql),
    ]

    /// The SQL of the step for a store in a file.
    private var ofSpatiaLite: String? {
        switch self {
        case .spatiaLite(let file): String(decoding: file, as: UTF8.self)
        case .both(let sql): sql
        case .postGIS: nil
        }
    }

    /// The SQL of the step for a store on PostgreSQL.
    private var ofPostGIS: String? {
        switch self {
        case .postGIS(let file): String(decoding: file, as: UTF8.self)
        case .both(let sql): sql
        case .spatiaLite: nil
        }
    }

    /// The steps of a store in a file.
    fileprivate static let spatiaLiteSteps = all.compactMap(\.ofSpatiaLite)
    /// The steps of a store on PostgreSQL.
    fileprivate static let postGISSteps = all.compactMap(\.ofPostGIS)

    /// The version from which a store in a file can be read without its migration: queries need the columns of later steps.
    fileprivate static let readableVersion: Int = {
        let steps = all.filter { $0.ofSpatiaLite != nil }
        return 1 + (steps.lastIndex { if case .both = $0 { true } else { false } } ?? 0)
    }()
}

extension StoreSchema {
    /// The schema of a store in a file.
    package static let spatiaLite = StoreSchema(
        steps: SchemaStep.spatiaLiteSteps, readableVersion: SchemaStep.readableVersion, tables: recordTables,
        catalogViews: ReportViews.inCatalog)

    /// The schema of a store on PostgreSQL, which is migrated before it is read.
    package static let postGIS = StoreSchema(
        steps: SchemaStep.postGISSteps, readableVersion: SchemaStep.postGISSteps.count, tables: recordTables,
        catalogViews: ReportViews.inCatalog)

    private static let recordTables = RecordKind.allCases.map(\.table) + ["photo"]
}

extension SpatiaLiteEngine {
    /// An empty store in memory, which goes away with the value.
    public static func temporary() throws -> SpatiaLiteEngine { try temporary(.spatiaLite) }
}
