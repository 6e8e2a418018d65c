import HabitModel
import StoreEngine
import StoreSpatiaLite

/// A schema change that runs once in a store of an earlier version.
///
/// The version of a schema is the number of the last step that ran. A released step is never edited.
enum SchemaStep {
    /// A SQL file for stores in a file.
    ///
    /// `isRequired` is true if queries read columns that the step adds, or if outputs rely on values that it changes. A
    /// store without them must be migrated before a command can read it.
    case spatiaLite([UInt8], isRequired: Bool = false)
    /// A SQL file for stores on PostgreSQL.
    case postGIS([UInt8])
    /// A former step for stores on PostgreSQL whose changes a later step removes, so that a new store does not need it.
    case retiredPostGIS
    /// A change of the functions of stores on PostgreSQL, which each migration creates again.
    case postGISFunctions
    /// A statement that both engines accept, such as one that adds a column of numbers.
    ///
    /// A column of texts needs one step for each engine: on PostgreSQL it is declared with `COLLATE "C"`.
    case both(String)

    /// All steps in their order.
    static let all: [SchemaStep] = [
        .spatiaLite(PackageResources._01_records_sql), .spatiaLite(PackageResources._02_skipped_days_sql),
        .spatiaLite(PackageResources._03_short_comments_sql), .spatiaLite(PackageResources._04_sign_in_sql),
        .spatiaLite(PackageResources._05_comment_edits_sql), .spatiaLite(PackageResources._06_event_cells_sql),
        .spatiaLite(PackageResources._07_wide_integers_sql), .spatiaLite(PackageResources._08_accounts_sql),
        .spatiaLite(PackageResources._09_targets_sql, isRequired: true), .spatiaLite(PackageResources._10_changes_sql),
        .spatiaLite(PackageResources._11_event_map_sql),
        .postGIS(PackageResources.postgis_001_records_sql), .retiredPostGIS,
        .postGIS(PackageResources.postgis_003_accounts_sql), .postGIS(PackageResources.postgis_004_targets_sql),
        .postGIS(PackageResources.postgis_005_changes_sql), .postGIS(PackageResources.postgis_006_event_map_sql),
        .both(calendarColumn), .postGIS(PackageResources.postgis_007_program_counts_sql), .postGISFunctions,
        .spatiaLite(PackageResources._13_views_sql),
        .spatiaLite(PackageResources._14_single_lines_sql, isRequired: true),
        .postGIS(PackageResources.postgis_008_single_lines_sql),
        .spatiaLite(PackageResources._15_shown_positions_sql, isRequired: true),
        .postGIS(PackageResources.postgis_009_shown_positions_sql),
        .spatiaLite(PackageResources._16_exact_records_sql, isRequired: true),
        .postGIS(PackageResources.postgis_010_exact_records_sql),
        .spatiaLite(PackageResources._17_places_sql, isRequired: true),
        .postGIS(PackageResources.postgis_011_places_sql),
        .spatiaLite(PackageResources._18_versions_sql, isRequired: true),
        .postGIS(PackageResources.postgis_012_versions_sql),
        .spatiaLite(PackageResources._19_import_runs_sql, isRequired: true),
        .postGIS(PackageResources.postgis_013_import_runs_sql),
        .spatiaLite(PackageResources._20_sessions_sql, isRequired: true),
        .postGIS(PackageResources.postgis_014_sessions_sql),
        .spatiaLite(PackageResources._21_used_once_sql, isRequired: true),
        .postGIS(PackageResources.postgis_015_used_once_sql),
        .spatiaLite(PackageResources._22_passkeys_sql, isRequired: true),
        .postGIS(PackageResources.postgis_016_passkeys_sql),
        .spatiaLite(PackageResources._23_private_places_sql, isRequired: true),
        .postGIS(PackageResources.postgis_017_private_places_sql),
        .spatiaLite(PackageResources._24_habit_fields_sql, isRequired: true),
        .postGIS(PackageResources.postgis_018_habit_fields_sql),
        .spatiaLite(PackageResources._25_blocks_sql, isRequired: true),
        .postGIS(PackageResources.postgis_019_blocks_sql),
        .spatiaLite(PackageResources._26_read_markers_sql, isRequired: true),
        .postGIS(PackageResources.postgis_020_read_markers_sql),
        .spatiaLite(PackageResources._27_pauses_sql, isRequired: true),
        .postGIS(PackageResources.postgis_021_pauses_sql),
        .spatiaLite(PackageResources._28_photo_limits_sql),
        .postGIS(PackageResources.postgis_022_photo_limits_sql),
        .spatiaLite(PackageResources._29_shared_views_sql, isRequired: true),
        .postGIS(PackageResources.postgis_023_shared_views_sql),
    ]

