import Base
import HabitModel
import StoreEngine

/// A signed-in user who performs actions in one session, at one moment.
public struct ActingUser {
    /// The session in which the user acts.
    public let session: any Session
    /// The key of the user's account.
    public let key: Int64
    /// The ID of the user.
    public let id: String
    /// The clock that defines the moment.
    public let clock: Clock
    /// The time zone of the account, or UTC if the stored time zone is unknown.
    public let zone: TimeZoneRules
    /// Whether the account allows stored positions.
    public let sharesLocation: Bool
    /// The settings of the store.
    public let settings: Settings
    /// The texts that stand for the records that the user names.
    private let nameRule: NameLookup.Rule

    /// Reads the account of a user.
    ///
    /// - Parameters:
    ///   - viewer: The user.
    ///   - clock: The clock that defines the moment.
    ///   - nameRule: The texts that stand for the records that the user names.
    ///   - session: The session in which the user acts.
    /// - Throws: `not-signed-in` if `viewer` is the operator, who does not act for a user.
    public init(
        _ viewer: Viewer,
        clock: Clock,
        nameRule: NameLookup.Rule = .whole,
        in session: any Session
    ) throws {
        guard case .user(let key, let id) = viewer else {
            throw Access.notSignedIn
        }
        self.session = session
        self.key = key
        self.id = id
        self.clock = clock
        self.nameRule = nameRule
        settings = try StoreSettings.read(in: session)
        let sql: SQL = "SELECT time_zone, share_location FROM account WHERE id = \(.integer(key), as: "id")"
        var zone: TimeZoneRules?
        var sharesLocation = false
        try session.query(sql) { row in
            zone = TimeZoneRules(row.text(0) ?? "UTC")
            sharesLocation = row.integer(1) != 0
            return false
        }
        self.zone = zone ?? .utc
        self.sharesLocation = sharesLocation
    }

    /// The user as a viewer.
    public var viewer: Viewer { .user(key: key, id: id) }

    /// The current date of the user.
    public var today: Day { clock.today(in: zone) }

    /// The current instant with the UTC offset of the user's time zone.
    public var now: OffsetInstant {
        let zone = clock.timeZone ?? zone
        return OffsetInstant(clock.now, offset: clock.now.offset(in: zone))
    }

    /// The lookup of the records that the user names.
    public var names: NameLookup { NameLookup(viewer: viewer, rule: nameRule, in: session) }

    /// The lookup of the records that the user names by IDs and whole names.
    public var wholeNames: NameLookup { NameLookup(viewer: viewer, in: session) }

    /// The lookup of records that checks the permissions of the user.
    var access: AccessChecker { AccessChecker(viewer: viewer, in: session) }
}
