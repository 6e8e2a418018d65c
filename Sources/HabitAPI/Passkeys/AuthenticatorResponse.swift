import Base
import Foundation

/// The response of an authenticator to a request for a new passkey.
struct AttestationResponse: Sendable {
    /// The names of the members of its body.
    static let members = ["id", "client_data", "authenticator_data", "public_key"]

    /// The ID of the new credential.
    var id: [UInt8]
    /// The client data in JSON.
    var clientData: [UInt8]
    /// The authenticator data.
    var authenticatorData: [UInt8]
    /// The public key as a SubjectPublicKeyInfo in DER.
    var publicKey: [UInt8]
}

extension AttestationResponse {
    /// Reads the members of a body, which are base64url.
    ///
    /// - Parameter body: The body.
    /// - Throws: `field-invalid` if a member is missing or is not base64url.
    init(_ body: ObjectBody) throws {
        id = try body.bytes("id")
        clientData = try body.bytes("client_data")
        authenticatorData = try body.bytes("authenticator_data")
        publicKey = try body.bytes("public_key")
    }
}

/// The response of an authenticator to a request for a sign-in.
struct AssertionResponse: Sendable {
    /// The names of the members of its body.
    static let members = ["id", "client_data", "authenticator_data", "signature", "user_handle"]

    /// The ID of the credential.
    var id: [UInt8]
    /// The client data in JSON.
    var clientData: [UInt8]
    /// The authenticator data.
    var authenticatorData: [UInt8]
    /// The signature over the authenticator data and the digest of the client data.
    var signature: [UInt8]
    /// The ID of the user that the authenticator keeps with the passkey.
    var userHandle: [UInt8]
}

extension AssertionResponse {
    /// Reads the members of a body, which are base64url.
    ///
    /// - Parameter body: The body.
    /// - Throws: `field-invalid` if a member is missing or is not base64url.
    init(_ body: ObjectBody) throws {
        id = try body.bytes("id")
        clientData = try body.bytes("client_data")
        authenticatorData = try body.bytes("authenticator_data")
        signature = try body.bytes("signature")
        userHandle = try body.bytes("user_handle")
    }
}

extension ObjectBody {
    /// Reads the response of an authenticator, which is a JSON object with texts.
    ///
    /// - Parameters:
    ///   - body: The body in UTF-8.
    ///   - names: The names of the members to read.
    /// - Throws: `row-invalid` for another body.
    init(response body: some Collection<UInt8>, reading names: [String]) throws {
        guard let object = ObjectBody(body, reading: names) else {
            throw HabitError(
                .rowInvalid,
                "the body is not a JSON object with texts: send the response of the authenticator",
                field: names.first)
        }
        self = object
    }

    /// Returns the bytes of a member in base64url.
    fileprivate func bytes(_ name: String) throws -> [UInt8] {
        guard let text = self[name], let bytes = Data(base64URLEncoded: text), !bytes.isEmpty else {
            throw HabitError(
                .fieldInvalid,
                "the member '\(name)' is missing or is not base64url: send the bytes of the authenticator's response",
                field: name)
        }
        return Array(bytes)
    }
}

extension JSON {
    /// Returns the JSON schema of a body whose members are bytes in base64url.
    ///
    /// - Parameter names: The names of the members, which are required.
    /// - Returns: The schema.
    static func bytesSchema(_ names: [String]) -> JSON {
        let schema: JSON = ["type": "string", "pattern": "^[A-Za-z0-9_-]+$"]
        let members = names.map { name in (name, schema) }
        return [
            "type": "object",
            "required": .list(names.map { name in .text(name) }),
            "properties": .object(Dictionary(uniqueKeysWithValues: members)),
        ]
    }
}
