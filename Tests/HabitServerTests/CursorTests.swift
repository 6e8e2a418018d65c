import Base
import Foundation
import HTTPTypes
import HabitModel
import HabitTestSupport
import Testing

@testable import HTTPServing
@testable import HabitAPI
@testable import HabitServer

/// Tests of forged page cursors and of texts with NUL.
@Suite(.serialized, .server(Scene.friends + Scene.exchange)) struct CursorTests {
    /// Returns cursors made from `cursor` that are invalid for its list, with wrong counts, types or ranges of values.
    private static func forgedCursors(of cursor: String) -> [String] {
        let words = String(decoding: Data(base64URLEncoded: cursor) ?? Data(), as: UTF8.self)
            .split(separator: "\u{1F}", omittingEmptySubsequences: false).map(String.init)
        var lists: [[String]] = [[], [""], Array(words.dropLast()), words + ["ta"], words + words]
        for (index, word) in words.enumerated() where word != "0" {
            var wrong = ["", "x", "x1", "t\0", "nnan", "ninf", "n1e999", "i99999999999999999999", "i", "n", "00"]
            if word.hasPrefix("t") { wrong += ["i1", "n1.5"] }
            if word.hasPrefix("i") { wrong += ["tnow", "n1.5"] }
            if word.hasPrefix("n") { wrong += ["tfar", "i1", "n-1"] }
            if Day(String(word.dropFirst())) != nil { wrong += ["t2026-02-30", "t", "tfoo"] }
            // The last value is an id, which is never null.
            if index == words.count - 1 { wrong.append("0") }
            lists += wrong.map { word in
                var list = words
                list[index] = word
                return list
            }
        }
        return lists.map { Data($0.joined(separator: "\u{1F}").utf8).base64URLEncoded }
            + ["!!!", "a", Data([0xFF, 0x1F, 0xFE]).base64URLEncoded]
    }

    @Test(
        arguments: FeatureCollection.all.map(\.id) + [
            "events?near=10,50&within=30000km", "events?bbox=0,40,20,60", "items?near=10,50&within=30000km",
        ])
    func forgedCursorIsRefused(list: String) async throws {
        let fixture = try ServerFixture.shared
        // The operator has no follows.
        let user = list == "following" ? "all" : "operator"
        try await fixture.run { client in
            let parts = list.split(separator: "?")
            let path = "/collections/\(parts[0])/items?limit=1" + (parts.count > 1 ? "&\(parts[1])" : "")
            let next = try #require(try await client.send(path: path, as: user).link("next"))
            let cursor = try #require(URLComponents(string: next)?.queryItems?.first { $0.name == "after" }?.value)
            #expect(try await client.send(path: "\(path)&after=\(cursor)", as: user).status == 200)
            for forged in Self.forgedCursors(of: cursor) {
                let response = try await client.send(path: "\(path)&after=\(forged)", as: user)
                #expect(
                    response.status == 400,
                    "\(forged): \(response)")
                #expect(
                    response.slug == "parameter-invalid",
                    "\(forged): \(response)")
                #expect(
                    response.field == "after",
                    "\(forged): \(response)")
            }
        }
    }

    @Test(arguments: ["user", "habit", "comment", "datetime", "bbox", "near", "after", "sortby", "properties", "%00"])
    func parameterWithNULIsRefused(name: String) async throws {
        try await ServerFixture.shared.run { client in
            let response = try await client.send(path: "/collections/events/items?\(name)=a%00b", as: "owner")
            #expect(response.status == 400, "\(response)")
        }
    }

    @Test func idWithNULIsNotFound() async throws {
        try await ServerFixture.shared.run { client in
            for path in [
                "collections/events/items/a%00", "collections/events/items/a%00/photo",
                "collections/follows/items/a%00%2Fowner", "collections/a%00/items", "reports/a%00",
            ] {
                let response = try await client.send(path: "/" + path, as: "owner")
                #expect(response.status == 404, "\(path): \(response)")
            }
        }
    }

    @Test(arguments: [
        ("events", #"{"habit":"\u0000"}"#),
        ("claims", #"{"item":"a\u0000"}"#),
        ("follows", #"{"followee":"\u0000"}"#),
        ("messages", #"{"item":"lamp","text":"a\u0000","recipient":"\u0000"}"#),
        ("habits", #"{"id":"\u0000","title":"T","days":"mon"}"#),
    ])
    func bodyWithNULIsRefused(collection: String, body: String) async throws {
        try await ServerFixture.shared.run { client in
            let response = try await client.send(.post, path: "/collections/\(collection)/items", as: "all", body)
            #expect((400..<500).contains(response.status), "\(response)")
        }
    }
}
