import Base
import GRDB
import StoreEngine

/// An object in the schema of a store: a table, index, trigger or view.
struct SchemaObject: Equatable {
    var type: String
    var name: String
    /// The table or view to which the object belongs.
    var table: String
    /// The statement that creates the object.
    var sql: String

    /// The name by which SQLite finds the object.
    ///
    /// SQLite does not distinguish the letter case of names.
    var key: String { "\(type) \(name)".lowercased() }

    /// The name of the object in messages.
    var title: String { "\(type) \(name)" }

    /// The digest of the definition in hexadecimal.
    var digest: String { [table, sql].lengthPrefixedSHA256.hexadecimal }

    /// The statement that removes the object, or `nil` if it can be a table with records.
    ///
    /// SQLite removes a virtual table only if it has the module.
    var removal: String? {
        guard let creation, [.view, .trigger, .index].contains(creation) else { return nil }
        let quoted = name.replacing("\"", with: "\"\"")
        return "DROP \(type.uppercased()) \"\(quoted)\""
    }

    /// Returns the objects of a database, sorted by type and name, except the indexes that SQLite itself creates.
    ///
    /// The values of a damaged or forged schema can have any type.
    static func all(in db: Database) throws -> [SchemaObject] {
        let sql = """
            SELECT
              coalesce(CAST(type AS TEXT), '') AS type,
              coalesce(CAST(name AS TEXT), '') AS name,
              coalesce(CAST(tbl_name AS TEXT), '') AS tbl_name,
              CAST(sql AS TEXT) AS sql
            FROM sqlite_schema
            WHERE sql IS NOT NULL
            ORDER BY 1, 2, 3
            """
        var objects: [SchemaObject] = []
        let rows = try GRDB.Row.fetchCursor(db, sql: sql)
        while let row = try rows.next() {
            objects.append(
                SchemaObject(
                    type: row[0] ?? "",
                    name: row[1] ?? "",
                    table: row[2] ?? "",
                    sql: row[3] ?? ""))
        }
        return objects
    }

    // MARK: The statement

    /// The kind of object that a statement creates.
    enum Creation: Equatable {
        case table, index, view, trigger
        /// A virtual table of the module.
        case virtualTable(module: String)
    }

    /// The kind of object that the statement creates under the name of the object, or `nil` for any other statement.
    ///
    /// SQLite reads only the statement, so the other values of a forged row can differ from it.
    var creation: Creation? {
        let tokenizer = SQLTokenizer(sql)
        guard tokenizer.problems.isEmpty else { return nil }
        var tokens = tokenizer.tokens[...]
        func takes(_ word: String) -> Bool {
            guard tokens.first?.isWord(word) == true else { return false }
            tokens.removeFirst()
            return true
        }
        func takesName() -> Bool {
            guard let token = tokens.first, [.word, .quotedName, .string].contains(token.kind) else { return false }
            tokens.removeFirst()
            return token.text.lowercased() == name.lowercased()
        }
        guard takes("CREATE") else { return nil }
        if takes("VIRTUAL") {
            guard takes("TABLE"), takesName(), takes("USING"), let module = tokens.first?.name else { return nil }
            return .virtualTable(module: module)
        }
        if takes("TABLE") { return takesName() ? .table : nil }
        if takes("VIEW") { return takesName() ? .view : nil }
        if takes("TRIGGER") { return takesName() ? .trigger : nil }
        _ = takes("UNIQUE")
        return takes("INDEX") && takesName() ? .index : nil
    }

    /// The statement as words, names, texts and symbols, without spaces and comments.
    var words: [Word] {
        let tokenizer = SQLTokenizer(sql)
        let words = tokenizer.tokens.map { Word(kind: $0.kind, text: $0.text) }
        // A statement that cannot be divided is equal only to itself.
        return tokenizer.problems.isEmpty ? words : [Word(kind: .string, text: sql)]
    }

    /// Whether the statement of an object with the same key consists of the same words and belongs to the same table.
    func hasSameDefinition(as other: SchemaObject) -> Bool {
        words == other.words && table.lowercased() == other.table.lowercased()
    }

    /// A word, name, text or symbol of a statement.
    struct Word: Equatable {
        var kind: SQLToken.Kind
        var text: String
    }
}
