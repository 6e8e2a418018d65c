import Base
import Geo
import HabitModel
import HabitTestSupport
import Testing

@testable import HabitStore

/// Tests of the extents of lists against the records of the lists.
@Suite struct ExtentQueryTests {
    /// The first and the last day that the interval of an extent covers.
    private static func days(_ extent: Extent?) -> [String?] {
        let hour: Int64 = 3_600_000_000
        return [
            extent?.from.map { Instant(microseconds: $0.microseconds + 14 * hour).day(at: .utc).description },
            extent?.to.map { Instant(microseconds: $0.microseconds - 36 * hour).day(at: .utc).description },
        ]
    }

    @Test func intervalOfLocatedEventsHasOnlyTheirDays() throws {
        let store = try TestStore()
        let place = Position(longitude: 1, latitude: 2)
        try store.write([
            .user("me"),
            .user("all"),
            .user("latest"),
            .user("none"),
            .user("viewer"),
            .habit("h", of: "me"),
            .habit("k", of: "all"),
            .habit("l", of: "latest"),
            .habit("n", of: "none"),
            .follow("me", "all"),
            .follow("me", "latest", share: .latest),
            .follow("viewer", "none"),
            .event("h", "2026-01-05"),
            .event("h", "2026-03-01", at: place),
            .event("h", "2026-11-01"),
            .event("k", "2026-02-01"),
            .event("k", "2026-04-01", at: place),
            .event("k", "2026-10-01"),
            .event("l", "2026-05-01", at: place),
            .event("l", "2026-12-01"),
            .event("n", "2026-06-01"),
        ])
        try store.engine.read { session in
            func check(_ user: String?, isLocated: Bool, _ expected: [String?]) throws {
                let viewer = try user.map { try Viewer.user(named: $0, in: session) } ?? .operator
                var query = ExtentQuery(.events, viewer: viewer)
                query.isLocated = isLocated
                let days = Self.days(try query.extent(in: session))
                #expect(days == expected, "\(user ?? "operator")")
            }
            try check("me", isLocated: true, ["2026-03-01", "2026-04-01"])
            try check("me", isLocated: false, ["2026-01-05", "2026-12-01"])
            try check("latest", isLocated: true, ["2026-05-01", "2026-05-01"])
            try check("viewer", isLocated: true, [nil, nil])
            try check("viewer", isLocated: false, ["2026-06-01", "2026-06-01"])
            try check(nil, isLocated: true, ["2026-03-01", "2026-05-01"])
        }
    }
}
