import Base
import Foundation
import HabitModel
import Rendering

/// The alerts that the runs of an archive have raised, and the alerts that no command has received yet.
///
/// A hidden file of the archive contains them. Pending alerts are added before the folder of their run appears, and
/// removed after the command has succeeded. If the process ends in between, or if the command fails, the next run delivers them. The
/// caller must have locked the archive.
public struct PendingAlerts {
    /// The name of the file in the archive.
    static let name = ".alerts.json"

    private let archive: NightlyArchive
    private var path: String { archive.file(Self.name) }

    /// An alert with the date of its run.
    private struct Entry: Codable, Hashable {
        var night: String
        var report: String
        var key: String
        var message: String

        var id: NightlyAlert.ID { NightlyAlert.ID(report: report, key: key) }
    }

    /// The input of the command.
    private struct Input: Codable {
        var alerts: [Entry] = []
    }

    /// The content of the file.
    private struct Content: Codable, Equatable {
        /// The alerts that no command has received.
        var alerts: [Entry] = []
        /// The raised alerts by the date of the run, so that a run of the same date does not raise an alert again.
        ///
        /// The alerts are sorted, so that equal archives have equal files.
        var raised: [String: [NightlyAlert.ID]] = [:]
    }

    /// Creates the access to the pending alerts of an archive.
    public init(of archive: NightlyArchive) { self.archive = archive }

    /// Records the alerts of a run, and returns the alerts that the run raises.
    ///
    /// A pending alert that the run no longer contains is removed. The other pending alerts get their current message.
    ///
    /// - Parameters:
    ///   - night: The date of the run.
    ///   - alerts: All alerts of the run.
    ///   - alreadyRaised: The alerts that other runs have raised.
    ///   - isDelivered: Whether a command receives the raised alerts.
    /// - Returns: The alerts that no run has raised before.
    /// - Throws: The errors of ``read()``, `output-not-writable`, `no-space` or `write-failed`.
    public func update(
        _ night: Day, _ alerts: [NightlyAlert], alreadyRaised: Set<NightlyAlert.ID>, isDelivered: Bool
    ) throws -> [NightlyAlert] {
        let former = try read()
        let date = "\(night)"
        let known = Set(former.raised[date, default: []])
        let begun = alerts.filter { alert in alert.raised == night }
        let raised = begun.filter { alert in
            !known.contains(alert.id) && !alreadyRaised.contains(alert.id)
        }
        let formerOfNight = former.alerts.filter { entry in entry.night == date }
        var pending = Set(formerOfNight.map(\.id))
        if isDelivered { pending.formUnion(raised.map(\.id)) }
        var content = former
        content.alerts.removeAll { entry in entry.night == date }
        for alert in begun where pending.contains(alert.id) {
            let entry = Entry(night: date, report: alert.report, key: alert.key, message: alert.message)
            content.alerts.append(entry)
        }
        content.raised = content.raised.filter { name, _ in archive.kind(of: archive.file(name)) != nil }
        let all = known.union(begun.map(\.id))
        let sorted = all.sorted { first, second in
            (first.report, first.key) < (second.report, second.key)
        }
        content.raised[date] = sorted.isEmpty ? nil : sorted
        try write(content, instead: former)
        return raised
    }

    private func write(_ content: Content, instead former: Content) throws {
        guard content != former else { return }
        let buffer = OutputBuffer(try OutputDestination.file(path).open(followsLinks: false))
        buffer.append(try json(content))
        try buffer.close()
    }

    /// The alerts that a command has received.
    public struct Delivery: Sendable {
        /// The number of alerts.
        public var count: Int
        /// The dates of the runs that raised them, sorted.
        public var nights: [String]
    }

    /// Runs a command with the pending alerts as JSON on its standard input, and removes them if it succeeds.
    ///
    /// - Parameters:
    ///   - command: A command of the shell `sh`.
    ///   - timeout: The maximum run time of the command.
    /// - Returns: The delivered alerts, or `nil` if no alerts were pending and the command was not run.
    /// - Throws: `write-failed` if the command fails. The alerts then stay pending.
    public func deliver(to command: String, timeout: Duration) throws -> Delivery? {
        let content = try read()
        guard !content.alerts.isEmpty else { return nil }
        let input = try json(Input(alerts: content.alerts))
        let status = try ShellCommand(text: command, timeout: timeout).run(input: input)
        guard status == 0 else {
            throw HabitError(
                .writeFailed,
                "the command for alerts ended with status \(status): the next run passes the alerts to it again",
                field: "notify")
        }
        var rest = content
        rest.alerts = []
        try write(rest, instead: content)
        let nights = Set(content.alerts.map(\.night))
        return Delivery(count: content.alerts.count, nights: nights.sorted())
    }

    private func json(_ content: some Encodable) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
        return Array(try encoder.encode(content)) + [UInt8(ascii: "\n")]
    }

    /// Returns the content of the file, or no alerts if it does not exist.
    ///
    /// - Throws: `input-unreadable` if the file is not a list of alerts.
    private func read() throws -> Content {
        guard archive.kind(of: path) != nil else { return Content() }
        guard let bytes = try NightlyFileReader(path).contents(most: NightlyManifest.mostBytes),
            let content = try? JSONDecoder().decode(Content.self, from: Data(bytes))
        else {
            throw HabitError(
                .inputUnreadable, "'\(path)' is not a list of alerts: remove the file, then run the command again")
        }
        return content
    }
}
