/// The current time of one command.
///
/// It is fixed when the command begins, so all steps of the command use the same time.
public struct Clock: Sendable {
    /// The instant at which the command begins.
    public var now: Instant
    /// The current date for all users, or `nil` if it depends on the time zone.
    public var today: Day?
    /// The time zone that replaces the zones of all users, or `nil` if each user's own zone applies.
    public var timeZone: TimeZoneRules?
    /// A closure that returns whether the current date counts as over for a user in a time zone.
    ///
    /// A due habit that is not done then counts as missed. A report of an earlier day sets this property.
    public var countsTodayAsOver: @Sendable (TimeZoneRules) -> Bool = { _ in false }

    /// Creates a clock.
    ///
    /// - Parameters:
    ///   - now: The current instant.
    ///   - today: The current date for all users, or `nil` if it depends on the time zone.
    ///   - timeZone: The time zone for all users, or `nil` if each user's own zone applies.
    public init(now: Instant, today: Day? = nil, timeZone: TimeZoneRules? = nil) {
        self.now = now
        self.today = today
        self.timeZone = timeZone
    }

    /// The current date if it is the same for all users, or `nil` if it depends on each user's time zone.
    public var commonToday: Day? {
        if let today {
            return today
        }
        guard let timeZone else {
            return nil
        }
        return now.day(in: timeZone)
    }

    /// Returns the current date of a user in `zone`.
    public func today(in zone: TimeZoneRules) -> Day {
        commonToday ?? now.day(in: zone)
    }
}
