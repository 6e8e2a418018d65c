import Base
import HTTPServing
import HTTPTypes

extension Issuer {
    /// The problem of a response of the issuer that is not valid for this sign-in.
    ///
    /// The text is the same in all cases, so that it reveals no failed check.
    var invalidResponse: Problem {
        Problem(
            .unauthorized,
            slug: ErrorCode.notSignedIn,
            detail: "the response of \(name) is not valid: try again")
    }

    /// The problem of an issuer that refuses a sign-in.
    ///
    /// - Parameter error: The error code in its response (RFC 6749, section 4.1.2.1).
    /// - Returns: The problem.
    func refusal(_ error: String) -> Problem {
        let isCanceled = error == "access_denied"
        let reason = isCanceled ? "has refused access, or you have canceled the sign-in" : "has refused the sign-in"
        return Problem(
            .unauthorized,
            slug: ServerSlug.issuerRefused,
            detail: "\(name) \(reason): try again, or sign in another way")
    }

    /// The problem of an issuer that does not respond as expected.
    ///
    /// - Parameter cause: The error, which only the operator sees.
    /// - Returns: The problem.
    func unavailable(_ cause: any Error) -> Problem {
        Problem(
            .serviceUnavailable,
            slug: ServerSlug.issuerUnavailable,
            detail: "\(name) does not respond as expected: try again soon, or sign in another way",
            headers: [.retryAfter: "10"],
            cause: cause)
    }
}

extension Problem {
    /// The problem of a response of an issuer to a sign-in that this browser has not started or has finished.
    static let attemptUnknown = Problem(
        .unauthorized,
        slug: ErrorCode.notSignedIn,
        detail: "this sign-in has expired, is already complete or was started in another browser: sign in again")
}
