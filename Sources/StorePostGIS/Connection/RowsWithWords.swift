import Base
import StoreEngine

/// The table function with which ``PostGISDialect`` finds words, because the server cannot determine the end of a word.
///
/// The function reads the rows of all owners, so user-supplied SQL cannot call it.
struct RowsWithWords {
    /// The name of the function in SQL.
    static let name = "rows_with_words"

    /// The session in which the function reads.
    unowned let session: PostGISSession
    /// The search index with the texts.
    let index: SchemaDeclaration.TextIndex

    /// The function from folded words to the keys of the rows whose text contains them.
    var function: TableFunction {
        TableFunction(Self.name, columns: [.init("key", .integer)], parameters: ["words"]) {
            [unowned session, index] arguments, _ in
            guard case .text(let words) = arguments.first else {
                return KeyRows([])
            }
            let table: SQL = "\(raw: index.table)"
            let column: SQL = "\(table).\(raw: index.column)"
            let condition = session.dialect.contains(
                .text(words), in: index.column, of: index.table, usesIndex: true)
            var keys: [Int64] = []
            try session.query("SELECT \(table).id, \(column) FROM \(table) WHERE \(condition)") { row in
                if row.text(1)?.containsWord(words) ?? false {
                    keys.append(row.integer(0))
                }
                return true
            }
            return KeyRows(keys)
        }
    }
}
