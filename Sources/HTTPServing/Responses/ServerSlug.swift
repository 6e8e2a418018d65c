/// The slugs of problems that only the server has, in addition to those of `ErrorCode`.
///
/// A problem has such a slug as a text. A test compares these texts with the cases.
package enum ServerSlug: String, CaseIterable, Sendable {
    case bodyTooLarge = "body-too-large"
    case changedMeanwhile = "changed-meanwhile"
    case contentEncodingUnsupported = "content-encoding-unsupported"
    case crossSite = "cross-site"
    case formInvalid = "form-invalid"
    case issuerRefused = "issuer-refused"
    case methodNotAllowed = "method-not-allowed"
    case misdirectedRequest = "misdirected-request"
    case notInvited = "not-invited"
    case passkeyCopied = "passkey-copied"
    case passkeyExists = "passkey-exists"
    case passkeyInvalid = "passkey-invalid"
    case tokenExpired = "token-expired"
    case tooManyPasskeys = "too-many-passkeys"
    case tooManyRequests = "too-many-requests"
    case transferEncodingUnsupported = "transfer-encoding-unsupported"
    case uriTooLong = "uri-too-long"
}
