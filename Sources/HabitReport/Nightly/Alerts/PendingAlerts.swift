import Foundation
import HabitModel
import Rendering

/// The raised alerts of a nightly archive that no command has received yet.
///
/// A hidden file of the archive contains them. They are added before the folder of their run appears, and removed after
/// the command has succeeded. If the process ends in between, or if the command fails, the next run delivers them. The
/// caller must have locked the archive.
public struct PendingAlerts {
    /// The name of the file in the archive.
    static let name = ".alerts.json"

    private let nights: NightlyArchive
    private var path: String { nights.file(Self.name) }

    /// An alert with the date of its run.
    private struct Entry: Codable, Hashable {
        var night: String
        var report: String
        var key: String
        var message: String

        var id: NightAlert.ID { NightAlert.ID(report: report, key: key) }
    }

    /// The content of the file, which is also the input of the command.
    private struct Content: Codable {
        var alerts: [Entry]
    }

    /// Creates the access to the pending alerts of an archive.
    public init(of nights: NightlyArchive) { self.nights = nights }

    /// Replaces the pending alerts of a night that is made again, and adds the alerts that it raises.
    ///
    /// A pending alert that the night no longer contains is removed. The others get their current message.
    ///
    /// - Parameters:
    ///   - night: The date of the run.
    ///   - alerts: All alerts of the run.
    ///   - raised: The alerts to add.
    /// - Throws: The errors of ``read()``, `output-not-writable`, `no-space` or `write-failed`.
    public func update(_ night: Day, _ alerts: [NightAlert], adding raised: [NightAlert]) throws {
        let former = try read()
        let pending = Set(former.alerts.filter { $0.night == "\(night)" }.map(\.id)).union(raised.map(\.id))
        var content = former
        content.alerts.removeAll { $0.night == "\(night)" }
        content.alerts += alerts.filter { $0.raised == night && pending.contains($0.id) }.map {
            Entry(night: "\(night)", report: $0.report, key: $0.key, message: $0.message)
        }
        guard content.alerts != former.alerts else { return }
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
    /// - Parameter command: A command of the shell `sh`.
    /// - Returns: The delivered alerts, or `nil` if no alerts were pending and the command was not run.
    /// - Throws: `write-failed` if the command fails. The alerts then stay pending.
    public func deliver(to command: String) throws -> Delivery? {
        let content = try read()
        guard !content.alerts.isEmpty else { return nil }
        let status = try ShellCommand(text: command).run(input: try json(content))
        guard status == 0 else {
            throw HabitError(
                .writeFailed,
                "the command for alerts ended with status \(status): the next run passes the alerts to it again",
                field: "notify")
        }
        unlink(path)
        return Delivery(count: content.alerts.count, nights: Set(content.alerts.map(\.night)).sorted())
    }

    private func json(_ content: Content) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
        return Array(try encoder.encode(content)) + [UInt8(ascii: "\n")]
    }

    /// Returns the content of the file, or no alerts if it does not exist.
    ///
    /// - Throws: `input-unreadable` if the file is not a list of alerts.
    private func read() throws -> Content {
        guard nights.kind(of: path) != nil else { return Content(alerts: []) }
        guard let bytes = try NightFileReader(path).contents(most: NightlyManifest.mostBytes),
            let content = try? JSONDecoder().decode(Content.self, from: Data(bytes))
        else {
            throw HabitError(
                .inputUnreadable, "'\(path)' is not a list of alerts: remove the file, then run the command again")
        }
        return content
    }
}
