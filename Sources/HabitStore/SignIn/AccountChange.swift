/// The effect of a sign-in on the accounts.
public enum AccountChange: String, Sendable {
    /// The sign-in creates an account.
    case create
    /// The sign-in links the identity with an existing account.
    case link
}
