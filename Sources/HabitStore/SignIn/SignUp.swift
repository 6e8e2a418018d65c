import Base
import HabitModel

/// The persons who get a new account by signing in (rule C-34).
///
/// The rule applies to an unknown person. A person who has signed in before can always sign in, and so can the first
/// person with the address of an account that the operator has created, if the operator trusts the issuer's addresses.
public struct SignUp: Sendable, Equatable {
    /// Whether any person gets an account.
    private var isOpen = false
    /// The domains whose addresses get an account, in the form of ``EmailAddress/comparable(_:)``.
    private var domains: Set<String> = []

    /// The rule that creates no accounts.
    public static let invited = SignUp()
    /// The rule that creates an account for every person.
    public static let anyone: SignUp = {
        var rule = SignUp()
        rule.isOpen = true
        return rule
    }()

    private init() {}

    /// Creates the rule that allows what any of several rules allows.
    ///
    /// - Parameter texts: The rules: `invited`, `anyone`, or `domain:` and a domain. No rule stands for `invited`.
    /// - Throws: `parameter-invalid` if a text is not such a rule, or if `anyone` is not the only rule.
    public init(_ texts: [String]) throws(HabitError) {
        for text in texts {
            switch text {
            case "invited": break
            case "anyone": isOpen = true
            default: domains.insert(try Self.domain(text))
            }
        }
        guard !isOpen || Set(texts).count == 1 else {
            throw HabitError(
                .parameterInvalid,
                "'anyone' admits all persons, so another rule has no effect: omit 'anyone', or pass only 'anyone'",
                field: "sign-up")
        }
    }

    private static let prefix = "domain:"

    private static func domain(_ text: String) throws(HabitError) -> String {
        let domain = text.dropFirst(prefix.count)
        guard text.hasPrefix(prefix), EmailAddress.isValid("name@\(domain)") else {
            throw HabitError(
                .parameterInvalid,
                "'\(text)' does not specify who may sign up: write invited, anyone, or domain:DOMAIN such as domain:example.org",
                field: "sign-up")
        }
        return EmailAddress.comparable(String(domain))
    }

    /// Whether a person gets an account.
    ///
    /// The rule of a domain requires an address that the issuer has verified.
    func permits(_ identity: VerifiedIdentity) -> Bool {
        guard !isOpen else { return true }
        guard let email = identity.email, let at = email.lastIndex(of: "@") else {
            return false
        }
        return domains.contains(EmailAddress.comparable(String(email[email.index(after: at)...])))
    }
}

/// The error of a person who may not get an account.
public struct NotInvited: Error {}
