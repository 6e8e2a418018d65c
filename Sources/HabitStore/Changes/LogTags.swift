import Base
import Crypto
import HabitModel

/// Tags and versions that leave the store, made from the state of the log of changes.
///
/// A tag is a keyed digest, so that a client learns only whether two states are equal. The key is derived from the
/// secret key of the store. All programs that use a store therefore make the same tags, also after a restart.
package struct LogTags: Sendable {
    private let state: LogState
    private let key: SymmetricKey

    /// Creates the tags of a state.
    package init(_ state: LogState) {
        self.state = state
        key = StoreKey(state.key).derived(for: "tags 1")
    }

    /// Returns the tag of a result that rests on the part of the log.
    ///
    /// - Parameter parts: The texts of the query and of its time on which the result depends.
    /// - Returns: The tag, which differs after each change that the party of the part can see.
    package func tag(of parts: [String]) -> String {
        let newest = state.recent
        let basis = [
            "part",
            "\(newest.number)",
            "\(newest.time)",
            HabitatVersion.current,
        ]
        return digest(of: basis + parts)
    }

    /// Returns the version of a record that the viewer may edit.
    ///
    /// - Parameters:
    ///   - kind: The kind of the record.
    ///   - id: The ID of the record. The ID of a relation is a ``CompositeID`` of two IDs.
    ///   - number: The version in the store.
    /// - Returns: A text that differs after each change of the record.
    package func version(of kind: RecordKind, id: String, number: Int64) -> String {
        digest(of: ["record", kind.rawValue, id, "\(number)"])
    }

    /// The version of a record that the viewer may only see, which rests on the part of the log.
    package var versionOfOthers: String { tag(of: ["others"]) }

    private func digest(of texts: [String]) -> String {
        let message = ([state.log] + texts).lengthPrefixedSHA256
        let code = HMAC<SHA256>.authenticationCode(for: message, using: key)
        return Array(code.prefix(12)).hexadecimal
    }
}

/// The secret key of a store, from which one key is derived for each use.
package struct StoreKey: Sendable {
    private let key: SymmetricKey

    /// Creates a key.
    ///
    /// - Parameter bytes: The bytes of the key, which all programs that use a store share.
    package init(_ bytes: [UInt8]) {
        key = SymmetricKey(data: bytes)
    }

    /// Returns the key of a use (HMAC-SHA-256, RFC 2104).
    package func derived(for use: String) -> SymmetricKey {
        let message = Array(use.utf8)
        let code = HMAC<SHA256>.authenticationCode(for: message, using: key)
        return SymmetricKey(data: Array(code))
    }
}
