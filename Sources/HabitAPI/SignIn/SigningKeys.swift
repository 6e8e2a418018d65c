import Base
import Foundation
import JWTKit

/// The header of an ID token (RFC 7515, section 4).
struct TokenHeader {
    var algorithm: String
    /// The identifier of the key.
    var key: String

    /// The error of a header that the server cannot use.
    struct Malformed: Error {}

    /// Parses a header.
    ///
    /// - Parameter json: The JSON text.
    /// - Throws: An error if a member is missing or repeated, or if the header has `crit`: the server supports no
    ///   extensions (section 4.1.11).
    init(_ json: [UInt8]) throws {
        let members = try JSONSlice(json[...]).members()
        guard members["crit"] == nil,
            let algorithm = members["alg"],
            let key = members["kid"]
        else { throw Malformed() }
        self.algorithm = try algorithm.text()
        self.key = try key.text()
    }
}

/// The signing keys of an issuer, by key ID (RFC 7517).
struct SigningKeys: Sendable {
    private let keys: [String: JWK]

    /// Parses a key set.
    ///
    /// Keys without an ID and keys of unsupported types are skipped.
    ///
    /// - Throws: A decoding error if `json` is not a key set.
    init(json: String) throws {
        let data = Data(json.utf8)
        let set = try JSONDecoder().decode(JSONWebKeySet.self, from: data)
        var keys: [String: JWK] = [:]
        for key in set.keys.compactMap(\.key) {
            guard let id = key.keyIdentifier?.string else { continue }
            // The first of several keys with an ID is used.
            guard keys[id] == nil else { continue }
            keys[id] = key
        }
        self.keys = keys
    }

    private struct JSONWebKeySet: Decodable {
        var keys: [Element]

        struct Element: Decodable {
            var key: JWK?

            init(from decoder: any Decoder) throws {
                key = try? JWK(from: decoder)
            }
        }
    }

    func contains(_ identifier: String) -> Bool {
        keys[identifier] != nil
    }

    /// The payload of a token whose claims are not read.
    private struct UnreadPayload: JWTPayload {
        /// Does nothing: only the signature is verified.
        func verify(using algorithm: some JWTAlgorithm) throws {}
    }

    /// Verifies the signature of a token.
    ///
    /// - Throws: An error if the key is unknown, is for another algorithm, or did not sign the token.
    func verify(_ token: String, _ header: TokenHeader) async throws {
        guard var key = keys[header.key],
            Self.algorithms(of: key).contains(header.algorithm)
        else { throw JWTError.noKeyProvided }
        key.algorithm = JWK.Algorithm(rawValue: header.algorithm)
        let collection = JWTKeyCollection()
        try await collection.add(jwk: key)
        _ = try await collection.verify(token, as: UnreadPayload.self)
    }

    /// Returns the permitted algorithms of a key, which are asymmetric.
    ///
    /// They are the key's own algorithm if it has one, otherwise all algorithms of its type.
    private static func algorithms(of key: JWK) -> Set<String> {
        let all = algorithmsOfType(of: key)
        guard let own = key.algorithm?.rawValue else { return all }
        return all.intersection([own])
    }

    private static func algorithmsOfType(of key: JWK) -> Set<String> {
        switch key.keyType {
        case .rsa:
            return ["RS256", "RS384", "RS512", "PS256"]
        case .octetKeyPair:
            return ["EdDSA"]
        case .ecdsa:
            guard let curve = key.curve?.rawValue else { return [] }
            return curves[curve] ?? []
        default:
            return []
        }
    }

    /// The algorithm of each curve (RFC 7518, section 3.4).
    private static let curves: [String: Set<String>] = [
        "P-256": ["ES256"],
        "P-384": ["ES384"],
        "P-521": ["ES512"],
    ]
}
