import HabitModel
import StoreEngine

extension SchemaDeclaration {
    /// The tables, columns and indexes of habits and events that the engines use.
    static let habits = SchemaDeclaration(
        locatedTables: RecordKind.located.map(locatedTable),
        textIndex: TextIndex(
            table: "event",
            column: "comment_folded",
            index: "event_comment",
            terms: "event_comment_term",
            source: "event_comment_text",
            insertTrigger: "event_comment_insert",
            check: "comment-index",
            title: "comments"),
        cellIndex: CellIndex(
            table: "event",
            day: "day",
            index: "event_cell",
            key: "event_id",
            insertTrigger: "event_cell_insert"),
        ownerTileIndexes: ["event", "post"].map { table in
            OwnerTileIndex(
                table: table,
                owner: "user_id",
                privacy: "is_private",
                index: "\(table)_place",
                key: "record_id",
                insertTrigger: "\(table)_place_insert")
        },
        tileCounts: TileCounts(
            table: "event",
            owner: "user_id",
            privacy: "is_private",
            counts: "event_map",
            count: "events",
            insertTrigger: "event_map_insert",
            functions: TileCounts.Functions(
                fill: "fill_event_map",
                expected: "expected_event_map",
                countAfter: "count_events_after",
                countsNewRows: "habitat.counts_new_events"),
            check: "event-map",
            damage: "wrong counts of events on the map",
            ownerTitle: "user"),
        partitions: Partitions(
            column: "user_id",
            uniqueTables: ["habit", "pause", "event", "post"],
            smallTable: "habit_schedule",
            copiedTable: "account"),
        looseReferences: ["event", "post", "item"].map { table in
            Reference(table: table, column: "photo_id", target: "photo")
        },
        readerSession: ReaderSession(
            table: "viewer_session",
            reader: "viewer",
            owners: "account",
            timeZone: "time_zone"),
        referencedTables: ["account", "habit"],
        hintedIndexes: ["event_skipped", "event_user_comment", "event_user_day"],
        logTriggers: RecordKind.allCases.filter { kind in kind != .settings }.flatMap { kind in
            ["\(kind.table)_other_insert", "\(kind.table)_other_update"]
        },
        layerViews: ["events", "items", "posts"])

    /// Returns the declaration of the table of located records.
    private static func locatedTable(_ kind: RecordKind) -> LocatedTable {
        // The load of other records queries the indexes of their tables.
        LocatedTable(
            kind.table,
            otherColumns: kind == .items ? ["shown"] : [],
            loadsWithoutIndexes: kind == .events,
            largePartialIndexes: kind == .events ? ["event_user_comment"] : [])
    }
}
