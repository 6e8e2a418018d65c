import Foundation
import HabitModel
import HabitTestSupport
import Testing

@testable import HabitServer

/// Errors name the parameters and fields of the server, and quote what the client has sent.
@Suite(.serialized) struct WordingTests {
    @Test(arguments: [
        ("'run--fast' is no habit", "'run--fast' is no habit"),
        ("there is no habit '--fast': choose another", "there is no habit '--fast': choose another"),
        ("give an order with --sort, or leave --near out", "give an order with 'sort', or leave 'near' out"),
        ("there is no user 'x': see 'habitat user list'", "there is no user 'x'"),
        ("there is no user 'a: b--c': see 'habitat user list'", "there is no user 'a: b--c'"),
        ("there is no user 'Ann's--x': see 'habitat user list'", "there is no user 'Ann's--x'"),
        ("'38.7223,-9.1393x' is not LATITUDE,LONGITUDE", "'38.7223,-9.1393x' is not LONGITUDE,LATITUDE"),
        ("write 38.7223,-9.1393", "write -9.1393,38.7223"),
        ("you do not share: allow it with 'habitat user edit --share-location yes', or not", "you do not share"),
        ("the habit's end is missing", "the habit's end is missing"), ("", ""), ("'", "'"), ("''", "''"),
    ])
    func messageKeepsQuotedInput(message: String, expected: String) {
        #expect(message.toldOverHTTP == expected)
    }

    @Test(arguments: ["run--fast", "--fast", "38.7223,-9.1393", "a: 'habitat x'"])
    func errorQuotesParameterVerbatim(value: String) async throws {
        try await ServerFixture().run { client in
            for parameter in ["habit", "habit-title", "user"] where parameter != "user" || !value.contains(",") {
                let path = "/collections/events/items?\(parameter)=\(value.urlEncoded)"
                let answer = try await client.send(path: path, as: "owner")
                let detail = answer.json["detail"] as? String ?? ""
                #expect(answer.status == 404 && detail.contains("'\(value)'"), "\(answer)")
                #expect(answer.field == parameter && !detail.contains("habitat user list"), "\(answer)")
            }
        }
    }

    @Test func errorsOfFollowsNameItsFields() async throws {
        try await ServerFixture().run { client in
            for user in ["owner", "nobody"] {
                let answer = try await client.send(
                    .post, path: "/collections/follows/items", as: "owner", #"{"followee":"\#(user)"}"#)
                #expect([404, 422].contains(answer.status) && answer.field == "followee", "\(answer)")
            }
            let again = try await client.send(
                .delete, path: "/collections/follows/items/pending%2Fowner", as: "owner")
            #expect(again.status == 404 && again.field == "follower", "\(again)")
        }
    }

    /// The poster has to name the recipient, with the field that the route accepts.
    @Test func errorsOfMessagesNameRecipient() async throws {
        var records = ServerFixture.records()
        for user in ["all", "latest"] {
            var message = MessageRecord(item: "lamp", sender: user, recipient: "owner", text: "still there?")
            message.id = user
            records.append(.message(message))
        }
        try await ServerFixture(records: records).run { client in
            let path = "/collections/messages/items"
            let several = try await client.send(.post, path: path, as: "owner", #"{"item":"lamp","text":"yes"}"#)
            #expect(several.status == 400 && several.field == "recipient", "\(several)")
            #expect(several.text.contains("'recipient'") && !several.text.contains("'to'"), "\(several)")
            for recipient in ["nobody", "owner"] {
                let wrong = try await client.send(
                    .post, path: path, as: "owner", #"{"item":"lamp","text":"yes","recipient":"\#(recipient)"}"#)
                #expect([404, 422].contains(wrong.status) && wrong.field == "recipient", "\(wrong)")
            }
            let sent = try await client.send(
                .post, path: path, as: "owner", #"{"item":"lamp","text":"yes","recipient":"all"}"#)
            #expect(sent.status == 201, "\(sent)")
        }
    }

    @Test func textInsteadOfPhotoIsReportedAsNoPicture() async throws {
        try await ServerFixture().run { client in
            let text = Data("this is text and no picture at all".utf8).base64EncodedString()
            for (photo, words) in [
                (text, "JPEG"), ("photos/lamp.png", "base64"), ("data:image/png;base64,\(text)", "JPEG"),
            ] {
                let answer = try await client.send(
                    .post, path: "/collections/posts/items", as: "owner", #"{"photo":"\#(photo)"}"#)
                #expect(answer.status == 422 && answer.slug == "photo-invalid" && answer.field == "photo", "\(answer)")
                #expect(answer.text.contains(words) && !answer.text.contains("standard input"), "\(answer)")
            }
        }
    }
}
