/// A failure as data: the problem, the record at fault, and the remedies.
///
/// A front end makes the sentence. It writes ``message``, then the ``remedies`` with its own names: an option of the command line, or a
/// member of a request. An error contains no SQL, no token and no data of another user.
public struct HabitError: Error, Sendable, Equatable, CustomStringConvertible {
    public var code: ErrorCode
    /// The problem, without names of options and commands, so that the words are valid in every front end.
    public var message: String
    /// The record that the error is about.
    public var subject: ErrorSubject?
    /// The field, option or parameter at fault.
    public var field: String?
    /// Alternative ways to solve the problem.
    public var remedies: [Remedy]
    /// The input file at fault, and its line (from 1).
    public var file: String?
    public var line: Int?
    /// The error that led to this one, for the operator's log. It is not shown to users, and not compared.
    public var cause: (any Error)?

    public init(
        _ code: ErrorCode, _ message: String, subject: ErrorSubject? = nil, field: String? = nil, _ remedies: Remedy...,
        file: String? = nil, line: Int? = nil, cause: (any Error)? = nil
    ) {
        self.code = code
        self.message = message
        self.subject = subject
        self.field = field
        self.remedies = remedies
        self.file = file
        self.line = line
        self.cause = cause
    }

    public static func == (a: HabitError, b: HabitError) -> Bool {
        (a.code, a.message, a.subject, a.field, a.file) == (b.code, b.message, b.subject, b.field, b.file)
            && (a.remedies, a.line) == (b.remedies, b.line)
    }

    public var description: String { "error[\(code.slug)]: \(message)" }
}

/// The record that an error is about.
public struct ErrorSubject: Sendable, Equatable {
    public var kind: AccessObject.Kind
    public var id: String

    public init(_ kind: AccessObject.Kind, _ id: String) {
        self.kind = kind
        self.id = id
    }
}
