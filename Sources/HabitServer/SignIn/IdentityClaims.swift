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
        let members = try JSONSlice(payload[...]).members()
        issuer = try Self.required(try Self.text("iss", members))
        subject = try Self.required(try Self.text("sub", members))
        audiences = try Self.audiences(members)
        expires = try Self.required(try Self.time("exp", members))
        issued = try Self.time("iat", members)
        notBefore = try Self.time("nbf", members)
        authorizedParty = try Self.text("azp", members)
        nonce = try Self.text("nonce", members)
        email = try Self.text("email", members)
        name = try Self.text("name", members)
        isEmailVerified = try Self.flag("email_verified", members)
    }

    private typealias Members = [String: JSONSlice]

    private static func required<Value>(_ value: Value?) throws -> Value {
        guard let value else { throw Malformed() }
        return value
    }

    /// Returns the value of a claim, or `nil` if the claim is missing or null.
    private static func value(_ name: String, _ members: Members) -> JSONSlice? {
        guard let value = members[name], !value.isNull else { return nil }
        return value
    }

    private static func text(_ name: String, _ members: Members) throws -> String? {
        try value(name, members)?.text()
    }

    private static func time(_ name: String, _ members: Members) throws -> Double? {
        guard let seconds = try value(name, members)?.number() else { return nil }
        guard times.contains(seconds) else { throw Malformed() }
        return seconds
    }

    private static func audiences(_ members: Members) throws -> [String] {
        let value = try required(value("aud", members))
        guard value.isArray else { return [try value.text()] }
        let list = try value.elements()
        guard (1...audienceLimit).contains(list.count) else { throw Malformed() }
        return try list.map { try $0.text() }
    }

    /// Returns a flag, which some issuers write as a text.
    private static func flag(_ name: String, _ members: Members) throws -> Bool {
        guard let value = value(name, members) else { return false }
        switch String(decoding: value.bytes, as: UTF8.self) {
        case "true", "\"true\"": return true
        case "false", "\"false\"": return false
        default: throw Malformed()
        }
    }
}
