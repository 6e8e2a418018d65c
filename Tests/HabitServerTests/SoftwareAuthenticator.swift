import Base
import Crypto
import CryptoExtras
import Foundation
import HabitStore

@testable import HabitAPI

/// An authenticator in memory, with one passkey (Web Authentication, section 6).
struct SoftwareAuthenticator: Sendable {
    /// A private key.
    enum PrivateKey: Sendable {
        case es256(P256.Signing.PrivateKey)
        case rs256(_RSA.Signing.PrivateKey)

        /// Creates a key of an algorithm.
        init(_ algorithm: Passkey.Algorithm) throws {
            switch algorithm {
            case .es256: self = .es256(P256.Signing.PrivateKey())
            case .rs256: self = .rs256(try _RSA.Signing.PrivateKey(keySize: .bits2048))
            }
        }

        var publicKey: [UInt8] {
            switch self {
            case .es256(let key): Array(key.publicKey.derRepresentation)
            case .rs256(let key): Array(key.publicKey.derRepresentation)
            }
        }

        func signature(of message: [UInt8]) throws -> [UInt8] {
            switch self {
            case .es256(let key):
                return Array(try key.signature(for: message).derRepresentation)
            case .rs256(let key):
                return Array(try key.signature(for: message, padding: .insecurePKCS1v1_5).rawRepresentation)
            }
        }
    }

    let key: PrivateKey
    let credential: [UInt8]
    /// The handle of the user who has added the passkey.
    var userHandle: [UInt8] = []

    init(_ algorithm: Passkey.Algorithm = .es256, credential: [UInt8] = .random(count: 16)) throws {
        key = try PrivateKey(algorithm)
        self.credential = credential
    }

    /// Returns the response to a challenge, which a test can change before it is sent.
    func answer(_ kind: ClientData.Kind, to challenge: String) -> AuthenticatorResponse {
        AuthenticatorResponse(
            key: key,
            kind: kind.rawValue,
            challenge: challenge,
            flags: kind == .registration ? 0x45 : 0x05,
            id: credential,
            attested: credential,
            publicKey: key.publicKey,
            userHandle: userHandle)
    }
}

/// The parts of an authenticator's response, each of which a test can forge.
struct AuthenticatorResponse: Sendable {
    static let domain = "habits.example"

    let key: SoftwareAuthenticator.PrivateKey
    var kind: String
    var challenge: String
    var origin = "https://\(domain)"
    /// The member `crossOrigin` in JSON; `nil` omits it.
    var crossOrigin: String? = "false"
    /// The end of the client data before its last brace.
    var otherMembers = #","other":"x""#
    var domain = AuthenticatorResponse.domain
    /// The flags: 1 for a present user, 4 for a verified user, 64 for a credential.
    var flags: UInt8
    var counter: UInt32 = 0
    /// The ID of the credential in the body.
    var id: [UInt8]
    /// The ID of the credential in the authenticator data.
    var attested: [UInt8]
    /// The length of the credential ID in the authenticator data; `nil` for its real length.
    var attestedLength: UInt16?
    var publicKey: [UInt8]
    var userHandle: [UInt8]
    /// The number of bytes of the authenticator data that are sent; `nil` for all.
    var sentBytes: Int?
    /// The signed client data; `nil` for the sent client data.
    var signedClientData: [UInt8]?
    /// Changes the signature.
    var changeSignature: @Sendable ([UInt8]) -> [UInt8] = { signature in signature }

    var clientData: [UInt8] {
        let cross = crossOrigin.map { value in #","crossOrigin":\#(value)"# } ?? ""
        let members = #""type":"\#(kind)","challenge":"\#(challenge)","origin":"\#(origin)"\#(cross)\#(otherMembers)"#
        return Array("{\(members)}".utf8)
    }

    var authenticatorData: [UInt8] {
        var bytes = Array(domain.utf8).sha256
        bytes.append(flags)
        bytes += Self.bytes(counter)
        if flags & 0x40 != 0 {
            bytes += [UInt8](repeating: 7, count: 16)
            bytes += Self.bytes(attestedLength ?? UInt16(attested.count))
            bytes += attested
            // The public key in COSE, which the server does not read.
            bytes += [0xa5, 0x01, 0x02]
        }
        return Array(bytes.prefix(sentBytes ?? bytes.count))
    }

    private static func bytes(_ number: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: number.bigEndian) { bytes in Array(bytes) }
    }

    var registration: AttestationResponse {
        AttestationResponse(
            id: id,
            clientData: clientData,
            authenticatorData: authenticatorData,
            publicKey: publicKey)
    }

    func signIn() throws -> AssertionResponse {
        let signed = authenticatorData + (signedClientData ?? clientData).sha256
        return AssertionResponse(
            id: id,
            clientData: clientData,
            authenticatorData: authenticatorData,
            signature: changeSignature(try key.signature(of: signed)),
            userHandle: userHandle)
    }
}

extension AttestationResponse {
    /// The body of a request, with a label.
    func body(label: String? = nil) -> String {
        let members: JSON = [
            "id": .bytes(id),
            "client_data": .bytes(clientData),
            "authenticator_data": .bytes(authenticatorData),
            "public_key": .bytes(publicKey),
            "label": JSON(label),
        ]
        return members.text
    }
}

extension AssertionResponse {
    /// The body of a request.
    var body: String {
        let members: JSON = [
            "id": .bytes(id),
            "client_data": .bytes(clientData),
            "authenticator_data": .bytes(authenticatorData),
            "signature": .bytes(signature),
            "user_handle": .bytes(userHandle),
        ]
        return members.text
    }
}

extension JSON {
    fileprivate static func bytes(_ bytes: [UInt8]) -> JSON { .text(Data(bytes).base64URLEncoded) }
}
