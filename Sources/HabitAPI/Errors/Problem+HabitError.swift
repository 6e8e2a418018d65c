import Base
import HTTPServing
import HTTPTypes

extension Problem {
    /// Creates the problem that a client receives for `error`.
    ///
    /// Internal errors have no details.
    package init(_ error: any Error) {
        guard let error = error as? HabitError else {
            self.init(ofTransport: error)
            return
        }
        self.init(error)
    }

    private init(_ error: HabitError) {
        let status = error.code.httpStatus
        switch status {
        case .unauthorized: self = .notSignedIn
        case .internalServerError: self = .inside(error.code)
        case .insufficientStorage:
            self.init(
                status,
                slug: error.code,
                detail: "the server has no disk space left and changed nothing: try again later")
        case .serviceUnavailable:
            let reason = Unavailability(error.code)
            self.init(
                status,
                slug: error.code,
                detail: reason.detail,
                parameters: error.parameters,
                headers: reason.isTemporary ? [.retryAfter: "1"] : [:])
        default:
            self.init(
                status,
                slug: error.code,
                detail: error.clientText,
                subject: error.subject,
                field: error.field,
                parameters: error.parameters)
        }
    }

    /// The reason for which the store cannot serve a request.
    private struct Unavailability {
        /// The sentence for the client.
        var detail: String
        /// Whether the client should try again.
        var isTemporary = true

        init(_ code: ErrorCode) {
            switch code {
            case .timeout:
                detail = "the request took too long: request less data"
            case .storeDamaged, .storeNotHabitat:
                detail = "the store of the server cannot be used: ask the operator to check it"
                isTemporary = false
            default:
                detail = "the store is temporarily unavailable: try again soon"
            }
        }
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
