import Foundation
import HabitTestSupport
import Testing

/// Tests of the event reports against computations on the history in Swift.
@Suite struct EventReportTests {
    private let model: ReferenceModel
    private let last = TestCalendar.number("2026-11-20")
    private static let columns = "id user habit title day at comment outcome has_photo unplanned longitude latitude"

    init() async throws { model = try await ReferenceModel.sample.value }

    private func expectReport(
        _ report: String, matches command: String, as user: String? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let expected = try await Reports.rows(command, as: user)
        let names = Self.columns.split(separator: " ").map(String.init)
        #expect(!expected.rows.isEmpty, sourceLocation: sourceLocation)
        expectRows(
            try await Reports.table(report), columns: Self.columns, equal: expected.selecting(names),
            sourceLocation: sourceLocation)
    }

    @Test(arguments: [
        "", "--user alice", "--habit alice-run --from 2026-11-01", "--from 2026-10-20 --to 2026-10-26",
        "--from 2026-11-20 --user helena",
    ])
    func historyReportMatchesHistoryCommand(filter: String) async throws {
        try await expectReport("history \(filter)", matches: "history \(filter)")
    }

    @Test func friendsLatestReportMatchesHistoryCommand() async throws {
        try await expectReport("friends-latest --user alice", matches: "history --scope friends", as: "alice")
        try await expectReport("friends-latest --user layla", matches: "history --scope friends", as: "layla")
    }

    /// The newest event of each habit, computed from the sample files.
    @Test func friendsLatestReportMatchesSampleFiles() async throws {
        let follows = try ReferenceModel.lines("follows.ndjson").map { try Follow($0) }
        for user in ["diogo", "tama"] {
            let followed = Set(follows.filter { $0.follower == user && $0.isAccepted }.map(\.followee))
            let newest = Dictionary(grouping: model.events.filter { followed.contains($0.user) }, by: \.habit)
                .compactMapValues { events in events.max { one, other in one.day < other.day }?.id }
            let ids = try await Reports.table("friends-latest --user \(user)")["id"]
            #expect(ids.compactMap(\.self).sorted() == newest.values.sorted())
            #expect(ids.count > 3)
        }
    }

    @Test func dayEventsReportMatchesHistoryWithStatus() async throws {
        try await expectReport("day-events --date 2026-11-19", matches: "history --from 2026-11-19 --to 2026-11-19")
        let day = TestCalendar.number("2026-11-19")
        let statuses = Dictionary(uniqueKeysWithValues: model.habits.map { ($0.id, $0.status(on: day)) })
        for row in try await Reports.table("day-events --date 2026-11-19").selecting(["habit", "status", "color"]) {
            let status = statuses[row[0] ?? ""]
            #expect(row == [row[0], status?.word, status?.color])
        }
    }

    /// Distances come from Vincenty's formula and statuses from the sample files.
    ///
    /// The status refers to the last day with events, because today has no events yet.
    @Test(arguments: ["38.7223,-9.1393 5km", "35.0116,135.7681 800m", "-16.8,180 30km", "-16.8,-180 30km", "0,0 1m"])
    func nearReportMatchesVincentyDistances(circle: String) async throws {
        let words = circle.split(separator: " ").map(String.init)
        let center = words[0].split(separator: ",").compactMap { Double($0) }
        let number = Double(words[1].filter { $0.isNumber }) ?? 0
        let limit = words[1].hasSuffix("km") ? number * 1000 : number
        let statuses = Dictionary(uniqueKeysWithValues: model.habits.map { ($0.id, $0.status(on: last)) })
        let expected = model.events.compactMap { event -> (Double, ReferenceModel.Event)? in
            guard let longitude = event.longitude, let latitude = event.latitude else { return nil }
            let distance = vincenty((center[1], center[0]), (longitude, latitude))
            return distance <= limit ? (distance, event) : nil
        }
        let table = try await Reports.table("near --near \(words[0]) --within \(words[1])")
        let rows = table.selecting(["id", "status", "color", "distance_m"])
        let found = Dictionary(uniqueKeysWithValues: rows.map { ($0[0] ?? "", $0) })
        #expect(found.count == expected.count)
        #expect(found.count == rows.count)
        for (distance, event) in expected {
            let row = found[event.id]
            let status = statuses[event.habit]
            try #require(row?[1] == status?.word)
            #expect(row?[2] == status?.color)
            #expect(abs((row?[3].flatMap(Double.init) ?? -1) - distance) < 0.002, "\(event.id)")
        }
        let distances = rows.map { $0[3].flatMap(Double.init) ?? -1 }
        #expect(distances == distances.sorted())
    }

