/// What time it is for one command: fixed when the command begins, so that all of it sees the same moment.
public struct Clock: Sendable {
    public var now: Instant
    /// Overrides the date for everybody.
    public var today: Day?
    /// Overrides the zone in which a user's date is taken.
    public var timeZone: TimeZoneRules?
    /// Whether today is looked back upon: what was not done counts as missed.
    public var isTodayOver = false

    public init(now: Instant, today: Day? = nil, timeZone: TimeZoneRules? = nil) {
        self.now = now
        self.today = today
        self.timeZone = timeZone
    }

    /// The date for everybody, where it does not depend on each one's own zone.
    public var commonToday: Day? { today ?? timeZone.map(now.day(in:)) }

    /// The date of a user in `zone`.
    public func today(in zone: TimeZoneRules) -> Day { commonToday ?? now.day(in: zone) }
}
