import Base
import CommandLineText
import Foundation
import HabitModel
import HabitTestSupport
import Testing

@testable import HTTPServing
@testable import HabitAPI
@testable import HabitServer

/// Tests that errors name the parameters and fields of the server and quote the client's input.
@Suite(.engineIndependent, .serialized, .server(Scene.friends)) struct WordingTests {
    @Test(arguments: ErrorCode.allCases)
    func errorNamesNoOptionOrCommand(code: ErrorCode) {
        for remedy in Remedy.samples {
            let detail = Problem(HabitError(code, "something is wrong", remedy)).detail
            #expect(!detail.contains(/--[a-z]|'?habitat [a-z]|HABITAT_/), "\(detail)")
        }
    }

    @Test func remedyNamesOnlyDocumentedMembersAndPaths() throws {
        let document = try DocumentedNames.shared.get()
        // The values of members, and a collection.
        let values: Set<String> = [
            "all", "latest", "accepted", "rejected", "given", "withdrawn", "claims",
        ]
        for words in Remedy.samples.compactMap(\.clientWords) {
            let member = /'([a-z][a-z_-]*)(?:=[a-z]+)?'/
            for match in words.matches(of: member) where !values.contains(String(match.1)) {
                #expect(document.names.contains(String(match.1)), "\(words)")
            }
            for match in words.matches(of: /\ (\/[a-z\/]+)/) where match.1 != "/photo" {
                #expect(document.paths.contains(String(match.1)), "\(words)")
            }
        }
    }

    @Test(arguments: [
        (HabitError(.notFound, "there is no user 'a--b'", .list(.tokens)), "there is no user 'a--b'"),
        (
            HabitError(.notFound, "there is no habit", .list(.habits)),
            "there is no habit: see /collections/habits/items"
        ),
        (
            HabitError(.photoTooLarge, "it is too large", .give(.shrinkPhoto), .advice("make it smaller")),
            "it is too large: send it with 'shrink=true' in a POST of the record or in a PUT to its /photo, or make it smaller"
        ),
        (HabitError(.busy, "it is busy", .give(.wait)), "it is busy"),
        (
            Schedule.missing,
            "the schedule is empty: name at least one weekday (mon,wed,fri) in 'days', or give a target (3 times in 7 days) in 'times' and 'period_days'"
        ),
        (
            HabitError(.positionInvalid, "'x' is not a position", .writePosition(isReversed: false)),
            "'x' is not a position: write LONGITUDE,LATITUDE in degrees, such as -9.1393,38.7223"
        ),
    ])
    func remediesFollowProblem(error: HabitError, expected: String) {
        #expect(error.clientText == expected)
    }

    /// The names of HTTP parameters that are neither options of a command nor fields of files.
    private static func namesOnlyInHTTP() async throws -> Set<String> {
        let help = try await Program.habitat("--experimental-dump-help", in: try TemporaryFolder()).output
        let names = help.matches(of: /"name" : "([a-z-]+)"/).map { String($0.1) }
        let mentioned = help.matches(of: /--([a-z-]+)/).map { String($0.1) }
        let options = Set(names + mentioned)
        return try DocumentedNames.shared.get().parameters.subtracting(options).subtracting(Field.allCases.map(\.name))
    }

    @Test func commandLineNamesNothingThatOnlyHTTPHas() async throws {
        let names = try await Self.namesOnlyInHTTP()
        #expect(names.isSuperset(of: ["f", "datetime"]), "\(names)")
        #expect(!names.contains("limit"), "\(names)")
        let errors =
            ErrorCode.allCases.flatMap { code in
                Field.allCases.map { HabitError(code, "something is wrong", field: $0.name) }
            } + Remedy.samples.map { HabitError(.usage, "something is wrong", $0) }
        for error in errors {
            let text = error.commandLine
            let wordOfHTTP = /\b(GET|PUT|PATCH|DELETE|POST)\b|\/collections|\/photo|\/reports/
            #expect(!text.contains(wordOfHTTP), "\(text)")
            let member = /'([a-z][a-z_-]*)(?:=[a-z]+)?'/
            for match in text.matches(of: member) {
                #expect(!names.contains(String(match.1)), "\(text)")
            }
            #expect(error.fieldOrOption.map(names.contains) != true, "\(text)")
        }
    }

    @Test func problemContainsParameters() async throws {
        let parameters = try #require(
            (JSONSerialization.jsonObject(with: Data(Problem(HabitError(.busy, "x")).document.bytes)) as? [String: Any])
        )
        #expect(parameters["parameters"] == nil)
        try await ServerFixture.shared.run { client in
            let title = String(repeating: "x", count: 21)
            let long = try await client.send(
                .post, path: "/collections/habits/items", as: "owner", #"{"title":"\#(title)","days":"mon"}"#)
            #expect(long.status == 422, "\(long)")
            #expect(long.slug == "title-too-long", "\(long)")
            #expect(long.json["parameters"] as? [String: Int] == ["length": 21, "limit": 20], "\(long)")
            let early = try await client.send(
                .post, path: "/collections/events/items", as: "owner", #"{"habit":"run","day":"2026-11-21"}"#)
            #expect(early.status == 422, "\(early)")
            #expect(early.slug == "day-in-future", "\(early)")
            #expect(
                early.json["parameters"] as? [String: String]
                    == ["day": "2026-11-21", "today": "2026-11-20", "time_zone": "UTC"], "\(early)")
        }
    }

    @Test func parametersOfErrorsAreDocumented() throws {
        let document = try JSONSerialization.jsonObject(
            with: Data(ServerFixture.emptyServer().apiDocument.json.bytes))
        let components = (document as? [String: Any])?["components"] as? [String: Any]
        let problem = (components?["schemas"] as? [String: Any])?["Problem"] as? [String: Any]
        let member = (problem?["properties"] as? [String: Any])?["parameters"] as? [String: Any]
        let documented = try #require(member?["properties"] as? [String: [String: Any]])
        #expect(Set(documented.keys) == Set(ErrorParameter.Key.allCases.map(\.rawValue)))
        #expect(documented.values.allSatisfy { $0["type"] is String })
        #expect(documented.values.allSatisfy { $0["description"] is String })
    }

    private static let reportKinds: [(kind: String, value: String)] = [
        ("one|two", "three"), ("integer", "1.5"), ("number", "many"), ("boolean", "maybe"), ("date", "soon"),
        ("instant", "soon"), ("distance", "5"), ("position", "91,0,0"), ("user", "nobody"), ("habit", "nothing"),
    ]

    @Test(.fileStoreOnly) func errorOfReportParameterNamesNoOption() async throws {
        let folder = try TemporaryFolder()
        for (number, (kind, _)) in Self.reportKinds.enumerated() {
            try folder.write(
                """
                -- title: Kind \(number)
                -- description: A report with one parameter.
                -- parameter: min_value \(kind) required - A value.
                -- column: id text - An id.
                -- key: id
                -- formats: json
                -- example: --min-value 1
                SELECT id
                FROM events
                ORDER BY id
                """, to: "kind-\(number).sql")
        }
        try await ServerFixture(Scene.friends) { $0.reportFolders = [folder.path] }.run { client in
            for (number, (kind, value)) in Self.reportKinds.enumerated() {
                let path = "/reports/kind-\(number)"
                let wrong = try await client.send(path: "\(path)?min-value=\(value.urlEncoded)", as: "owner")
                #expect([400, 404].contains(wrong.status), "\(kind): \(wrong)")
                #expect(wrong.field == "min-value", "\(kind): \(wrong)")
                let missing = try await client.send(path: path, as: "owner")
                #expect(missing.status == 400, "\(kind): \(missing)")
                #expect(missing.field == "min-value", "\(kind): \(missing)")
                for detail in [wrong, missing].map({ $0.json["detail"] as? String ?? "" }) {
                    #expect(!detail.isEmpty, "\(kind): \(detail)")
                    #expect(!detail.contains(#/--[a-z]|-p /#), "\(kind): \(detail)")
                }
            }
        }
    }

    @Test func errorOfShippedReportNamesParameter() async throws {
        try await ServerFixture.shared.run { client in
            let response = try await client.send(path: "/reports/calendar?weeks=abc", as: "owner")
            let detail = response.json["detail"] as? String ?? ""
            #expect(detail.hasPrefix("parameter 'weeks' must be a whole number"), "\(response)")
        }
    }

    @Test(arguments: ["run--fast", "--fast", "38.7223,-9.1393", "a: 'habitat x'"])
    func errorQuotesParameterVerbatim(value: String) async throws {
        try await ServerFixture.shared.run { client in
            // A comma separates IDs, and is a part of a title.
            let parameters = value.contains(",") ? ["habit-title"] : ["habit", "habit-title", "user"]
            for parameter in parameters {
                let path = "/collections/events/items?\(parameter)=\(value.urlEncoded)"
                let response = try await client.send(path: path, as: "owner")
                let detail = response.json["detail"] as? String ?? ""
                #expect(response.status == 404, "\(response)")
                #expect(detail.contains("'\(value)'"), "\(response)")
                #expect(response.field == parameter, "\(response)")
                #expect(!detail.contains("habitat user list"), "\(response)")
            }
        }
    }

    @Test func errorsOfFollowsNameTheirFields() async throws {
        try await ServerFixture.shared.run { client in
            for user in ["owner", "nobody"] {
                let response = try await client.send(
                    .post, path: "/collections/follows/items", as: "owner", #"{"followee":"\#(user)"}"#)
                #expect([404, 422].contains(response.status), "\(response)")
                #expect(response.field == "followee", "\(response)")
            }
            let again = try await client.send(
                .delete, path: "/collections/follows/items/pending%2Fowner", as: "owner")
            #expect(again.status == 404, "\(again)")
            #expect(again.field == "follower", "\(again)")
        }
    }

    /// The poster must name the recipient in the field that the route accepts.
    @Test func errorsOfMessagesNameRecipient() async throws {
        var records = Scene.friends
        for user in ["all", "latest"] {
            var message = MessageRecord(item: "lamp", sender: user, recipient: "owner", text: "still there?")
            message.id = user
            records.append(.message(message))
        }
        try await ServerFixture(records).run { client in
            let path = "/collections/messages/items"
            let several = try await client.send(.post, path: path, as: "owner", #"{"item":"lamp","text":"yes"}"#)
            #expect(several.status == 400, "\(several)")
            #expect(several.field == "recipient", "\(several)")
            #expect(several.text.contains("'recipient'"), "\(several)")
            #expect(!several.text.contains("'to'"), "\(several)")
            for recipient in ["nobody", "owner"] {
                let wrong = try await client.send(
                    .post, path: path, as: "owner", #"{"item":"lamp","text":"yes","recipient":"\#(recipient)"}"#)
                #expect([404, 422].contains(wrong.status), "\(wrong)")
                #expect(wrong.field == "recipient", "\(wrong)")
            }
            let sent = try await client.send(
                .post, path: path, as: "owner", #"{"item":"lamp","text":"yes","recipient":"all"}"#)
            #expect(sent.status == 201, "\(sent)")
        }
    }

    @Test func textInsteadOfPhotoIsReportedAsInvalidPhoto() async throws {
        try await ServerFixture.shared.run { client in
            let text = Data("this is text and no picture at all".utf8).base64EncodedString()
            for (photo, words) in [
                (text, "JPEG"), ("photos/lamp.png", "base64"), ("data:image/png;base64,\(text)", "JPEG"),
            ] {
                let response = try await client.send(
                    .post, path: "/collections/posts/items", as: "owner", #"{"photo":"\#(photo)"}"#)
                #expect(
                    response.status == 422,
                    "\(response)")
                #expect(
                    response.slug == "photo-invalid",
                    "\(response)")
                #expect(
                    response.field == "photo",
                    "\(response)")
                #expect(response.text.contains(words), "\(response)")
                #expect(!response.text.contains("standard input"), "\(response)")
            }
        }
    }
}
