import Base

/// The stable identifier of a problem for programs.
package protocol ProblemSlug: Sendable {
    /// The text of the identifier, which never changes.
    var slug: String { get }
}

extension ErrorCode: ProblemSlug {}

/// The slugs of problems that only the server has, in addition to those of `ErrorCode`.
///
/// The raw value is the text in the response.
package enum ServerSlug: String, CaseIterable, ProblemSlug {
    case bodyTooLarge = "body-too-large"
    case changedMeanwhile = "changed-meanwhile"
    case contentEncodingUnsupported = "content-encoding-unsupported"
    case crossSite = "cross-site"
    case formInvalid = "form-invalid"
    case issuerRefused = "issuer-refused"
    case issuerUnavailable = "issuer-unavailable"
    case methodNotAllowed = "method-not-allowed"
    case misdirectedRequest = "misdirected-request"
    case notInvited = "not-invited"
    case otherUser = "other-user"
    case passkeyCopied = "passkey-copied"
    case passkeyExists = "passkey-exists"
    case passkeyInvalid = "passkey-invalid"
    case tokenExpired = "token-expired"
    case tooManyPasskeys = "too-many-passkeys"
    case tooManyRequests = "too-many-requests"
    case transferEncodingUnsupported = "transfer-encoding-unsupported"
    case uriTooLong = "uri-too-long"

    package var slug: String { rawValue }
}
