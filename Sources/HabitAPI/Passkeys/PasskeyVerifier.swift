import Base
import Crypto
import HTTPServing
import HabitModel
import HabitStore
import StoreEngine

/// Makes the challenges of passkeys, and verifies the responses of authenticators (Web Authentication Level 2, sections
/// 7.1 and 7.2).
///
/// The browser sends the public key and the authenticator data by themselves, so that the server parses no CBOR. The
/// model of the authenticator is not verified (attestation `none`).
package struct PasskeyVerifier: Sendable {
    private let address: PasskeyAddress
    private let key: PasskeyChallengeKey

    /// Creates the verifier of a server.
    ///
    /// - Parameters:
    ///   - address: Decides for which domain and origin passkeys are valid.
    ///   - secret: The key of the store, which all servers of the store share.
    package init(_ address: PasskeyAddress, secret: [UInt8]) {
        self.address = address
        key = PasskeyChallengeKey(secret)
    }

    /// Returns the domain and the origin of the passkeys, or `nil` if the server has no passkeys.
    ///
    /// - Parameter context: The context of a request, whose connection has the port of the server.
    /// - Returns: The domain and the origin.
    package func relyingParty(in context: ServerContext) -> RelyingParty? {
        address.relyingParty(localPort: context.channel.localAddress?.port)
    }

    /// Returns a new challenge and its text.
    ///
    /// - Parameters:
    ///   - purpose: The purpose for which alone the challenge is valid.
    ///   - now: The current time.
    /// - Returns: The text, which the authenticator signs as a part of the client data.
    /// - Throws: An error of the encryption.
    func challenge(for purpose: PasskeyChallenge.Purpose, at now: Instant) throws -> String {
        try key.text(of: PasskeyChallenge(for: purpose, at: now))
    }

    // MARK: Registration

    /// A new credential, and the use of its challenge, which the caller must record.
    struct Registration: Sendable {
        var credential: Passkey.Credential
        var challenge: SingleUse
    }

    /// Verifies the response to a request for a new passkey.
    ///
    /// - Parameters:
    ///   - response: The response of the authenticator.
    ///   - user: The key of the user who adds the passkey.
    ///   - party: The server.
    ///   - now: The current time.
    /// - Returns: The new credential.
    /// - Throws: The first fault of the response.
    func registration(
        _ response: AttestationResponse,
        for user: Int64,
        at party: RelyingParty,
        now: Instant
    ) throws(PasskeyFault) -> Registration {
        let client = try ClientData(response.clientData)
        try client.check(.registration, at: party)
        let challenge = try challenge(in: client, at: now)
        guard case .registration(user, let userHandle) = challenge.purpose else { throw .challenge }
        guard let data = AuthenticatorData(response.authenticatorData) else { throw .authenticatorData }
        try data.check(at: party)
        guard let id = data.credential, id == response.id else { throw .credential }
        guard let publicKey = PasskeyPublicKey(response.publicKey) else { throw .publicKey }
        let credential = Passkey.Credential(
            id: id,
            userHandle: userHandle,
            publicKey: publicKey.derRepresentation,
            algorithm: publicKey.algorithm,
            counter: data.counter)
        return Registration(credential: credential, challenge: challenge.use)
    }

    // MARK: Sign-in

    /// Verifies the response to a request for a sign-in, and records the uses of its challenge and of its passkey.
    ///
    /// - Parameters:
    ///   - response: The response of the authenticator.
    ///   - party: The server.
    ///   - clock: The time of the request.
    ///   - session: The transaction, which must succeed for the challenge and the passkey to count as used.
    /// - Returns: The passkey, whose owner signs in.
    /// - Throws: The first fault of the response, ``CopiedPasskey``, or an error of the engine.
    func signIn(
        _ response: AssertionResponse,
        at party: RelyingParty,
        clock: Clock,
        in session: any Session
    ) throws -> Passkey {
        let client = try ClientData(response.clientData)
        try client.check(.signIn, at: party)
        let challenge = try challenge(in: client, at: clock.now)
        guard challenge.purpose == .signIn else { throw PasskeyFault.challenge }
        guard let data = AuthenticatorData(response.authenticatorData) else { throw PasskeyFault.authenticatorData }
        try data.check(at: party)
        let actions = PasskeyActions(clock: clock, in: session)
        guard let passkey = try actions.passkey(credential: response.id) else { throw PasskeyFault.credential }
        try Self.verify(response, with: passkey.credential)
        guard try challenge.use.record(in: session, at: clock.now) else { throw PasskeyFault.usedChallenge }
        guard try actions.recordUse(of: passkey, counter: data.counter) else { throw CopiedPasskey(passkey: passkey) }
        return passkey
    }

    /// Checks the user handle and the signature of a response.
    private static func verify(
        _ response: AssertionResponse,
        with credential: Passkey.Credential
    ) throws(PasskeyFault) {
        guard response.userHandle == credential.userHandle else { throw .userHandle }
        guard let key = PasskeyPublicKey(credential.publicKey), key.algorithm == credential.algorithm else {
            throw .publicKey
        }
        let message = response.authenticatorData + response.clientData.sha256
        guard key.isValid(response.signature, for: message) else { throw .signature }
    }

    /// Returns the challenge of a response.
    private func challenge(in client: ClientData, at now: Instant) throws(PasskeyFault) -> PasskeyChallenge {
        guard let challenge = key.challenge(in: client.challenge) else { throw .challenge }
        guard !challenge.isExpired(at: now) else { throw .expiredChallenge }
        return challenge
    }
}

/// The error of an authenticator whose number of signatures does not follow the last one, so that its passkey may have been
/// copied.
struct CopiedPasskey: Error {
    let passkey: Passkey
}
