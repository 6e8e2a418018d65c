import Foundation
import HabitTestSupport
import Testing

/// Tests of the reports of items and posts against the sample files.
@Suite struct SharingReportTests {
    private struct Item {
        var id: String
        var user: String
        var name: String
        var state: String
        var place: (Double, Double)?

        init(_ object: [String: Any]) {
            id = object["id"] as? String ?? ""
            user = object["user"] as? String ?? ""
            name = object["name"] as? String ?? ""
            state = object["state"] as? String ?? ""
            // An available item is expired after its last day.
            if state == "available", let day = object["expires"] as? String, day < "2026-11-21" { state = "expired" }
            if let longitude = object["longitude"] as? Double, let latitude = object["latitude"] as? Double {
                place = (longitude, latitude)
            }
        }
    }

    private let items: [Item]

    init() throws {
        let data = try Data(contentsOf: URL(fileURLWithPath: SampleData.path + "/items.json"))
        items = try #require(try JSONSerialization.jsonObject(with: data) as? [[String: Any]]).map(Item.init)
    }

    @Test(arguments: ["available", "given", "expired", "withdrawn", "claimed"])
    func itemsNearReportMatchesSampleFile(state: String) async throws {
        let expected = items.filter { $0.state == state }.compactMap { item -> (Double, Item)? in
            guard let place = item.place else { return nil }
            let distance = vincenty((-9.1393, 38.7223), place)
            return distance <= 5000 ? (distance, item) : nil
        }.sorted { one, other in one.0 < other.0 }
        let option = state == "available" ? "" : "--state \(state)"
        let rows = try await Reports.table("items-near --near 38.7223,-9.1393 \(option)")
            .selecting(["id", "user", "name", "state", "distance_m"])
        let expectedItems = expected.map { _, item -> [String?] in [item.id, item.user, item.name, item.state] }
        #expect(rows.map { Array($0.prefix(4)) } == expectedItems)
        #expect(!rows.isEmpty)
        for (row, (distance, _)) in zip(rows, expected) {
            #expect(abs((row[4].flatMap(Double.init) ?? -1) - distance) < 0.002)
        }
    }

    @Test(arguments: [(0, nil), (60, nil), (0, "alice")]) func claimsOpenReportMatchesSampleFile(
        days: Int, user: String?
    ) async throws {
        let last = TestCalendar.number("2026-11-20")
        let instants = ISO8601DateFormatter()
        var waiting: [(since: Date, cells: [String?])] = []
        for line in try ReferenceModel.lines("claims.csv") {
            let claim = line.split(separator: ",").map(String.init)
            let wait = last - TestCalendar.number(String(claim[2].prefix(10)))
            guard claim[3] == "claimed", wait >= days, let item = items.first(where: { $0.id == claim[0] }) else {
                continue
            }
            guard user == nil || user == claim[1] || user == item.user else { continue }
            let since = try #require(instants.date(from: claim[2]))
            waiting.append((since, [item.id, item.name, item.user, claim[1], claim[2], cell(wait)]))
        }
        let expected = waiting.sorted { one, other in one.since < other.since }.map(\.cells)
        let table = try await Reports.table(
            "claims-open --date 2026-11-20 --days \(days)" + (user.map { " --user \($0)" } ?? ""))
        #expect(days > 0 || user != nil || expected.count == 65)
        expectRows(table, columns: "item name poster claimant claimed_at days_waiting", equal: expected)
    }

    @Test(arguments: ["", "--user alice", "--from 2026-11-10 --to 2026-11-12"]) func postsReportMatchesPostList(
        filter: String
    ) async throws {
        let all = try await Reports.rows("post list")
        #expect(all.rows.count == 397)
        let names = ["id", "user", "caption", "posted_at", "has_photo", "longitude", "latitude"]
        let expected = all.selecting(names).filter { row in
            let day = row[3]?.prefix(10) ?? ""
            return filter.isEmpty || filter.hasPrefix("--user") && row[1] == "alice"
                || filter.hasPrefix("--from") && "2026-11-10" <= day && day <= "2026-11-12"
        }
        #expect(!expected.isEmpty)
        #expect(try await Reports.table("posts \(filter)").selecting(names) == expected)
    }
}
