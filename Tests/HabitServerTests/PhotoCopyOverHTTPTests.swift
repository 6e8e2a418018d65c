import Foundation
import HTTPTypes
import HabitModel
import HabitStore
import HabitTestSupport
import Photos
import Testing

@testable import HTTPServing
@testable import HabitAPI
@testable import HabitServer

/// Tests of the copies of photos in two widths, and of the versions in their URLs.
@Suite(.engineIndependent, .serialized) struct PhotoCopyOverHTTPTests {
    private static let path = "/collections/posts/items/p1/photo"
    /// A photo of 3850 × 17 pixels.
    private static let wide = TestImage.png(byteCount: 65_535)
    private static let year = "private, max-age=31536000, immutable"

    private static func store(
        _ photo: Data,
        _ client: ServerClient,
        query: String = "",
        at path: String = path
    ) async throws {
        let stored = try await client.send(.put, path: path + query, as: "owner", bytes: Array(photo))
        try #require(stored.status == 204, "\(stored)")
    }

    /// Returns the path and the query of the URL of the photo of a feature.
    private static func url(_ feature: String, as user: String?, _ client: ServerClient) async throws -> String {
        let response = try await client.send(path: feature, as: user)
        let url = try #require(response.properties["photo_url"] as? String, "\(response)")
        let parts = try #require(URLComponents(string: url))
        let query = try #require(parts.percentEncodedQuery)
        return "\(parts.percentEncodedPath)?\(query)"
    }

    // MARK: Widths

    @Test(arguments: [320, 1080]) func photoIsSentInWidth(width: Int) async throws {
        try await ServerFixture(Scene.friends).run { client in
            try await Self.store(Self.wide, client)
            let copy = try await client.send(path: "\(Self.path)?width=\(width)", as: "all")
            #expect(copy.status == 200, "\(copy)")
            #expect(copy.type == "image/jpeg")
            #expect(try Photo(copy.body).dimensions.width == width)
            #expect(copy.headers[.contentDisposition] == "inline; filename=\"p1.jpg\"")
            let again = try await client.send(path: "\(Self.path)?width=\(width)", as: "all")
            #expect(again.body == copy.body)
            #expect(again.tag == copy.tag)
        }
    }

    @Test(arguments: ["0", "319", "320.0", "", "640", "-320"]) func otherWidthIsRefused(width: String) async throws {
        try await ServerFixture(Scene.friends).run { client in
            try await Self.store(Self.wide, client)
            let refused = try await client.send(path: "\(Self.path)?width=\(width)", as: "all")
            #expect(refused.status == 400, "\(refused)")
            #expect(refused.field == "width", "\(refused)")
        }
    }

    @Test func copiesHaveTagsOfTheirOwn() async throws {
        try await ServerFixture(Scene.friends).run { client in
            try await Self.store(Self.wide, client)
            let whole = try await client.send(path: Self.path, as: "all")
            let copy = try await client.send(path: Self.path + "?width=320", as: "all")
            let other = try await client.send(path: Self.path + "?width=1080", as: "all")
            #expect(Set([whole.tag, copy.tag, other.tag]).count == 3)
            let known = try await client.send(
                path: Self.path + "?width=320", as: "all", headers: [.ifNoneMatch: copy.tag])
            #expect(known.status == 304)
            #expect(known.body.isEmpty)
            #expect(known.tag == copy.tag)
            let changed = try await client.send(
                path: Self.path + "?width=320", as: "all", headers: [.ifNoneMatch: whole.tag])
            #expect(changed.status == 200)
        }
    }

    /// A server that has not made a copy yet finds the tag without it.
    @Test func tagIsKnownAfterRestart() async throws {
        let fixture = try await ServerFixture(Scene.friends) { options in options.photoMemory = 0 }
        try await fixture.run { client in
            try await Self.store(Self.wide, client)
            let copy = try await client.send(path: Self.path + "?width=320", as: "all")
            #expect(copy.status == 200)
            let known = try await client.send(
                path: Self.path + "?width=320", as: "all", headers: [.ifNoneMatch: copy.tag])
            #expect(known.status == 304)
        }
    }

