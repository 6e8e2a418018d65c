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

    /// The SQL of the steps for stores in a file.
    static let ofSpatiaLite: [String] = all.compactMap { step in
        switch step {
        case .spatiaLite(let file): String(decoding: file, as: UTF8.self)
        case .both(let sql): sql
        case .postGIS: nil
        }
    }

    /// The SQL of the steps for stores on PostgreSQL.
    static let ofPostGIS: [String] = all.compactMap { step in
        switch step {
        case .postGIS(let file): String(decoding: file, as: UTF8.self)
        case .both(let sql): sql
        case .spatiaLite: nil
        }
    }

    /// The version from which a store in a file can be read without its migration: queries need the columns of later steps.
    static let readableVersion: Int = {
        let steps = all.filter { if case .postGIS = $0 { false } else { true } }
        return 1 + (steps.lastIndex { if case .both = $0 { true } else { false } } ?? 0)
    }()
}
