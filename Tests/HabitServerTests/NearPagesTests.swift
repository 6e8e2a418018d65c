import Base
import Foundation
import Geo
import HabitModel
import HabitStore
import HabitTestSupport
import Testing

@testable import HabitAPI
@testable import HabitServer

extension Scene {
    fileprivate static func clusters() throws -> [Record] {
        let places = try NearPagesTests.all.get()
        var records: [Record] = users.map { .user($0) }
        records += [.follow("all", "owner"), .follow("latest", "owner", share: .latest)]
        var habits: Set<String> = []
        for place in places where habits.insert(place.habit).inserted {
            records.append(.habit(place.habit, of: place.owner, title: "Walk"))
        }
        for place in places {
            records.append(.event(place.habit, "\(place.day)", id: place.id, position: place.position))
            records.append(.item("i" + place.id, of: place.owner, name: "Lamp", at: place.position))
            records.append(.post("p" + place.id, of: place.owner, caption: "c", at: place.position))
        }
        return records
    }
}

/// Tests of rule R-14: the pages of a list near a position contain all rows of the list, in its order.
@Suite(.serialized, .server(try Scene.clusters())) struct NearPagesTests {
    /// The sizes of pages that the tests read.
    ///
    /// A PostgreSQL server reads the events of all habits for each page, so the tests read fewer pages there.
    private static let limits = TestServer.isUsed ? [7] : [1, 7, 20, 100]
    /// The size of the pages of which a test reads few.
    private static let usualLimit = TestServer.isUsed ? 7 : 20

    /// A place with records at known distances.
    private struct Cluster {
        var center: Position
        /// The distances of the records from the center, in meters.
        var distances: [Double]
    }

    /// The numbers of records within 500 m, 2 km and 8 km of a place: fewer than a page, exactly a page, and more.
    private static func counts(around limit: Int) -> [[Int]] {
        [
            [limit - 1, limit, limit + 1], [limit, limit + 1, limit + 2], [limit + 1, limit + 2, limit + 9],
            [0, limit + 1, 2 * limit + 3], [0, 0, limit + 1], [0, limit, 2 * limit],
        ]
    }

    /// The places, two degrees apart, of pages of `limit` rows.
    private static func clusters(of limit: Int) throws -> [Cluster] {
        let row = try #require(limits.firstIndex(of: limit))
        return try counts(around: limit).enumerated().map { index, counts in
            let center = try #require(Position(longitude: Double(2 * index), latitude: Double(40 + 2 * row)))
            var distances: [Double] = []
            for (radius, count) in zip([500.0, 2000, 8000], counts) {
                // The last record of a ring is close to its border, where a smaller circle ends.
                let missing = count - distances.count
                distances += (0..<missing).map { radius - 0.5 - Double($0 * 450) / Double(missing) }
            }
            // Records outside of the distance of every request.
            return Cluster(center: center, distances: distances + [9000, 9001])
        }
    }

    /// A record of the model: what each list needs to know about it.
    struct Place: Sendable {
        var id: String
        var owner: String
        var habit: String
        var day: Day
        /// Whether no event of the habit has a later day.
        var isNewest: Bool
        var position: Position
    }

    /// The records of the owner and of a stranger around the clusters, without a store.
    private static func places() throws -> [Place] {
        let first = try #require(Day("2026-11-01"))
        var places: [Place] = []
        for (row, cluster) in try limits.flatMap(clusters).enumerated() {
            for (index, distance) in cluster.distances.enumerated() {
                let position = try offset(from: cluster.center, by: distance)
                let habit = "h\(row)-\(index)"
                // Every second habit has an older event at the same position, which is not its newest.
                let days = index.isMultiple(of: 2) ? [index % 7] : [index % 7, index % 7 + 8]
                for day in days {
                    places.append(
                        Place(
                            id: "\(habit)-\(day)", owner: "owner", habit: habit, day: first.advanced(by: day),
                            isNewest: day == days.last, position: position))
                }
            }
            // Hidden records of a stranger are between the records of the owner.
            for index in 0..<3 {
                let position = try offset(from: cluster.center, by: Double(100 + 900 * index))
                places.append(
                    Place(
                        id: "s\(row)-\(index)", owner: "stranger", habit: "t\(row)-\(index)", day: first,
                        isNewest: true, position: position))
            }
        }
        return places
    }

    /// Returns the position north of `center` at about `meters`.
    private static func offset(from center: Position, by meters: Double) throws -> Position {
        try #require(Position(longitude: center.longitude, latitude: center.latitude + meters / 111_100))
    }

    fileprivate static let all = Result { try places() }

    /// A list of one kind near a position, for one user.
    struct List: Sendable, CustomTestStringConvertible {
        var collection: String
        var user: String
        var scope: String?

        var testDescription: String { "\(collection) of \(user), \(scope ?? "no scope")" }

        /// Whether the user sees the record in this list.
        func contains(_ place: Place) -> Bool {
            if collection == "items" || user == "operator" { return true }
            let isOwn = place.owner == user
            let isFollowed = place.owner == "owner" && ["all", "latest"].contains(user)
            switch scope {
            case "friends": return isFollowed && place.isNewest
            case "all": return isOwn || (isFollowed && (user == "all" || place.isNewest))
            case "mine": return isOwn
            default: return isOwn || isFollowed
            }
        }

        /// The position of the record that the user sees: of items of others, the center of a cell.
        func shownPosition(of place: Place) throws -> Position {
            guard collection == "items", user != "operator", user != place.owner else { return place.position }
            return try #require(PositionGrid.items.center(of: place.position))
        }

        func id(of place: Place) -> String {
            switch collection {
            case "items": "i" + place.id
            case "posts": "p" + place.id
            default: place.id
            }
        }
    }

    static let lists: [List] = {
        var lists: [List] = []
        for collection in ["events", "located-events"] {
            for (user, scope) in [
                ("owner", "mine"), ("all", "friends"), ("latest", "friends"), ("all", "all"), ("latest", "all"),
            ] {
                lists.append(List(collection: collection, user: user, scope: scope))
            }
            lists.append(List(collection: collection, user: "operator"))
        }
        for collection in ["items", "posts"] {
            for user in ["owner", "all", "operator"] { lists.append(List(collection: collection, user: user)) }
        }
        return lists
    }()

    /// A row of a list near a position.
    private struct Row {
        var id: String
        var kind: String
        var day: Day
        var meters: Double
    }

    /// Returns the rows of a list near a position, by a loop over all records.
    private static func expected(
        _ list: List, _ places: [Place], near center: Position, within meters: Double, sort: String
    ) throws -> [Row] {
        let nearby = places.filter { place in
            abs(place.position.latitude - center.latitude) < 1 && abs(place.position.longitude - center.longitude) < 1
        }
        var rows: [Row] = []
        for place in nearby where list.contains(place) {
            let position = try list.shownPosition(of: place)
            let distance = Geodesic.distance(from: center, to: position).meters
            guard distance <= meters else { continue }
            rows.append(Row(id: list.id(of: place), kind: list.collection, day: place.day, meters: distance))
        }
        return sorted(rows, by: sort)
    }

    /// Sorts the rows of one list.
    private static func sorted(_ rows: [Row], by sort: String) -> [Row] {
        guard sort == "-time" else {
            return rows.sorted { first, second in
                (first.meters, first.id, first.kind) < (second.meters, second.id, second.kind)
            }
        }
        // Events are sorted by day. All items, and all posts, have the same time.
        return rows.sorted { first, second in
            if first.kind.hasSuffix("events"), first.day != second.day { return first.day > second.day }
            return first.id > second.id
        }
    }

    /// Returns the IDs of all pages of a list, and checks the members that count the features.
    private func allPages(_ path: String, as user: String, _ client: ServerClient, expecting total: Int) async throws
        -> [String]
    {
        var ids: [String] = []
        var next: String? = path
        while let path = next, ids.count <= total {
            let page = try await client.send(path: path, as: user)
            try #require(page.status == 200, "\(page)")
            let pageIDs = page.ids
            ids += pageIDs
            next = page.link("next").flatMap { URLComponents(string: $0) }.map {
                $0.path + "?" + ($0.percentEncodedQuery ?? "")
            }
            #expect(page.json["numberReturned"] as? Int == pageIDs.count)
            let matched = page.json["numberMatched"] as? Int
            #expect(matched == nil || matched == total, "\(path) counts \(matched ?? -1) features of \(total)")
            #expect((page.headers[.link] ?? "").contains("rel=\"next\"") == (next != nil))
        }
        return ids
    }

    @Test(arguments: lists, ["+distance", "-time"])
    func pagesContainAllRowsNearPosition(list: List, sort: String) async throws {
        let places = try Self.all.get()
        try await ServerFixture.shared.run { client in
            for limit in Self.limits {
                for cluster in try Self.clusters(of: limit) {
                    let center = cluster.center
                    let expected = try Self.expected(
                        list, places, near: center, within: 8_200, sort: sort
                    ).map(\.id)
                    // Pages of other sizes are read only if they are few.
                    for size in Self.limits where size == limit || expected.count / 2 == size {
                        let scope = list.scope.map { "&scope=\($0)" } ?? ""
                        let path =
                            "/collections/\(list.collection)/items?near=\(center.longitude),\(center.latitude)"
                            + "&within=8200m&limit=\(size)&sortby=\(sort.urlEncoded)\(scope)"
                        let ids = try await allPages(path, as: list.user, client, expecting: expected.count)
                        #expect(ids == expected, "\(path): \(ids.count) of \(expected.count) rows")
                    }
                }
            }
        }
    }

    /// The route `/near` has pages too, for one kind, for several kinds, and for the closest records.
    @Test(arguments: ["events", "items", "posts", "events,items,posts"], ["+distance", "-time"])
    func pagesOfNearContainAllRecords(kinds: String, sort: String) async throws {
        let places = try Self.all.get()
        let names = kinds.split(separator: ",").map(String.init)
        try await ServerFixture.shared.run { client in
            for (limit, nearest) in [
                (7, nil),
                (20, nil),
                (100, nil),
                (7, 7),
                (7, 15),
                (20, 8),
                (100, 150),
            ]
            where Self.limits.contains(limit) {
                let center = try #require(try Self.clusters(of: limit).dropFirst(3).first).center
                var rows: [Row] = []
                for name in names {
                    let list = List(collection: name, user: "all", scope: name == "events" ? "all" : nil)
                    rows += try Self.expected(list, places, near: center, within: 8_200, sort: "+distance")
                }
                rows = Self.sorted(rows, by: "+distance")
                if let nearest { rows = Array(rows.prefix(nearest)) }
                if sort == "-time" {
                    rows = Self.sorted(rows, by: sort)
                    if names.count > 1 {
                        // Records of several kinds are sorted by instant, which items and posts have and events do not.
                        let descending = rows.sorted { first, second in first.id > second.id }
                        let events = descending.filter { row in row.kind == "events" }
                        let posts = descending.filter { row in row.kind == "posts" }
                        let items = descending.filter { row in row.kind == "items" }
                        rows = posts + items + events
                    }
                }
                let expected = rows.map { names.count > 1 ? "\($0.kind)/\($0.id)" : $0.id }
                let path =
                    "/near?near=\(center.longitude),\(center.latitude)&within=8200m&limit=\(limit)&kind=\(kinds)"
                    + "&sortby=\(sort.urlEncoded)" + (nearest.map { "&nearest=\($0)" } ?? "")
                let ids = try await allPages(path, as: "all", client, expecting: expected.count)
                #expect(ids == expected, "\(path): \(ids.count) of \(expected.count) rows")
            }
        }
    }

    /// The command line has no pages, so it is an independent way to the same rows.
    @Test func commandLineListsSameRowsAsPages() async throws {
        let fixture = try ServerFixture.shared
        let center = try #require(try Self.clusters(of: Self.usualLimit).dropFirst(3).first).center
        let place = "\(center.latitude),\(center.longitude)"
        let commands: [(arguments: [String], list: List)] = [
            (["history", "--scope", "mine"], List(collection: "events", user: "owner", scope: "mine")),
            (["history", "--scope", "friends"], List(collection: "events", user: "all", scope: "friends")),
            (["history", "--scope", "all"], List(collection: "located-events", user: "latest", scope: "all")),
            (["item", "list"], List(collection: "items", user: "all")),
            (["post", "list"], List(collection: "posts", user: "all")),
        ]
        try await fixture.run { client in
            for (command, list) in commands {
                for (sort, parameter) in [("distance", "+distance"), ("newest", "-time")] {
                    let options = ["--near", place, "--within", "8200m", "--sort", sort, "--as", list.user]
                    let output = ["--format", "csv", "--columns", "id", "--quiet"]
                    let result = try await Program.habitat(
                        command + options + output, in: fixture.store.folder)
                    #expect(result.status == 0, "\(result)")
                    let scope = list.scope.map { "&scope=\($0)" } ?? ""
                    let path =
                        "/collections/\(list.collection)/items?near=\(center.longitude),\(center.latitude)"
                        + "&within=8200m&limit=\(Self.usualLimit)&sortby=\(parameter.urlEncoded)\(scope)"
                    let lines = Array(result.lines.dropFirst())
                    let ids = try await allPages(path, as: list.user, client, expecting: lines.count)
                    #expect(ids == lines, "\(command) \(sort)")
                    #expect(ids.count > Self.usualLimit, "\(command) \(sort)")
                }
            }
        }
    }

    @Test func pageOfNearLinksToNextPage() async throws {
        let center = try #require(try Self.clusters(of: Self.usualLimit).dropFirst(3).first).center
        let path = "/near?near=\(center.longitude),\(center.latitude)&within=8200m&limit=\(Self.usualLimit)"
        try await ServerFixture.shared.run { client in
            for (form, marker) in [("html", ">Next page</a>"), ("csv", "id,user")] {
                let page = try await client.send(path: "\(path)&f=\(form)", as: "owner")
                #expect(page.text.contains(marker), "\(page)")
                #expect((page.headers[.link] ?? "").contains("rel=\"next\""))
            }
            let last = try await client.send(
                path: "\(path)&f=html&limit=1000".replacing("limit=\(Self.usualLimit)&", with: ""), as: "owner")
            #expect(last.status == 200, "\(last)")
            #expect(!last.text.contains(">Next page</a>"), "\(last)")
            let next = try #require(try await client.send(path: path, as: "owner").link("next"))
            let cursor = try #require(URLComponents(string: next)?.queryItems?.first { $0.name == "after" }?.value)
            let forged = try await client.send(path: "\(path)&sortby=-time&after=\(cursor)", as: "owner")
            #expect(forged.status == 400, "\(forged)")
            #expect(forged.field == "after", "\(forged)")
        }
    }
}
