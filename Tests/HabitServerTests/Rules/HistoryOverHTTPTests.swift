import Foundation
import HabitModel
import HabitTestSupport
import Testing

@testable import HabitServer

/// Tests of rules C-12 to C-16 and R-10 over HTTP: lists of events.
///
/// They have the names of the tests on the command line, and the filters have the same results.
@Suite(.serialized, .server(.rules)) struct HistoryOverHTTPTests {
    private static let list = "events/items"

    private static let refused: [RefusedRequest] = [
        // C-13
        .init(.get, list + "?scope=friends", as: "operator", is: 403, slug: "not-signed-in"),
        .init(.get, list, as: nil, is: 401, slug: "not-signed-in"),
        .init(.get, list, as: "nobody", is: 401, slug: "not-signed-in"),
        .init(.get, list + "?scope=theirs", as: "owner", is: 400, slug: "parameter-invalid"),
        // C-14
        .init(.get, list + "?habit=none", as: "owner", is: 404, slug: "not-found"),
        .init(.get, list + "?habit-title=none", as: "owner", is: 404, slug: "not-found"),
        .init(.get, list + "?not-habit=none", as: "owner", is: 404, slug: "not-found"),
        .init(.get, list + "?scope=all&habit=other", as: "all", is: 404, slug: "not-found"),
        .init(.get, list + "?scope=all&habit=run", as: "pending", is: 404, slug: "not-found"),
        .init(.get, list + "?scope=all&not-habit=run", as: "rejected", is: 404, slug: "not-found"),
        .init(.get, list + "?scope=all&habit-title=stra%C3%9Fe", as: "stranger", is: 404, slug: "not-found"),
        .init(.get, list + "?user=none", as: "owner", is: 404, slug: "not-found"),
        // C-15
        .init(.get, list + "?comment-contains=", as: "owner", is: 400, slug: "search-text-empty"),
        .init(.get, list + "?comment-word=", as: "owner", is: 400, slug: "search-text-empty"),
        // C-16
        .init(.get, list + "?within=5km", as: "owner", is: 400, slug: "parameter-invalid"),
        .init(.get, list + "?sortby=%2Bdistance", as: "owner", is: 400, slug: "parameter-invalid"),
        .init(.get, list + "?near=0,91", as: "owner", is: 400, slug: "position-invalid"),
        .init(.get, list + "?bbox=1,2,3", as: "owner", is: 400, slug: "position-invalid"),
        .init(.get, list + "?near=10,50&within=far", as: "owner", is: 400, slug: "distance-invalid"),
        .init(.get, list + "?near=10,50&within=-1km", as: "owner", is: 400, slug: "distance-invalid"),
        .init(.get, list + "?near=10,50&within=40076km", as: "owner", is: 400, slug: "distance-invalid"),
        .init(.get, list + "?datetime=2026-02-30", as: "owner", is: 400, slug: "date-invalid"),
        .init(.get, list + "?near=last", as: "pending", is: 422, slug: "location-unavailable"),
        .init(.get, list + "?near=last", as: "latest", is: 422, slug: "location-unavailable"),
        .init(.get, list + "?near=last", as: "operator", is: 403, slug: "not-signed-in"),
        // A filter is an ordinary text (rule S-04).
        .init(.get, list + "?user=%25", as: "owner", is: 404, slug: "not-found"),
        .init(.get, list + "?user=%27%20OR%201%3D1%20--", as: "owner", is: 404, slug: "not-found"),
        .init(.get, "posts/items?user=_wner", as: "owner", is: 404, slug: "not-found"),
        .init(.get, "messages/items?user=OWNER", as: "owner", is: 404, slug: "not-found"),
    ]

    @Test func invalidHistoryRequestIsRefused() async throws {
        try await ServerFixture.shared.expectRefusals(Self.refused)
    }

    @Test func historyDependsOnActorAndScope() async throws {
        try await ServerFixture.shared.run { client in
            for (user, options, ids) in RuleCases.historyScopes {
                let found = try await client.call(Self.list + "?" + options.query, as: user ?? "operator")
                #expect(found.ids == Self.list(ids), "\(user ?? "operator") \(options): \(found)")
            }
        }
    }

    @Test func historyAppliesFilters() async throws {
        try await ServerFixture.shared.run { client in
            for (user, options, ids) in RuleCases.historyFilters {
                // An event without a position matches every box.
                let list = options.contains("--bbox") ? "located-events/items" : Self.list
                // Without the option, the command line lists the newest event first.
                let sort = options.contains("--near") && !options.contains("--sort") ? "&sortby=-time" : ""
                // A habit is named by ID or by title on the command line, and has two parameters over HTTP.
                let visible = user == "stranger" ? [] : ["run", "read"]
                let query = options.query.split(separator: "&").map(String.init).map { part in
                    visible.contains { part == "habit-title=\($0)" }
                        ? part.replacing("habit-title", with: "habit") : part
                }.joined(separator: "&")
                let found = try await client.call("\(list)?scope=all&\(query)\(sort)", as: user ?? "operator")
                #expect(found.status == 200, "\(options): \(found)")
                #expect(found.ids == Self.list(ids), "\(options): \(found)")
            }
        }
    }

    private static func list(_ ids: String) -> [String] { ids.split(separator: " ").map(String.init) }

    /// Rule C-12: events are sorted by day, instant and ID, all descending.
    ///
    /// An event without an instant is the last of its day.
    @Test func historyIsSortedByDayInstantAndID() async throws {
        let fixture = try await ServerFixture(.rules)
        let day = "2026-10-01"
        try fixture.store.write([
            .event("run", day, id: "t1", at: "2026-10-01T07:00:00Z"), .event("twin-1", day, id: "t4"),
            .event("gone", day, id: "t3", at: "2026-10-01T09:00:00+05:00"),
            .event("read", day, id: "t2", at: "2026-10-01T07:00:00Z"), .event("twin-2", day, id: "t5"),
        ])
        try await fixture.run { client in
            let found = try await client.call(Self.list + "?datetime=\(day)/\(day)", as: "owner")
            #expect(found.ids == ["t2", "t1", "t3", "t5", "t4"], "\(found)")
            #expect(found.values("unplanned", as: Bool.self) == [true, false, false, true, true], "\(found)")
        }
    }

    /// Rule C-16: the default distance is 5 km and includes the boundary.
    @Test func nearUsesFiveKilometersByDefault() async throws {
        try await ServerFixture(.rules).run { client in
            for (day, longitude) in [("2026-11-01", 0.0449157), ("2026-11-02", 0.0449158), ("2026-11-03", 0)] {
                let body = #"{"habit":"run","day":"\#(day)","longitude":\#(longitude),"latitude":0}"#
                #expect(try await client.call(.post, Self.list, as: "owner", body: body).status == 201)
            }
            for path in ["/near?near=0,0", "/collections/events/items?near=0,0"] {
                let found = try await client.send(path: path, as: "owner")
                #expect(found.values("day") == ["2026-11-03", "2026-11-01"], "\(found)")
                #expect(found.values("distance_m", as: Double.self) == [0, 4999.993], "\(found)")
            }
            let wider = try await client.call(Self.list + "?near=0,0&within=5.00001km", as: "owner")
            #expect(wider.ids.count == 3, "\(wider)")
            let later = try await client.call(Self.list + "?near=0,0&habit=run&datetime=2026-11-02/..", as: "owner")
            #expect(later.values("day") == ["2026-11-03"], "\(later)")
        }
    }

    /// Rule C-14: the complete title must match, with case folding.
    ///
    /// Accents matter, but their Unicode composition does not.
    @Test func habitTitleMatchesWithCaseFolding() async throws {
        try await ServerFixture(.rules).run { client in
            let habit = #"{"id":"owner:cafe","title":"Café","days":"1111111","start":"2026-11-01"}"#
            #expect(try await client.call(.post, "habits/items", as: "owner", body: habit).status == 201)
            let event = #"{"habit":"owner:cafe","day":"2026-11-10"}"#
            #expect(try await client.call(.post, Self.list, as: "owner", body: event).status == 201)
            for title in ["café", "CAFE\u{301}", "CAFÉ"] {
                let found = try await client.call(Self.list + "?habit-title=\(title.urlEncoded)", as: "owner")
                #expect(found.values("habit") == ["owner:cafe"], "\(title): \(found)")
            }
            for title in ["cafe", "caf"] {
                #expect(
                    try await client.call(Self.list + "?habit-title=\(title)", as: "owner").status == 404, "\(title)")
            }
        }
    }

    /// `%`, `_`, quotes and SQL or FTS5 syntax are ordinary characters.
    @Test func searchTextIsNotInterpretedAsPattern() async throws {
        let comments = [
            "100%", "100x", "a_b", "axb", "it's", "say \"hi\"", "OR NOT", "run* now", "x:y", "(a) AND", "' OR 1=1 --",
            "-1,5", "^abc$",
        ]
        let fixture = try await ServerFixture(.rules)
        let events = comments.enumerated().map { number, comment in
            Record.event("run", "2026-10-\(10 + number)", id: "c\(number)", comment: comment)
        }
        try fixture.store.write(events)
        try await fixture.run { client in
            for text in comments + ["%", "_", "\"", "'", "*", "0%"] {
                let path = Self.list + "?datetime=../2026-10-31&comment-contains=\(text.urlEncoded)"
                let found = try await client.call(path, as: "owner")
                #expect(Set(found.values("comment")) == Set(comments.filter { $0.contains(text) }), "\(text): \(found)")
                #expect(!found.ids.isEmpty, "\(text)")
            }
        }
    }
}

extension String {
    /// The query of a request that has the meaning of these options of the command line (rule R-10).
    ///
    /// `~` is a space in an option. A habit is named by its title.
    var query: String {
        let words = split(separator: " ").map { String($0.replacing("~", with: " ")) }
        var parts: [String] = []
        var from = ".."
        var to = ".."
        for index in stride(from: 0, to: words.count, by: 2) {
            let option = words[index]
            let value = words[index + 1]
            switch option {
            case "--from": from = value
            case "--to": to = value
            case "--habit": parts.append("habit-title=\(value.urlEncoded)")
            case "--comment": parts.append("comment-contains=\(value.urlEncoded)")
            case "--near": parts.append("near=\(value.split(separator: ",").reversed().joined(separator: ","))")
            case "--sort": parts.append("sortby=%2B\(value)")
            default: parts.append("\(option.dropFirst(2))=\(value.urlEncoded)")
            }
        }
        if from != ".." || to != ".." { parts.append("datetime=\(from)/\(to)") }
        return parts.joined(separator: "&")
    }
}
