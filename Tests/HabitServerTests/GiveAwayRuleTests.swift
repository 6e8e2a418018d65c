import Base
import Foundation
import HTTPTypes
import HabitModel
import HabitTestSupport
import Testing

@testable import HabitServer

/// Tests of rules G-03 and G-06 to G-08 over HTTP: the pictures of items, and messages about items.
@Suite(.serialized, .server(.sharing)) struct GiveAwayRuleTests {
    private static let messages = "/collections/messages/items"

    private static func body(_ text: String, item: String = "lamp", to recipient: String? = nil) -> String {
        var members = ["item": item, "text": text]
        members["recipient"] = recipient
        return String(decoding: (try? JSONEncoder().encode(members)) ?? Data(), as: UTF8.self)
    }

    private static func wordList(_ text: String) throws -> Record {
        .setting(.wordList(try StoredWordList(bytes: Array(text.utf8), name: "words.txt")))
    }

    // MARK: G-06

    @Test(.server(Scene.friends), arguments: ["text", "half", "empty"])
    func pictureThatDoesNotDecodeIsRefused(content: String) async throws {
        let picture = try Data(contentsOf: URL(fileURLWithPath: Program.repository + "/sample-data/photos/lamp.png"))
        let bytes =
            switch content {
            case "text": Data("this is text and no picture at all".utf8)
            case "half": picture.prefix(picture.count / 2)
            default: Data()
            }
        try await ServerFixture.shared.run { client in
            let encoded = bytes.base64EncodedString()
            let posted = try await client.send(
                .post, path: "/collections/items/items", as: "owner", #"{"name":"Vase","photo":"\#(encoded)"}"#)
            let edited = try await client.send(
                .patch, path: "/collections/items/items/lamp", as: "owner", #"{"photo":"\#(encoded)"}"#)
            var responses = [posted, edited]
            // The server refuses an empty body of any kind.
            if !bytes.isEmpty {
                responses.append(
                    try await client.send(
                        .put, path: "/collections/items/items/lamp/photo", as: "owner", bytes: Array(bytes)))
            }
            for response in responses {
                #expect(response.status == 422, "\(content): \(response)")
                #expect(response.slug == "picture-invalid", "\(content): \(response)")
                #expect(response.field == "photo", "\(response)")
            }
        }
    }

    @Test func descriptionMayBeEmpty() async throws {
        let path = Program.repository + "/sample-data/photos/lamp.png"
        let photo = try Data(contentsOf: URL(fileURLWithPath: path)).base64EncodedString()
        try await ServerFixture(Scene.friends).run { client in
            let posted = try await client.send(
                .post, path: "/collections/items/items", as: "owner",
                #"{"name":"Vase","description":"","photo":"\#(photo)"}"#)
            #expect(posted.status == 201, "\(posted)")
            #expect((posted.properties["description"] as? String ?? "").isEmpty, "\(posted)")
        }
    }

    // MARK: G-07

    /// Each step is `sender>recipient`.
    ///
    /// `!` marks a step that is not permitted. Other steps claim or release the item.
    @Test(arguments: [
        "!all>owner", "!owner>all", "all:claim all>owner owner>all", "all:claim owner>all all>owner",
        "all:claim !latest>owner !owner>latest !latest>all !all>latest",
        "all:claim all>owner all:release owner>all all>owner", "all:claim all:release !all>owner !owner>all",
    ])
    func messageIsPermittedOnlyBetweenPosterAndClaimant(steps: String) async throws {
        try await ServerFixture(Scene.friends).run { client in
            for step in steps.split(separator: " ") {
                let names = step.drop { $0 == "!" }.split { $0 == ">" || $0 == ":" }.map(String.init)
                let response =
                    switch names[1] {
                    case "claim":
                        try await client.send(
                            .post, path: "/collections/claims/items", as: names[0], #"{"item":"lamp"}"#)
                    case "release":
                        try await client.send(
                            .delete, path: "/collections/claims/items/lamp%2F\(names[0])", as: names[0])
                    default:
                        try await client.send(
                            .post, path: Self.messages, as: names[0], Self.body("Hello \(step)", to: names[1]))
                    }
                if step.hasPrefix("!") {
                    #expect(response.status == 403, "\(step): \(response)")
                    #expect(response.slug == "message-not-permitted", "\(step): \(response)")
                } else {
                    #expect([201, 204].contains(response.status), "\(steps) \(step): \(response)")
                }
            }
        }
    }

    // MARK: G-03 and G-08

    /// A user without permission does not get errors about the text.
    @Test func sendChecksPermissionBeforeText() async throws {
        let texts = ["", String(repeating: "m", count: 2001), "shit"]
        try await ServerFixture.shared.expectRefusals(
            texts.map {
                .init(
                    .post, "messages/items", as: "sam",
                    body: Self.body($0, item: "i-claimed"),
                    is: 403, slug: "message-not-permitted")
            })
    }

    @Test func sendIsRefusedWhenUserOrItemIsUnknown() async throws {
        let hello = Self.body("Hello", item: "i-claimed")
        let list = "messages/items"
        try await ServerFixture.shared.expectRefusals([
            .init(.post, list, as: "operator", body: hello, is: 403, slug: "not-signed-in"),
            .init(.post, list, as: "ghost", body: hello, is: 401, slug: "not-signed-in"),
            .init(
                .post, list, as: "cleo",
                body: Self.body("Hello", item: "i-claimed", to: "ghost"),
                is: 404, slug: "not-found"),
            .init(.post, list, as: "cleo", body: Self.body("Hello", item: "i-nothing"), is: 404, slug: "not-found"),
            .init(
                .post, list, as: "cleo",
                body: Self.body("a\u{0}b", item: "i-claimed"),
                is: 422, slug: "text-invalid"),
        ])
    }

    @Test(
        .server(Scene.friends + [.claim(ClaimRecord(item: "lamp", user: "all"))]),
        arguments: [
            ("well, SHIT.", "shit"), ("you f*ck", "fuck"), ("F.U.C.K. off", "fuck"),
            ("son of a b!tch", "son of a bitch"), ("Que merda!", "merda"), ("お前はバカ野郎だ", "バカ野郎"),
            ("ＳＨＩＴ", "shit"),
        ])
    func messageWithBlockedWordIsRefused(text: String, word: String) async throws {
        try await ServerFixture.shared.run { client in
            let response = try await client.send(.post, path: Self.messages, as: "all", Self.body(text))
            #expect(response.status == 422, "\(response)")
            #expect(response.slug == "message-word-not-allowed", "\(response)")
            #expect(response.field == "text", "\(response)")
            #expect(response.text.contains("'\(word)'"), "\(response)")
            #expect(try await client.send(path: Self.messages, as: "all").ids.isEmpty, "nothing is stored")
        }
    }

    @Test func wordListOfStoreReplacesBuiltInList() async throws {
        let claim = Record.claim(ClaimRecord(item: "lamp", user: "all"))
        let list = try Self.wordList("# ours\nteapot\nbig deal\n+ big deal breaker\n")
        let fixture = try await ServerFixture(Scene.friends + [claim, list])
        try await fixture.run { client in
            func status(_ text: String) async throws -> Int {
                try await client.send(.post, path: Self.messages, as: "all", Self.body(text)).status
            }
            for text in ["a Teapot", "no BIG deal", "t*apot"] { #expect(try await status(text) == 422, "\(text)") }
            for text in ["teapots", "a big deal breaker", "shit"] { #expect(try await status(text) == 201, "\(text)") }
            // A change of the setting applies to the next message.
            try fixture.store.write([Self.wordList("saucer")])
            #expect(try await status("a teapot") == 201)
            #expect(try await status("a saucer") == 422)
            try fixture.store.write([.setting(.wordList(nil))])
            #expect(try await status("a saucer again") == 201)
            #expect(try await status("shit again") == 422)
        }
    }

    /// The sender cannot choose the list, and the operator's token does not change settings.
    @Test func senderDoesNotChooseWordList() async throws {
        let claim = Record.claim(ClaimRecord(item: "lamp", user: "all"))
        try await ServerFixture(Scene.friends + [claim]).run { client in
            let member = try await client.send(
                .post, path: Self.messages, as: "all", #"{"item":"lamp","text":"shit","word-list":"x"}"#)
            #expect(member.status == 422, "\(member)")
            #expect(member.slug == "field-invalid", "\(member)")
            for user in ["all", "operator"] {
                let path = "/collections/settings/items"
                #expect(try await client.send(.post, path: path, as: user, #"{"name":"word-list"}"#).status == 404)
            }
        }
    }
}
