import Base
import CommandLineText
import Foundation
import HabitModel
import Logging

/// The log of the command-line program on the standard error, with details about the causes of failures.
///
/// The log is empty unless `--verbose` or `HABITAT_LOG` enables it. No line contains a bound value, a token or a
/// password.
enum CommandLog {
    /// Creates the logger of a command.
    ///
    /// - Parameters:
    ///   - isVerbose: Whether `--verbose` is given, which selects the level `debug`. `HABITAT_LOG` can only select a
    ///     more detailed level.
    ///   - asJSON: Whether each line is a JSON object.
    ///   - environment: The environment of the process.
    /// - Returns: The logger, or `nil` if the log is disabled.
    /// - Throws: `parameter-invalid` if `HABITAT_LOG` is not the name of a level.
    static func logger(
        isVerbose: Bool,
        asJSON: Bool,
        environment: [String: String] = Configuration.processEnvironment
    ) throws(HabitError) -> Logger? {
        let named = try Logger.Level.named(in: environment)
        let verbose: Logger.Level? = isVerbose ? .debug : nil
        let levels = [named, verbose].compactMap(\.self)
        guard let level = levels.min() else { return nil }
        var logger = Logger(label: "habitat") { _ in CommandLogHandler(asJSON: asJSON) }
        logger.logLevel = level
        return logger
    }
}

/// A log handler that writes each entry as a line to the standard error.
private struct CommandLogHandler: LogHandler {
    let asJSON: Bool
    var logLevel = Logger.Level.debug
    var metadata = Logger.Metadata()

    init(asJSON: Bool) { self.asJSON = asJSON }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        var details = metadata.merging(event.metadata ?? [:]) { _, detailOfEvent in detailOfEvent }
        if let error = event.error { details["error"] = "\(ErrorLog.text(of: error))" }
        guard asJSON else {
            let sortedDetails = details.sorted { first, second in first.key < second.key }
            let pairs = sortedDetails.map { detail in " \(detail.key)=\(detail.value)" }
            let line = "\(event.level): \(event.message)\(pairs.joined())"
            ErrorReport.write(ErrorReport.clean(line) + "\n")
            return
        }
        var object = details.mapValues { value in JSON.text("\(value)") }
        object["level"] = .text(event.level.rawValue)
        object["message"] = .text("\(event.message)")
        ErrorReport.write(ErrorReport.jsonLine(object))
    }
}
