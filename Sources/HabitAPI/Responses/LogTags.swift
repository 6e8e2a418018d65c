import Base
import Crypto
import HTTPServing
import HabitModel
import HabitStore

/// Makes tags and versions from the state of the log of changes.
///
/// A tag is a keyed digest, so that a client learns only whether two states are equal. The key is derived from the
/// secret key of the store. All servers of a store therefore make the same tags, also after a restart.
struct LogTags: Sendable {
    private let state: LogState
    private let key: SymmetricKey

    /// Creates the tags of a state.
    init(_ state: LogState) {
        self.state = state
        key = StoreKey(state.key).derived(for: "tags 1")
    }

    /// Returns the tag of a response that rests on the part of the log.
    ///
    /// - Parameter parts: The texts of the request and of its time on which the response depends.
    /// - Returns: The tag, which differs after each change that the party of the part can see.
    func tag(of parts: [String]) -> EntityTag {
        let newest = state.recent
        let basis = [
            "part",
            "\(newest.number)",
            "\(newest.time)",
            HabitatVersion.current,
        ]
        return EntityTag(value: digest(of: basis + parts))
    }

    /// Returns the version of a record that the viewer may edit.
    ///
    /// - Parameters:
    ///   - kind: The kind of the record.
    ///   - id: The ID of the record over HTTP.
    ///   - number: The version in the store.
    /// - Returns: A text that differs after each change of the record.
    func version(of kind: RecordKind, id: String, number: Int64) -> String {
        digest(of: ["record", kind.rawValue, id, "\(number)"])
    }

    /// The version of a record that the viewer may only see, which rests on the part of the log.
    var versionOfOthers: String { tag(of: ["others"]).value }

    private func digest(of texts: [String]) -> String {
        let message = ([state.log] + texts).lengthPrefixedSHA256
        let code = HMAC<SHA256>.authenticationCode(for: message, using: key)
        return Array(code.prefix(12)).hexadecimal
    }
}

/// The secret key of a store, from which the server derives one key for each use.
struct StoreKey: Sendable {
    private let key: SymmetricKey

    /// Creates a key.
    ///
    /// - Parameter bytes: The bytes of the key, which all servers of a store share.
    init(_ bytes: [UInt8]) {
        key = SymmetricKey(data: bytes)
    }

    /// Returns the key of a use (HMAC-SHA-256, RFC 2104).
    func derived(for use: String) -> SymmetricKey {
        let message = Array(use.utf8)
        let code = HMAC<SHA256>.authenticationCode(for: message, using: key)
        return SymmetricKey(data: Array(code))
    }
}