    /// The column that marks the addresses of calendars, which are not bearer tokens.
    private static let calendarColumn = """
        ALTER TABLE token ADD COLUMN is_calendar INTEGER NOT NULL DEFAULT 0
        CHECK (is_calendar IN (0, 1) AND (is_calendar = 0 OR user_id IS NOT NULL))
        """

    /// The SQL of the step for a store in a file.
    fileprivate var ofSpatiaLite: String? {
        switch self {
        case .spatiaLite(let file, _): String(decoding: file, as: UTF8.self)
        case .both(let sql): sql
        case .postGIS, .retiredPostGIS, .postGISFunctions: nil
        }
    }

    /// The SQL of the step for a store on PostgreSQL.
    fileprivate var ofPostGIS: String? {
        switch self {
        case .postGIS(let file): String(decoding: file, as: UTF8.self)
        case .retiredPostGIS, .postGISFunctions: ""
        case .both(let sql): sql
        case .spatiaLite: nil
        }
    }
}

extension SchemaStep {
    /// Whether queries read the columns that the step adds.
    fileprivate var isRequiredByReaders: Bool {
        switch self {
        case .both: true
        case .spatiaLite(_, let isRequired): isRequired
        case .postGIS, .retiredPostGIS, .postGISFunctions: false
        }
    }
}

extension [SchemaStep] {
    /// The earliest schema version of a store in a file that can be read without a migration.
    ///
    /// It is the number of the last step that adds columns: a ``SchemaStep/both(_:)`` step or a required file. It is 1
    /// without such a step.
    fileprivate var readableVersion: Int {
        let steps = filter { $0.ofSpatiaLite != nil }
        return 1 + (steps.lastIndex(where: \.isRequiredByReaders) ?? 0)
    }

    /// The schema of a store in a file.
    var ofSpatiaLite: StoreSchema {
        StoreSchema(
            steps: compactMap(\.ofSpatiaLite),
            readableVersion: readableVersion,
            tables: Self.recordTables,
            declaration: .habits,
            objects: String(decoding: PackageResources.objects_txt, as: UTF8.self),
            catalogViews: ReportViews.inCatalog)
    }

    /// The schema of a store on PostgreSQL, which must be migrated before a command can read it.
    var ofPostGIS: StoreSchema {
        let steps = compactMap(\.ofPostGIS)
        return StoreSchema(
            steps: steps,
            readableVersion: steps.count,
            tables: Self.recordTables,
            declaration: .habits,
            catalogViews: ReportViews.inCatalog)
    }

    private static var recordTables: [String] { RecordKind.allCases.map(\.table) + ["photo"] }
}

extension StoreSchema {
    /// The schema of a store in a file.
    package static let spatiaLite = SchemaStep.all.ofSpatiaLite

    /// The schema of a store on PostgreSQL.
    package static let postGIS = SchemaStep.all.ofPostGIS
}

extension SpatiaLiteEngine {
    /// Creates an empty in-memory store.
    ///
    /// The store is discarded with the engine.
    public static func temporary() throws -> SpatiaLiteEngine { try temporary(.spatiaLite) }
}
