import Base
import HTTPServing
import HabitModel
import HabitStore
import StoreEngine

/// A record that a viewer may be able to edit.
struct EditableRecord: Sendable {
    let kind: RecordKind
    /// The ID of the record over HTTP.
    let id: String
    let viewer: Viewer

    /// Reads the version of the record.
    ///
    /// - Parameters:
    ///   - tags: The tags of any part of the log.
    ///   - session: The session in which the version is read.
    /// - Returns: The version, or `nil` if the viewer may not edit the record or if it does not exist.
    /// - Throws: An error of the engine.
    func version(_ tags: LogTags, in session: any Session) throws -> String? {
        let id = id.composed
        let versions = RecordVersions(kind, viewer: viewer, in: session)
        let numbers = try versions.all(of: [id])
        guard let number = numbers[id] else { return nil }
        return tags.version(of: kind, id: id, number: number)
    }

    /// Returns the tag with which preconditions are compared.
    ///
    /// - Parameters:
    ///   - number: The version in the store.
    ///   - session: A session of the store.
    /// - Returns: The tag.
    /// - Throws: An error of the engine.
    func storedTag(
        version number: Int64,
        in session: any Session
    ) throws -> EntityTag {
        let tags = try Self.tagsOfEveryone(in: session)
        let version = tags.version(
            of: kind,
            id: id.composed,
            number: number)
        return EntityTag(value: version)
    }

    /// Reads the tag with which preconditions are compared.
    ///
    /// - Parameter session: The session in which the version is read.
    /// - Returns: The tag, or `nil` if the viewer may not edit the record or if it does not exist.
    /// - Throws: An error of the engine.
    func storedTag(in session: any Session) throws -> EntityTag? {
        let tags = try Self.tagsOfEveryone(in: session)
        guard let version = try version(tags, in: session) else { return nil }
        return EntityTag(value: version)
    }

    private static func tagsOfEveryone(in session: any Session) throws -> LogTags {
        let state = try LogState(of: .everyone, in: session)
        return LogTags(state)
    }
}
