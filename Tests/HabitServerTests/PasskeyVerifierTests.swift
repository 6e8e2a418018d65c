import Base
import Crypto
import CryptoExtras
import Foundation
import HabitModel
import HabitStore
import HabitTestSupport
import StoreEngine
import Testing

@testable import HTTPServing
@testable import HabitAPI

/// Tests of the checks of passkeys: each part of a response is wrong in turn.
@Suite(.engineIndependent) struct PasskeyVerifierTests {
    private static let clock = ServerFixture.clock
    private static let secret = [UInt8](repeating: 9, count: 32)
    private static let party = RelyingParty(id: "habits.example", origin: "https://habits.example")
    private static let verifier = verifier(secret)
    private static let handle = [UInt8](repeating: 3, count: 32)

    private static func verifier(_ secret: [UInt8]) -> PasskeyVerifier {
        let listen = ListenAddress(host: "127.0.0.1", port: 8080)
        return PasskeyVerifier(PasskeyAddress(publicURL: party.origin, listen: listen), secret: secret)
    }

    private static func later(_ seconds: Int64) -> Clock {
        Clock(now: Instant(microseconds: clock.now.microseconds + seconds * 1_000_000))
    }

    private static func challenge(
        _ purpose: PasskeyChallenge.Purpose,
        by verifier: PasskeyVerifier = verifier
    ) -> String {
        (try? verifier.challenge(for: purpose, at: clock.now)) ?? ""
    }

    /// A change of a valid response, and the fault that the verifier reports.
    struct Forgery: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let fault: PasskeyFault
        let change: @Sendable (inout AuthenticatorResponse) throws -> Void

