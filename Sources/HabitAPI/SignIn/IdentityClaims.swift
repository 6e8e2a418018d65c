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
    var person: PersonClaims
    /// The left half of the digest of the access token (section 3.1.3.6).
    var accessTokenHash: String?

    /// The error of claims that are missing or have another type.
    struct Malformed: Error {}

    /// Parses the payload of a token.
    ///
    /// - Parameter payload: The JSON text.
    /// - Throws: ``Malformed``, or a fault of ``JSONReader`` if the payload is not an object or repeats a claim.
    init(_ payload: [UInt8]) throws {
        let claims = try ClaimMembers(payload)
        issuer = try Self.required(claims.text("iss"))
        subject = try Self.required(claims.text("sub"))
        audiences = try claims.audiences()
        expires = try Self.required(claims.time("exp"))
        issued = try claims.time("iat")
        notBefore = try claims.time("nbf")
        authorizedParty = try claims.text("azp")
        nonce = try claims.text("nonce")
        person = PersonClaims(claims)
        accessTokenHash = try claims.text("at_hash")
    }

    private static func required<Value>(_ value: Value?) throws -> Value {
        guard let value else { throw Malformed() }
        return value
    }
}

/// The claims about a person in an ID token or in a response of the UserInfo endpoint (section 5.1).
///
/// They are optional: a claim of another type counts as none.
struct PersonClaims: Equatable {
    var email: String?
    var isEmailVerified: Bool
    var name: String?
    var zoneInfo: String?

    fileprivate init(_ claims: ClaimMembers) {
        email = try? claims.text("email")
        isEmailVerified = claims.flag("email_verified")
        name = try? claims.text("name")
        zoneInfo = try? claims.text("zoneinfo")
    }

    /// Parses a response of the UserInfo endpoint (section 5.3.2).
    ///
    /// - Parameters:
    ///   - json: The JSON text.
    ///   - subject: The identifier of the person in the ID token.
    /// - Throws: ``IdentityClaims/Malformed`` if the response is about another person, or a fault of ``JSONReader``.
    init(_ json: [UInt8], of subject: String) throws {
        let claims = try ClaimMembers(json)
        guard try claims.text("sub") == subject else { throw IdentityClaims.Malformed() }
        self.init(claims)
    }
}

/// The claims of a JSON object by name.
private struct ClaimMembers {
    /// Maximum number of audiences.
    private static let audienceLimit = 16
    /// The range of times: from 1970 to the end of the year 9999.
    private static let times = 0.0...253_402_300_799

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
        guard Self.times.contains(seconds) else { throw IdentityClaims.Malformed() }
        return seconds
    }

    func audiences() throws -> [String] {
        guard let value = value("aud") else { throw IdentityClaims.Malformed() }
        guard value.isArray else { return [try value.text()] }
        let list = try value.elements()
        guard (1...Self.audienceLimit).contains(list.count) else {
            throw IdentityClaims.Malformed()
        }
        return try list.map { audience in try audience.text() }
    }

    /// Returns whether a flag is set, which some issuers write as a text.
    func flag(_ name: String) -> Bool {
        guard let value = value(name) else { return false }
        return ["true", "\"true\""].contains(String(decoding: value.bytes, as: UTF8.self))
    }
}
