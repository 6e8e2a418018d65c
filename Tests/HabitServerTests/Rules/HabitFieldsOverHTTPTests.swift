import Foundation
import HabitTestSupport
import Testing

@testable import HabitServer

/// Tests of the look, the rank and the reminder of habits over HTTP.
@Suite(.serialized) struct HabitFieldsOverHTTPTests {
    private static let run = "habits/items/run"
    private static let fields = #"{"tint":3,"symbol":"🏃","rank":424242,"remind_at":"07:41"}"#

    /// Runs a test on a server on which `owner` has set the fields of the habit `run`.
    private static func withFields(
        _ fixture: ServerFixture, _ test: @escaping @Sendable (ServerClient) async throws -> Void
    ) async throws {
        try await fixture.run { client in
            let changed = try await client.call(.patch, run, as: "owner", body: fields)
            try #require(changed.status == 200, "\(changed)")
            try await test(client)
        }
    }

    @Test func fieldsAreCreatedChangedReplacedAndCleared() async throws {
        try await ServerFixture(Scene.friends).run { client in
            let body = #"{"title":"Tea","days":"mon","tint":6,"symbol":"🍵","rank":0,"remind_at":"00:05"}"#
            let made = try await client.call(.post, "habits/items", as: "owner", body: body)
            #expect(made.status == 201, "\(made)")
            #expect(made.properties["tint"] as? Int == 6, "\(made)")
            #expect(made.properties["symbol"] as? String == "🍵", "\(made)")
            #expect(made.properties["rank"] as? Int == 0, "\(made)")
            #expect(made.properties["remind_at"] as? String == "00:05", "\(made)")
            let id = try #require(made.json["id"] as? String)
            let path = "habits/items/\(id.urlEncoded)"
            let same = try await client.call(.put, path, as: "owner", body: made.text)
            #expect(same.properties["rank"] as? Int == 0, "\(same)")
            #expect(same.properties["remind_at"] as? String == "00:05", "\(same)")
            let patched = try await client.call(.patch, path, as: "owner", body: #"{"rank":null,"symbol":""}"#)
            #expect(patched.properties["rank"] is NSNull, "\(patched)")
            #expect(patched.properties["symbol"] is NSNull, "\(patched)")
            #expect(patched.properties["tint"] as? Int == 6, "\(patched)")
            let replaced = try await client.call(.put, path, as: "owner", body: #"{"title":"Tea","days":"mon"}"#)
            #expect(replaced.properties["tint"] is NSNull, "\(replaced)")
            #expect(replaced.properties["remind_at"] is NSNull, "\(replaced)")
        }
    }

    private static let invalid: [(member: String, slug: String)] = [
        (#""tint":0"#, "field-invalid"),
        (#""tint":7"#, "field-invalid"),
        (#""tint":"3""#, "field-invalid"),
        (#""tint":1.5"#, "field-invalid"),
        (#""tint":true"#, "field-invalid"),
        (#""rank":-1"#, "field-invalid"),
        (#""rank":1000001"#, "field-invalid"),
        (#""rank":"1""#, "field-invalid"),
        (#""rank":9223372036854775808"#, "row-invalid"),
        (#""symbol":"ab""#, "field-invalid"),
        (#""symbol":" ""#, "field-invalid"),
        (#""symbol":7"#, "field-invalid"),
        (#""symbol":"\u202e""#, "text-invalid"),
        (#""symbol":"\u001b""#, "text-invalid"),
        (#""remind_at":"7:30""#, "field-invalid"),
        (#""remind_at":"24:00""#, "field-invalid"),
        (#""remind_at":730"#, "field-invalid"),
        (#""remind_at":"07:30:00""#, "field-invalid"),
    ]

    private static let refused: [RefusedRequest] = {
        var refused = [RefusedRequest(.patch, run, as: "all", body: #"{"rank":1}"#, is: 403, slug: "not-yours")]
        for (member, slug) in invalid {
            refused.append(RefusedRequest(.patch, run, as: "owner", body: "{\(member)}", is: 422, slug: slug))
        }
        return refused
    }()

    @Test func invalidValuesAreRefused() async throws {
        try await ServerFixture(Scene.friends).expectRefusals(Self.refused)
    }

    // MARK: Visibility of the fields

    /// The requests whose responses contain habits of `owner`.
    private static let paths = [
        "/collections/habits/items", "/collections/habits/items?user=owner", "/collections/habits/items?f=csv",
        "/collections/habits/items?f=html", "/collections/habits/items/run", "/collections/habits/items/run?f=html",
        "/collections/following/items", "/collections/events/items?scope=all", "/changes", "/reports/habits?f=json",
        "/reports/todo?f=json", "/reports/todo?user=owner&f=ics",
    ]

    @Test func followersSeeLookOnly() async throws {
        try await Self.withFields(ServerFixture(Scene.friends)) { client in
            for user in ["all", "latest"] {
                for path in Self.paths {
                    let seen = try await client.send(path: path, as: user)
                    #expect(seen.status == 200, "\(user) \(path): \(seen)")
                    #expect(!seen.text.contains("424242"), "\(user) \(path): \(seen)")
                    #expect(!seen.text.contains("424,242"), "\(user) \(path): \(seen)")
                    #expect(!seen.text.contains("07:41"), "\(user) \(path): \(seen)")
                }
                let one = try await client.call(Self.run, as: user).properties
                #expect(one["tint"] as? Int == 3, "\(one)")
                #expect(one["symbol"] as? String == "🏃", "\(one)")
                #expect(one["rank"] is NSNull, "\(one)")
                #expect(one["remind_at"] is NSNull, "\(one)")
            }
        }
    }

    @Test func ownerAndOperatorSeeAllFields() async throws {
        try await Self.withFields(ServerFixture(Scene.friends)) { client in
            for user in ["owner", "operator"] {
                let one = try await client.call(Self.run, as: user).properties
                #expect(one["rank"] as? Int == 424_242, "\(user): \(one)")
                #expect(one["remind_at"] as? String == "07:41", "\(user): \(one)")
            }
            let changes = try await client.send(path: "/changes", as: "owner")
            #expect(changes.text.contains(#""rank":424242"#), "\(changes)")
            #expect(changes.text.contains(#""remind_at":"07:41""#), "\(changes)")
        }
    }

    @Test(arguments: ["rank%20IS%20NOT%20NULL", "remind_at%20%3D%20%2707:41%27", "rank%20%3E%200"])
    func filterFindsPrivateFieldsOnlyForOwner(filter: String) async throws {
        try await Self.withFields(ServerFixture(Scene.friends)) { client in
            let path = "habits/items?user=owner&filter=\(filter)"
            let own = try await client.call(path, as: "owner").ids
            #expect(own == ["run"])
            let others = try await client.call(path, as: "all").ids
            #expect(others.isEmpty)
        }
    }

    @Test func publicCollectionHasLookOnly() async throws {
        let fixture = try await ServerFixture(Scene.friends) { $0.publicCollections = ["habits"] }
        try await Self.withFields(fixture) { client in
            for path in ["/collections/habits/items", "/collections/habits/items/run"] {
                let open = try await client.send(path: path)
                #expect(open.status == 200, "\(open)")
                #expect(open.text.contains("🏃"), "\(open)")
                #expect(!open.text.contains("\"rank\""), "\(open)")
                #expect(!open.text.contains("remind_at"), "\(open)")
            }
            let filtered = try await client.send(path: "/collections/habits/items?filter=rank%20IS%20NULL")
            #expect(filtered.status == 400, "\(filtered)")
        }
    }

    /// The pages of a list follow each other in its order.
    @Test func rankOrdersPagesOfOwnHabits() async throws {
        try await ServerFixture(Scene.friends).run { client in
            for (title, rank) in [
                ("A", "null"),
                ("B", "2"),
                ("C", "1"),
                ("D", "2"),
            ] {
                let body = #"{"title":"\#(title)","days":"mon","rank":\#(rank)}"#
                let made = try await client.call(.post, "habits/items", as: "owner", body: body)
                try #require(made.status == 201, "\(made)")
            }
            var titles: [String?] = []
            var path: String? = "/collections/habits/items?user=owner&limit=1"
            while let page = path {
                let response = try await client.send(path: page, as: "owner")
                try #require(response.status == 200, "\(response)")
                titles += response.values("title")
                path = response.link("next").flatMap { link in URLComponents(string: link) }.map { next in
                    "\(next.path)?\(next.percentEncodedQuery ?? "")"
                }
            }
            #expect(titles == ["C", "B", "D", "A", "Run", "Straße"])
            let seen = try await client.call("habits/items?user=owner", as: "all")
            #expect(seen.values("title") == ["A", "B", "C", "D", "Run", "Straße"])
        }
    }

    // MARK: Calendars

    private static func calendar(of user: String, _ client: ServerClient) async throws -> ServerResponse {
        let made = try await client.send(.post, path: "/user/calendars", as: user, "{}")
        let url = try #require(made.json["url"] as? String)
        let start = try #require(url.range(of: "/calendars/"))
        return try await client.send(path: String(url[start.lowerBound...]))
    }

    @Test func calendarOfOwnerHasAlarmsAndCalendarOfFollowerHasNone() async throws {
        try await Self.withFields(ServerFixture(Scene.friends)) { client in
            let own = try await Self.calendar(of: "owner", client)
            #expect(own.text.contains("TRIGGER;RELATED=START:PT07H41M\r\n"), "\(own)")
            #expect(own.text.split(separator: "BEGIN:VALARM").count == 2, "only one habit has a reminder: \(own)")
            for user in ["all", "latest"] {
                let other = try await Self.calendar(of: user, client)
                #expect(other.status == 200, "\(other)")
                #expect(!other.text.contains("VALARM"), "\(user): \(other)")
            }
        }
    }

    // MARK: Synchronization

    @Test func changeOfClientContainsFields() async throws {
        try await ServerFixture(Scene.friends).run { client in
            let properties = #"{"title":"Tea","days":"mon","tint":2,"symbol":"🍵","rank":9,"remind_at":"06:00"}"#
            let change =
                #"{"action":"put","collection":"habits","feature":{"id":"owner:tea","properties":\#(properties)}}"#
            let sent = try await client.send(.post, path: "/changes", as: "owner", change)
            #expect(sent.status == 200, "\(sent)")
            let made = try await client.call("habits/items/owner%3Atea", as: "owner").properties
            #expect(made["tint"] as? Int == 2, "\(made)")
            #expect(made["symbol"] as? String == "🍵", "\(made)")
            #expect(made["rank"] as? Int == 9, "\(made)")
            #expect(made["remind_at"] as? String == "06:00", "\(made)")
        }
    }
}
