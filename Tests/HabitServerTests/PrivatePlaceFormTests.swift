import HTTPTypes
import HabitTestSupport
import Testing

@testable import HTTPServing
@testable import HabitAPI
@testable import HabitServer

/// Tests of the private places on the account page: the list, and the forms that add and delete a place.
@Suite(.engineIndependent, .serialized) struct PrivatePlaceFormTests {
    private static let browser: HTTPFields = [.accept: "text/html,application/xhtml+xml,*/*;q=0.8"]

    /// A person who uses the pages of a server with a session.
    private struct Person {
        let client: ServerClient
        let cookie: String

        init(_ user: String, _ client: ServerClient) async throws {
            self.client = client
            cookie = try await client.cookie(of: user)
        }

        func page(_ path: String = "/account") async throws -> String {
            try await client.send(path: path, headers: browser.merging([.cookie: cookie])).text
        }

        /// Sends a form of the account page.
        @discardableResult
        func send(_ form: String, _ fields: KeyValuePairs<String, String>) async throws -> ServerResponse {
            let values = fields.map { name, value in "\(name)=\(value.urlEncoded)" }
            let body = (["form=\(form)"] + values).joined(separator: "&")
            let own: HTTPFields = [.contentType: FormBody.type, .fetchSite: "same-origin", .cookie: cookie]
            return try await client.send(.post, path: "/account", body, headers: browser.merging(own))
        }

        /// Adds a place.
        @discardableResult
        func add(_ name: String, at position: String, radius: String = "300") async throws -> ServerResponse {
            try await send("add-place", ["place": name, "position": position, "radius": radius])
        }
    }

    private static func run(_ test: @escaping @Sendable (Person) async throws -> Void) async throws {
        try await ServerFixture(Scene.friends).run(nil) { client in
            try await test(Person("owner", client))
        }
    }

    @Test func addedPlaceIsListedAndHidesPositions() async throws {
        try await Self.run { person in
            let path = "/collections/events/items?scope=all"
            let before = try await person.client.send(path: path, as: "all")
            #expect(before.text.contains("10.01"), "\(before)")
            #expect(try await person.page().contains("You have no private place."))
            let saved = try await person.add("home <1>", at: " 50.0, 10.0 ", radius: "2000")
            #expect(saved.status == 303, "\(saved)")
            #expect(saved.headers[.location] == "/account?done=add-place#places")
            let page = try await person.page("/account?done=add-place")
            #expect(page.contains("<strong>home &lt;1&gt;</strong>"), "\(page)")
            #expect(page.contains("2000 meters around"))
            #expect(page.contains(#"role="status">The place is saved."#))
            #expect(!page.contains("You have no private place."))
            let hidden = try await person.client.send(path: path, as: "all")
            #expect(!hidden.text.contains("10.01"), "\(hidden)")
        }
    }

    @Test func placeOfSameNameIsReplaced() async throws {
        try await Self.run { person in
            try await person.add("Home", at: "50,10")
            try await person.add("home", at: "51,11", radius: "400")
            let page = try await person.page()
            #expect(page.contains("400 meters around"))
            #expect(!page.contains("300 meters around"))
        }
    }

    @Test func deletedPlaceHidesNothing() async throws {
        try await Self.run { person in
            try await person.add("home", at: "50,10", radius: "2000")
            let deleted = try await person.send("delete-place", ["id": "home"])
            #expect(deleted.status == 303, "\(deleted)")
            #expect(try await person.page().contains("You have no private place."))
            let shown = try await person.client.send(path: "/collections/events/items?scope=all", as: "all")
            #expect(shown.text.contains("10.01"), "\(shown)")
            let again = try await person.send("delete-place", ["id": "home"])
            #expect(again.status == 404, "\(again)")
            #expect(again.text.contains(#"id="delete-place-problem" role="alert""#), "\(again.text)")
        }
    }

    @Test(arguments: [
        ("home", "Lisbon", "300", "position"),
        ("home", "91,10", "300", "position"),
        ("home", "", "300", "position"),
        ("home", "50,10", "99", "radius"),
        ("home", "50,10", "2001", "radius"),
        ("home", "50,10", "1e3", "radius"),
        (" ", "50,10", "300", "place"),
        ("a;b", "50,10", "300", "place"),
        ("a\nb", "50,10", "300", "place"),
        (String(repeating: "n", count: 41), "50,10", "300", "place"),
    ])
    func refusedPlaceIsExplainedAtItsField(
        name: String,
        position: String,
        radius: String,
        field: String
    ) async throws {
        try await Self.run { person in
            let refused = try await person.add(name, at: position, radius: radius)
            #expect((400..<500).contains(refused.status), "\(refused)")
            let mark = #"aria-describedby="\#(field)-hint add-place-problem" aria-invalid="true""#
            #expect(refused.text.contains(mark), "\(refused.text)")
            #expect(refused.text.matches(of: /aria-invalid/).count == 1)
            #expect(refused.text.contains(#"name="radius" type="number" min="100" max="2000" value="\#(radius)""#))
            #expect(try await person.page().contains("You have no private place."))
        }
    }

    @Test func formIsAbsentWithMaximumNumberOfPlaces() async throws {
        try await Self.run { person in
            let places = (1...20).map { number in "\(number),10 300m place \(number)" }
            let change = #"{"private_places":"\#(places.joined(separator: ";"))"}"#
            let changed = try await person.client.send(.patch, path: "/user", as: "owner", change)
            #expect(changed.status == 200, "\(changed)")
            let page = try await person.page()
            #expect(page.contains("You have 20 private places"), "\(page)")
            #expect(!page.contains(#"value="add-place""#))
            let refused = try await person.add("one more", at: "50,10")
            #expect(refused.status == 422, "\(refused)")
            #expect(refused.text.contains(#"id="add-place-problem" role="alert""#), "\(refused.text)")
        }
    }
}