    @Test func nearReportAppliesAllFilters() async throws {
        let all = try await Reports.table("near --near 38.7223,-9.1393").selecting(["id", "user", "habit", "day"])
        let some = try await Reports.table(
            "near --near 38.7223,-9.1393 --user alice --habit alice-gym --from 2026-10-01 --to 2026-10-31")
        let expected = all.filter { row in
            row[1] == "alice" && row[2] == "alice-gym" && row[3]?.hasPrefix("2026-10") == true
        }
        #expect(some.selecting(["id", "user", "habit", "day"]) == expected)
        #expect(!expected.isEmpty)
    }

    @Test(arguments: ["", "--user alice", "--habit isla-run", "--from 2026-11-01 --to 2026-11-08"])
    func rhythmReportCountsEventsByWeekdayAndHour(filter: String) async throws {
        let events = model.events.filter { $0.outcome == "done" && matches($0, filter) }
        var counts: [[Int]: Int] = [:]
        for event in events {
            let hour = event.at.flatMap { Int($0.dropFirst(11).prefix(2)) } ?? 24
            counts[[TestCalendar.weekday(event.day), hour], default: 0] += 1
        }
        let names = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
        let sorted = counts.sorted { one, other in
            (one.key[0], one.key[1]) < (other.key[0], other.key[1])
        }
        let expected = sorted.map { key, count -> [String?] in
            let hour: Int? = key[1] == 24 ? nil : key[1]
            let time = hour.map { String(format: " %02d:00", $0) } ?? ", no time"
            return [
                cell(key[0]),
                cell(hour),
                names[key[0] - 1] + time,
                cell(count),
                cell(Double(count) / Double(events.count)),
            ]
        }
        expectRows(
            try await Reports.table("rhythm \(filter)"), columns: "weekday hour label events share", equal: expected)
    }

    @Test(arguments: [("", 0.002), ("--user alice --cell 0.05", 0.05), ("--habit ben-gym --cell 1 --min-visits 2", 1)])
    func placesReportGroupsEventsByGridCell(filter: String, side: Double) async throws {
        let events = model.events.filter { $0.outcome == "done" && $0.longitude != nil && matches($0, filter) }
        let least = filter.contains("min-visits") ? 2 : 1
        var expected: [String: [String?]] = [:]
        for (habit, events) in Dictionary(grouping: events, by: \.habit) {
            for (place, visits) in Dictionary(grouping: events, by: { GridCell($0.longitude, $0.latitude, side: side) })
            where visits.count >= least {
                let count = Double(visits.count)
                let days = visits.map { TestCalendar.day($0.day) }
                expected["\(habit) \(place)"] = [
                    habit, cell(visits.count), days.min(), days.max(), cell(count / Double(events.count)),
                    cell(visits.compactMap(\.longitude).reduce(0, +) / count),
                    cell(visits.compactMap(\.latitude).reduce(0, +) / count),
                ]
            }
        }
        let table = try await Reports.table("places \(filter)")
        let rows = table.selecting(["habit", "visits", "first_day", "last_day", "share", "longitude", "latitude"])
        #expect(rows.count == expected.count)
        #expect(!rows.isEmpty)
        for row in rows {
            // The mean position of the events in a cell is inside the cell.
            let place = GridCell(row[5].flatMap(Double.init), row[6].flatMap(Double.init), side: side)
            #expect(isApproximatelyEqual(row, expected["\(row[0] ?? "") \(place)"] ?? []))
        }
        let order = integers(table["visits"])
        #expect(order == order.sorted(by: >))
        for (_, rows) in Dictionary(grouping: table.selecting(["habit", "place"]), by: \.[0]) {
            #expect(integers(rows.map { $0[1] }) == Array(1...rows.count), "ranks are ordered by visits")
        }
    }

    @Test(arguments: [("--cell 0.05 --from 2026-11-01", 0.05), ("", 0.01), ("--cell 7 --user ben", 7)])
    func densityReportCountsEventsByGridCell(filter: String, side: Double) async throws {
        let events = model.events.filter { $0.longitude != nil && matches($0, filter) }
        var expected: Set<[String?]> = []
        for (corner, events) in Dictionary(grouping: events, by: { GridCell($0.longitude, $0.latitude, side: side) }) {
            let west = corner.x * side
            let south = corner.y * side
            let days = events.map { TestCalendar.day($0.day) }
            expected.insert([
                cell(events.count), cell(Set(events.map(\.user)).count), days.min(), days.max(),
                rounded(max(-180, west)), rounded(max(-90, south)), rounded(min(180, west + side)),
                rounded(min(90, south + side)),
            ])
        }
        let table = try await Reports.table("density \(filter)")
        let names = ["events", "users", "first_day", "last_day", "west", "south", "east", "north"]
        let rows = table.selecting(names).map { Array($0.prefix(4)) + rounded($0.dropFirst(4)) }
        #expect(Set(rows) == expected)
        #expect(rows.count == expected.count)
        let counts = integers(table["events"])
        #expect(counts == counts.sorted(by: >))
        #expect(counts.reduce(0, +) == events.count)
    }

