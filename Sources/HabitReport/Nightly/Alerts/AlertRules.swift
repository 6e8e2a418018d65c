import Base
import HabitModel
import HabitStore
import StoreEngine

/// The alert rules of a nightly run.
public struct AlertRules: Sendable {
    /// The reports with the rules, sorted by ID.
    let reports: [Report]
    private let earlier: [NightlyAlert.ID: Day]

    /// Creates the rules.
    ///
    /// - Parameters:
    ///   - reports: The reports with an alert message. Other reports are ignored.
    ///   - earlier: The alerts of the previous night, which are not raised again while they last.
    public init(_ reports: [Report], earlier: [NightlyAlert]) {
        let withAlert = reports.filter { report in report.alert != nil }
        self.reports = withAlert.sorted { first, second in first.id < second.id }
        self.earlier = Dictionary(earlier.map { ($0.id, $0.raised) }) { first, _ in first }
    }

    /// The maximum number of alerts of a rule, which bounds the manifest and the input of a command.
    static let mostAlerts = 10_000

    /// Returns the values of the key columns as one text.
    ///
    /// Two different keys of several columns have different texts.
    private static func key(_ values: [String]) -> String {
        guard values.count > 1 else { return values.first ?? "" }
        return values.map { CompositeID.escaped($0) }.joined(separator: "/")
    }

    /// Runs a rule.
    ///
    /// - Parameters:
    ///   - rule: One of ``reports`` with its parameters.
    ///   - day: The report day.
    ///   - session: A session on the state of the store that the rule reads.
    /// - Returns: The alerts of the day, in the order of the report.
    /// - Throws: `report-invalid` if the rule finds more than ``mostAlerts`` alerts, and the errors of
    ///   ``ReportRun/run(in:_:)``, with the ID of the report.
    func alerts(of rule: ReportRun, on day: Day, in session: any Session) throws -> [NightlyAlert] {
        let report = rule.report
        guard let message = report.alert else { return [] }
        let indexes = report.key.compactMap { name in report.columns.firstIndex { $0.name == name } }
        var alerts: [NightlyAlert] = []
        var count = 0
        do {
            try rule.run(in: session) { _ in
                { row in
                    count += 1
                    guard count <= Self.mostAlerts else { return }
                    let values = indexes.map { index in AlertMessage.text(row.value(index)) }
                    let key = Self.key(values)
                    let id = NightlyAlert.ID(report: report.id, key: key)
                    alerts.append(
                        NightlyAlert(
                            report: report.id, key: key, message: message.text(of: row), raised: earlier[id] ?? day))
                }
            }
            guard count <= Self.mostAlerts else {
                throw HabitError(
                    .reportInvalid,
                    "the alert rule finds \(count) rows, and at most \(Self.mostAlerts) can be alerts: add a condition to its SQL"
                )
            }
        } catch let error as HabitError {
            throw report.naming(error)
        }
        return alerts
    }
}