    /// The cache has the copy when another user requests it.
    @Test func visibilityIsCheckedBeforeCopy() async throws {
        try await ServerFixture(Scene.friends).run { client in
            let path = "/collections/events/items/r17/photo"
            try await Self.store(Self.wide, client, at: path)
            let shown = try await client.send(path: path + "?width=320", as: "owner")
            #expect(shown.status == 200)
            for user in ["stranger", "pending"] {
                let whole = try await client.send(path: path, as: user)
                let copy = try await client.send(path: path + "?width=320", as: user)
                let known = try await client.send(
                    path: path + "?width=320", as: user, headers: [.ifNoneMatch: shown.tag])
                #expect(copy.status == 404, "\(user): \(copy)")
                #expect(copy.slug == whole.slug, "\(user): \(copy)")
                #expect(copy.json["detail"] as? String == whole.json["detail"] as? String, "\(user): \(copy)")
                #expect(known.status == 404, "\(user): \(known)")
            }
            let missing = try await client.send(path: path.replacing("r17", with: "r18") + "?width=320", as: "owner")
            #expect(missing.status == 404, "\(missing)")
            #expect(try await client.send(path: path + "?width=320").status == 401)
        }
    }

    /// The metadata of a photo can contain another position than the record.
    @Test func copiesHaveNoMetadata() async throws {
        try await ServerFixture(Scene.friends).run { client in
            try await Self.store(TestImage.located, client, query: "?keep-exif=true")
            let whole = try await client.send(path: Self.path, as: "owner")
            #expect(Data(whole.body).contains(Data("Secret".utf8)))
            for user in ["owner", "all"] {
                let copy = try await client.send(path: Self.path + "?width=1080", as: user)
                #expect(copy.status == 200, "\(copy)")
                #expect(!Data(copy.body).contains(Data("Secret".utf8)), "\(user)")
                #expect(try PhotoFile(copy.body).position == nil, "\(user)")
            }
        }
    }

    /// A new photo with other metadata and the same picture has the same tag for all viewers.
    @Test func tagOfCopyDoesNotDependOnMetadata() async throws {
        try await ServerFixture(Scene.friends).run { client in
            try await Self.store(TestImage.located, client, query: "?keep-exif=true")
            let located = try await client.send(path: Self.path + "?width=320", as: "all")
            try await Self.store(TestImage.located, client)
            let plain = try await client.send(path: Self.path + "?width=320", as: "all")
            #expect(plain.tag == located.tag)
            #expect(plain.body == located.body)
        }
    }

    // MARK: Versions

    @Test func addressWithVersionIsKept() async throws {
        try await ServerFixture(Scene.friends).run { client in
            try await Self.store(Self.wide, client)
            let url = try await Self.url("/collections/posts/items/p1", as: "all", client)
            #expect(url.hasPrefix(Self.path + "?v="), "\(url)")
            for address in [url, url + "&width=320"] {
                let photo = try await client.send(path: address, as: "all")
                #expect(photo.status == 200, "\(photo)")
                #expect(photo.headers[.cacheControl] == Self.year)
                #expect(photo.headers[.vary] == "Authorization, Cookie")
                let known = try await client.send(path: address, as: "all", headers: [.ifNoneMatch: photo.tag])
                #expect(known.status == 304)
                #expect(known.headers[.cacheControl] == Self.year)
            }
            let bare = try await client.send(path: Self.path, as: "all")
            #expect(bare.headers[.cacheControl] == "private, no-cache")
        }
    }

    @Test func oldVersionReturnsCurrentPhotoWithoutBeingKept() async throws {
        try await ServerFixture(Scene.friends).run { client in
            try await Self.store(Self.wide, client)
            let old = try await Self.url("/collections/posts/items/p1", as: "all", client)
            try await Self.store(TestImage.located, client)
            let new = try await Self.url("/collections/posts/items/p1", as: "all", client)
            #expect(new != old)
            let photo = try await client.send(path: old, as: "all")
            #expect(photo.status == 200, "\(photo)")
            #expect(photo.headers[.cacheControl] == "private, no-cache")
            let current = try await client.send(path: new, as: "all")
            #expect(current.body == photo.body)
            #expect(current.headers[.cacheControl] == Self.year)
            for version in ["", "x", "v2"] {
                let other = try await client.send(path: "\(Self.path)?v=\(version)", as: "all")
                #expect(other.headers[.cacheControl] == "private, no-cache", "\(version)")
            }
        }
    }