    @Test(arguments: [1, 3, 14]) func quietUsersReportListsUsersWithoutRecentEvents(days: Int) async throws {
        let expected = Set(model.habits.map(\.user)).compactMap { user -> [String?]? in
            let events = model.events.filter { $0.user == user && $0.day <= last }
            guard let newest = events.map(\.day).max() else { return [user, nil, nil, "0"] }
            guard last - newest >= days else { return nil }
            let before = events.filter { $0.day > newest - 28 }.count
            return [user, TestCalendar.day(newest), cell(last - newest), cell(before)]
        }
        let table = try await Reports.table("quiet-users --date 2026-11-20 --days \(days)")
        let rows = table.selecting(["user", "last_day", "days_quiet", "events_before"])
        #expect(Set(rows) == Set(expected))
        #expect(rows.count == expected.count)
        let lastDays = table["last_day"].map { $0 ?? "" }
        #expect(lastDays == lastDays.sorted())
    }

    /// Returns whether the event passes the options in `filter`.
    private func matches(_ event: ReferenceModel.Event, _ filter: String) -> Bool {
        let words = RuleStore.words(filter)
        return zip(words, words.dropFirst()).allSatisfy { name, value in
            switch name {
            case "--user": event.user == value
            case "--habit": event.habit == value
            case "--from": event.day >= TestCalendar.number(value)
            case "--to": event.day <= TestCalendar.number(value)
            default: true
            }
        }
    }

    private func rounded(_ value: Double) -> String? { String(format: "%.4f", value) }

    private func rounded(_ cells: ArraySlice<String?>) -> [String?] {
        cells.map { $0.flatMap(Double.init).flatMap { rounded($0) } }
    }

    private func integers(_ cells: [String?]) -> [Int] { cells.compactMap { $0.flatMap { Int($0) } } }
}

/// A cell of a grid in degrees.
private struct GridCell: Hashable {
    var x: Double
    var y: Double

    init(_ longitude: Double?, _ latitude: Double?, side: Double) {
        x = ((longitude ?? 0) / side).rounded(.down)
        y = ((latitude ?? 0) / side).rounded(.down)
    }
}

struct Follow {
    var follower: String
    var followee: String
    var isAccepted: Bool
    var isLatest: Bool

    init(_ line: String) throws {
        let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: String] ?? [:]
        follower = object["follower"] ?? ""
        followee = object["followee"] ?? ""
        isAccepted = object["status"] == "accepted"
        isLatest = object["share"] == "latest"
    }
}

/// Returns the distance between two positions (longitude, latitude) in meters, by Vincenty's inverse formula.
///
/// The formula does not converge for nearly antipodal positions.
///
/// T. Vincenty, "Direct and Inverse Solutions of Geodesics on the Ellipsoid", Survey Review 23 (1975).
func vincenty(_ a: (Double, Double), _ b: (Double, Double)) -> Double {
    let equator = 6_378_137.0
    let flattening = 1 / 298.257223563
    let pole = equator * (1 - flattening)
    func reduced(_ latitude: Double) -> Double { atan((1 - flattening) * tan(latitude * .pi / 180)) }
    let u1 = reduced(a.1)
    let u2 = reduced(b.1)
    let difference = (b.0 - a.0).remainder(dividingBy: 360) * .pi / 180
    var lambda = difference
    for _ in 0..<100 {
        let across = cos(u2) * sin(lambda)
        let along = cos(u1) * sin(u2) - sin(u1) * cos(u2) * cos(lambda)
        let sine = hypot(across, along)
        if sine == 0 { return 0 }
        let cosine = sin(u1) * sin(u2) + cos(u1) * cos(u2) * cos(lambda)
        let sigma = atan2(sine, cosine)
        let azimuth = cos(u1) * cos(u2) * sin(lambda) / sine
        let squared = 1 - azimuth * azimuth
        let middle = squared == 0 ? 0 : cosine - 2 * sin(u1) * sin(u2) / squared
        let c = flattening / 16 * squared * (4 + flattening * (4 - 3 * squared))
        let next =
            difference + (1 - c) * flattening * azimuth
            * (sigma + c * sine * (middle + c * cosine * (2 * middle * middle - 1)))
        if abs(next - lambda) > 1e-12 {
            lambda = next
            continue
        }
        let k = squared * (equator * equator / (pole * pole) - 1)
        let big = 1 + k / 16384 * (4096 + k * (-768 + k * (320 - 175 * k)))
        let small = k / 1024 * (256 + k * (-128 + k * (74 - 47 * k)))
        let inner =
            cosine * (2 * middle * middle - 1) - small / 6 * middle * (4 * sine * sine - 3) * (4 * middle * middle - 3)
        return pole * big * (sigma - small * sine * (middle + small / 4 * inner))
    }
    return .nan
}
