import Foundation
import HTTPTypes
import HabitTestSupport
import Testing

@testable import HabitServer

/// Tests of rules C-30 and C-21 over HTTP: the caller's own account.
@Suite(.serialized, .server(Scene.friends)) struct AccountTests {
    @Test func userReadsAndChangesOwnAccount() async throws {
        try await ServerFixture(Scene.friends).run { client in
            let read = try await client.send(path: "/user", as: "owner")
            #expect(read.status == 200, "\(read)")
            #expect(read.type == "application/json", "\(read)")
            #expect(Set(read.json.keys) == ["id", "name", "email", "time_zone", "share_location", "private_places"])
            #expect(read.json["id"] as? String == "owner")
            #expect(read.json["time_zone"] as? String == "UTC")
            let body = #"{"name":"Olga","time_zone":"Pacific/Kiritimati","share_location":false}"#
            let changed = try await client.send(.patch, path: "/user", as: "owner", body, headers: [.ifMatch: read.tag])
            #expect(changed.status == 200, "\(changed)")
            #expect(changed.json["name"] as? String == "Olga", "\(changed)")
            #expect(changed.json["share_location"] as? Bool == false)
            #expect(changed.tag != read.tag)
            let again = try await client.send(path: "/user", as: "owner")
            #expect(again.body == changed.body)
            #expect(again.tag == changed.tag)
            let same = try await client.send(path: "/user", as: "owner", headers: [.ifNoneMatch: again.tag])
            #expect(same.status == 304)
            let late = try await client.send(
                .patch, path: "/user", as: "owner", #"{"name":"Late"}"#, headers: [.ifMatch: read.tag])
            #expect(late.status == 412, "\(late)")
            #expect(late.slug == "changed-meanwhile", "\(late)")
            let other = try await client.send(path: "/user", as: "all")
            #expect(other.json["time_zone"] as? String == "UTC", "other accounts keep their time zone")
        }
    }

    /// A user who has moved records the day of the new time zone.
    @Test func newEventHasDayOfChangedTimeZone() async throws {
        try await ServerFixture(Scene.friends).run { client in
            #expect(
                try await client.send(.patch, path: "/user", as: "owner", #"{"time_zone":"Pacific/Kiritimati"}"#).status
                    == 200)
            let made = try await client.send(
                .post, path: "/collections/events/items", as: "owner", #"{"habit":"run"}"#)
            #expect(made.status == 201, "\(made)")
            #expect(made.properties["day"] as? String == "2026-11-21", "\(made)")
            let late = try await client.send(
                .post, path: "/collections/events/items", as: "owner", #"{"habit":"run","day":"2026-11-22"}"#)
            #expect(late.status == 422, "\(late)")
            #expect(late.slug == "day-in-future", "\(late)")
            #expect(late.text.contains("Pacific/Kiritimati"), "the message names the time zone: \(late)")
        }
    }

    @Test(arguments: [
        ("POST", "events/items", #""habit":"run","day":"2026-11-16""#),
        ("PATCH", "events/items/r17", #""comment":"x""#),
        ("PATCH", "items/items/lamp", #""name":"x""#), ("PATCH", "posts/items/p1", #""caption":"x""#),
    ])
    func positionIsRefusedWhenUserDoesNotShareLocation(name: String, resource: String, fields: String) async throws {
        let method = try #require(HTTPRequest.Method(name))
        try await ServerFixture(Scene.friends).run { client in
            func share(_ value: Bool) async throws {
                let account = try await client.send(
                    .patch, path: "/user", as: "owner", #"{"share_location":\#(value)}"#)
                #expect(account.status == 200, "\(account)")
            }
            let placed = #"{\#(fields),"longitude":0,"latitude":0}"#
            try await share(false)
            let refused = try await client.call(method, resource, as: "owner", body: placed)
            #expect(refused.status == 403, "\(refused)")
            #expect(refused.slug == "location-not-permitted", "\(refused)")
            #expect(refused.text.contains("PATCH /user"), "\(refused)")
            let without = try await client.call(
                method, resource, as: "owner", body: #"{"geometry":null,"properties":{\#(fields)}}"#)
            #expect(without.status < 300, "\(without)")
            #expect(without.json["geometry"] is NSNull, "\(without)")
            try await share(true)
            if method == .post { try await client.call(.delete, "events/items/run%402026-11-16", as: "owner") }
            let accepted = try await client.call(method, resource, as: "owner", body: placed)
            #expect(accepted.status < 300, "\(accepted)")
            #expect(accepted.text.contains("[0,0]"), "\(accepted)")
        }
    }

    @Test(arguments: [
        (#"{"time_zone":"Mars/Olympus"}"#, "time-zone-invalid", "time_zone"),
        (#"{"email":"x@example.org"}"#, "field-invalid", "email"),
        (#"{"id":"other"}"#, "field-invalid", "id"),
        (#"{"share_location":"perhaps"}"#, "field-invalid", "share_location"),
        (#"{"role":"operator"}"#, "field-invalid", "role"),
        ("[]", "row-invalid", nil),
    ])
    func invalidChangeIsRefused(body: String, slug: String, field: String?) async throws {
        try await ServerFixture.shared.run { client in
            let refused = try await client.send(.patch, path: "/user", as: "owner", body)
            #expect(refused.status == 422, "\(refused)")
            #expect(refused.slug == slug, "\(refused)")
            #expect(refused.field == field, "\(refused)")
            #expect(try await client.send(path: "/user", as: "owner").json["time_zone"] as? String == "UTC")
        }
    }

    /// Control characters and line breaks as JSON escapes.
    private static let lineBreaks = [
        "\\n", "\\r\\n", "\\t", "\\u0001", "\\u0007", "\\u001b[31m", "\\u007f", "\\u0085", "\\u009b", "\\u2028",
        "\\u2029",
    ]

    @Test func textsOfOneLineAreRefusedWithLines() async throws {
        try await ServerFixture(Scene.friends).run { client in
            for text in Self.lineBreaks.map({ "M\($0)x,a@evil.example,summary.txt,y," }) {
                let requests: [(HTTPRequest.Method, String, String, field: String)] = [
                    (.patch, "/user", #"{"name":"\#(text)"}"#, "name"),
                    (.post, "/user/calendars", #"{"label":"\#(text)"}"#, "label"),
                    (.post, "/collections/habits/items", #"{"title":"\#(text.prefix(8))","days":"mon"}"#, "title"),
                    (.patch, "/collections/habits/items/run", #"{"title":"\#(text.prefix(8))"}"#, "title"),
                    (
                        .put, "/collections/habits/items/run",
                        #"{"title":"Run","days":"mon","reason":"\#(text.prefix(8))"}"#, "reason"
                    ),
                    (.patch, "/collections/habits/items/run", #"{"unit":"\#(text.prefix(8))"}"#, "unit"),
                    (.post, "/collections/items/items", #"{"name":"\#(text)"}"#, "name"),
                ]
                for (method, path, body, field) in requests {
                    let refused = try await client.send(method, path: path, as: "owner", body)
                    #expect(refused.status == 422, "\(body): \(refused)")
                    #expect(refused.slug == "text-invalid", "\(body): \(refused)")
                    #expect(refused.field == field, "\(body): \(refused)")
                }
            }
            #expect(try await client.send(path: "/user", as: "owner").json["name"] is NSNull)
        }
    }

    @Test func accountBelongsToTokenOfUser() async throws {
        try await ServerFixture(Scene.friends).run { client in
            for method in [HTTPRequest.Method.get, .patch, .delete] {
                let anonymous = try await client.send(method, path: "/user", as: nil, "{}")
                #expect(anonymous.status == 401, "\(anonymous)")
                #expect(anonymous.slug == "not-signed-in", "\(anonymous)")
                let service = try await client.send(method, path: "/user", as: "operator", "{}")
                #expect(service.status == 403, "\(service)")
                #expect(service.slug == "not-signed-in", "\(service)")
            }
            #expect(try await client.send(path: "/user/export").status == 401)
        }
    }

    @Test func deletingAccountRemovesOnlyRecordsOfUser() async throws {
        try await ServerFixture(Scene.friends).run { client in
            let stale = try await client.send(
                .delete, path: "/user", as: "owner", headers: [.ifMatch: "\"0123\""])
            #expect(stale.status == 412, "\(stale)")
            #expect(try await client.send(.delete, path: "/user", as: "owner").status == 204)
            #expect(try await client.send(path: "/user", as: "owner").status == 401)
            let left = try await client.send(path: "/collections/events/items", as: "operator")
            #expect(left.ids == ["x18"], "\(left)")
            #expect(try await client.send(path: "/collections/users/items", as: "all").ids.contains("owner") == false)
        }
    }

    /// The archive has the files of `habitat export`, and another program reads them.
    @Test func exportIsArchiveOfOwnRecords() async throws {
        let folder = try TemporaryFolder()
        try await ServerFixture(Scene.friends).run { client in
            let path = Program.repository + "/sample-data/photos/lamp.png"
            let picture = try Data(contentsOf: URL(fileURLWithPath: path)).base64EncodedString()
            let post = #"{"caption":"Sea","photo":"\#(picture)"}"#
            #expect(try await client.send(.post, path: "/collections/posts/items", as: "owner", post).status == 201)
            let export = try await client.send(path: "/user/export", as: "owner")
            #expect(export.status == 200, "\(export)")
            #expect(export.type == "application/zip", "\(export)")
            #expect(export.headers[.contentDisposition]?.hasPrefix("attachment") == true)
            #expect(export.headers[.cacheControl] == "no-store")
            try Data(export.body).write(to: URL(fileURLWithPath: folder.file("export.zip")))
        }
        let unpacked = try await Program.run(
            "/usr/bin/python3",
            [
                "-c",
                """
                import sys, zipfile
                archive = zipfile.ZipFile(sys.argv[1])
                assert archive.testzip() is None
                archive.extractall(sys.argv[2])
                print("\\n".join(sorted(archive.namelist())))
                """, "export.zip", "out",
            ], in: folder.path)
        #expect(unpacked.status == 0, "\(unpacked)")
        #expect(unpacked.lines.contains("events.csv"))
        #expect(unpacked.lines.contains { $0.hasPrefix("photos/") })
        #expect(!unpacked.lines.contains("settings.csv"))
        let events = try String(contentsOfFile: folder.file("out/events.csv"), encoding: .utf8)
        #expect(events.contains("r17"), "only the caller's events: \(events)")
        #expect(!events.contains("x18"), "only the caller's events: \(events)")
        let users = try String(contentsOfFile: folder.file("out/users.csv"), encoding: .utf8)
        #expect(users.contains("owner"))
        #expect(!users.contains("stranger"))
    }
}
