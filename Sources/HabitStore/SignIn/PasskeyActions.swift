import Base
import HabitModel
import StoreEngine

/// Adds, finds, changes and removes the passkeys of users.
public struct PasskeyActions {
    private let session: any Session
    private let clock: Clock

    /// Creates the actions at the time of `clock`, in `session`.
    public init(clock: Clock, in session: any Session) {
        self.clock = clock
        self.session = session
    }

    /// The maximum number of passkeys of a user.
    public static let limit = 20

    /// The length of a new user handle, in bytes.
    private static let handleLength = 32

    // MARK: Lists

    /// Returns the passkeys of a user, oldest first.
    ///
    /// - Parameter viewer: The user. The operator has no passkeys.
    /// - Returns: The passkeys.
    /// - Throws: An error of the engine.
    public func passkeys(of viewer: Viewer) throws -> [Passkey] {
        guard let key = viewer.key else { return [] }
        var passkeys: [Passkey] = []
        let sql: SQL = """
            \(Self.select)
            WHERE passkey.user_id = \(.integer(key), as: "user")
            ORDER BY passkey.created_at, passkey.id
            """
        try session.query(sql) { row in
            if let passkey = Self.passkey(row) {
                passkeys.append(passkey)
            }
            return true
        }
        return passkeys
    }

    /// Returns a passkey of a user.
    ///
    /// - Parameters:
    ///   - id: The name of the passkey.
    ///   - viewer: The user.
    /// - Returns: The passkey.
    /// - Throws: `not-found` if the user does not have the passkey, or an error of the engine.
    public func passkey(id: String, of viewer: Viewer) throws -> Passkey {
        let own = try passkeys(of: viewer).first { passkey in passkey.id == id }
        guard let own else { throw Self.unknown(id) }
        return own
    }

    /// Returns the passkey with a credential ID, or `nil` if no user has it.
    ///
    /// - Parameter credential: The ID that the authenticator has given the passkey.
    /// - Returns: The passkey.
    /// - Throws: An error of the engine.
    public func passkey(credential: [UInt8]) throws -> Passkey? {
        let sql: SQL = """
            \(Self.select)
            WHERE passkey.credential = \(.blob(credential), as: "credential")
            """
        return try session.first(sql, Self.passkey) ?? nil
    }

    /// Returns the user handle of a user's next passkey: the handle of the known passkeys, or a random one.
    ///
    /// An authenticator keeps one passkey for each handle, so that a second passkey replaces the first one in it.
    ///
    /// - Parameter known: The passkeys of the user.
    /// - Returns: The handle.
    public static func userHandle(after known: [Passkey]) -> [UInt8] {
        known.first?.credential.userHandle ?? .random(count: handleLength)
    }

    private static let select: SQL = """
        SELECT
          passkey.external_id, account.id, account.external_id, passkey.credential, passkey.user_handle,
          passkey.public_key, passkey.algorithm, passkey.counter, passkey.label, passkey.created_at, passkey.used_at
        FROM passkey
        JOIN account ON account.id = passkey.user_id
        """

    /// Returns the passkey in a row of ``select``, or `nil` for an algorithm of a later version.
    private static func passkey(_ row: any Row) -> Passkey? {
        guard let algorithm = Passkey.Algorithm(rawValue: row.text(6) ?? "") else { return nil }
        let credential = Passkey.Credential(
            id: row.blob(3),
            userHandle: row.blob(4),
            publicKey: row.blob(5),
            algorithm: algorithm,
            counter: UInt32(clamping: row.integer(7)))
        return Passkey(
            id: row.text(0) ?? "",
            owner: .user(key: row.integer(1), id: row.text(2) ?? ""),
            credential: credential,
            label: row.text(8),
            created: Instant(microseconds: row.integer(9)),
            used: row.isNull(10) ? nil : Instant(microseconds: row.integer(10)))
    }

    // MARK: Changes

