/// The tables, columns and indexes of a schema on which the engines act.
///
/// An engine finds every table, column and index of the records here, and contains none of their names. The schema steps
/// create the objects, and the declaration and the steps must therefore name the same ones.
package struct SchemaDeclaration: Sendable {
    /// A table with points and a spatial index.
    package struct LocatedTable: Sendable {
        /// The name of the table, whose rows have the columns `id`, `external_id` and `geometry`.
        package let name: String
        /// The other columns of points, each with a spatial index.
        package let otherColumns: [String]
        /// Whether the other indexes of the table can be missing during an initial load.
        ///
        /// The load of any record must then query none of these indexes.
        package let loadsWithoutIndexes: Bool
        /// The partial indexes that contain many rows of the table.
        ///
        /// Without them, an initial load updates each partial index with the rows, because it contains few of them.
        package let largePartialIndexes: Set<String>

        /// Creates a located table.
        ///
        /// - Parameters:
        ///   - name: The name of the table.
        ///   - otherColumns: The columns of points other than `geometry`, each with a spatial index.
        ///   - loadsWithoutIndexes: Whether the other indexes can be missing during an initial load.
        ///   - largePartialIndexes: The partial indexes that contain many rows of the table.
        package init(
            _ name: String,
            otherColumns: [String] = [],
            loadsWithoutIndexes: Bool = false,
            largePartialIndexes: Set<String> = []
        ) {
            self.name = name
            self.otherColumns = otherColumns
            self.loadsWithoutIndexes = loadsWithoutIndexes
            self.largePartialIndexes = largePartialIndexes
        }
    }

    /// The search index of a column of folded texts.
    package struct TextIndex: Sendable {
        /// The table.
        package let table: String
        /// The column of the folded texts.
        package let column: String
        /// The FTS5 table with the trigrams of the texts.
        package let index: String
        /// The table of the trigrams in the order of their text.
        package let terms: String
        /// The view with the key and the indexed form of each text, in the columns `id` and `text`.
        package let source: String
        /// The trigger that adds a new row to the index.
        package let insertTrigger: String
        /// The name of the check of the index.
        package let check: String
        /// The plural name of the texts in messages.
        package let title: String

        /// Creates the declaration of a search index from its parts.
        package init(
            table: String,
            column: String,
            index: String,
            terms: String,
            source: String,
            insertTrigger: String,
            check: String,
            title: String
        ) {
            self.table = table
            self.column = column
            self.index = index
            self.terms = terms
            self.source = source
            self.insertTrigger = insertTrigger
            self.check = check
            self.title = title
        }
    }

    /// The index of a located table by grid cell and day.
    package struct CellIndex: Sendable {
        /// The located table.
        package let table: String
        /// The column of the days in the located table and in the index.
        package let day: String
        /// The table of the index, whose first column is `cell`.
        package let index: String
        /// The column of the index with the key of the row.
        package let key: String
        /// The trigger that adds a new row to the index.
        package let insertTrigger: String

        /// Creates the declaration of an index of cells from its parts.
        package init(table: String, day: String, index: String, key: String, insertTrigger: String) {
            self.table = table
            self.day = day
            self.index = index
            self.key = key
            self.insertTrigger = insertTrigger
        }
    }

    /// The index of a located table by owner and by tile of the map.
    package struct OwnerTileIndex: Sendable {
        /// The located table.
        package let table: String
        /// The column of the owner in the located table and in the index.
        package let owner: String
        /// The column of the located table that is 1 for a row whose position only the owner sees.
        package let privacy: String
        /// The table of the index, whose second column is `cell`.
        ///
        /// The negative key of the owner stands for the rows whose position only the owner sees.
        package let index: String
        /// The column of the index with the key of the row.
        package let key: String
        /// The trigger that adds a new row to the index.
        package let insertTrigger: String

        /// The expression for the owner of a row of the located table, as the index contains it.
        package var indexedOwner: String { SchemaDeclaration.owner(owner, unless: privacy) }

        /// Creates the declaration of an index of tiles from its parts.
        package init(
            table: String,
            owner: String,
            privacy: String,
            index: String,
            key: String,
            insertTrigger: String
        ) {
            self.table = table
            self.owner = owner
            self.privacy = privacy
            self.index = index
            self.key = key
            self.insertTrigger = insertTrigger
        }
    }

    /// Returns the expression for the key of an owner, which is negative for a row whose position only the owner sees.
    private static func owner(_ owner: String, unless privacy: String) -> String {
        "CASE \(privacy) WHEN 1 THEN -\(owner) ELSE \(owner) END"
    }

    /// The counts of the rows of a located table by owner and by tile of the map.
    package struct TileCounts: Sendable {
        /// The located table.
        package let table: String
        /// The column of the owner in the located table and in the table of the counts.
        package let owner: String
        /// The column of the located table that is 1 for a row whose position only the owner sees.
        package let privacy: String
        /// The table of the counts, whose second column is `cell`.
        ///
        /// The negative key of the owner stands for the rows whose position only the owner sees.
        package let counts: String
        /// The column of the number of rows.
        package let count: String
        /// The trigger that counts a new row.
        package let insertTrigger: String
        /// The functions of a database server that maintain the counts.
        package let functions: Functions
        /// The name of the check of the counts.
        package let check: String
        /// The description of wrong counts in messages.
        package let damage: String
        /// The name of an owner in messages.
        package let ownerTitle: String

        /// The expression for the owner of a row of the located table, as the counts contain it.
        package var countedOwner: String { SchemaDeclaration.owner(owner, unless: privacy) }

        /// The functions and the setting of a database server that maintain the counts.
        package struct Functions: Sendable {
            /// The function that replaces the counts.
            package let fill: String
            /// The function that returns the correct counts.
            package let expected: String
            /// The function that counts the rows with keys greater than its argument.
            package let countAfter: String
            /// The setting that is `no` while the trigger must not count new rows.
            package let countsNewRows: String

            /// Creates the names of the functions and the setting.
            package init(fill: String, expected: String, countAfter: String, countsNewRows: String) {
                self.fill = fill
                self.expected = expected
                self.countAfter = countAfter
                self.countsNewRows = countsNewRows
            }
        }

        /// Creates the declaration of counts from its parts.
        package init(
            table: String,
            owner: String,
            privacy: String,
            counts: String,
            count: String,
            insertTrigger: String,
            functions: Functions,
            check: String,
            damage: String,
            ownerTitle: String
        ) {
            self.table = table
            self.owner = owner
            self.privacy = privacy
            self.counts = counts
            self.count = count
            self.insertTrigger = insertTrigger
            self.functions = functions
            self.check = check
            self.damage = damage
            self.ownerTitle = ownerTitle
        }
    }

    /// The partitions of tables by the owner of their rows.
    package struct Partitions: Sendable {
        /// The column of the owner, which each partitioned table has.
        package let column: String
        /// The tables whose column `external_id` is unique although no index spans their partitions.
        package let uniqueTables: [String]
        /// A small partitioned table, which represents all of them on a cluster.
        package let smallTable: String
        /// A table of which each server of a cluster has a copy.
        package let copiedTable: String

        /// Creates the declaration of partitions from its parts.
        package init(column: String, uniqueTables: [String], smallTable: String, copiedTable: String) {
            self.column = column
            self.uniqueTables = uniqueTables
            self.smallTable = smallTable
            self.copiedTable = copiedTable
        }
    }

    /// A reference between tables for which a cluster has no foreign key.
    package struct Reference: Sendable {
        /// The table with the reference.
        package let table: String
        /// The column with the key of the row in ``target``, or null.
        package let column: String
        /// The table of the row.
        package let target: String

        /// Creates a reference from a column to a table.
        package init(table: String, column: String, target: String) {
            self.table = table
            self.column = column
            self.target = target
        }
    }

    /// The names with which views in a catalog find the reader of a connection.
    package struct ReaderSession: Sendable {
        /// The table with one row for each connection of a reader.
        package let table: String
        /// The column with the key of the reader, which is null for the operator.
        package let reader: String
        /// The table of the owners, whose time zones define their dates.
        package let owners: String
        /// The column of the time zone in ``owners``.
        package let timeZone: String

        /// Creates the names of a reader's session.
        package init(table: String, reader: String, owners: String, timeZone: String) {
            self.table = table
            self.reader = reader
            self.owners = owners
            self.timeZone = timeZone
        }
    }

    /// The tables with the column `geometry`.
    package let locatedTables: [LocatedTable]
    /// The search index.
    package let textIndex: TextIndex
    /// The index by cell and day, which only stores in files have.
    package let cellIndex: CellIndex
    /// The indexes by owner and tile, which only stores in files have as tables.
    package let ownerTileIndexes: [OwnerTileIndex]
    /// The counts by tile.
    package let tileCounts: TileCounts
    /// The partitions by owner, which only database servers have.
    package let partitions: Partitions
    /// The references for which a cluster has no foreign key.
    package let looseReferences: [Reference]
    /// The names with which views in a catalog find their reader.
    package let readerSession: ReaderSession
    /// The tables with texts that many results read by key.
    package let referencedTables: [String]
    /// The indexes that a query can name because the planner of a store in a file does not select them.
    package let hintedIndexes: Set<String>
    /// The triggers that log the inserts and updates of other programs, which a load of many rows disables.
    ///
    /// A table with triggers makes SQLite keep the pages before each statement, so that it can undo the statement.
    package let logTriggers: [String]
    /// The views for other programs, whose names tables of other programs may have in earlier stores.
    package let layerViews: Set<String>

    /// Creates a declaration from its parts.
    package init(
        locatedTables: [LocatedTable],
        textIndex: TextIndex,
        cellIndex: CellIndex,
        ownerTileIndexes: [OwnerTileIndex],
        tileCounts: TileCounts,
        partitions: Partitions,
        looseReferences: [Reference],
        readerSession: ReaderSession,
        referencedTables: [String],
        hintedIndexes: Set<String>,
        logTriggers: [String],
        layerViews: Set<String>
    ) {
        self.locatedTables = locatedTables
        self.textIndex = textIndex
        self.cellIndex = cellIndex
        self.ownerTileIndexes = ownerTileIndexes
        self.tileCounts = tileCounts
        self.partitions = partitions
        self.looseReferences = looseReferences
        self.readerSession = readerSession
        self.referencedTables = referencedTables
        self.hintedIndexes = hintedIndexes
        self.logTriggers = logTriggers
        self.layerViews = layerViews
    }

    /// The tables that can be created without loss, because their rows follow from the records.
    package var derivedTables: Set<String> {
        Set([cellIndex.index, tileCounts.counts] + ownerTileIndexes.map(\.index))
    }

    /// The indexes that a damaged store can lack, so that a query can name them only after a lookup in the schema.
    package var optionalIndexes: Set<String> {
        hintedIndexes.union([textIndex.terms, cellIndex.index, tileCounts.counts])
    }

    /// Returns the triggers of a table that a load of many rows disables, because it indexes all new rows together.
    package func insertTriggers(of table: String) -> [String] {
        var triggers = ownerTileIndexes.filter { index in index.table == table }.map(\.insertTrigger)
        if textIndex.table == table {
            triggers.append(textIndex.insertTrigger)
        }
        if cellIndex.table == table {
            triggers.append(cellIndex.insertTrigger)
        }
        if tileCounts.table == table {
            triggers.append(tileCounts.insertTrigger)
        }
        return triggers
    }
}
