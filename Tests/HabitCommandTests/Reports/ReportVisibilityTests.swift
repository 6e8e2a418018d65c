import Foundation
import HabitTestSupport
import Testing

/// Tests of rule R-08: a report that an actor runs contains only data that the actor can see.
///
/// The expected rows are the operator's rows, filtered by the follows in the sample file.
@Suite struct ReportVisibilityTests {
    /// Alice follows some users with all events and one with only the latest events.
    ///
    /// Carla and isla see only the latest events of alice. Rita has no habits.
    static let actors = ["alice", "carla", "isla", "rita"]

    private let model: ReferenceModel
    private let follows: [Follow]

    init() async throws {
        model = try await ReferenceModel.sample.value
        follows = try ReferenceModel.lines("follows.ndjson").map { try Follow($0) }
    }

    private func followed(by actor: String) -> [Follow] { follows.filter { $0.follower == actor && $0.isAccepted } }

    private func visibleEvents(of actor: String) -> [ReferenceModel.Event] {
        let grants = Dictionary(uniqueKeysWithValues: followed(by: actor).map { ($0.followee, $0.isLatest) })
        let newest = Dictionary(grouping: model.events, by: \.habit).compactMapValues { $0.map(\.day).max() }
        return model.events.filter { event in
            if event.user == actor { return true }
            guard let isLatest = grants[event.user] else { return false }
            return !isLatest || event.day == newest[event.habit]
        }
    }

    /// Reports with tests of their own.
    private static let otherReports = [
        "friends-latest", "habits", "nightly-summary", "quiet-users", "posts", "claims-open", "items-near",
        "alert-no-events",
    ]

    @Test func allReportsAreTested() {
        let tested =
            Self.eventReports + Self.habitReports + Self.aggregateReports + Self.ownReports
            + Self.otherReports
        #expect(Set(tested.compactMap { $0.split(separator: " ").first.map(String.init) }) == Set(Reports.ids))
    }

    private static let eventReports = [
        "history", "near --near 38.7223,-9.1393", "day-events --date 2026-11-20",
        "unplanned --date 2026-11-20 --days 200",
    ]

    @Test(arguments: actors, eventReports) func eventReportContainsOnlyVisibleEvents(actor: String, report: String)
        async throws
    {
        let visible = Set(visibleEvents(of: actor).map(\.id))
        let all = try await Reports.table(report)
        let seen = try await Reports.table(report, as: actor)
        #expect(seen.columns == all.columns)
        #expect(seen.rows == all.rows.filter { visible.contains($0[0] ?? "") })
        #expect(seen.rows.count < all.rows.count)
    }

