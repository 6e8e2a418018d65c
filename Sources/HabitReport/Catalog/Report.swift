import HabitModel
import HabitStore
import Rendering
import StoreEngine

/// A report: one SELECT over the report views, and a header that says what it takes and gives.
public struct Report: Sendable {
    /// The name of its file without `.sql`.
    public let id: String
    public var title: String
    public var description: String
    public var parameters: [ReportParameter]
    /// In the order of the statement's columns.
    public var columns: [ReportColumn]
    /// The names of the columns that tell one row from all others.
    public var key: [String]
    public var geometry: ReportGeometry?
    public var formats: [OutputFormat]
    /// The names of the columns that its table for people shows; empty: all.
    public var table: [String]
    /// What its page in HTML draws, as the header has it.
    var chartLines: [ChartLine]
    public var charts: [Chart] { chartLines.map(\.chart) }
    /// The formats in which the nightly run writes it; empty: it takes no part.
    public var nightly: [OutputFormat]
    /// Words that run it, as one would type them behind `report run ID`.
    public var example: String
    public var sql: String
    /// The line of the file on which `sql` begins.
    public var sqlLine: Int
    /// The file that errors name.
    public var file: String
    /// Whether it is embedded in the program. The SQL of any other report may be hostile.
    public internal(set) var isShipped = false
    /// The lines on which the header has the keys that it has once.
    var lines: [ReportKey: Int]

    struct ChartLine: Sendable, Equatable {
        var chart: Chart
        var line: Int
    }

    /// Reads a report file; throws `report-invalid` with the first line that must change.
    public init(id: String, text: String, file: String) throws {
        try self.init(id: id, bytes: Array(text.utf8), file: file)
    }

    public init(id: String, bytes: [UInt8], file: String) throws {
        var parser = ReportParser(ReportHeader(bytes))
        let report = parser.report(id: id, file: file)
        guard let report, parser.problems.isEmpty else {
            let first = parser.problems.min { $0.line < $1.line } ?? ReportProblem(line: 1, "the file is no report")
            throw first.error(file: file)
        }
        self = report
    }

    init(
        id: String, title: String, description: String, parameters: [ReportParameter], columns: [ReportColumn],
        key: [String], geometry: ReportGeometry?, formats: [OutputFormat], table: [String], charts: [ChartLine],
        nightly: [OutputFormat], example: String, sql: String, sqlLine: Int, file: String, lines: [ReportKey: Int]
    ) {
        self.id = id
        self.title = title
        self.description = description
        self.parameters = parameters
        self.columns = columns
        self.key = key
        self.geometry = geometry
        self.formats = formats
        self.table = table
        self.chartLines = charts
        self.nightly = nightly
        self.example = example
        self.sql = sql
        self.sqlLine = sqlLine
        self.file = file
        self.lines = lines
    }

    /// Throws `report-invalid` where `id` cannot be one: it is a file's name and a word of the command line.
    public static func checkID(_ id: String) throws {
        guard isID(id) else {
            throw HabitError(
                .reportInvalid,
                "\(id.quoted) cannot be a report's id: use a letter, then lower-case letters, digits and '-', 64 at most, such as weekly-rates",
                field: "id")
        }
    }

    static func isID(_ text: String) -> Bool {
        guard let first = text.utf8.first, (1...64).contains(text.utf8.count) else { return false }
        return (97...122).contains(first)
            && text.utf8.allSatisfy { (97...122).contains($0) || $0 &- 48 < 10 || $0 == 45 }
    }
}

extension Report {
    /// The shape of its rows.
    ///
    /// A point has no column of its own in the SQL: it stands behind the last column, made of those that ``geometry`` names.
    public var shape: ResultShape {
        var shape = ResultShape(columns: columns.enumerated().map { Column($1.name, $1.value, at: $0) }, identity: key)
        shape.table = table
        switch geometry {
        case nil: break
        case .point(let longitude, let latitude):
            shape.geometry = .point(columns.count)
            shape.coordinates = [columns[longitude].name, columns[latitude].name]
        case .box(let west, let south, let east, let north):
            shape.geometry = .box(west: west, south: south, east: east, north: north)
        }
        return shape
    }
}
