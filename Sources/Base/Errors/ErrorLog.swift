import Foundation

/// An error that provides a text for the operator's log.
public protocol LoggableError: Error {
    /// The text for the log. It contains no token, position, comment or bound value.
    var logText: String { get }
}

extension HabitError: LoggableError {
    /// The error, and the errors that led to it.
    public var logText: String {
        guard let cause else {
            return description
        }
        return "\(description); cause: \(ErrorLog.text(of: cause))"
    }
}

/// The form of errors in the operator's log.
public enum ErrorLog {
    /// Returns a description of an error that is safe to log.
    ///
    /// The result contains only the type and the code of an error that is not a ``LoggableError``, because its own
    /// description can contain data of users.
    public static func text(of error: any Error) -> String {
        if let error = error as? any LoggableError {
            return error.logText
        }
        let type = "\(type(of: error))"
        if let error = error as? CocoaError {
            return "\(type) \(error.code.rawValue)"
        }
        if let error = error as? POSIXError {
            return "\(type) \(error.code.rawValue)"
        }
        let mirror = Mirror(reflecting: error)
        guard mirror.displayStyle == .enum else {
            return type
        }
        // A case without associated values has no child.
        let name = mirror.children.first?.label ?? "\(error)"
        return "\(type).\(name)"
    }

    /// Replaces quoted words by an ellipsis, because they can be values.
    ///
    /// An unmatched quote hides the rest of the text.
    public static func withoutQuoted(_ message: String) -> String {
        message.replacing(/"[^"]*"|'[^']*'|`[^`]*`|["'`].*/, with: "…")
    }
}
