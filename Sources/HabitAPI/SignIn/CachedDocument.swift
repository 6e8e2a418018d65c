/// A document of an issuer, which is fetched when it is needed and again when it is old.
///
/// Requests that need the document at the same time wait for one fetch. After a failed fetch, the old document remains in
/// use, and the next fetch begins after a pause.
actor CachedDocument<Value: Sendable> {
    private let options: SignInOptions
    private let fetch: @Sendable () async throws -> Value
    private var value: Value?
    /// The error of the last fetch; `nil` if it has succeeded.
    private var failure: (any Error)?
    /// The time at which the last fetch began; `nil` before the first one.
    private var asked: ContinuousClock.Instant?
    /// The fetch in progress.
    private var running: Task<Value, any Error>?

    /// Creates a document that is not fetched yet.
    ///
    /// - Parameters:
    ///   - options: The lifetime and the pauses.
    ///   - fetch: Fetches the document.
    init(_ options: SignInOptions, fetch: @escaping @Sendable () async throws -> Value) {
        self.options = options
        self.fetch = fetch
    }

    /// Returns the document.
    ///
    /// - Returns: The document, which may be old if the last fetch has failed.
    /// - Throws: The error of the last fetch if there is no document.
    func current() async throws -> Value {
        let isFailed = failure != nil
        let lifetime = isFailed ? options.failurePause : options.documentLifetime
        guard let age, age < lifetime else { return try await load() }
        // Other requests use the old document while one request fetches a new one.
        if let value { return value }
        if running == nil, let failure { throw failure }
        return try await load()
    }

    /// Fetches the document again, or returns `nil` if the last fetch is too recent.
    ///
    /// - Returns: The document, which may be old if the fetch has failed.
    /// - Throws: The error of the fetch if there is no document.
    func newer() async throws -> Value? {
        if running == nil, let age, age < options.keysPause { return nil }
        return try await load()
    }

    /// The time since the begin of the last fetch.
    private var age: Duration? { asked?.duration(to: options.time()) }

    private func load() async throws -> Value {
        let task = running ?? start()
        do {
            return try await task.value
        } catch {
            guard let value else { throw error }
            return value
        }
    }

    private func start() -> Task<Value, any Error> {
        asked = options.time()
        let task = Task {
            defer { running = nil }
            do {
                let fetched = try await fetch()
                value = fetched
                failure = nil
                return fetched
            } catch {
                failure = error
                throw error
            }
        }
        running = task
        return task
    }
}
