/// The part of a response of an authenticator that is wrong.
enum PasskeyFault: Error, CaseIterable {
    /// The client data is not a JSON object with the required members.
    case clientData
    /// The client data is of a response of another kind.
    case kind
    /// The challenge is not a challenge of this server for this purpose and this user.
    case challenge
    /// The challenge has expired.
    case expiredChallenge
    /// The challenge has been used before.
    case usedChallenge
    /// A page of another origin has requested the response.
    case origin
    /// The page was in a frame of another origin.
    case crossOrigin
    /// The authenticator data is too short.
    case authenticatorData
    /// The passkey is for another domain.
    case domain
    /// No person was present.
    case userPresence
    /// The authenticator has not verified the person.
    case userVerification
    /// The ID of the new credential is missing or differs, or no user has a credential with the ID.
    case credential
    /// The public key is not a P-256 or RSA key of a permitted size.
    case publicKey
    /// The user handle is not the handle of the passkey.
    case userHandle
    /// The signature is invalid.
    case signature
}