    @Test(arguments: actors) func friendsLatestReportContainsOnlyEventsForActor(actor: String) async throws {
        let own = try await Reports.table("friends-latest", as: actor)
        #expect(
            own == (try await Reports.table("friends-latest --user \(actor)")),
            "the latest events are visible with every share")
        // In the report for another follower, an actor sees only the actor's own events.
        let others = try await Reports.table("friends-latest --user bruno", as: actor)
        #expect(others["user"].allSatisfy { $0 == actor })
    }

    private static let habitReports = [
        "streaks --minimum 0", "score --date 2026-11-20", "calendar --weeks 5", "todo --date 2026-11-20",
        "completion --by habit", "completion --by user",
    ]

    @Test(arguments: actors, habitReports)
    func habitReportContainsOnlyHabitsOfActor(actor: String, report: String) async throws {
        let all = try await Reports.table(report)
        let own = Set(model.habits.filter { $0.user == actor }.map(\.id) + [actor])
        let seen = try await Reports.table(report, as: actor)
        let key = report.hasPrefix("completion") ? "name" : "habit"
        let keys = all[key]
        let ownRows = zip(keys, all.rows).filter { key, _ in own.contains(key ?? "") }
        #expect(seen.rows == ownRows.map(\.1))
        #expect(seen.rows.isEmpty == (actor == "rita"))
        #expect(try await Reports.table("\(report) --user \(actor)").rows == seen.rows)
    }

    private static let ownReports = [
        "alert-rate --date 2026-11-20 --rate 1.1", "alert-streak --date 2026-11-18 --length 1",
        "period-summary --from 2026-11-09 --date 2026-11-15", "period-habits --from 2026-11-09 --date 2026-11-15",
    ]

    @Test(arguments: actors, ownReports)
    func reportWithoutUserContainsOnlyRowsOfActor(actor: String, report: String) async throws {
        let all = try await Reports.table(report)
        let seen = try await Reports.table(report, as: actor)
        #expect(seen.rows == zip(all["user"], all.rows).filter { $0.0 == actor }.map(\.1))
        #expect(seen.rows.count < all.rows.count)
    }

    @Test(arguments: actors) func ruleOfDayWithoutEventsCountsOnlyVisibleEvents(actor: String) async throws {
        let visible = visibleEvents(of: actor).map(\.day)
        for text in ["2026-11-20", "2026-11-26"] {
            let day = TestCalendar.number(text)
            let rows = try await Reports.table("alert-no-events --date \(text)", as: actor)["last_day"]
            let last = visible.filter { $0 <= day }.max()
            #expect(rows.map { $0.map(TestCalendar.number) } == (visible.contains(day) ? [] : [last]))
        }
    }

    @Test(arguments: actors) func habitsReportHidesPrivateColumnsOfFollowedUsers(actor: String) async throws {
        let friends = Set(followed(by: actor).map(\.followee))
        let all = try await Reports.table("habits --date 2026-11-20")
        let seen = try await Reports.table("habits --date 2026-11-20", as: actor)
        let places = Dictionary(grouping: visibleEvents(of: actor).filter { $0.longitude != nil }, by: \.habit)
            .compactMapValues { events in events.max { one, other in one.day < other.day } }
        let isPrivate = Set(["due", "done", "completion_rate", "streak_current", "score"])
        let expected = all.rows.filter { $0[1] == actor || friends.contains($0[1] ?? "") }.map { row in
            zip(all.columns, row).map { name, value -> String? in
                let place = places[row[0] ?? ""].flatMap { $0.day > TestCalendar.number("2026-11-20") - 91 ? $0 : nil }
                if name == "longitude" { return cell(place?.longitude) }
                if name == "latitude" { return cell(place?.latitude) }
                return isPrivate.contains(name) && row[1] != actor ? nil : value
            }
        }
        expectRows(seen, columns: all.columns.joined(separator: " "), equal: expected)
        #expect(seen.rows.isEmpty == (actor == "rita" && friends.isEmpty))
    }

    @Test(arguments: actors) func userReportsHidePrivateColumnsOfFollowedUsers(actor: String) async throws {
        let friends = Set(followed(by: actor).map(\.followee))
        let visible = visibleEvents(of: actor)
        let night = TestCalendar.number("2026-11-20")
        let all = try await Reports.table("nightly-summary --date 2026-11-20")
        let expected = all.selecting(["user", "due", "done", "completion_rate", "streak", "streak_title"])
            .filter { $0[0] == actor || friends.contains($0[0] ?? "") }
            .map { row in (row[0] == actor ? row : [row[0], nil, nil, nil, nil, nil]) }
            .map { row in row + [cell(visible.filter { $0.user == row[0] && $0.day == night }.count)] }
        let seen = try await Reports.table("nightly-summary --date 2026-11-20", as: actor)
        expectRows(seen, columns: "user due done completion_rate streak streak_title events", equal: expected)

        let users = Set(model.habits.map(\.user)).filter { $0 == actor || friends.contains($0) }
        let quiet = users.compactMap { user -> [String?]? in
            let days = visible.filter { $0.user == user }.map(\.day)
            guard let last = days.max() else { return [user, nil, "0"] }
            return [user, TestCalendar.day(last), cell(days.filter { $0 > last - 28 }.count)]
        }
        let rows = try await Reports.table("quiet-users --days 0", as: actor)
        #expect(Set(rows.selecting(["user", "last_day", "events_before"])) == Set(quiet))
    }

    private static let aggregateReports = [
        "rhythm", "places", "density", "density --cell 1", "places --min-visits 3 --from 2026-09-01",
    ]

    /// Aggregates equal those of a store that contains only the events visible to the actor.
    @Test(arguments: actors) func aggregateReportsCountOnlyVisibleEvents(actor: String) async throws {
        let folder = try TemporaryFolder()
        let columns = "id,habit,day,at,comment,outcome,longitude,latitude"
        let visible = Set(visibleEvents(of: actor).map(\.id))
        let history = try await Reports.rows("history --columns \(columns)")
        let rows = history.rows.filter { visible.contains($0[0] ?? "") }.map { row in
            row.map { $0.map { "\"\($0.replacing("\"", with: "\"\""))\"" } ?? "" }.joined(separator: ",")
        }
        try folder.write(([columns] + rows).joined(separator: "\n") + "\n", to: "events.csv")
        let files = ["users.csv", "habits.tsv", "schedules.csv"].map { SampleData.path + "/" + $0 } + ["events.csv"]
        let loaded = try await Program.habitat(["ingest", "--now", Reports.now] + files, in: folder)
        try #require(loaded.status == 0, "\(loaded.errors)")
        for report in Self.aggregateReports {
            let expected = try await Reports.table(report, in: folder)
            expectRows(
                try await Reports.table(report, as: actor), columns: expected.columns.joined(separator: " "),
                equal: expected.rows)
        }
    }

    @Test(arguments: actors) func sharingReportsContainOnlyVisibleRows(actor: String) async throws {
        let friends = Set(followed(by: actor).map(\.followee))
        let posts = try await Reports.table("posts")
        let seen = posts.rows.filter { $0[1] == actor || friends.contains($0[1] ?? "") }
        #expect(try await Reports.table("posts", as: actor).rows == seen)
        let claims = try await Reports.table("claims-open")
        let own = claims.rows.filter { $0[2] == actor || $0[3] == actor }
        #expect(try await Reports.table("claims-open", as: actor).rows == own)
        // All users see all items, but others see them at the center of a cell (G-09).
        let items = "items-near --near 38.7223,-9.1393 --within 100km"
        let column = try await #require(try Reports.table(items).columns.firstIndex(of: "id"))
        let ids = try await Reports.table(items, as: actor).rows.map { $0[column] ?? "" }
        #expect(try await Set(ids) == Set(Reports.table(items).rows.map { $0[column] ?? "" }))
    }

    /// The option `--user` does not show data of a user whom the actor does not follow.
    @Test(arguments: ["history", "habits", "rhythm", "places", "calendar", "nightly-summary", "streaks --minimum 0"])
    func reportIsEmptyForUserWhomActorDoesNotFollow(report: String) async throws {
        #expect(try await Reports.table("\(report) --user sefa", as: "alice").rows.isEmpty)
        #expect(try await !Reports.table("\(report) --user sefa").rows.isEmpty)
    }
}
