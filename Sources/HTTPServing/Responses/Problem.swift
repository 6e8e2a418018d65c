import Base
import HTTPTypes
import Hummingbird
import NIOCore
import NIOHTTP1

/// An error as problem details (RFC 9457).
package struct Problem: Error {
    package var status: HTTPResponse.Status
    /// The stable identifier of the error for programs.
    ///
    /// The command line uses the same slugs.
    package var slug: String
    /// The description of the error and its remedy.
    package var detail: String
    /// The record that the error is about.
    package var subject: ErrorSubject?
    /// The invalid parameter, header or field.
    package var field: String?
    /// The values in ``detail``, for programs.
    package var parameters: [ErrorParameter] = []
    package var headers: HTTPFields = [:]
    /// The cause of the error.
    ///
    /// It appears only in the operator's log.
    package var cause: (any Error)?

    package init(
        _ status: HTTPResponse.Status,
        slug: any ProblemSlug,
        detail: String,
        subject: ErrorSubject? = nil,
        field: String? = nil,
        parameters: [ErrorParameter] = [],
        headers: HTTPFields = [:],
        cause: (any Error)? = nil
    ) {
        self.status = status
        self.slug = slug.slug
        self.detail = detail
        self.subject = subject
        self.field = field
        self.parameters = parameters
        self.headers = headers
        self.cause = cause
    }

    /// Creates the problem of an error of the transport.
    ///
    /// An error of any other type is internal and has no details.
    package init(ofTransport error: any Error) {
        switch error {
        case let problem as Problem: self = problem
        case is OverloadError:
            self.init(
                .serviceUnavailable,
                slug: ErrorCode.busy,
                detail: "too many requests are waiting: try again in a second",
                headers: [.retryAfter: "1"])
        case let error as HTTPError: self.init(error)
        case is NIOTooManyBytesError: self.init(HTTPError(.contentTooLarge))
        case is HTTPParserError:
            self.init(
                .badRequest,
                slug: ErrorCode.usage,
                detail: "the request is incomplete: send the complete request")
        default: self = .inside(.internal)
        }
    }

    /// The description of the problem of an address that leads to nothing.
    package static let unknownURL = "unknown URL: see / for the resources of the server"

    /// Returns the problem of an internal error, whose details only the operator sees.
    package static func inside(_ code: ErrorCode) -> Problem {
        Problem(
            .internalServerError,
            slug: code,
            detail: "internal error: ask the operator to check the log of the server")
    }

    private init(_ error: HTTPError) {
        switch error.status {
        case .notFound:
            self.init(
                .notFound,
                slug: ErrorCode.notFound,
                detail: Self.unknownURL)
        case .contentTooLarge:
            self.init(
                .contentTooLarge,
                slug: ServerSlug.bodyTooLarge,
                detail: "the body is larger than the limit: send a smaller body")
        default:
            self.init(
                error.status,
                slug: ErrorCode.usage,
                detail: error.body ?? error.status.reasonPhrase,
                headers: error.headers)
        }
    }

    /// Returns the problem of a method that the resource does not have (RFC 9110, section 15.5.6).
    ///
    /// - Parameter methods: The methods of the resource, separated by commas.
    /// - Returns: The problem.
    package static func notAllowed(_ methods: String) -> Problem {
        Problem(
            .methodNotAllowed,
            slug: ServerSlug.methodNotAllowed,
            detail: "this URL supports only \(methods): see /api",
            headers: [.allow: methods])
    }

    /// Returns the problem of an invalid parameter, header or field.
    package static func invalid(_ field: String, _ detail: String) -> Problem {
        Problem(
            .badRequest,
            slug: ErrorCode.parameterInvalid,
            detail: detail,
            field: field)
    }

    /// The body of the response.
    package var document: JSON {
        var members: [String: JSON] = [
            "type": "about:blank",
            "title": .text(status.reasonPhrase),
            "status": .integer(status.code),
            "detail": .text(detail),
            "slug": .text(slug),
        ]
        if let subject {
            members["subject"] = ["kind": .text(subject.kind), "id": .text(subject.id)]
        }
        if let field { members["field"] = .text(field) }
        if !parameters.isEmpty { members["parameters"] = .object(parameterValues) }
        return .object(members)
    }

    private var parameterValues: [String: JSON] {
        let values = parameters.map { parameter in (parameter.key.rawValue, JSON(parameter.value)) }
        return Dictionary(uniqueKeysWithValues: values)
    }

    /// The header fields of the response.
    ///
    /// They forbid caching, because the next request may succeed.
    package var headerFields: HTTPFields {
        headers.merging([.contentType: ContentType.problem.text, .cacheControl: "no-store"])
    }

    package var response: Response { Response(document, status: status, type: .problem, headers: headerFields) }
}

extension JSON {
    fileprivate init(_ value: ErrorParameter.Value) {
        self =
            switch value {
            case .integer(let number): .integer(number)
            case .number(let number): .number(number)
            case .text(let text): .text(text)
            }
    }
}

extension HTTPResponse.Status {
    /// The server cannot store what a request needs (RFC 4918, section 11.5).
    package static let insufficientStorage = HTTPResponse.Status(code: 507, reasonPhrase: "Insufficient Storage")
}

extension Problem: LoggableError {
    package var logText: String {
        let text = "error[\(slug)]: \(detail)"
        guard let cause else { return text }
        return "\(text); cause: \(ErrorLog.text(of: cause))"
    }
}

extension IOError: LoggableError {
    /// The error number without the name of the failed function.
    public var logText: String { "IOError \(errnoCode)" }
}

extension HTTPField.Name {
    package static let link = known("Link")
    package static let referrerPolicy = known("Referrer-Policy")
    package static let lastEventID = known("Last-Event-ID")
    package static let forwardedFor = known("X-Forwarded-For")
    package static let timeZone = known("Time-Zone")
    package static let habitatUser = known("Habitat-User")

    static func known(_ name: String) -> HTTPField.Name {
        guard let name = HTTPField.Name(name) else { preconditionFailure("invalid header name") }
        return name
    }
}
