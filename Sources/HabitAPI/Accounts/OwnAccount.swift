import Base
import HTTPServing
import HabitModel
import HabitStore
import Rendering
import StoreEngine

/// The document of the caller's own account.
struct OwnAccount: Sendable {
    let bytes: [UInt8]
    let tag: EntityTag

    /// The members of the document, in their order.
    private static let columns = [
        "id",
        "name",
        "email",
        "time_zone",
        "share_location",
        "private_places",
    ]

    /// Returns the tag of the stored account of a user.
    ///
    /// - Parameters:
    ///   - viewer: The user.
    ///   - session: The session in which the version is read.
    /// - Returns: The tag, of which a condition compares the version of the account.
    /// - Throws: 401 `not-signed-in` if another request has deleted the account.
    static func storedTag(of viewer: Viewer, in session: any Session) throws -> EntityTag {
        guard case .user(_, let id) = viewer else { throw Problem.notSignedIn }
        let record = EditableRecord(kind: .users, id: id, viewer: viewer)
        guard let tag = try record.storedTag(in: session) else { throw Problem.tokenInvalid }
        return tag
    }

    /// Reads the account of a user.
    ///
    /// - Parameters:
    ///   - viewer: The user.
    ///   - responseTag: The basis of the tag of the response.
    ///   - session: The session in which the account is read.
    /// - Throws: 401 `not-signed-in` if another request has deleted the account.
    init(of viewer: Viewer, tagged responseTag: ResponseTag, in session: any Session) throws {
        guard case .user(_, let id) = viewer else { throw Problem.notSignedIn }
        let selection = try UserQuery.one(id, viewer: viewer, in: session)
        guard let shape = selection.shape.selecting(Self.columns) else {
            throw HabitError(.internal, "the query for an account lacks a column")
        }
        let output = OutputBuffer()
        var options = RenderOptions()
        options.single = true
        let renderer = JSONRenderer(shape, options, output)
        try session.query(selection.sql) { row in
            try renderer.append(row)
            return true
        }
        guard renderer.rowCount == 1 else { throw Problem.tokenInvalid }
        try renderer.end()
        bytes = output.contents
        let stored = try Self.storedTag(of: viewer, in: session)
        tag = EntityTag(version: stored.value, shown: try responseTag.value(in: session))
    }
}
