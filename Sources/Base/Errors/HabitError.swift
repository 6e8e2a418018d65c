/// A failure as data: the problem, the record at fault, and the remedies.
///
/// A front end composes the text. It renders ``message`` and then the ``remedies`` with its own names, which are
/// options of the command line or members of a request. An error contains no SQL, no token and no data of another user.
public struct HabitError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The code of the error, which determines the exit status and the HTTP status.
    public var code: ErrorCode
    /// The problem, without names of options and commands, so that the text is valid in every front end.
    public var message: String
    /// The record at fault, or `nil` if the error is not about a record.
    public var subject: ErrorSubject?
    /// The field, option or parameter at fault, or `nil` if the error is not about an input.
    public var field: String?
    /// The values that ``message`` contains, for programs.
    public var parameters: [ErrorParameter]
    /// Alternative ways to solve the problem.
    public var remedies: [Remedy]
    /// The input file at fault, or `nil` if the error is not about a file.
    ///
    /// A front end shows the file and the line before ``message``, which therefore does not contain them.
    public var file: String?
    /// The line at fault in ``file``, counted from 1, or `nil` if it is unknown.
    public var line: Int?
    /// The column at fault in ``line``, counted from 1, or `nil` if it is unknown.
    public var column: Int?
    /// The error that led to this one, for the operator's log.
    ///
    /// It is not shown to users and not compared.
    public var cause: (any Error)?

    /// Creates an error.
    ///
    /// - Parameters:
    ///   - code: The code of the error.
    ///   - message: The problem, without names of options and commands.
    ///   - subject: The record at fault.
    ///   - field: The field, option or parameter at fault.
    ///   - parameters: The values that `message` contains.
    ///   - remedies: Alternative ways to solve the problem.
    ///   - file: The input file at fault.
    ///   - line: The line at fault in `file`, counted from 1.
    ///   - column: The column at fault in `line`, counted from 1.
    ///   - cause: The error that led to this one.
    public init(
        _ code: ErrorCode,
        _ message: String,
        subject: ErrorSubject? = nil,
        field: String? = nil,
        parameters: [ErrorParameter] = [],
        _ remedies: Remedy...,
        file: String? = nil,
        line: Int? = nil,
        column: Int? = nil,
        cause: (any Error)? = nil
    ) {
        self.code = code
        self.message = message
        self.subject = subject
        self.field = field
        self.parameters = parameters
        self.remedies = remedies
        self.file = file
        self.line = line
        self.column = column
        self.cause = cause
    }

    /// Compares all properties except ``cause``.
    public static func == (a: HabitError, b: HabitError) -> Bool {
        a.code == b.code
            && a.message == b.message
            && a.subject == b.subject
            && a.field == b.field
            && a.parameters == b.parameters
            && a.remedies == b.remedies
            && a.file == b.file
            && a.line == b.line
            && a.column == b.column
    }

    /// The code and the message, without the remedies.
    public var description: String { "error[\(code.slug)]: \(message)" }
}

/// The record that an error is about.
public struct ErrorSubject: Sendable, Equatable {
    /// The kind of the record in the singular, such as `habit`.
    public var kind: String
    /// The ID of the record.
    public var id: String

    /// Creates a reference to a record.
    ///
    /// - Parameters:
    ///   - kind: The kind of the record in the singular, such as `habit`.
    ///   - id: The ID of the record.
    public init(kind: String, id: String) {
        self.kind = kind
        self.id = id
    }
}
