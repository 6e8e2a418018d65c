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
    }

    /// The content of the file, which is also the input of the command.
    private struct Content: Codable {
        var alerts: [Entry]
    }

    /// Creates the access to the pending alerts of an archive.
    public init(of nights: NightlyArchive) { self.nights = nights }

    /// Adds raised alerts.
    ///
    /// - Parameters:
    ///   - alerts: The alerts that a nightly run raises.
    ///   - night: The date of the run.
    /// - Throws: The errors of ``read()``, `output-not-writable`, `no-space` or `write-failed`.
    public func add(_ alerts: [NightAlert], of night: Day) throws {
        guard !alerts.isEmpty else { return }
        var content = try read()
        let known = Set(content.alerts)
        content.alerts += alerts.map {
            Entry(night: "\(night)", report: $0.report, key: $0.key, message: $0.message)
        }.filter { !known.contains($0) }
        let buffer = OutputBuffer(try OutputDestination.file(path).open(followsLinks: false))
        buffer.append(try json(content))
        try buffer.close()
    }

    /// Runs a command with the pending alerts as JSON on its standard input, and removes them if it succeeds.
    ///
    /// - Parameter command: A command of the shell `sh`.
    /// - Returns: The number of delivered alerts. If it is 0, the command was not run.
    /// - Throws: `write-failed` if the command fails. The alerts then stay pending.
    @discardableResult
    public func deliver(to command: String) throws -> Int {
        let content = try read()
        guard !content.alerts.isEmpty else { return 0 }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", command]
        let pipe = Pipe()
        process.standardInput = pipe
        process.standardOutput = FileHandle.standardError
        do {
            try process.run()
            // A command may succeed without reading its input.
            try? pipe.fileHandleForWriting.write(contentsOf: Data(try json(content)))
            try? pipe.fileHandleForWriting.close()
            process.waitUntilExit()
        } catch {
            throw HabitError(.writeFailed, "the shell for the command cannot be started", field: "notify")
        }
        guard process.terminationReason == .exit, process.terminationStatus == 0 else {
            throw HabitError(
                .writeFailed,
                "the command for alerts ended with status \(process.terminationStatus): the next run passes the alerts to it again",
                field: "notify")
        }
        unlink(path)
        return content.alerts.count
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
