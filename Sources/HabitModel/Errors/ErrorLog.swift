import Foundation

/// An error that describes itself for the operator's log. The text has no token, position, comment or bound value in it.
public protocol LoggableError: Error {
    var logText: String { get }
}

extension HabitError: LoggableError {
    /// The error, and the errors that led to it.
    public var logText: String { description + (cause.map { "; cause: \(ErrorLog.text(of: $0))" } ?? "") }
}

/// Errors as the operator's log shows them.
public enum ErrorLog {
    /// The description of an error; of an error that is not ``LoggableError`` only its type and code, since its own description may
    /// contain data of users.
    public static func text(of error: any Error) -> String {
        if let error = error as? any LoggableError { return error.logText }
        let type = "\(type(of: error))"
        if let error = error as? CocoaError { return "\(type) \(error.code.rawValue)" }
        if let error = error as? POSIXError { return "\(type) \(error.code.rawValue)" }
        let mirror = Mirror(reflecting: error)
        guard mirror.displayStyle == .enum else { return type }
        return "\(type).\(mirror.children.first?.label ?? "\(error)")"
    }

    /// Replaces quoted words by an ellipsis: they may be values.
    public static func withoutQuoted(_ message: String) -> String {
        message.replacing(/"[^"]*"|'[^']*'|`[^`]*`|["'`].*/, with: "…")
    }
}
