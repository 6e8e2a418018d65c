import Base
import HabitModel
import HabitStore

/// The options of an import.
public struct ImportOptions: Sendable {
    /// The format of all inputs, or `nil` to recognize it from the content.
    public var format: String?
    /// The ID of the user who receives the records.
    public var user = ""
    /// The time zone of local times, or `nil` for the user's time zone.
    public var timeZone: TimeZoneRules?
    /// The treatment of records that the store contains with other values.
    public var policy = ConflictPolicy.update
    /// The treatment of positions at 0, 0.
    public var nullIsland = NullIslandPolicy.null
    /// The paths of the tracks that give positions to records without one.
    public var tracks: [String] = []
    /// Whether recorded tracks become events.
    public var createsTrackEvents = false
    /// Whether a photo that is too large is converted to a smaller one.
    public var shrinksPhotos = true
    /// Whether a CSV file may create the habits that it names.
    public var createsHabits = false
    /// The kind of the records in a CSV file.
    public var kind = RecordKind.events
    /// The form of CSV files.
    public var table = TableOptions()
    /// The instant of the import, which the store records.
    public var now = Instant.now
    /// The values to which the import raises limits of texts that are lower.
    public var raisedLimits: [Setting: Int] = [:]
    /// Whether a single rejected entry prevents the commit.
    public var isStrict = false
    /// The maximum number of rejected entries, or `nil` for any number.
    public var maxRejects: Int?
    /// The limit for bytes that are unpacked from archives and gzip files.
    public var unpackLimit = UnpackLimit()
    /// Whether the import is rolled back at its end.
    public var isDryRun = false

    /// Creates the default options.
    public init() {}
}

/// The form of a file with delimited columns.
public struct TableOptions: Sendable, Equatable {
    /// The encoding of a text.
    public enum Encoding: String, Sendable, CaseIterable {
        case utf8, latin1, utf16
    }

    /// The delimiter, or `nil` to determine it from the first lines.
    public var delimiter: UInt8?
    /// The decimal separator, or `nil` for a comma in files with semicolons and a point in other files.
    public var decimal: Character?
    /// The form of dates as a Unicode pattern, or `nil` for ISO 8601.
    public var dateFormat: DatePattern?
    /// The encoding of the text.
    public var encoding = Encoding.utf8
    /// The names of columns by field.
    public var columns: [String: String] = [:]
    /// The meanings of further words for outcomes, by folded word.
    public var words: [String: OutcomeWord] = [:]

    /// Creates the default options.
    public init() {}
}

extension TableOptions {
    /// The fields that columns can have in an import, in the order in which messages list them.
    public static let importFields = CSVImporter.Column.allCases.map(\.rawValue)

    /// Assigns a column to a field.
    ///
    /// - Parameters:
    ///   - field: The name of the field, in any letter case.
    ///   - column: The name of the column.
    ///   - acceptsAllFields: Whether a column can have every field, not only the fields of an import.
    /// - Throws: `parameter-invalid` if the field is unknown.
    public mutating func map(_ field: String, to column: String, acceptsAllFields: Bool) throws(HabitError) {
        let name = field.lowercased()
        guard Self.importFields.contains(name) || (acceptsAllFields && Field(named: name) != nil) else {
            throw HabitError(
                .parameterInvalid, "unknown field '\(field)': use one of \(Self.importFields.joined(separator: ", "))",
                field: "map")
        }
        columns[name] = column
    }

    /// The error of words for outcomes that no input contains.
    static let unusedWords = HabitError(
        .usage, "words for outcomes are defined, but no input is a table with a column of outcomes", field: "value",
        .give(.column), .omit(.outcomeWord))

    /// Checks that a table has the columns that the options assign to fields.
    ///
    /// - Parameters:
    ///   - header: The names of the columns.
    ///   - file: The name of the table in messages.
    ///   - isRelevant: Returns whether the records of the table have a field.
    /// - Throws: `header-invalid`.
    func checkColumns(of header: [String], file: String, _ isRelevant: (String) -> Bool) throws(HabitError) {
        let names = Set(header.map(\.folded))
        let sortedColumns = columns.sorted { first, second in first.key < second.key }
        for (field, name) in sortedColumns {
            guard isRelevant(field), !names.contains(name.trimmed.folded) else { continue }
            let named = header.filter { name in !name.isEmpty }
            let found = named.prefix(20).map(\.excerpt).joined(separator: ", ")
            throw HabitError(
                .headerInvalid, "the table has no column '\(name)' (columns: \(found)): correct the name",
                field: field, file: file, line: 1)
        }
    }
}

/// The meaning of a word in the column of outcomes.
public enum OutcomeWord: String, Sendable, CaseIterable {
    case done
    /// The habit was not done, so the row is not an event.
    case none
    case skipped
}