    /// Adds a passkey of a user.
    ///
    /// - Parameters:
    ///   - credential: The verified credential.
    ///   - label: The label of the passkey, or `nil`.
    ///   - viewer: The user.
    /// - Returns: The passkey.
    /// - Throws: ``PasskeyRefusal``, `not-signed-in` if the viewer is the operator, who has no account, `text-invalid`
    ///   for a label with control characters or line breaks, or an error of the engine.
    public func add(_ credential: Passkey.Credential, label: String?, for viewer: Viewer) throws -> Passkey {
        guard case .user(let key, _) = viewer else { throw Access.notSignedIn }
        try label?.requireSingleLine("label")
        guard try passkeys(of: viewer).count < Self.limit else { throw PasskeyRefusal.tooMany }
        let passkey = Passkey(
            id: [UInt8].random(count: 6).hexadecimal,
            owner: viewer,
            credential: credential,
            label: label?.composed,
            created: clock.now,
            used: nil)
        let values: [SQL] = [
            "\(.text(passkey.id), as: "id")",
            "\(.integer(key), as: "user")",
            "\(.blob(credential.id), as: "credential")",
            "\(.blob(credential.userHandle), as: "user_handle")",
            "\(.blob(credential.publicKey), as: "public_key")",
            "\(.text(credential.algorithm.rawValue), as: "algorithm")",
            "\(.integer(Int64(credential.counter)), as: "counter")",
            "\(.text(passkey.label), as: "label")",
            "\(.integer(clock.now.microseconds), as: "now")",
        ]
        let insertion: SQL = """
            INSERT INTO passkey
              (external_id, user_id, credential, user_handle, public_key, algorithm, counter, label, created_at)
            VALUES (\(values.joined(separator: ", ")))
            ON CONFLICT (credential) DO NOTHING
            """
        guard try session.run(insertion) == 1 else { throw PasskeyRefusal.known }
        return passkey
    }

    /// Records a sign-in with a passkey and its number of signatures.
    ///
    /// - Parameters:
    ///   - passkey: The passkey.
    ///   - counter: The number of signatures that the authenticator has reported.
    /// - Returns: `false` if the number does not follow the last one, so that the passkey may have been copied. The
    ///   store is unchanged then.
    /// - Throws: An error of the engine.
    public func recordUse(of passkey: Passkey, counter: UInt32) throws -> Bool {
        let next: SQL = "\(.integer(Int64(counter)), as: "counter")"
        let sql: SQL = """
            UPDATE passkey
            SET counter = \(next), used_at = \(.integer(clock.now.microseconds), as: "now")
            WHERE external_id = \(.text(passkey.id), as: "id")
              AND (counter < \(next) OR counter = 0 AND \(next) = 0)
            """
        return try session.run(sql) == 1
    }

    /// Changes the label of a user's passkey.
    ///
    /// - Parameters:
    ///   - id: The name of the passkey.
    ///   - label: The label, or `nil` to remove it.
    ///   - viewer: The user.
    /// - Throws: `not-found` if the user does not have the passkey, `text-invalid` for a label with control characters or
    ///   line breaks, or an error of the engine.
    public func rename(id: String, to label: String?, by viewer: Viewer) throws {
        try label?.requireSingleLine("label")
        let change: SQL = "UPDATE passkey SET label = \(.text(label?.composed), as: "label")"
        guard try session.run("\(change) WHERE \(Self.isOwn(id, of: viewer))") == 1 else { throw Self.unknown(id) }
    }

    /// Removes a user's passkey.
    ///
    /// The sessions that it has opened stay.
    ///
    /// - Parameters:
    ///   - id: The name of the passkey.
    ///   - viewer: The user.
    /// - Throws: `not-found` if the user does not have the passkey, or an error of the engine.
    public func remove(id: String, by viewer: Viewer) throws {
        guard try session.run("DELETE FROM passkey WHERE \(Self.isOwn(id, of: viewer))") == 1 else {
            throw Self.unknown(id)
        }
    }

    /// Returns the condition that a row is a user's passkey with a name.
    private static func isOwn(_ id: String, of viewer: Viewer) -> SQL {
        // No passkey belongs to the operator, whose key is NULL.
        "external_id = \(.text(id), as: "id") AND user_id = \(.integer(viewer.key), as: "user")"
    }

    private static func unknown(_ id: String) -> HabitError {
        HabitError(.notFound, "the passkey '\(id)' does not exist", field: "passkey")
    }
}
