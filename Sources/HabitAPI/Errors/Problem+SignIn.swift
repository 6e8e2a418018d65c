import Base
import HTTPServing
import HTTPTypes

extension Problem {
    /// The problem of a request without the token that it needs.
    static let notSignedIn = Problem(
        .unauthorized,
        slug: ErrorCode.notSignedIn.slug,
        detail:
            "a token is required: send 'Authorization: Bearer TOKEN' with a token from POST /session or from the operator",
        headers: [.wwwAuthenticate: "Bearer realm=\"habitat\""])

    /// The problem of a request whose token is unknown, expired or revoked.
    static let tokenInvalid = Problem(
        .unauthorized,
        slug: ErrorCode.notSignedIn.slug,
        detail: "invalid token (unknown, expired or revoked): sign in again or create a new token",
        headers: [.wwwAuthenticate: "Bearer realm=\"habitat\", error=\"invalid_token\""])

    /// The problem of an address of a calendar that is unknown, expired or revoked.
    ///
    /// The problem does not contain the address.
    static let calendarNotFound = Problem(
        .notFound,
        slug: ErrorCode.notFound.slug,
        detail: "unknown calendar (the address was never created, has expired or was revoked): create a new address")

    /// The problem of a request whose header Authorization has another scheme, such as Basic.
    static let notBearer = Problem(
        .unauthorized,
        slug: ErrorCode.notSignedIn.slug,
        detail: "the header 'Authorization' contains no bearer token: send 'Authorization: Bearer TOKEN'",
        headers: [.wwwAuthenticate: "Bearer realm=\"habitat\", error=\"invalid_token\""])

    /// The problem of the operator's token for a resource that only a user has.
    static func userRequired(_ detail: String) -> Problem {
        Problem(.forbidden, slug: ErrorCode.notSignedIn.slug, detail: detail)
    }
}
