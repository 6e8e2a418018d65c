import Base
import Logging

/// The server's log: one JSON object per line, for log collectors.
package enum JSONLog {
    /// Creates a logger that passes its messages to `write`.
    ///
    /// - Parameters:
    ///   - level: The lowest level of messages that are written.
    ///   - write: Writes a line; `nil` disables the log.
    /// - Returns: The logger. It discards all messages if `write` is `nil`.
    package static func logger(
        level: Logger.Level,
        write: (@Sendable (String) -> Void)?
    ) -> Logger {
        var logger = Logger(label: "habitat") { _ in
            guard let write else { return SwiftLogNoOpLogHandler() }
            return JSONLogHandler(write: write)
        }
        logger.logLevel = level
        return logger
    }
}

/// A log handler that writes each entry as a JSON object with its time, level, message and metadata.
private struct JSONLogHandler: LogHandler {
    let write: @Sendable (String) -> Void
    var logLevel = Logger.Level.error
    var metadata = Logger.Metadata()

    init(write: @escaping @Sendable (String) -> Void) {
        self.write = write
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let ofEvent = event.metadata ?? [:]
        let all = metadata.merging(ofEvent) { _, value in value }
        var line = all.mapValues { value in
            JSON.text("\(value)")
        }
        if let error = event.error {
            line["error"] = .text(ErrorLog.text(of: error))
        }
        let now = OffsetInstant(.now, offset: .utc)
        line["time"] = .text(now.description)
        line["level"] = .text(event.level.rawValue)
        line["message"] = .text("\(event.message)")
        let bytes = JSON.object(line).bytes
        write(String(decoding: bytes, as: UTF8.self))
    }
}
