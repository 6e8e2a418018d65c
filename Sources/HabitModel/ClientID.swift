import Base
import Foundation

/// Checks an ID that a client chooses for its own new habit, event, item or post.
///
/// The ID is a UUID, or the user's ID, a colon and a text without a colon. So a client can neither take the ID of
/// another user's record nor learn whether such a record exists, also if the other user's ID begins with `<own id>:`.
///
/// - Parameters:
///   - text: The ID in the request.
///   - user: The ID of the user.
/// - Returns: The ID in NFC.
/// - Throws: `id-invalid`.
public func checkClientID(_ text: String, of user: String) throws(HabitError) -> String {
    let id = try checkID(text, field: .id)
    let isUUID = id.utf8.count == 36 && UUID(uuidString: id) != nil
    let prefix = "\(user):"
    let rest = id.utf8.dropFirst(prefix.utf8.count)
    guard isUUID || id.utf8.starts(with: prefix.utf8) && !rest.isEmpty && !rest.contains(UInt8(ascii: ":")) else {
        throw HabitError(
            .idInvalid,
            "the id '\(id)' is not allowed: use a UUID, or '\(prefix)' followed by text without a colon",
            field: Field.id.name)
    }
    return id
}
