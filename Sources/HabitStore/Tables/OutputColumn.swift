import Base
import HabitModel
import StoreEngine

/// A column in outputs of records: its name and the SQL that reads it.
///
/// A table declares its columns once. Exports, views, lists and public collections are derived from them.
struct OutputColumn: Sendable {
    /// The outputs that have a column.
    struct Outputs: OptionSet, Sendable {
        let rawValue: Int

        /// The files of `habitat export`, which `habitat ingest` reads.
        static let files = Outputs(rawValue: 1)
        /// The views that reports read.
        static let views = Outputs(rawValue: 2)
        /// The lists of the command line and the server.
        static let lists = Outputs(rawValue: 4)
        /// The collections that an operator may make public.
        static let publicLists = Outputs(rawValue: 8)

        static let all: Outputs = [.files, .views, .lists, .publicLists]
        /// All outputs for users and maps: every output except files.
        static let shown: Outputs = [.views, .lists, .publicLists]
    }

    /// The SQL of a column.
    enum Source: Sendable {
        case expression(SQL, Column.Value = .text)
        /// 1 if the stored column is not null, else 0.
        case isPresent(SQL)
        /// An instant in microseconds since 1970 UTC and its UTC offset in minutes.
        case instant(SQL, offset: SQL)
        /// A text column of the row that `key` references.
        case reference(TextColumn, key: SQL)
        /// The columns `longitude` and `latitude` of a point.
        case position(SQL)
    }

    var name: String
    /// The SQL of the stored value, used in files.
    var source: Source
    /// The SQL of the value in all other outputs.
    ///
    /// The value may depend on the viewer.
    var shown: Source
    var outputs: Outputs
    /// The name within a SELECT.
    ///
    /// Queries for several kinds of record use the same alias for corresponding columns.
    var alias: String
    /// The SQL of the folded form of the text if the store has it, or `nil`.
    var folded: Source?
    /// The quantity that the values measure, or `nil`.
    var measure: Column.Measure?

    init(
        _ name: String,
        _ source: Source,
        shown: Source? = nil,
        in outputs: Outputs,
        as alias: String? = nil,
        folded: Source? = nil,
        measure: Column.Measure? = nil
    ) {
        self.name = name
        self.source = source
        self.shown = shown ?? source
        self.outputs = outputs
        self.alias = alias ?? name
        self.folded = folded
        self.measure = measure
    }

    /// The names of the output columns.
    ///
    /// A position has two columns.
    var names: [String] {
        if case .position = source {
            ["longitude", "latitude"]
        } else {
            [name]
        }
    }
}

extension OutputColumn.Source {
    static func day(_ sql: SQL) -> Self {
        .expression(sql, .day)
    }

    static func boolean(_ sql: SQL) -> Self {
        .expression(sql, .boolean)
    }

    /// Returns the columns of a view.
    ///
    /// Their values are portable: instants are RFC 3339 text, booleans are 0 or 1.
    func viewColumns(_ name: String, _ dialect: any Dialect) -> [SelectColumn] {
        switch self {
        case .expression(let sql, _):
            [SelectColumn(name, sql)]
        case .isPresent(let column):
            [SelectColumn(name, "CASE WHEN \(column) IS NULL THEN 0 ELSE 1 END")]
        case .instant(let sql, let offset):
            [SelectColumn(name, "rfc3339(\(sql), \(offset))")]
        case .reference(let text, _):
            [SelectColumn(name, text.sql)]
        case .position(let geometry):
            [
                SelectColumn("longitude", dialect.coordinates(of: geometry).longitude),
                SelectColumn("latitude", dialect.coordinates(of: geometry).latitude),
            ]
        }
    }
}

extension TextColumn {
    /// The name of the column with the name of its table.
    var sql: SQL { "\(raw: table).\(raw: name)" }
}

extension Set<String>? {
    /// Returns whether a choice of columns, of which `nil` means all columns, contains one of some names.
    func includesAny(of names: [String]) -> Bool {
        guard let chosen = self else { return true }
        return !chosen.isDisjoint(with: names)
    }
}

extension [OutputColumn] {
    /// Returns the columns that belong to `output`.
    func of(_ output: OutputColumn.Outputs) -> [OutputColumn] {
        filter { $0.outputs.contains(output) }
    }

    /// Returns the columns of the report view.
    func viewColumns(_ dialect: any Dialect) -> [SelectColumn] {
        of(.views).flatMap { column in
            column.shown.viewColumns(column.name, dialect)
        }
    }
}

/// The select list of a query and the shape of its rows.
struct Projection {
    /// The suffix of the name of a column with the key of another row, after the name of the flag.
    static let keySuffix = "_key"

    private(set) var columns: [SelectColumn] = []
    /// See ``SQL/texts``.
    private(set) var texts: [Int: TextColumn] = [:]
    var shape = ResultShape(columns: [])

    /// Creates the select list for a list of records.
    ///
    /// - Parameters:
    ///   - columns: The columns in the order of the output.
    ///   - identity: The names of the columns that identify a record.
    ///   - chosen: The names of the columns that the output needs, or `nil` for all columns. Identity columns are always
    ///     included.
    ///   - readsByKey: Whether the session looks up texts of other tables by key, without a join.
    init(
        _ columns: [OutputColumn],
        identity: [String],
        chosen: Set<String>? = nil,
        readsByKey: Bool = false
    ) {
        shape.choice = columns.flatMap(\.names)
        shape.labels = ColumnLabel.standard
        for column in columns {
            let isIdentity = identity.contains(column.name)
            guard isIdentity || chosen.includesAny(of: column.names) else { continue }
            add(column, from: column.shown, readsByKey: readsByKey)
            if isIdentity, let last = shape.columns.last {
                shape.identity.append(last)
            }
        }
    }

    /// Creates the select list for an exported file, which has the fields of `kind` in the order of `kind.fields`.
    init(files columns: [OutputColumn], _ kind: RecordKind) {
        let columns = columns.of(.files)
        for field in kind.fields {
            guard let column = columns.first(where: { $0.names.first == field.name }) else {
                continue
            }
            add(column, from: column.source, readsByKey: false)
        }
        shape.geometry = nil
    }

    private mutating func add(
        _ output: OutputColumn,
        from source: OutputColumn.Source,
        readsByKey: Bool
    ) {
        let alias = output.alias
        let index = columns.count
        func column(_ value: Column.Value) -> Column {
            Column(output.name, value, at: index, measure: output.measure)
        }
        switch source {
        case .expression(let expression, let value):
            columns.append(SelectColumn(alias, expression))
            shape.columns.append(column(value))
        case .isPresent(let stored):
            columns.append(SelectColumn(alias, "\(stored) IS NOT NULL"))
            columns.append(SelectColumn(alias + Self.keySuffix, stored))
            var flag = column(.boolean)
            flag.key = index + 1
            shape.columns.append(flag)
        case .instant(let instant, let offset):
            columns.append(SelectColumn(alias, instant))
            columns.append(SelectColumn("\(alias)_offset", offset))
            shape.columns.append(column(.instant(offset: index + 1)))
        case .reference(let text, let key):
            if readsByKey {
                texts[index] = text
                columns.append(SelectColumn(alias, key))
            } else {
                columns.append(SelectColumn(alias, text.sql))
            }
            shape.columns.append(column(.text))
        case .position(let geometry):
            columns.append(SelectColumn("geometry", geometry))
            shape.geometry = .point(index)
            shape.columns.append(Column("longitude", .longitude, at: index))
            shape.columns.append(Column("latitude", .latitude, at: index))
        }
    }
}