        init(
            _ description: String,
            fault: PasskeyFault,
            change: @escaping @Sendable (inout AuthenticatorResponse) throws -> Void
        ) {
            testDescription = description
            self.fault = fault
            self.change = change
        }
    }

    /// The forgeries of every response.
    private static let common = [
        Forgery("other kind", fault: .kind) { answer in answer.kind = "payment.get" },
        Forgery("http", fault: .origin) { answer in answer.origin = "http://habits.example" },
        Forgery("other host", fault: .origin) { answer in answer.origin = "https://evil.example" },
        Forgery("subdomain", fault: .origin) { answer in answer.origin = "https://a.habits.example" },
        Forgery("other port", fault: .origin) { answer in answer.origin = "https://habits.example:8443" },
        Forgery("slash after origin", fault: .origin) { answer in answer.origin += "/" },
        Forgery("no origin", fault: .origin) { answer in answer.origin = "" },
        Forgery("frame", fault: .crossOrigin) { answer in answer.crossOrigin = "true" },
        Forgery("number for Boolean", fault: .clientData) { answer in answer.crossOrigin = "0" },
        Forgery("null for Boolean", fault: .clientData) { answer in answer.crossOrigin = "null" },
        Forgery("repeated challenge", fault: .clientData) { answer in answer.otherMembers = #","challenge":"x""# },
        Forgery("unfinished client data", fault: .clientData) { answer in answer.otherMembers = ",}" },
        Forgery("text after client data", fault: .clientData) { answer in answer.otherMembers = "}{" },
        Forgery("empty challenge", fault: .challenge) { answer in answer.challenge = "" },
        Forgery("random challenge", fault: .challenge) { answer in
            answer.challenge = Data([UInt8].random(count: 200)).base64URLEncoded
        },
        Forgery("long challenge", fault: .challenge) { answer in answer.challenge = String(repeating: "A", count: 4000)
        },
        Forgery("changed challenge", fault: .challenge) { answer in
            let other = answer.challenge.hasPrefix("A") ? "B" : "A"
            answer.challenge = other + answer.challenge.dropFirst()
        },
        Forgery("challenge of other store", fault: .challenge) { answer in
            let other = verifier([UInt8](repeating: 8, count: 32))
            answer.challenge = challenge(.signIn, by: other)
        },
        Forgery("other domain", fault: .domain) { answer in answer.domain = "evil.example" },
        Forgery("no user", fault: .userPresence) { answer in answer.flags &= ~0x01 },
        Forgery("unverified user", fault: .userVerification) { answer in answer.flags &= ~0x04 },
        Forgery("short data", fault: .authenticatorData) { answer in answer.sentBytes = 36 },
        Forgery("no data", fault: .authenticatorData) { answer in answer.sentBytes = 0 },
    ]

    // MARK: Registration

    private static let ofRegistration: [Forgery] = [
        Forgery("sign-in", fault: .kind) { answer in answer.kind = "webauthn.get" },
        Forgery("challenge of sign-in", fault: .challenge) { answer in answer.challenge = challenge(.signIn) },
        Forgery("challenge of other user", fault: .challenge) { answer in
            answer.challenge = challenge(.registration(user: 2, userHandle: handle))
        },
        Forgery("no credential", fault: .credential) { answer in answer.flags &= ~0x40 },
        Forgery("other ID", fault: .credential) { answer in answer.id = [1, 2, 3] },
        Forgery("other attested ID", fault: .credential) { answer in answer.attested = [1, 2, 3] },
        Forgery("empty ID", fault: .credential) { answer in
            answer.attested = []
            answer.id = []
        },
        Forgery("long ID", fault: .credential) { answer in
            answer.attested = [UInt8](repeating: 1, count: 1024)
            answer.id = answer.attested
        },
        Forgery("shorter length", fault: .credential) { answer in answer.attestedLength = 15 },
        Forgery("longer length", fault: .credential) { answer in answer.attestedLength = 65_535 },
        Forgery("no public key after ID", fault: .credential) { answer in answer.sentBytes = 71 },
        Forgery("data ends before length", fault: .credential) { answer in answer.sentBytes = 54 },
        Forgery("data ends after length", fault: .credential) { answer in answer.sentBytes = 55 },
        Forgery("data ends after counter", fault: .credential) { answer in answer.sentBytes = 37 },
        Forgery("no key", fault: .publicKey) { answer in answer.publicKey = [] },
        Forgery("unknown key", fault: .publicKey) { answer in answer.publicKey = [0x30, 0x03, 0x02, 0x01, 0x00] },
        Forgery("long key", fault: .publicKey) { answer in answer.publicKey = [UInt8](repeating: 0x30, count: 8000) },
        Forgery("cut key", fault: .publicKey) { answer in answer.publicKey.removeLast() },
        Forgery("P-384", fault: .publicKey) { answer in
            answer.publicKey = Array(P384.Signing.PrivateKey().publicKey.derRepresentation)
        },
        Forgery("RSA with 1,024 bits", fault: .publicKey) { answer in
            let key = try _RSA.Signing.PrivateKey(unsafeKeySize: _RSA.Signing.KeySize(bitCount: 1024))
            answer.publicKey = Array(key.publicKey.derRepresentation)
        },
    ]

    private static func registration(
        _ algorithm: Passkey.Algorithm = .es256,
        at clock: Clock = clock,
        _ change: (inout AuthenticatorResponse) throws -> Void = { _ in }
    ) throws -> PasskeyVerifier.Registration {
        let challenge = challenge(.registration(user: 1, userHandle: handle))
        var answer = try SoftwareAuthenticator(algorithm).answer(.registration, to: challenge)
        try change(&answer)
        return try verifier.registration(answer.registration, for: 1, at: party, now: clock.now)
    }

    @Test(arguments: Passkey.Algorithm.allCases) func newPasskeyIsAccepted(algorithm: Passkey.Algorithm) throws {
        var sent: AuthenticatorResponse?
        let registration = try Self.registration(algorithm) { answer in
            answer.counter = 0xf000_0001
            answer.crossOrigin = nil
            sent = answer
        }
        let credential = registration.credential
        #expect(credential.id == sent?.id)
        #expect(credential.publicKey == sent?.publicKey)
        #expect(credential.algorithm == algorithm)
        #expect(credential.counter == 0xf000_0001)
        #expect(credential.userHandle == Self.handle)
    }

    @Test(arguments: common + ofRegistration) func forgedRegistrationIsRefused(forgery: Forgery) throws {
        #expect(throws: forgery.fault) { try Self.registration(.es256, forgery.change) }
    }

    @Test(arguments: [1, 1023]) func credentialIDHasUpTo1023Bytes(length: Int) throws {
        let registration = try Self.registration { answer in
            answer.attested = [UInt8](repeating: 5, count: length)
            answer.id = answer.attested
        }
        #expect(registration.credential.id.count == length)
    }

    @Test func challengeExpiresAfter5Minutes() throws {
        _ = try Self.registration(at: Self.later(299))
        #expect(throws: PasskeyFault.expiredChallenge) { try Self.registration(at: Self.later(300)) }
    }

    @Test func challengesDiffer() {
        #expect(Self.challenge(.signIn) != Self.challenge(.signIn))
    }

    // MARK: Sign-in

    private static let ofSignIn: [Forgery] = [
        Forgery("registration", fault: .kind) { answer in answer.kind = "webauthn.create" },
        Forgery("challenge of registration", fault: .challenge) { answer in
            answer.challenge = challenge(.registration(user: 1, userHandle: handle))
        },
        Forgery("unknown ID", fault: .credential) { answer in answer.id = [1, 2, 3] },
        Forgery("no ID", fault: .credential) { answer in answer.id = [] },
        Forgery("other user handle", fault: .userHandle) { answer in answer.userHandle[0] ^= 1 },
        Forgery("shorter user handle", fault: .userHandle) { answer in answer.userHandle.removeLast() },
        Forgery("no user handle", fault: .userHandle) { answer in answer.userHandle = [] },
        Forgery("changed signature", fault: .signature) { answer in
            answer.changeSignature = { signature in signature.dropLast() + [(signature.last ?? 0) ^ 1] }
        },
        Forgery("no signature", fault: .signature) { answer in answer.changeSignature = { _ in [] } },
        Forgery("long signature", fault: .signature) { answer in
            answer.changeSignature = { _ in [UInt8](repeating: 0xff, count: 5000) }
        },
        Forgery("signature of other client data", fault: .signature) { answer in
            answer.signedClientData = answer.clientData + [0x20]
        },
        Forgery("signature of other authenticator data", fault: .signature) { answer in
            var other = answer
            other.counter = 7
            let signature = try other.signIn().signature
            answer.changeSignature = { _ in signature }
        },
        Forgery("signature of other key", fault: .signature) { answer in
            let signed = answer.authenticatorData + answer.clientData.sha256
            let signature = try SoftwareAuthenticator.PrivateKey(.es256).signature(of: signed)
            answer.changeSignature = { _ in signature }
        },
    ]

    /// A store with the passkeys of two users.
    private struct Passkeys {
        let store: TestStore
        var own: SoftwareAuthenticator
        var others: SoftwareAuthenticator

        init(_ algorithm: Passkey.Algorithm = .es256, counter: UInt32 = 0) throws {
            store = try TestStore()
            try store.write([.user("ann"), .user("bob")])
            own = try SoftwareAuthenticator(algorithm)
            others = try SoftwareAuthenticator()
            own.userHandle = handle
            others.userHandle = [UInt8](repeating: 4, count: 32)
            try add(own, of: "ann", counter: counter)
            try add(others, of: "bob", counter: counter)
        }

        private func add(_ authenticator: SoftwareAuthenticator, of user: String, counter: UInt32) throws {
            let key = try #require(PasskeyPublicKey(authenticator.key.publicKey))
            let credential = Passkey.Credential(
                id: authenticator.credential,
                userHandle: authenticator.userHandle,
                publicKey: key.derRepresentation,
                algorithm: key.algorithm,
                counter: counter)
            try store.engine.write { session in
                let viewer = try Viewer.user(named: user, in: session)
                let actions = PasskeyActions(clock: clock, in: session)
                _ = try actions.add(credential, label: nil, for: viewer)
            }
        }

        func signIn(_ answer: AuthenticatorResponse, at clock: Clock = clock) throws -> Passkey {
            try store.engine.write { session in
                try verifier.signIn(answer.signIn(), at: party, clock: clock, in: session)
            }
        }

        func answer(_ change: (inout AuthenticatorResponse) throws -> Void = { _ in }) rethrows -> AuthenticatorResponse
        {
            var answer = own.answer(.signIn, to: challenge(.signIn))
            try change(&answer)
            return answer
        }
    }

    @Test(arguments: Passkey.Algorithm.allCases) func passkeyOpensAccount(algorithm: Passkey.Algorithm) throws {
        let passkeys = try Passkeys(algorithm)
        let passkey = try passkeys.signIn(try passkeys.answer())
        guard case .user(_, let id) = passkey.owner else {
            Issue.record("\(passkey)")
            return
        }
        #expect(id == "ann")
    }

    @Test(arguments: common + ofSignIn) func forgedSignInIsRefused(forgery: Forgery) throws {
        let passkeys = try Passkeys()
        let answer = try passkeys.answer(forgery.change)
        #expect(throws: forgery.fault) { try passkeys.signIn(answer) }
        // A refused response uses neither the challenge nor the passkey.
        _ = try passkeys.signIn(try passkeys.answer())
    }

    @Test func changedRSASignatureIsRefused() throws {
        let passkeys = try Passkeys(.rs256)
        let answer = passkeys.answer { answer in
            answer.changeSignature = { signature in [signature[0] ^ 1] + signature.dropFirst() }
        }
        #expect(throws: PasskeyFault.signature) { try passkeys.signIn(answer) }
    }

    @Test func passkeyOfOtherUserOpensOnlyTheirAccount() throws {
        let passkeys = try Passkeys()
        var mixed = passkeys.others.answer(.signIn, to: Self.challenge(.signIn))
        mixed.id = passkeys.own.credential
        #expect(throws: PasskeyFault.userHandle) { try passkeys.signIn(mixed) }
        mixed.userHandle = passkeys.own.userHandle
        #expect(throws: PasskeyFault.signature) { try passkeys.signIn(mixed) }
        var handle = passkeys.others.answer(.signIn, to: Self.challenge(.signIn))
        handle.userHandle = passkeys.own.userHandle
        #expect(throws: PasskeyFault.userHandle) { try passkeys.signIn(handle) }
    }

    @Test func challengeIsUsedOnce() throws {
        let passkeys = try Passkeys()
        let answer = try passkeys.answer()
        _ = try passkeys.signIn(answer)
        #expect(throws: PasskeyFault.usedChallenge) { try passkeys.signIn(answer) }
        // The challenge in another spelling of base64.
        let respelled = passkeys.answer { other in
            other.challenge = answer.challenge.replacing("-", with: "+").replacing("_", with: "/")
        }
        #expect(throws: PasskeyFault.usedChallenge) { try passkeys.signIn(respelled) }
        #expect(throws: PasskeyFault.expiredChallenge) { try passkeys.signIn(answer, at: Self.later(300)) }
    }

    @Test(arguments: [
        (5, 6, true),
        (5, 0xffff_ffff, true),
        (5, 5, false),
        (5, 4, false),
        (5, 0, false),
        (0, 0, true),
    ])
    func counterMustGrow(stored: UInt32, sent: UInt32, isAccepted: Bool) throws {
        let passkeys = try Passkeys(counter: stored)
        let answer = passkeys.answer { answer in answer.counter = sent }
        if isAccepted {
            let passkey = try passkeys.signIn(answer)
            let found = try passkeys.store.engine.read { session in
                try PasskeyActions(clock: Self.clock, in: session).passkeys(of: passkey.owner)
            }
            #expect(found.map(\.credential.counter) == [sent])
            #expect(found.map(\.used) == [Self.clock.now])
        } else {
            #expect(throws: CopiedPasskey.self) { try passkeys.signIn(answer) }
        }
    }

    // MARK: Addresses

    @Test(arguments: [
        ("https://habits.example", "127.0.0.1", "habits.example https://habits.example"),
        ("https://Habits.Example:443/app/", "127.0.0.1", "habits.example https://habits.example"),
        ("https://habits.example:8443", "0.0.0.0", "habits.example https://habits.example:8443"),
        ("http://localhost:9000", "0.0.0.0", "localhost http://localhost:9000"),
        ("http://habits.example", "127.0.0.1", nil), ("https://192.0.2.1", "127.0.0.1", nil),
        ("https://[2001:db8::1]", "127.0.0.1", nil), ("x", "127.0.0.1", nil),
        (nil, "127.0.0.1", "localhost http://localhost:8080"), (nil, "::1", "localhost http://localhost:8080"),
        (nil, "localhost", "localhost http://localhost:8080"), (nil, "0.0.0.0", nil), (nil, "192.0.2.1", nil),
    ])
    func publicURLDecidesAboutDomain(publicURL: String?, host: String, expected: String?) {
        let listen = ListenAddress(host: host, port: 8080)
        let party = PasskeyAddress(publicURL: publicURL, listen: listen).relyingParty(localPort: nil)
        #expect(party.map { party in "\(party.id) \(party.origin)" } == expected)
    }

    @Test func freePortIsPartOfOrigin() {
        let address = PasskeyAddress(publicURL: nil, listen: ListenAddress(host: "127.0.0.1", port: 0))
        #expect(address.relyingParty(localPort: 41_234)?.origin == "http://localhost:41234")
    }
}
