import Base
import HabitModel
import StoreEngine

/// The part of the log of changes that concerns a party.
public enum LogPart: Sendable, Hashable {
    /// The changes of records that the viewer can see.
    ///
    /// The part of the operator is the whole log.
    case viewer(Viewer)
    /// The changes of records that everyone can see.
    case everyone
    /// The changes of records of these kinds that any user other than the party can see.
    ///
    /// It is the part of a client without a token that reads a public collection.
    case shared([RecordKind])
}

/// A change in the log.
public struct LogPosition: Sendable, Hashable {
    /// The number of the change, or 0 at the beginning of the log.
    public var number: Int64
    /// The time of the change in microseconds since 1970, or 0 at the beginning of the log.
    ///
    /// In a copy of the store's file, another change can have the same number, but not the same time.
    public var time: Int64

    /// Creates a position.
    ///
    /// - Parameters:
    ///   - number: The number of the change.
    ///   - time: The time of the change in microseconds since 1970.
    public init(number: Int64, time: Int64) {
        self.number = number
        self.time = time
    }
}

/// The identity of a store's log, the secret key of the store, and the newest change of a part of the log.
///
/// All programs that use a store read the same state, also after a restart. A state does not depend on changes that the
/// party of the part cannot see.
public struct LogState: Sendable, Hashable {
    /// The identity of the log.
    ///
    /// A restored store, a copy and a repaired store have a new one.
    public var log: String
    /// The secret key of the store, 32 bytes that never leave it.
    public var key: [UInt8]
    /// The newest change of the part.
    ///
    /// A change after 91 days may no longer be in the log: see ``recent``.
    public var newest: LogPosition

    /// The newest change of the part, or the beginning of the log if it is older than 90 days.
    ///
    /// A change of any user can remove changes from the log that are older than 91 days. This position does not depend
    /// on their removal.
    public var recent: LogPosition {
        let oldest = Instant.now.microseconds - Self.lifetime
        return newest.time < oldest ? LogPosition(number: 0, time: 0) : newest
    }

    /// The time for which a change counts as recent, in microseconds.
    private static let lifetime: Int64 = 90 * 86_400_000_000

    /// Reads the state.
    ///
    /// The cost is one query, with a few lookups in an index for each user whom the viewer follows. It also passes the
    /// public changes of blocked users after the newest other public change.
    ///
    /// - Parameters:
    ///   - part: The part of the log.
    ///   - session: A session of the store.
    /// - Throws: An error of the engine.
    public init(of part: LogPart, in session: any Session) throws {
        let sql: SQL = """
            SELECT
              store.log_id,
              store.key,
              newest.number,
              (SELECT change.at FROM change WHERE change.number = newest.number)
            FROM store
            CROSS JOIN (
            \(part.newestNumber)
            ) AS newest
            """
        let state = try session.first(sql) { row in
            LogState(
                log: row.text(0) ?? "",
                key: row.blob(1),
                newest: LogPosition(number: row.integer(2), time: row.integer(3)))
        }
        self = state ?? LogState(log: "", key: [], newest: LogPosition(number: 0, time: 0))
    }

    private init(log: String, key: [UInt8], newest: LogPosition) {
        self.log = log
        self.key = key
        self.newest = newest
    }
}

extension LogPart {
    /// A SELECT of `number`, the number of the newest change of the part, which is null if the part has no change.
    fileprivate var newestNumber: SQL {
        switch self {
        case .viewer(.operator):
            "SELECT max(number) AS number FROM change"
        case .everyone:
            Self.newestPublicNumber
        case .shared(let kinds):
            Self.newestNumber(of: kinds)
        case .viewer(let viewer):
            Self.newestNumber(for: viewer)
        }
    }

    private static let newestPublicNumber: SQL = """
        SELECT max(number) AS number FROM change WHERE audience = \(raw: Audience.everyone.rawValue.description)
        """

    /// Returns a SELECT for kinds of records.
    ///
    /// It reads the last entry of an index for each kind.
    private static func newestNumber(of kinds: [RecordKind]) -> SQL {
        let names = kinds.map { kind in "SELECT '\(kind.rawValue)' AS name" }
        let list = names.joined(separator: " UNION ALL ")
        return """
            SELECT max(number) AS number
            FROM (
              SELECT (
                SELECT max(change.number) FROM change WHERE change.kind = kind.name AND change.audience > 0
              ) AS number
              FROM (\(raw: list)) AS kind
            ) AS part
            """
    }

    /// Returns a SELECT for a user.
    ///
    /// It reads the last entry of an index for each audience of the viewer and of each followed user.
    private static func newestNumber(for viewer: Viewer) -> SQL {
        let visibility = Visibility(viewer: viewer)
        let own = Audience.list(from: .party)
        let shared = Audience.list(from: .fullFollowers)
        return """
            SELECT max(number) AS number
            FROM (
              SELECT (
                SELECT max(change.number)
                FROM change
                WHERE change.user_id = party.user_id AND change.audience = party.audience
              ) AS number
              FROM (
                SELECT \(visibility.key) AS user_id, list.audience
                FROM (\(own)) AS list
                UNION ALL
                SELECT follow.followee_id, list.audience
                FROM follow
                JOIN (\(shared)) AS list ON follow.share = 'all' OR list.audience > \(raw: Audience.fullFollowers.rawValue.description)
                WHERE \(visibility.acceptedFollow)
              ) AS party
              UNION ALL
              \(newestPublicNumber) AND \(visibility.loggedForAll)
            ) AS part
            """
    }
}

extension Audience {
    /// Returns a SELECT of this audience and of all wider ones.
    fileprivate static func list(from narrowest: Audience) -> SQL {
        let values = narrowest.rawValue...Audience.everyone.rawValue
        let rows = values.map { value in "SELECT \(value) AS audience" }
        return SQL(rows.joined(separator: " UNION ALL "))
    }
}
