import Base
import HTTPServing
import HTTPTypes

extension Problem {
    /// The problem of a request without the token that it needs.
    package static let notSignedIn = Problem(
        .unauthorized,
        slug: ErrorCode.notSignedIn,
        detail:
            "a token is required: send 'Authorization: Bearer TOKEN' with a token from the operator, or sign in on the page /sign-in",
        headers: [.wwwAuthenticate: "Bearer realm=\"habitat\""])

    /// The problem of a request whose token is unknown, expired or revoked.
    static let tokenInvalid = Problem(
        .unauthorized,
        slug: ErrorCode.notSignedIn,
        detail: "invalid token (unknown, expired or revoked): sign in again or create a new token",
        headers: [.wwwAuthenticate: "Bearer realm=\"habitat\", error=\"invalid_token\""])

    /// The problem of an address of a calendar that is unknown, expired or revoked.
    ///
    /// The problem does not contain the address.
    static let calendarNotFound = Problem(
        .notFound,
        slug: ErrorCode.notFound,
        detail: "unknown calendar (the address was never created, has expired or was revoked): create a new address")

    /// The problem of an address of a shared view that is unknown, expired or revoked.
    ///
    /// The problem does not contain the address.
    static let viewNotFound = Problem(
        .notFound,
        slug: ErrorCode.notFound,
        detail:
            "unknown shared view (the address was never created, has expired or was revoked): ask its owner for a new address"
    )

    /// The problem of a request whose header Authorization has another scheme, such as Basic.
    static let notBearer = Problem(
        .unauthorized,
        slug: ErrorCode.notSignedIn,
        detail: "the header 'Authorization' contains no bearer token: send 'Authorization: Bearer TOKEN'",
        headers: [.wwwAuthenticate: "Bearer realm=\"habitat\", error=\"invalid_token\""])

    /// The problem of a request that adds a way to sign in without a session of the person.
    static let personalSessionRequired = userRequired(
        "a new way to sign in or a new token needs a session that no access token has opened: ask the operator for a one-time link"
    )

    /// The problem of the operator for the application, which shows the habits of a user.
    package static let habitOwnerRequired = userRequired("the operator has no habits: sign in as a user")

    /// The problem of a user for a resource of the operator.
    static let operatorRequired = Problem(
        .forbidden,
        slug: ErrorCode.operatorOnly,
        detail: "only the operator can read the nightly runs: sign in as the operator")

    /// The problem of the operator's token for a resource that only a user has.
    package static func userRequired(_ detail: String) -> Problem {
        Problem(.forbidden, slug: ErrorCode.notSignedIn, detail: detail)
    }
}
