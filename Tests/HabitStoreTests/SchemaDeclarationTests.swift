import HabitTestSupport
import Testing

@testable import HabitStore
@testable import StoreEngine

/// Tests that a new store contains the objects of the declaration on which the engines act.
@Suite struct SchemaDeclarationTests {
    private static let declaration = SchemaDeclaration.habits

    /// The declared tables and columns of both engines.
    private static var columns: [(table: String, column: String)] {
        let counts = declaration.tileCounts
        let partitions = declaration.partitions
        let session = declaration.readerSession
        var columns = [
            (declaration.textIndex.table, declaration.textIndex.column),
            (declaration.cellIndex.table, declaration.cellIndex.day),
            (counts.table, counts.owner),
            (partitions.smallTable, partitions.column),
            (partitions.copiedTable, "id"),
            (session.owners, session.timeZone),
        ]
        columns += declaration.looseReferences.map { reference in (reference.table, reference.column) }
        columns += declaration.looseReferences.map { reference in (reference.target, "id") }
        columns += declaration.referencedTables.map { table in (table, "id") }
        columns += partitions.uniqueTables.map { table in (table, partitions.column) }
        columns += declaration.ownerTileIndexes.map { index in (index.table, index.owner) }
        for table in declaration.locatedTables {
            columns += (["geometry"] + table.otherColumns).map { column in (table.name, column) }
        }
        return columns
    }

    @Test func columnsExist() throws {
        let store = try TestStore()
        try store.engine.read { session in
            for (table, column) in Self.columns {
                let sql: SQL = "SELECT \(raw: table).\(raw: column) FROM \(raw: table) LIMIT 0"
                #expect(throws: Never.self, "\(table).\(column)") {
                    try session.query(sql) { _ in true }
                }
            }
        }
    }

    @Test(.fileStoreOnly) func objectsOfFileExist() throws {
        let text = Self.declaration.textIndex
        let cells = Self.declaration.cellIndex
        let counts = Self.declaration.tileCounts
        var names = Self.declaration.hintedIndexes.union(Self.declaration.layerViews)
        names.formUnion([text.index, text.terms, text.source, text.insertTrigger])
        names.formUnion([cells.index, cells.insertTrigger, counts.counts, counts.insertTrigger])
        for index in Self.declaration.ownerTileIndexes {
            names.formUnion([index.index, index.insertTrigger])
        }
        for table in Self.declaration.locatedTables {
            names.formUnion(table.largePartialIndexes)
            let columns = ["geometry"] + table.otherColumns
            names.formUnion(columns.map { column in "idx_\(table.name)_\(column)" })
        }
        let store = try TestStore()
        var found: Set<String> = []
        try store.engine.read { session in
            try session.query("SELECT name FROM sqlite_schema") { row in
                found.insert(row.text(0) ?? "")
                return true
            }
        }
        #expect(names.subtracting(found) == [])
    }

    @Test(.singleServerOnly) func objectsOfServerExist() throws {
        let counts = Self.declaration.tileCounts
        let functions = counts.functions
        let names: Set = [functions.fill, functions.expected, functions.countAfter, counts.insertTrigger]
        let store = try TestStore()
        var found: Set<String> = []
        try store.engine.read { session in
            let sql: SQL = """
                SELECT CAST(proname AS text) FROM pg_proc
                UNION ALL
                SELECT CAST(tgname AS text) FROM pg_trigger
                """
            try session.query(sql) { row in
                found.insert(row.text(0) ?? "")
                return true
            }
        }
        #expect(names.subtracting(found) == [])
    }
}
