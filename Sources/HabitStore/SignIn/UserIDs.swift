import Base
import HabitModel
import StoreEngine

/// The IDs of new accounts that only have a name.
public enum UserIDs {
    /// The IDs that accounts of a sign-in do not get: `me` means the acting user, and `operator` looks like the operator.
    private static let reserved: Set<String> = ["me", "operator"]

    /// Returns an unused user ID, derived from the name and not from the address, because all users can see it.
    ///
    /// - Parameters:
    ///   - name: The name of the user; it may be empty.
    ///   - seed: Texts that identify the person. If the ID of the name is in use, a digest of them follows it.
    ///   - session: A session of the store.
    /// - Returns: The ID.
    /// - Throws: An error of the engine.
    public static func free(
        like name: String,
        seed: [String],
        in session: any Session
    ) throws -> String {
        let base = readable(name)
        let access = AccessChecker(viewer: .operator, in: session)
        if !reserved.contains(base), try access.find(.user, base) == nil {
            return base
        }
        var attempt = 0
        while true {
            let hash = DerivedID.short(seed + [String(attempt)])
            let id = "\(base)-\(hash.prefix(6))"
            if try access.find(.user, id) == nil {
                return id
            }
            attempt += 1
        }
    }

    /// Returns the letters and digits of a name with hyphens between the words, at most 40 characters.
    private static func readable(_ name: String) -> String {
        let characters = name.folded.unicodeScalars.map { scalar -> Character in
            let properties = scalar.properties
            let isKept = properties.isAlphabetic || properties.numericType != nil
            return isKept ? Character(scalar) : "-"
        }
        let words = String(characters).split(separator: "-")
        let id = words.joined(separator: "-")
        return id.isEmpty ? "user" : String(id.prefix(40))
    }
}
