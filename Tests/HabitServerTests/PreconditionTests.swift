import Foundation
import HTTPTypes
import HabitModel
import HabitStore
import HabitTestSupport
import Testing

@testable import HTTPServing
@testable import HabitServer

extension Scene {
    /// Records of every kind that a user can change; `all` holds a claim on the sofa.
    fileprivate static let claimed: [Record] = {
        var claim = ClaimRecord(item: "sofa", user: "all")
        claim.state = .value(.claimed)
        return friends + exchange + [.claim(claim)]
    }()
}

/// Tests of the preconditions of changes (RFC 9110, section 13) and of the encoding of request bodies.
@Suite(.serialized, .server(Scene.claimed)) struct PreconditionTests {
    /// A change of a feature that its user may make.
    struct Change: CustomTestStringConvertible, Sendable {
        var method: HTTPRequest.Method
        var path: String
        var user = "owner"
        var body: String?
        var testDescription: String { "\(method) \(path)" }
    }

    private static let changes: [Change] = {
        var changes: [Change] = []
        for (path, user, body) in [
            ("habits/items/run", "owner", #"{"title":"New","days":"mon"}"#),
            ("events/items/r17", "owner", #"{"comment":"new"}"#),
            ("items/items/lamp", "owner", #"{"name":"New"}"#),
            ("posts/items/p1", "owner", #"{"caption":"new"}"#),
            ("claims/items/sofa%2Fall", "all", #"{"state":"released"}"#),
            ("follows/items/pending%2Fowner", "owner", #"{"status":"accepted"}"#),
        ] {
            for method in [HTTPRequest.Method.put, .patch] {
                changes.append(Change(method: method, path: "/collections/\(path)", user: user, body: body))
            }
            // A pending request is rejected and not deleted by the followed user.
            let deleted = path.replacing("pending%2F", with: "all%2F")
            changes.append(Change(method: .delete, path: "/collections/\(deleted)", user: user))
        }
        changes.append(Change(method: .delete, path: "/collections/messages/items/m2"))
        changes.append(Change(method: .patch, path: "/user", body: #"{"name":"New"}"#))
        changes.append(Change(method: .delete, path: "/user"))
        return changes
    }()

    @Test(arguments: changes) func changeOfExcludedVersionIsRefused(change: Change) async throws {
        try await ServerFixture(Scene.claimed).run { client in
            let stored = try await client.send(path: change.path, as: change.user)
            #expect(stored.status == 200, "\(stored)")
            let packed = try await client.send(
                path: change.path, as: change.user, headers: [.acceptEncoding: "gzip"])
            let lists = ["*", stored.tag, "W/\(stored.tag)", "\"a,b\", \(stored.tag)", packed.tag, " * "]
            for list in lists {
                let refused = try await client.send(
                    change.method, path: change.path, as: change.user, change.body, headers: [.ifNoneMatch: list])
                #expect(refused.status == 412, "\(list): \(refused)")
                #expect(refused.slug == "changed-meanwhile", "\(list): \(refused)")
                #expect(refused.field == "If-None-Match", "\(refused)")
            }
            // A failed If-Match is reported first, also if If-None-Match permits the change.
            let order = try await client.send(
                change.method, path: change.path, as: change.user, change.body,
                headers: [.ifMatch: "\"other\"", .ifNoneMatch: "\"other\""])
            #expect(order.status == 412, "\(order)")
            #expect(order.field == "If-Match", "\(order)")
            let after = try await client.send(path: change.path, as: change.user)
            #expect(after.body == stored.body, "the feature is unchanged: \(after)")
            #expect(after.tag == stored.tag, "the feature is unchanged: \(after)")
            let permitted = try await client.send(
                change.method, path: change.path, as: change.user, change.body,
                headers: [.ifMatch: "\"x\", \(stored.tag)", .ifNoneMatch: "\"other\", W/\"x\""])
            #expect([200, 204].contains(permitted.status), "\(permitted)")
        }
    }

    @Test(arguments: changes) func weakTagNeverMatchesInIfMatch(change: Change) async throws {
        try await ServerFixture.shared.run { client in
            let stored = try await client.send(path: change.path, as: change.user)
            for list in ["W/\(stored.tag)", "\"x\"", "W/*", "\"*\"", ""] {
                let refused = try await client.send(
                    change.method, path: change.path, as: change.user, change.body, headers: [.ifMatch: list])
                #expect(refused.status == 412, "\(list): \(refused)")
                #expect(refused.field == "If-Match", "\(list): \(refused)")
            }
        }
    }

    /// Preconditions do not apply to a request that is refused without them (RFC 9110, section 13.2.1).
    @Test(arguments: ["*", "\"old\""]) func missingFeatureAndPermissionComeBeforePreconditions(tag: String) async throws
    {
        try await ServerFixture.shared.run { client in
            for headers in [[.ifMatch: tag], [.ifNoneMatch: tag]] as [HTTPFields] {
                for method in [HTTPRequest.Method.put, .patch, .delete] {
                    for (path, status) in [("habits/items/nothing", 404), ("habits/items/run", 403)] {
                        let refused = try await client.send(
                            method, path: "/collections/\(path)", as: "all", #"{"title":"x","days":"mon"}"#,
                            headers: headers)
                        #expect(refused.status == status, "\(method) \(path) \(headers): \(refused)")
                    }
                }
            }
        }
    }

    @Test func photoIsAddedButNotReplacedWithIfNoneMatch() async throws {
        let lamp = Array(
            try Data(contentsOf: URL(fileURLWithPath: "\(Program.repository)/sample-data/photos/lamp.png")))
        let tram = Array(
            try Data(contentsOf: URL(fileURLWithPath: "\(Program.repository)/sample-data/photos/tram.png")))
        try await ServerFixture(Scene.friends).run { client in
            let path = "/collections/events/items/r17/photo"
            let unknown = try await client.send(.put, path: path, as: "owner", bytes: lamp, headers: [.ifMatch: "*"])
            #expect(unknown.status == 412, "the event has no photo: \(unknown)")
            let added = try await client.send(.put, path: path, as: "owner", bytes: lamp, headers: [.ifNoneMatch: "*"])
            #expect(added.status == 204, "\(added)")
            for list in ["*", added.tag, "W/\(added.tag)"] {
                for method in [HTTPRequest.Method.put, .delete] {
                    let refused = try await client.send(
                        method, path: path, as: "owner", bytes: method == .put ? tram : nil,
                        headers: [.ifNoneMatch: list])
                    #expect(refused.status == 412, "\(list): \(refused)")
                    #expect(refused.field == "If-None-Match", "\(list): \(refused)")
                }
            }
            #expect(try await client.send(path: path, as: "owner").tag == added.tag)
            let other = try await client.send(
                .put, path: path, as: "owner", bytes: tram, headers: [.ifNoneMatch: "\"other\"", .ifMatch: "*"])
            #expect(other.status == 204, "\(other)")
            #expect(other.tag != added.tag, "\(other)")
        }
    }

    @Test func entityTagListsAreParsed() {
        let tag = EntityTag(of: ["a"])
        let quoted = "\"\(tag.value)\""
        for list in [quoted, "W/\(quoted)", "\"a, b\",\(quoted)", ",, \(quoted) ,", tag.value, "*", " *\t"] {
            #expect(EntityTagList(list).contains(tag), "\(list)")
        }
        for list in ["", "\"", "\"*\"", "*, \"x\"", "W/", "\"a\(tag.value)\"", "\"x, \(tag.value), y\"", "W/\""] {
            #expect(!EntityTagList(list).contains(tag), "\(list)")
        }
        #expect(!EntityTagList("W/\(quoted)").containsStored(tag, isWeakAllowed: false))
        #expect(EntityTagList("W/\(quoted)").containsStored(tag, isWeakAllowed: true))
        #expect(!EntityTagList("*").containsStored(nil, isWeakAllowed: true))
    }

    /// Every route that reads a body refuses a content encoding.
    @Test func compressedBodyIsRefusedWithAcceptedEncoding() async throws {
        try await ServerFixture(Scene.friends).run { client in
            let encodings = ["gzip", "br, gzip", "identity, deflate", "GZIP"]
            for (method, path) in [
                (HTTPRequest.Method.post, "/collections/habits/items"), (.put, "/collections/events/items/r17"),
                (.patch, "/collections/events/items/r17"), (.put, "/collections/events/items/r17/photo"),
                (.put, "/collections/events/items/r17/photo?shrink=true"), (.post, "/changes"), (.patch, "/user"),
                (.post, "/user/calendars"), (.post, "/session"),
            ] {
                for encoding in encodings {
                    let refused = try await client.send(
                        method, path: path, as: path == "/session" ? nil : "owner", #"{"title":"x"}"#,
                        headers: [.contentEncoding: encoding])
                    #expect(refused.status == 415, "\(path) \(encoding): \(refused)")
                    #expect(refused.slug == "content-encoding-unsupported", "\(path) \(encoding): \(refused)")
                    #expect(refused.headers[.acceptEncoding] == "identity", "\(path) \(encoding)")
                }
            }
            let plain = try await client.send(
                .patch, path: "/collections/events/items/r17", as: "owner", #"{"comment":"x"}"#,
                headers: [.contentEncoding: "identity"])
            #expect(plain.status == 200, "\(plain)")
        }
    }
}
