import Base
import HTTPTypes
import HabitModel
import Hummingbird
import NIOCore
import NIOHTTP1
import StoreEngine

/// An error as problem details (RFC 9457).
struct Problem: Error {
    var status: HTTPResponse.Status
    /// The stable identifier of the error for programs.
    ///
    /// The command line uses the same slugs.
    var slug: String
    /// The description of the error and its remedy.
    var detail: String
    /// The record that the error is about.
    var subject: ErrorSubject?
    /// The invalid parameter, header or field.
    var field: String?
    /// The values in ``detail``, for programs.
    var parameters: [ErrorParameter] = []
    var headers: HTTPFields = [:]
    /// The cause of the error.
    ///
    /// It appears only in the operator's log.
    var cause: (any Error)?

    init(
        _ status: HTTPResponse.Status, _ slug: String, _ detail: String, subject: ErrorSubject? = nil,
        field: String? = nil, parameters: [ErrorParameter] = [],
        headers: HTTPFields = [:], cause: (any Error)? = nil
    ) {
        self.status = status
        self.slug = slug
        self.detail = detail
        self.subject = subject
        self.field = field
        self.parameters = parameters
        self.headers = headers
        self.cause = cause
    }

    /// Creates the problem that a client receives for `error`.
    ///
    /// Internal errors have no details.
    init(_ error: any Error) {
        switch error {
        case let problem as Problem: self = problem
        case let error as HabitError: self.init(error)
        case is OverloadError:
            self.init(
                .serviceUnavailable, "busy", "too many requests are waiting: try again in a second",
                headers: [.retryAfter: "1"])
        case let error as HTTPError: self.init(error)
        case is NIOTooManyBytesError: self.init(HTTPError(.contentTooLarge))
        case is HTTPParserError:
            self.init(.badRequest, ErrorCode.usage.slug, "the request is incomplete: send the complete request")
        default: self.init(.internalServerError, ErrorCode.internal.slug, Self.inside)
        }
    }

    private static let inside = "internal error: ask the operator to check the log of the server"

    private init(_ error: HabitError) {
        let status = error.code.httpStatus
        switch status {
        case .unauthorized: self = .notSignedIn
        case .internalServerError: self.init(status, error.code.slug, Self.inside)
        case .insufficientStorage:
            self.init(status, error.code.slug, "the server has no disk space left and changed nothing: try again later")
        case .serviceUnavailable:
            let (detail, isTemporary) = Self.unavailable(error.code)
            self.init(
                status, error.code.slug, detail, parameters: error.parameters,
                headers: isTemporary ? [.retryAfter: "1"] : [:])
        default:
            self.init(
                status, error.code.slug, error.clientText, subject: error.subject, field: error.field,
                parameters: error.parameters)
        }
    }

    /// Returns the sentence for a store that cannot serve a request, and whether the client should try again.
    private static func unavailable(_ code: ErrorCode) -> (detail: String, isTemporary: Bool) {
        switch code {
        case .timeout: ("the request took too long: request less data", true)
        case .storeDamaged, .storeNotHabitat:
            ("the store of the server cannot be used: ask the operator to check it", false)
        default: ("the store is temporarily unavailable: try again soon", true)
        }
    }

    private init(_ error: HTTPError) {
        switch error.status {
        case .notFound:
            self.init(.notFound, ErrorCode.notFound.slug, "unknown URL: see / for the resources of the server")
        case .contentTooLarge:
            self.init(.contentTooLarge, "body-too-large", "the body is larger than the limit: send a smaller body")
        default:
            self.init(
                error.status, ErrorCode.usage.slug, error.body ?? error.status.reasonPhrase, headers: error.headers)
        }
    }

    static let notSignedIn = Problem(
        .unauthorized, ErrorCode.notSignedIn.slug,
        "a token is required: send 'Authorization: Bearer TOKEN' with a token from POST /session or from the operator",
        headers: [.wwwAuthenticate: "Bearer realm=\"habitat\""])

