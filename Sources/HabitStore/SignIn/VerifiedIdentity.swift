import Base
import HabitModel

/// An identity that an issuer has verified.
///
/// The signature, the audience and the validity period of its token have been checked.
public struct VerifiedIdentity: Sendable {
    /// The issuer of the ID token.
    public var issuer: String
    /// The identifier of the person.
    ///
    /// The issuer never assigns it to another person.
    public var subject: String
    /// The email address in NFC, or `nil` if the issuer has not verified it or if it is not one address.
    public internal(set) var email: String?
    /// Whether the operator trusts the addresses of the issuer, so that ``email`` opens an account from a load.
    public var isEmailTrusted: Bool
    /// The name of the person in the form in which accounts have it, or `nil` for none.
    public let name: String?
    /// The time zone of the person, or `nil` if the token does not contain a known one.
    public var timeZone: TimeZoneRules?

    /// Creates an identity from the verified claims of a token.
    ///
    /// An address that a store does not accept, or that is not in NFC, counts as none: the conversion to NFC would replace
    /// some characters by ASCII letters, and so make the address of another person.
    public init(
        issuer: String,
        subject: String,
        email: String?,
        isEmailTrusted: Bool,
        name: String?,
        timeZone: TimeZoneRules? = nil
    ) {
        self.issuer = issuer
        self.subject = subject
        self.email = email.flatMap(Self.checked)
        self.isEmailTrusted = isEmailTrusted
        self.name = name.flatMap(Self.cleaned)
        self.timeZone = timeZone
    }

    /// Returns a name in the form that ``TextRule/userName`` accepts, or `nil` for a blank name.
    private static func cleaned(_ name: String) -> String? {
        let line = name.singleLine.prefix(TextRule.userName.limit)
        return try? TextRule.userName.check(String(line))
    }

    private static func checked(_ address: String) -> String? {
        let isComposed = address.utf8.elementsEqual(address.composed.utf8)
        return isComposed && EmailAddress.isValid(address) ? address : nil
    }

    /// The address that belongs to only one account, or `nil` if the identity does not have one.
    var ownEmail: String? { isEmailTrusted ? email : nil }
}
