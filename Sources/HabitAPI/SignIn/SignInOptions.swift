import HabitStore

/// Settings of sign-in with OpenID Connect issuers.
public struct SignInOptions: Sendable {
    /// The issuers, in the order in which the page of the sign-in shows them.
    public var issuers: [Issuer]
    /// The persons who get a new account by signing in.
    public var signUp = SignUp.invited
    /// The time after which the server fetches the documents of an issuer again.
    public var documentLifetime = Duration.seconds(3600)
    /// Minimum time between two fetches of the keys if a token names an unknown key.
    public var keysPause = Duration.seconds(60)
    /// Minimum time between a failed fetch of a document and the next one.
    public var failurePause = Duration.seconds(10)
    /// Maximum time for a request to an issuer.
    package var timeout = Duration.seconds(10)
    /// Returns the time against which the age of documents is measured.
    ///
    /// Tests replace it, so that they need not wait.
    package var time: @Sendable () -> ContinuousClock.Instant = { .now }

    /// Creates the settings.
    ///
    /// - Parameter issuers: The issuers.
    public init(issuers: [Issuer]) { self.issuers = issuers }
}
