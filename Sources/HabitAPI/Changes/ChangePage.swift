import Base
import HabitModel
import HabitStore
import StoreEngine

/// A page of the changes that concern a viewer, as JSON objects.
struct ChangePage: Sendable {
    /// The maximum number of entries of a page.
    static let limit = 2500

    /// The entries: JSON objects with the members `action` and `collection`.
    let entries: [[UInt8]]
    /// The token of a client that has applied this page.
    let token: ChangeToken
    /// Whether another page follows without a further change of the store.
    var hasMore: Bool { token.position.rest != nil }
    /// The text of ``token``.
    var tokenText: String { key.text(of: token) }

    private let key: TokenKey

    /// Reads a page.
    ///
    /// - Parameters:
    ///   - token: The position of the client.
    ///   - viewer: The viewer.
    ///   - limit: The maximum number of entries.
    ///   - clock: The current time.
    ///   - session: A session of the store.
    /// - Throws: `parameter-invalid` if the token contains an invalid cursor, and errors of the engine.
    init(
        after token: ChangeToken,
        for viewer: Viewer,
        limit: Int,
        clock: Clock,
        in session: any Session
    ) throws {
        let state = try LogState(of: .viewer(viewer), in: session)
        let records = SyncedRecords(
            for: viewer,
            clock: clock,
            tags: LogTags(state),
            filter: token.filter,
            in: session,
            content: SyncedFeature.bytes)
        let page = try FeedPage(
            after: token.position,
            for: viewer,
            limit: limit,
            state: state,
            records: records,
            in: session)
        key = TokenKey(state, viewer)
        self.token = ChangeToken(
            day: ChangeToken.day(of: clock),
            page.position,
            filter: token.filter)
        entries = page.entries.map(Self.json)
    }

    /// Returns the JSON object of an entry.
    private static func json(_ entry: FeedPage<[UInt8]>.Entry) -> [UInt8] {
        let object: JSON
        switch entry {
        case .clear(let reset):
            var members: [String: JSON] = [
                "action": "clear",
                "collection": .text(reset.collection.rawValue),
            ]
            members["user"] = reset.user.map { user in .text(user) }
            object = .object(members)
        case .put(let record):
            object = [
                "action": "put",
                "collection": .text(record.collection.rawValue),
                "feature": .verbatim(record.content),
                "version": .text(record.version),
            ]
        case .delete(let collection, let id):
            object = [
                "action": "delete",
                "collection": .text(collection.rawValue),
                "id": .text(id),
            ]
        }
        return object.bytes
    }
}
