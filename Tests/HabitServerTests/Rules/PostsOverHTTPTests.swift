import Base
import Foundation
import HTTPTypes
import HabitModel
import HabitTestSupport
import Testing

@testable import HabitServer

/// Tests of rules H-01, H-02, H-05, H-06 and H-08 over HTTP: posts and photos.
///
/// They have the names of the tests on the command line.
@Suite(.serialized, .server(.sharing)) struct PostsOverHTTPTests {
    /// Only pat and the followers of pat see pat's posts.
    ///
    /// The share of a follow, which limits events, does not limit posts.
    private static let visibility = [
        ("pat", true),
        ("fay", true),
        ("lou", true),
        ("operator", true),
        ("pen", false),
        ("rej", false),
        ("sam", false),
    ]

    private static func photo(_ name: String) -> Data {
        FileManager.default.contents(atPath: "\(Program.repository)/sample-data/photos/\(name)") ?? Data()
    }

    private static func post(_ fields: String, photo: Data) -> String {
        #"{\#(fields),"photo":"\#(photo.base64EncodedString())"}"#
    }

    @Test func listsContainOnlyVisiblePosts() async throws {
        try await ServerFixture.shared.run { client in
            for path in [
                "/collections/posts/items", "/collections/posts/items?f=csv", "/near?near=-9.1,38.7&kind=posts",
                "/near?near=-9.1,38.7&kind=events,items,posts", "/collections/posts/items?near=-9.1,38.7&user=pat",
                "/reports/posts",
            ] {
                for (user, sees) in Self.visibility {
                    let found = try await client.send(path: path, as: user)
                    #expect(found.status == 200, "\(path) \(user): \(found)")
                    #expect(found.text.contains("p-river") == sees, "\(path) \(user): \(found)")
                    #expect(!found.text.contains("p-gone"), "a deleted post is in no list")
                }
            }
        }
    }

    /// The errors for hidden and missing posts are equal, and only those who could see a post learn that it is deleted.
    @Test func hiddenPostCausesSameErrorAsMissingPost() async throws {
        try await ServerFixture.shared.run { client in
            for (method, suffix, body) in [
                (.get, "", nil),
                (.get, "/photo", nil),
                (.patch, "", #"{"caption":"mine"}"#),
                (.delete, "", nil),
                (.put, "/photo", "x"),
            ] as [(HTTPRequest.Method, String, String?)] {
                func answer(_ id: String, _ user: String) async throws -> ServerResponse {
                    try await client.call(method, "posts/items/\(id)\(suffix)", as: user, body: body)
                }
                for (user, sees) in Self.visibility where user != "operator" || method == .get {
                    let deleted = try await answer("p-gone", user)
                    guard !sees else {
                        #expect(deleted.status == 410, "\(user): \(deleted)")
                        #expect(deleted.slug == "post-deleted", "\(user): \(deleted)")
                        #expect(!deleted.text.contains("Soon gone"))
                        continue
                    }
                    let never = try await answer("never", user)
                    #expect(never.status == 404, "\(never)")
                    #expect(never.slug == "not-found", "\(never)")
                    let hidden = try await answer("p-river", user)
                    #expect(hidden.text.replacing("p-river", with: "never") == never.text, "\(hidden)")
                    #expect(deleted.text.replacing("p-gone", with: "never") == never.text, "\(deleted)")
                }
            }
        }
    }

    @Test func postIsChangedOnlyByAuthor() async throws {
        let path = "posts/items/p-river"
        let fixture = try await ServerFixture(.sharing)
        try await fixture.expectRefusals(
            ["fay", "lou"].flatMap { user -> [RefusedRequest] in
                [
                    .init(.patch, path, as: user, body: #"{"caption":"mine"}"#, is: 403, slug: "not-yours"),
                    .init(.delete, path, as: user, is: 403, slug: "not-yours"),
                    .init(.put, path + "/photo", as: user, body: "x", is: 403, slug: "not-yours"),
                ]
            } + [
                .init(.patch, path, as: "operator", body: #"{"caption":"mine"}"#, is: 403, slug: "not-signed-in"),
                .init(.delete, path, as: "nobody", is: 401, slug: "not-signed-in"),
                .init(.patch, path, as: "pat", body: #"{"photo":null}"#, is: 422, slug: "photo-invalid"),
                .init(.delete, path + "/photo", as: "pat", is: 405, slug: "method-not-allowed"),
            ])
        try await fixture.run { client in
            let body = #"{"geometry":null,"properties":{"caption":null}}"#
            let edited = try await client.call(.patch, path, as: "pat", body: body)
            #expect(edited.json["geometry"] is NSNull, "\(edited)")
            #expect(edited.properties["caption"] is NSNull, "\(edited)")
            #expect(edited.properties["posted_at"] as? String == "2026-11-06T08:00:00Z", "\(edited)")
        }
    }

    /// A post is visible only while the follow is accepted.
    @Test func visibilityOfPostFollowsFollowStatus() async throws {
        try await ServerFixture(.sharing).run { client in
            func statuses(_ user: String) async throws -> [Int] {
                [
                    try await client.call("posts/items/p-river", as: user).status,
                    try await client.call("posts/items/p-gone", as: user).status,
                ]
            }
            let dropped = try await client.call(.delete, "follows/items/fay%2Fpat", as: "pat")
            #expect(dropped.status == 204, "\(dropped)")
            #expect(try await statuses("fay") == [404, 404])
            let accepted = #"{"status":"accepted"}"#
            #expect(try await client.call(.patch, "follows/items/pen%2Fpat", as: "pat", body: accepted).status == 200)
            #expect(try await statuses("pen") == [200, 410])
            #expect(try await client.call(.delete, "follows/items/pen%2Fpat", as: "pen").status == 204)
            #expect(try await statuses("pen") == [404, 404])
        }
    }

    // MARK: H-08

    @Test func postIsAdded() async throws {
        try await ServerFixture(.sharing).run { client in
            let fields = #""id":"sam:new","caption":"28","longitude":151.21,"latitude":-33.87"#
            let body = Self.post(fields, photo: Self.photo("tram.png"))
            let added = try await client.call(.post, "posts/items", as: "sam", body: body)
            #expect(added.status == 201, "\(added)")
            #expect(added.text.contains("[151.21,-33.87]"), "\(added)")
            #expect(added.properties["user"] as? String == "sam")
            #expect(added.properties["caption"] as? String == "28")
            #expect(added.properties["posted_at"] as? String == "2026-11-20T12:00:00+00:00", "\(added)")
            #expect(added.properties["has_photo"] as? Bool == true)
            let again = try await client.call(.post, "posts/items", as: "sam", body: body)
            #expect(again.status == 422, "\(again)")
            #expect(again.slug == "duplicate-key", "\(again)")
        }
    }

    /// Rule H-08.
    @Test func captionIsLimitedInLength() async throws {
        try await ServerFixture(Scene.friends).run { client in
            let path = "/collections/posts/items/p1"
            for (count, status) in [(200, 200), (201, 422)] {
                let caption = String(repeating: "c", count: count)
                let response = try await client.send(.patch, path: path, as: "owner", #"{"caption":"\#(caption)"}"#)
                #expect(response.status == status, "\(count): \(response)")
                #expect(status == 200 || response.slug == "caption-too-long", "\(response)")
            }
        }
    }

    @Test func operatorChangesCaptionLimit() async throws {
        let fixture = try await ServerFixture(.sharing)
        try fixture.store.write([.setting(.limit(.captionLimit, 2))])
        try await fixture.run { client in
            let long = try await client.call(.patch, "posts/items/p-river", as: "pat", body: #"{"caption":"abc"}"#)
            #expect(long.status == 422, "\(long)")
            #expect(long.slug == "caption-too-long", "\(long)")
            let fits = try await client.call(.patch, "posts/items/p-river", as: "pat", body: #"{"caption":"ab"}"#)
            #expect(fits.status == 200, "\(fits)")
        }
    }

    @Test func photoOfPostIsValidated() async throws {
        let fits = TestImage.png(byteCount: 65_535)
        let large = TestImage.png(byteCount: 65_536)
        let fixture = try await ServerFixture(.sharing)
        try await fixture.expectRefusals([
            .init(.post, "posts/items", as: "pat", body: #"{"caption":"x"}"#, is: 422, slug: "photo-invalid"),
            .init(
                .post, "posts/items", as: "pat",
                body: Self.post(#""caption":"x""#, photo: Data("text".utf8)),
                is: 422, slug: "photo-invalid"),
            .init(
                .post, "posts/items", as: "pat",
                body: Self.post(#""caption":"x""#, photo: large),
                is: 422, slug: "photo-too-large"),
            .init(
                .patch, "posts/items/p-river", as: "pat",
                body: Self.post(#""caption":"x""#, photo: large),
                is: 422, slug: "photo-too-large"),
        ])
        try await fixture.run { client in
            for (method, resource) in [(HTTPRequest.Method.post, "posts/items"), (.patch, "posts/items/p-river")] {
                let stored = try await client.call(
                    method, resource, as: "pat", body: Self.post(#""caption":"x""#, photo: fits))
                #expect(stored.status < 300, "\(stored)")
                #expect(stored.properties["has_photo"] as? Bool == true, "\(stored)")
            }
            let path = "/collections/posts/items/p-river/photo"
            let shrunk = try await client.send(.put, path: path + "?shrink=true", as: "pat", bytes: Array(large))
            #expect(shrunk.status == 204, "\(shrunk)")
            let small = try await client.send(path: path, as: "fay")
            #expect((100..<65_536).contains(small.body.count), "\(small.body.count)")
        }
    }

    /// An item is shown to strangers, and the metadata of its photo could contain the door of the poster.
    @Test func photosOfItemsNeverKeepEXIF() async throws {
        let encoded = TestImage.located.base64EncodedString()
        let fields = #""name":"Lamp","photo":"\#(encoded)""#
        try await ServerFixture(.sharing).run { client in
            let kept = try await client.call(.post, "items/items", as: "pat", body: #"{\#(fields),"keep_exif":true}"#)
            #expect(kept.status == 422, "\(kept)")
            #expect(kept.field == "keep_exif", "\(kept)")
            let made = try await client.call(.post, "items/items", as: "pat", body: "{\(fields)}")
            #expect(made.status == 201, "\(made)")
            let path = "/collections/items/items/\((made.json["id"] as? String ?? "").urlEncoded)/photo"
            let bytes = Array(TestImage.located)
            let refused = try await client.send(.put, path: path + "?keep-exif=true", as: "pat", bytes: bytes)
            #expect(refused.status == 400, "\(refused)")
            for _ in 0..<2 {
                let stored = Data(try await client.send(path: path, as: "pat").body)
                #expect(!stored.isEmpty)
                #expect(!stored.contains(Data("Secret".utf8)))
                let put = try await client.send(.put, path: path, as: "pat", bytes: bytes)
                #expect(put.status == 204, "\(put)")
            }
        }
    }

    /// EXIF data is removed unless the user keeps it.
    @Test(arguments: ["posts", "events"]) func photosLoseEXIFUnlessKept(collection: String) async throws {
        let fields = collection == "events" ? #""habit":"read""# : #""caption":"x""#
        let encoded = TestImage.located.base64EncodedString()
        try await ServerFixture(.sharing).run { client in
            for keeps in [false, true] {
                let body = #"{\#(fields),"photo":"\#(encoded)","keep_exif":\#(keeps)}"#
                let made = try await client.call(.post, "\(collection)/items", as: "pat", body: body)
                #expect(made.status == 201, "\(made)")
                #expect(made.json["geometry"] is NSNull, "\(made)")
                let feature = "\(collection)/items/\((made.json["id"] as? String ?? "").urlEncoded)"
                let stored = Data(try await client.call(feature + "/photo", as: "pat").body)
                #expect(!stored.isEmpty)
                #expect(stored.contains(Data("Secret".utf8)) == keeps)
                #expect((stored == TestImage.located) == keeps)
                let path = "/collections/\(feature)/photo"
                for (query, isKept) in [("?keep-exif=true", true), ("", false)] {
                    let put = try await client.send(
                        .put, path: path + query, as: "pat", bytes: Array(TestImage.located))
                    #expect(put.status == 204, "\(put)")
                    #expect((Data(try await client.send(path: path, as: "pat").body) == TestImage.located) == isKept)
                }
                if collection == "events" { try await client.call(.delete, feature, as: "pat") }
            }
        }
    }

    // MARK: H-01, H-02 and H-06

    @Test func downloadIsRefusedForUsersWithoutAccess() async throws {
        let users = ["pat", "fay", "lou", "rej", "sam", "operator"]
        try await ServerFixture.shared.run { client in
            for (feature, permitted, photo) in [
                ("events/items/e-old", ["pat", "fay", "operator"], "lamp.png"),
                ("events/items/e-new", ["pat", "fay", "lou", "operator"], "tram.png"), ("events/items/e-bare", [], ""),
                ("events/items/never", [], ""), ("items/items/never", [], ""), ("posts/items/never", [], ""),
                ("items/items/i-withdrawn", users, "kettle.png"),
                ("posts/items/p-river", ["pat", "fay", "lou", "operator"], "river.png"),
            ] {
                for user in users {
                    let response = try await client.call(feature + "/photo", as: user)
                    #expect(
                        response.status == (permitted.contains(user) ? 200 : 404), "\(feature) \(user): \(response)")
                    if response.status == 200 {
                        #expect(Data(response.body) == Self.photo(photo), "\(feature)")
                    } else {
                        #expect(response.slug == "not-found", "\(response)")
                    }
                }
                #expect(try await client.call(feature + "/photo", as: "nobody").status == 401)
            }
        }
    }

    /// The server sends no part of a damaged photo.
    @Test(.fileStoreOnly) func downloadFailsWhenPhotoIsDamaged() async throws {
        let fixture = try await ServerFixture(.sharing)
        _ = try fixture.store.engine.write { try $0.run("UPDATE photo SET bytes = zeroblob(length(bytes))") }
        try await fixture.run { client in
            for feature in ["events/items/e-new", "items/items/i-claimed", "posts/items/p-river"] {
                let response = try await client.call(feature + "/photo", as: "fay")
                #expect(response.status == 500, "\(response)")
                #expect(response.slug == "download-failed", "\(response)")
                #expect(response.type == "application/problem+json")
            }
        }
    }
}
