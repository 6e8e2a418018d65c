import Base
import HabitModel
import StoreEngine

/// A condition that an alert rule has found in a nightly run.
public struct NightlyAlert: Sendable, Equatable {
    /// The ID of the report with the rule.
    public var report: String
    /// The values of the report's key columns in the row, joined with `/`.
    public var key: String
    /// The message for people.
    public var message: String
    /// The date of the first of consecutive nightly runs that contain this alert.
    public var raised: Day

    /// Creates an alert.
    public init(report: String, key: String, message: String, raised: Day) {
        self.report = report
        self.key = key
        self.message = message
        self.raised = raised
    }

    /// The report and the key, which identify an alert in different nightly runs.
    public struct ID: Hashable, Sendable, Codable {
        var report: String
        var key: String
    }

    /// Returns a digest of the alerts and of the dates on which they were raised.
    static func digest(_ alerts: [NightlyAlert]) -> String {
        alerts.map { "\($0.report)\n\($0.key)\n\($0.raised)" }.sorted().lengthPrefixedSHA256.hexadecimal
    }

    /// The identity of the alert in different nightly runs.
    public var id: ID { ID(report: report, key: key) }

    /// The shape of ``row``.
    static let shape: ResultShape = {
        var columns = ["report", "key", "message"].enumerated().map { index, name in Column(name, .text, at: index) }
        columns.append(Column("raised", .day, at: 3))
        return ResultShape(columns: columns, identity: ["report", "key"])
    }()

    /// The alert as a row of a result.
    var row: ValueRow { ValueRow([.text(report), .text(key), .text(message), .day(raised)]) }
}