    /// The problem of a request whose token is unknown, expired or revoked.
    static let tokenInvalid = Problem(
        .unauthorized, ErrorCode.notSignedIn.slug,
        "invalid token (unknown, expired or revoked): sign in again or create a new token",
        headers: [.wwwAuthenticate: "Bearer realm=\"habitat\", error=\"invalid_token\""])

    /// The problem of an address of a calendar that is unknown, expired or revoked.
    ///
    /// The problem does not contain the address.
    static let calendarNotFound = Problem(
        .notFound, ErrorCode.notFound.slug,
        "unknown calendar (the address was never created, has expired or was revoked): create a new address")

    /// The problem of a request whose header Authorization has another scheme, such as Basic.
    static let notBearer = Problem(
        .unauthorized, ErrorCode.notSignedIn.slug,
        "the header 'Authorization' contains no bearer token: send 'Authorization: Bearer TOKEN'",
        headers: [.wwwAuthenticate: "Bearer realm=\"habitat\", error=\"invalid_token\""])

    /// The problem of the operator's token for a resource that only a user has.
    static func userRequired(_ detail: String) -> Problem {
        Problem(.forbidden, ErrorCode.notSignedIn.slug, detail)
    }

    static func invalid(_ field: String, _ detail: String) -> Problem {
        Problem(.badRequest, ErrorCode.parameterInvalid.slug, detail, field: field)
    }

    /// The body of the response.
    var document: JSON {
        var members: [String: JSON] = [
            "type": "about:blank", "title": .text(status.reasonPhrase), "status": .integer(status.code),
            "detail": .text(detail), "slug": .text(slug),
        ]
        members["subject"] = subject.map { ["kind": .text($0.kind), "id": .text($0.id)] }
        members["field"] = field.map { .text($0) }
        if !parameters.isEmpty {
            members["parameters"] = .object(
                Dictionary(uniqueKeysWithValues: parameters.map { ($0.key.rawValue, JSON($0.value)) }))
        }
        return .object(members)
    }

    /// The header fields of the response.
    ///
    /// They forbid caching, because the next request may succeed.
    var headerFields: HTTPFields {
        headers.merging([.contentType: MediaType.problem.text, .cacheControl: "no-store"])
    }

    var response: Response { Response(document, status: status, type: .problem, headers: headerFields) }
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
    static let insufficientStorage = HTTPResponse.Status(code: 507, reasonPhrase: "Insufficient Storage")
}

extension Problem: LoggableError {
    var logText: String {
        "error[\(slug)]: \(detail)" + (cause.map { "; cause: \(ErrorLog.text(of: $0))" } ?? "")
    }
}

extension IOError: LoggableError {
    /// The error number without the name of the failed function.
    public var logText: String { "IOError \(errnoCode)" }
}

extension HTTPField.Name {
    static let link = known("Link")
    static let referrerPolicy = known("Referrer-Policy")
    static let lastEventID = known("Last-Event-ID")
    static let forwardedFor = known("X-Forwarded-For")
    static let timeZone = known("Time-Zone")

    private static func known(_ name: String) -> HTTPField.Name {
        guard let name = HTTPField.Name(name) else { preconditionFailure("invalid header name") }
        return name
    }
}

extension ErrorCode {
    /// The HTTP status of a response with this error.
    var httpStatus: HTTPResponse.Status {
        switch self {
        case .notSignedIn: .unauthorized
        case .postDeleted: .gone
        case .noSpace: .insufficientStorage
        // The store is available, but it lacks the position that the request needs. A repetition has the same result.
        case .locationUnavailable: .unprocessableContent
        // The request is valid, but the store cannot be used.
        case .storeDamaged, .storeNotHabitat: .serviceUnavailable
        default:
            switch exitStatus {
            case 64: .badRequest
            case 65: .unprocessableContent
            case 66: .notFound
            case 69, 75: .serviceUnavailable
            case 76: .conflict
            case 77: .forbidden
            default: .internalServerError
            }
        }
    }
}
