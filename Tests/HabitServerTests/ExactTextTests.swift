import Base
import Foundation
import HTTPTypes
import HabitModel
import HabitStore
import HabitTestSupport
import Testing

@testable import HabitServer

/// Tests that texts of a request are neither shortened nor changed when bytes become text.
@Suite(.serialized) struct ExactTextTests {
    @Test func percentEncodingIsDecodedExactly() {
        for (text, decoded) in [
            ("%EF%BB%BFa", "\u{FEFF}a"), ("a%EF%BB%BF", "a\u{FEFF}"), ("%EF%BB%BF%EF%BB%BF", "\u{FEFF}\u{FEFF}"),
            ("\u{FEFF}a", "\u{FEFF}a"), ("a+b%2Bc", "a b+c"), ("+\u{301}", " \u{301}"), ("%E2%80%8B", "\u{200B}"),
            ("%00", "\0"), ("%C3%A9", "é"), ("é", "é"), ("", ""),
        ] {
            let result = text.percentDecoded(plusIsSpace: true)
            #expect(result.map { Array($0.utf8) } == Array(decoded.utf8), "\(text)")
        }
        for text in ["%", "%4", "%4G", "%G4", "a%", "%FF", "%C3", "%ED%A0%80", "%+1", "% 1"] {
            #expect(text.percentDecoded() == nil, "\(text)")
        }
        #expect("a+b".percentDecoded() == "a+b")
    }

    /// A record whose texts begin with U+FEFF and a record without it are two records.
    @Test func byteOrderMarkIsPartOfText() async throws {
        var records = Scene.friends
        records.append(.event("run", "2026-11-10", id: "plain", comment: "달리기"))
        records.append(.event("run", "2026-11-11", id: "marked", comment: "\u{FEFF}달리기"))
        try await ServerFixture(records).run { client in
            let list = "/collections/events/items?properties=id&"
            let mark = "%EF%BB%BF"
            let text = "달리기".urlEncoded
            for (query, ids) in [
                ("comment=\(text)", ["plain"]), ("comment=\(mark)\(text)", ["marked"]),
                ("comment-contains=\(mark)\(text)", ["marked"]), ("user=\(mark)owner", []), ("habit=\(mark)run", []),
                ("filter=comment%20=%20%27\(mark)\(text)%27", ["marked"]),
            ] {
                let found = try await client.send(path: list + query, as: "owner")
                #expect(found.ids == ids || (ids.isEmpty && found.status == 404), "\(query): \(found)")
            }
            for path in [
                "/collections/events/items/\(mark)r17", "/collections/\(mark)events", "/reports/\(mark)habits",
                "/collections/events/items/\(mark)r17/photo", "/sessions/\(mark)x", "/user/calendars/\(mark)x",
            ] {
                let missing = try await client.send(path: path, as: "owner")
                #expect(missing.status == 404, "\(path): \(missing)")
            }
            for query in ["\(mark)limit=1", "limit=\(mark)1", "f=\(mark)csv", "near=\(mark)10,50"] {
                #expect(try await client.send(path: list + query, as: "owner").status == 400, "\(query)")
            }
        }
    }

    @Test(arguments: [
        #"{"habit":"run","comment":"%"}"#, #"{"geometry":null,"properties":{"habit":"run","comment":"%"}}"#,
        #"{"type":"Feature","geometry":null,"properties":{"habit":"run","comment":"%"}}"#,
    ])
    func textOfBodyIsKept(form: String) async throws {
        try await ServerFixture(Scene.friends).run { client in
            for text in ["\u{FEFF}a", "\u{FEFF}", "a\u{FEFF}", "\u{200B}a ", "\\uFEFFb"] {
                let body = form.replacing("%", with: text)
                let made = try await client.send(.post, path: "/collections/events/items", as: "owner", body)
                // JSONSerialization, with which the tests read responses, drops a leading U+FEFF.
                let expected = "\"comment\":\"" + text.replacing("\\uFEFF", with: "\u{FEFF}") + "\""
                #expect(made.status == 201, "\(body): \(made)")
                #expect(Self.contains(expected, made), "\(body): \(made)")
                let id = try #require(made.json["id"] as? String)
                try await client.send(.delete, path: "/collections/events/items/\(id.urlEncoded)", as: "owner")
            }
            let calendar = try await client.send(
                .post, path: "/user/calendars", as: "owner", "{\"label\":\"\u{FEFF}phone\"}")
            #expect(Self.contains("\"label\":\"\u{FEFF}phone\"", calendar), "\(calendar)")
            let change = "{\"collection\":\"habits\",\"feature\":{\"id\":\"\u{FEFF}run\",\"properties\":{}}}"
            let results = try await client.send(.post, path: "/changes", as: "owner", change)
            #expect(Self.contains("\"id\":\"\u{FEFF}run\"", results), "\(results)")
        }
    }

    /// Whether the body of a response contains the bytes of a text.
    private static func contains(_ text: String, _ response: ServerResponse) -> Bool {
        Data(response.body).range(of: Data(text.utf8)) != nil
    }

    /// A repeated message whose text begins with U+FEFF has no effect.
    @Test func repeatedTextIsComparedExactly() async throws {
        try await ServerFixture(Scene.friends).run { client in
            let change =
                "{\"collection\":\"messages\",\"feature\":{\"id\":\"owner:m\",\"properties\":{\"item\":\"sofa\",\"recipient\":\"stranger\",\"text\":\"\u{FEFF}hi\"}}}"
            try await client.send(.post, path: "/collections/claims/items", as: "owner", #"{"item":"sofa"}"#)
            for result in ["created", "unchanged"] {
                let response = try await client.send(.post, path: "/changes", as: "owner", change)
                #expect(response.text.contains("\"result\":\"\(result)\""), "\(response)")
            }
        }
    }

    /// A cursor contains the sort values of a row, which may begin with any character.
    @Test func listIsPagedPastTextThatBeginsWithCombiningCharacter() async throws {
        var records = Scene.friends
        let titles = ["\u{301}first", "\u{FEFF}second", "\u{200D}third", "plain"]
        for (number, title) in titles.enumerated() {
            records.append(.habit("\u{301}h\(number)", of: "owner", title: title))
        }
        try await ServerFixture(records).run { client in
            let path = "/collections/habits/items"
            let all = try await client.send(path: path, as: "owner").ids
            #expect(all.count == 6)
            var ids: [String] = []
            var next: String? = path + "?limit=1"
            while let page = next, ids.count < 9 {
                let response = try await client.send(path: page, as: "owner")
                #expect(response.status == 200, "\(response)")
                ids += response.ids
                next = response.link("next").flatMap { URLComponents(string: $0) }.map {
                    $0.path + "?" + ($0.percentEncodedQuery ?? "")
                }
            }
            #expect(ids == all)
        }
    }

    /// The member `geometry` makes a body a Feature, whose fields are in `properties`.
    @Test func fieldNextToGeometryIsExplained() async throws {
        try await ServerFixture(Scene.friends).run { client in
            for body in [
                #"{"habit":"run","comment":"x","geometry":null}"#,
                #"{"comment":"x","geometry":null,"properties":{"habit":"run"}}"#,
                #"{"type":"Feature","habit":"run","geometry":{"type":"Point","coordinates":[1,2]},"properties":{}}"#,
            ] {
                let refused = try await client.send(.post, path: "/collections/events/items", as: "owner", body)
                #expect(refused.status == 422, "\(refused)")
                #expect(refused.field == "geometry", "\(refused)")
                #expect(refused.text.contains("into 'properties'"))
                #expect(!refused.text.contains("did you mean"))
            }
        }
    }
}
