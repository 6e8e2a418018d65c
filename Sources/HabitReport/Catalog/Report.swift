import Base
import HabitModel
import HabitStore
import Rendering
import StoreEngine

/// A report: one SELECT over the report views, with a header that describes its parameters and its result.
public struct Report: Sendable {
    /// The ID of the report, which is the name of its file without `.sql`.
    public let id: String
    /// The title in the header.
    public var title: String
    /// The description in the header.
    public var description: String
    /// The group of the report in lists for people.
    public internal(set) var group = ReportGroup.habits
    /// The parameters in the order of the header.
    public var parameters: [ReportParameter]
    /// The columns in the order of the statement's columns.
    public var columns: [ReportColumn]
    /// The names of the columns that identify a row.
    public var key: [String]
    /// The columns that contain the geometry of a row, or `nil` if the rows have no geometry.
    public var geometry: ReportGeometry?
    /// The formats in which the report can be written.
    public var formats: [OutputFormat]
    /// The names of the columns in text tables.
    ///
    /// If the array is empty, text tables contain all columns.
    public var table: [String]
    /// The charts of the HTML page with their header lines.
    var chartLines: [ChartLine]
    /// The charts of the HTML page, in the order of the header.
    public var charts: [Chart] { chartLines.map(\.chart) }
    /// The formats in which the nightly run writes the report.
    ///
    /// If the array is empty, the nightly run skips the report.
    public var nightly: [OutputFormat]
    /// The periods of the nightly runs that contain the report.
    public var periods: [NightlyPeriod]
    /// The message of each row, if the report is an alert rule.
    public var alert: AlertMessage?
    /// The arguments of an example, as the user types them after `report run ID`.
    public var example: String
    /// The SELECT statement.
    public var sql: String
    /// The line (from 1) of the file on which `sql` begins.
    public var sqlLine: Int
    /// The name of the file in errors.
    public var file: String
    /// The SHA-256 digest of the file: 32 bytes.
    public internal(set) var digest: [UInt8] = []
    /// Whether the report is embedded in the program.
    ///
    /// The SQL of any other report may be hostile.
    public internal(set) var isShipped = false
    /// The line of the first header entry of each key.
    var lines: [ReportKey: Int]

    struct ChartLine: Sendable, Equatable {
        var chart: Chart
        var line: Int
    }

    /// Parses the text of a report file.
    ///
    /// - Parameters:
    ///   - id: The ID of the report.
    ///   - text: The content of the file.
    ///   - file: The name of the file in errors.
    /// - Throws: `report-invalid` with the first line that must be changed.
    public init(id: String, text: String, file: String) throws {
        try self.init(id: id, bytes: Array(text.utf8), file: file)
    }

    /// Parses the bytes of a report file.
    ///
    /// - Parameters:
    ///   - id: The ID of the report.
    ///   - bytes: The content of the file in UTF-8.
    ///   - file: The name of the file in errors.
    /// - Throws: `report-invalid` with the first line that must be changed.
    public init(id: String, bytes: [UInt8], file: String) throws {
        var parser = ReportParser(ReportHeader(bytes))
        let report = parser.report(id: id, file: file)
        guard let report, parser.problems.isEmpty else {
            let first = parser.problems.min { first, second in first.line < second.line }
            let problem = first ?? ReportProblem(line: 1, "the file is not a report")
            throw problem.error(file: file)
        }
        self = report
        digest = bytes.sha256
    }

    init(
        id: String, title: String, description: String, parameters: [ReportParameter], columns: [ReportColumn],
        key: [String], geometry: ReportGeometry?, formats: [OutputFormat], table: [String], charts: [ChartLine],
        nightly: [OutputFormat], periods: [NightlyPeriod], alert: AlertMessage?, example: String, sql: String,
        sqlLine: Int, file: String, lines: [ReportKey: Int]
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
        self.periods = periods
        self.alert = alert
        self.example = example
        self.sql = sql
        self.sqlLine = sqlLine
        self.file = file
        self.lines = lines
    }

    /// Checks the ID of a report, which is a file name and a word on the command line.
    ///
    /// - Parameter id: A lowercase letter, followed by up to 63 lowercase letters, digits and hyphens.
    /// - Throws: `report-invalid` if `id` is not a valid ID.
    public static func checkID(_ id: String) throws {
        guard isID(id) else {
            throw HabitError(
                .reportInvalid,
                "\(id.quoted) is not a valid report id: use at most 64 lower-case letters, digits and '-', with a letter first, such as weekly-rates",
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
    /// The shape of the report's rows.
    ///
    /// A point is not a column of the SQL. It is an additional value after the last column, made from the columns that
    /// ``geometry`` specifies.
    public var shape: ResultShape {
        var shape = ResultShape(
            columns: columns.enumerated().map { index, column in column.column(at: index) }, identity: key)
        shape.labels = ColumnLabel.standard
        shape.table = table.map { name in TableColumn(name) }
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
