import Base
import HabitModel

/// The relevant claims of an OpenID Connect ID token (OpenID Connect Core 1.0, section 2).
///
/// The server reads them itself before the library that verifies the signature sees the token: the library ends the
/// process at some claims that an issuer can sign, such as an empty list of audiences.
struct IdentityClaims: Equatable {
    var issuer: String
    var subject: String
    /// The audiences, at least one.
    var audiences: [String]
    /// The times in seconds since 1970 UTC.
    var expires: Double
    var issued: Double?
    var notBefore: Double?
    var authorizedParty: String?
    var nonce: String?
    var email: String?
    var isEmailVerified = false
    var name: String?

    /// The error of claims that are missing or have another type.
    struct Malformed: Error {}

    /// Maximum number of audiences.
    private static let audienceLimit = 16
    /// The range of times: from 1970 to the end of the year 9999.
    private static let times = 0.0...253_402_300_799

    /// Parses the payload of a token.
    ///
    /// - Parameter payload: The JSON text.
    /// - Throws: ``Malformed``, or a fault of ``JSONReader`` if the payload is not an object or repeats a claim.
    init(_ payload: [UInt8]) throws {
        let claims = try Members(payload)
        issuer = try Self.required(claims.text("iss"))
        subject = try Self.required(claims.text("sub"))
        audiences = try claims.audiences()
        expires = try Self.required(claims.time("exp"))
        issued = try claims.time("iat")
        notBefore = try claims.time("nbf")
        authorizedParty = try claims.text("azp")
        nonce = try claims.text("nonce")
        email = try claims.text("email")
        name = try claims.text("name")
        isEmailVerified = try claims.flag("email_verified")
    }

    private static func required<Value>(_ value: Value?) throws -> Value {
        guard let value else { throw Malformed() }
        return value
    }

    /// The claims of a payload by name.
    private struct Members {
        private let members: [String: JSONSlice]

        init(_ payload: [UInt8]) throws {
            members = try JSONSlice(payload[...]).members()
        }

        /// Returns the value of a claim, or `nil` if the claim is missing or null.
        func value(_ name: String) -> JSONSlice? {
            guard let value = members[name], !value.isNull else { return nil }
            return value
        }

        func text(_ name: String) throws -> String? {
            try value(name)?.text()
        }

        func time(_ name: String) throws -> Double? {
            guard let seconds = try value(name)?.number() else { return nil }
            guard times.contains(seconds) else { throw Malformed() }
            return seconds
        }

        func audiences() throws -> [String] {
            let value = try required(value("aud"))
            guard value.isArray else { return [try value.text()] }
            let list = try value.elements()
            guard (1...audienceLimit).contains(list.count) else {
                throw Malformed()
            }
            return try list.map { audience in try audience.text() }
        }

        /// Returns a flag, which some issuers write as a text.
        func flag(_ name: String) throws -> Bool {
            guard let value = value(name) else { return false }
            let json = String(decoding: value.bytes, as: UTF8.self)
            switch json {
            case "true", "\"true\"": return true
            case "false", "\"false\"": return false
            default: throw Malformed()
            }
        }
    }
}
