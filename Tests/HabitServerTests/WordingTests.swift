import Foundation
import HabitModel
import HabitTestSupport
import Testing

@testable import HabitServer

/// Tests that errors name the parameters and fields of the server and quote the client's input.
@Suite(.serialized) struct WordingTests {
    /// Returns the names in the API document: members of records, parameters and paths.
    private static func documentedNames() throws -> (members: Set<String>, paths: Set<String>) {
        let document = try JSONSerialization.jsonObject(
            with: Data(APIDocument(server: ServerFixture().server, base: "http://localhost").json.bytes))
        let paths = try #require((document as? [String: Any])?["paths"] as? [String: Any])
        var members = Set(Field.allCases.map(\.name))
        func collect(_ value: Any) {
            if let list = value as? [Any] { return list.forEach(collect) }
            guard let object = value as? [String: Any] else { return }
            if object["in"] is String, let name = object["name"] as? String { members.insert(name) }
            object.values.forEach(collect)
        }
        collect(paths)
        return (members, Set(paths.keys))
    }

    @Test(arguments: ErrorCode.allCases)
    func errorNamesNoOptionOrCommand(code: ErrorCode) {
        for remedy in Remedy.samples {
            let detail = Problem(HabitError(code, "something is wrong", remedy)).detail
            #expect(!detail.contains(/--[a-z]|'?habitat [a-z]|HABITAT_/), "\(detail)")
        }
    }

    @Test func remedyNamesOnlyDocumentedMembersAndPaths() throws {
        let (members, paths) = try Self.documentedNames()
        let values: Set<String> = ["withdrawn", "all", "latest"]
        for words in Remedy.samples.compactMap(\.clientWords) {
            for match in words.matches(of: /'([a-z][a-z_-]*)(?:=[a-z]+)?'/) where !values.contains(String(match.1)) {
                #expect(members.contains(String(match.1)), "\(words)")
            }
            for match in words.matches(of: /\ (\/[a-z\/]+)/) where match.1 != "/photo" {
                #expect(paths.contains(String(match.1)), "\(words)")
            }
        }
    }

    @Test(arguments: [
        (HabitError(.notFound, "there is no user 'a--b'", .list(.users)), "there is no user 'a--b'"),
        (
            HabitError(.notFound, "there is no habit", .list(.habits)),
            "there is no habit: see /collections/habits/items"
        ),
        (
            HabitError(.photoTooLarge, "it is too large", .give(.shrinkPhoto), .advice("make it smaller")),
            "it is too large: PUT it to the feature's /photo with 'shrink=true', or make it smaller"
        ),
        (HabitError(.busy, "it is busy", .give(.wait)), "it is busy"),
        (
            HabitError(.positionInvalid, "'x' is not a position", .writePosition(isReversed: false)),
            "'x' is not a position: write LONGITUDE,LATITUDE in degrees, such as -9.1393,38.7223"
        ),
    ])
    func remediesFollowProblem(error: HabitError, expected: String) {
        #expect(error.clientText == expected)
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

    @Test func errorsOfFollowsNameTheirFields() async throws {
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

    /// The poster must name the recipient in the field that the route accepts.
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

    @Test func textInsteadOfPhotoIsReportedAsInvalidPhoto() async throws {
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
