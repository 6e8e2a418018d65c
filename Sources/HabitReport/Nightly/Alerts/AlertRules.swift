import HabitModel
import HabitStore
import StoreEngine

/// The alert rules of a nightly run.
public struct AlertRules: Sendable {
    /// The reports with the rules, sorted by ID.
    let reports: [Report]
    private let earlier: [NightAlert.ID: Day]

    /// Creates the rules.
    ///
    /// - Parameters:
    ///   - reports: The reports with an alert message. Other reports are ignored.
    ///   - earlier: The alerts of the previous night, which are not raised again while they last.
    public init(_ reports: [Report], earlier: [NightAlert]) {
        self.reports = reports.filter { $0.alert != nil }.sorted { $0.id < $1.id }
        self.earlier = Dictionary(earlier.map { ($0.id, $0.raised) }) { first, _ in first }
    }

    /// The maximum number of alerts of a rule, which bounds the manifest and the input of a command.
    static let mostAlerts = 10_000

    /// Returns the values of the key columns as one text.
    ///
    /// Two different keys of several columns have different texts.
    private static func key(_ values: [String]) -> String {
        guard values.count > 1 else { return values.first ?? "" }
        return values.map { $0.replacing("%", with: "%25").replacing("/", with: "%2F") }.joined(separator: "/")
    }

    /// Runs the rules.
    ///
    /// - Parameters:
    ///   - day: The report day.
    ///   - run: Creates the run of a report on the day, and passes its rows to the closure.
    /// - Returns: The alerts of the day, sorted by report and in the order of the report.
    /// - Throws: `report-invalid` if a rule finds more than ``mostAlerts`` alerts, and the errors of `run`.
    func alerts(
        on day: Day, _ run: (Report, _ row: @escaping (any Row) -> Void) throws -> Void
    ) throws -> [NightAlert] {
        var alerts: [NightAlert] = []
        for report in reports {
            guard let message = report.alert else { continue }
            let indexes = report.key.compactMap { name in report.columns.firstIndex { $0.name == name } }
            var count = 0
            try run(report) { row in
                count += 1
                guard count <= Self.mostAlerts else { return }
                let key = Self.key(indexes.map { AlertMessage.text(row.value($0)) })
                let id = NightAlert.ID(report: report.id, key: key)
                alerts.append(
                    NightAlert(
                        report: report.id, key: key, message: message.text(of: row), raised: earlier[id] ?? day))
            }
            guard count <= Self.mostAlerts else {
                throw report.naming(
                    HabitError(
                        .reportInvalid,
                        "the alert rule finds \(count) rows, and at most \(Self.mostAlerts) can be alerts: add a condition to its SQL"
                    ))
            }
        }
        return alerts
    }
}
