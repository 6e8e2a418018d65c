import Base
import HabitModel
import StoreEngine

/// The use of a text that is valid once, such as an ID token or the challenge of a sign-in.
public struct SingleUse: Sendable {
    private let digest: [UInt8]
    private let expires: Instant

    /// Creates the use of a text.
    ///
    /// - Parameters:
    ///   - text: The text, which no other use has. The store contains only its digest.
    ///   - expires: The instant from which the text is refused as expired.
    public init(of text: some StringProtocol, until expires: Instant) {
        digest = Token.digest(of: String(text))
        self.expires = expires
    }

    /// Records the use, and deletes the records of expired texts.
    ///
    /// - Parameters:
    ///   - session: The transaction, which must succeed for the text to count as used.
    ///   - now: The current instant.
    /// - Returns: `false` if the text has been used before, on this server or on another server of the store.
    /// - Throws: An error of the engine.
    public func record(in session: any Session, at now: Instant) throws -> Bool {
        try session.run("DELETE FROM used_once WHERE expires_at <= \(.integer(now.microseconds), as: "now")")
        let sql: SQL = """
            INSERT INTO used_once (sha256, expires_at)
            VALUES (\(.blob(digest), as: "digest"), \(.integer(expires.microseconds), as: "expires"))
            ON CONFLICT DO NOTHING
            """
        return try session.run(sql) == 1
    }
}