    /// The keys of photos are not used again, so that the version of a removed photo never returns.
    @Test func versionOfRemovedPhotoDoesNotReturn() async throws {
        try await ServerFixture(Scene.friends).run { client in
            let path = "/collections/events/items/r17"
            var urls: Set<String> = []
            for size in [1000, 1001, 1002] {
                try await Self.store(TestImage.png(byteCount: size), client, at: path + "/photo")
                urls.insert(try await Self.url(path, as: "owner", client))
                let removed = try await client.send(.delete, path: path + "/photo", as: "owner")
                #expect(removed.status == 204, "\(removed)")
            }
            #expect(urls.count == 3)
        }
    }

    /// The store has equal photos once.
    @Test func versionsOfEqualPhotosDiffer() async throws {
        try await ServerFixture(Scene.friends).run { client in
            var versions: [String] = []
            for id in ["r17", "r18"] {
                let path = "/collections/events/items/\(id)"
                try await Self.store(Self.wide, client, at: path + "/photo")
                let url = try await Self.url(path, as: "owner", client)
                versions.append(try #require(url.components(separatedBy: "?v=").last))
            }
            #expect(versions[0] != versions[1])
        }
    }

    @Test func listsHaveAddressesWithVersions() async throws {
        try await ServerFixture(Scene.friends).run { client in
            try await Self.store(Self.wide, client)
            let url = try await Self.url("/collections/posts/items/p1", as: "owner", client)
            for path in [
                "/collections/posts/items", "/collections/posts/items?properties=photo_url",
                "/near?near=10,50&kind=posts",
                "/near?near=10,50&kind=events,items,posts", "/near?near=10,50&kind=events,posts&nearest=9&sortby=-time",
            ] {
                let list = try await client.send(path: path, as: "owner")
                #expect(list.text.contains(url), "\(path): \(list)")
            }
        }
    }

    /// A page loads small pictures, and the page of a record a larger one.
    @Test func pagesShowCopies() async throws {
        try await ServerFixture(Scene.friends).run { client in
            try await Self.store(Self.wide, client)
            for (path, width) in [("/collections/posts/items", 320), ("/collections/posts/items/p1", 1080)] {
                let page = try await client.send(path: path, as: "owner", headers: [.accept: "text/html"])
                let image = try #require(
                    page.text.firstMatch(of: /<img src="([^"]*)"[^>]* alt="Photo of/)?.1, "\(page)")
                #expect(image.hasSuffix("&amp;width=\(width)"), "\(image)")
                let address = String(image).replacing("&amp;", with: "&")
                let photo = try await client.send(path: address)
                #expect(photo.status == 200, "\(photo)")
                #expect(try Photo(photo.body).dimensions.width == width)
            }
        }
    }

    /// A browser with a session sends its cookie with the pictures, and so their addresses last.
    @Test func pagesOfSessionHaveLastingAddresses() async throws {
        try await ServerFixture(Scene.friends).run { client in
            try await Self.store(Self.wide, client)
            let cookie = try await client.cookie(of: "owner")
            let headers: HTTPFields = [.accept: "text/html", .cookie: cookie]
            let page = try await client.send(path: "/collections/posts/items", headers: headers)
            let image = try #require(page.text.firstMatch(of: /<img src="([^"]*)"[^>]* alt="Photo of/)?.1, "\(page)")
            #expect(!image.contains("signature"), "\(image)")
            let address = String(image).replacing("&amp;", with: "&")
            let photo = try await client.send(path: address, headers: [.cookie: cookie])
            #expect(photo.status == 200, "\(photo)")
            #expect(photo.headers[.cacheControl] == Self.year)
            #expect(try await client.send(path: address).status == 401)
        }
    }
}
