/// The keys of a report header.
enum ReportKey: String, CaseIterable {
    case title, description, group, parameter, column, key, geometry, formats, table, chart, nightly, every, alert,
        example

    var isRepeatable: Bool { self == .parameter || self == .column || self == .chart }

    var isRequired: Bool {
        switch self {
        case .group, .parameter, .geometry, .table, .chart, .nightly, .every, .alert, .example: false
        case .title, .description, .column, .key, .formats: true
        }
    }

    /// Whether the value may be empty.
    ///
    /// The example of a report without parameters has no words.
    var mayBeEmpty: Bool { self == .example }

    /// The syntax or an example of a header line with this key.
    var form: String {
        switch self {
        case .title: "-- title: Events near a position"
        case .description: "-- description: What the report shows and how it counts"
        case .group: "-- group: habits"
        case .parameter: ReportParameter.form
        case .column: ReportColumn.form
        case .key: "-- key: id"
        case .geometry: "-- geometry: longitude latitude"
        case .formats: "-- formats: text csv json ndjson html parquet"
        case .table: "-- table: user title done"
        case .chart: "-- chart: map"
        case .nightly: "-- nightly: csv html"
        case .every: "-- every: day week month"
        case .alert: "-- alert: {user} is quiet; last event: {last_day}"
        case .example: "-- example: --from today-27"
        }
    }
}
