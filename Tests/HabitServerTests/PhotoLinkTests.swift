import Base
import Foundation
import HTTPTypes
import HabitModel
import HabitStore
import HabitTestSupport
import Synchronization
import Testing

@testable import HTTPServing
@testable import HabitAPI
@testable import HabitServer

/// Tests of the signed links of photos.
@Suite(.engineIndependent, .serialized) struct PhotoLinkTests {
    private static func storePhotos(_ client: ServerClient) async throws {
        let photo = try Data(contentsOf: URL(fileURLWithPath: Program.repository + "/sample-data/photos/lamp.png"))
        for (path, user) in [
            ("events/items/r17", "owner"), ("events/items/b%2F18%20%C3%BC", "owner"), ("items/items/lamp", "owner"),
            ("posts/items/p1", "owner"),
        ] {
            let put = try await client.send(
                .put, path: "/collections/\(path)/photo", as: user, bytes: Array(photo))
            #expect(put.status == 204, "\(put)")
        }
    }

    /// Returns the path and the query of a URL.
    private static func path(_ url: String) throws -> String {
        let parts = try #require(URLComponents(string: url))
        return parts.percentEncodedPath + (parts.percentEncodedQuery.map { "?\($0)" } ?? "")
    }

    /// Returns the signed URL of the photo of the event `r17`.
    private static func link(_ client: ServerClient, as user: String) async throws -> String {
        let feature = try await client.send(path: "/collections/events/items/r17?photo-links=signed", as: user)
        return try path(try #require(feature.properties["photo_url"] as? String, "\(feature)"))
    }

    private static let signedLists = [
        ("/collections/events/items?scope=all&photo-links=signed", "all", 2),
        ("/collections/located-events/items?scope=all&photo-links=signed", "all", 2),
        ("/collections/items/items?photo-links=signed", "stranger", 1),
        ("/collections/posts/items?photo-links=signed&properties=photo_url", "owner", 1),
        ("/collections/events/items?photo-links=signed", "operator", 2),
        ("/collections/items/items/lamp?photo-links=signed", "pending", 1),
        ("/near?near=10,50&photo-links=signed", "owner", 1),
        ("/near?near=10,50&kind=events,items,posts&photo-links=signed", "owner", 3),
        ("/near?near=last&kind=events,posts&nearest=9&photo-links=signed&sortby=-time", "owner", 3),
    ]

    @Test func signedLinksShowPhotosWithoutToken() async throws {
        try await ServerFixture(Scene.friends).run { client in
            try await Self.storePhotos(client)
            var addresses: [String] = []
            for (path, user, count) in Self.signedLists {
                let page = try await client.send(path: path, as: user)
                let features = page.features.isEmpty ? [page.json] : page.features
                let urls = features.compactMap { ($0["properties"] as? [String: Any])?["photo_url"] as? String }
                #expect(urls.count == count, "\(path): \(page)")
                addresses += urls
            }
            for url in addresses {
                let address = try Self.path(url)
                let photo = try await client.send(path: address)
                #expect(photo.status == 200, "\(address): \(photo.status)")
                #expect(photo.type == "image/png", "\(address): \(photo.status)")
                // The clock is at a multiple of the step, so the link expires in exactly ten minutes.
                #expect(photo.headers[.cacheControl] == "private, max-age=600")
                #expect(photo.headers[.xContentTypeOptions] == "nosniff")
                #expect(photo.headers[.referrerPolicy] == "no-referrer")
                let head = try await client.send(.head, path: address)
                #expect(head.status == 200)
                #expect(head.body.isEmpty)
                #expect(head.headers[.contentLength] == "\(photo.body.count)")
                #expect(head.tag == photo.tag)
                let known = try await client.send(path: address, headers: [.ifNoneMatch: photo.tag])
                #expect(known.status == 304)
                #expect(known.headers[.cacheControl] == "private, max-age=600")
                let bare = try #require(address.split(separator: "?").first.map(String.init))
                let unsigned = try await client.send(path: bare)
                #expect(unsigned.status == 401)
            }
        }
    }

    @Test func responsesWithoutParameterAreUnchanged() async throws {
        let clock = TestClock()
        try await ServerFixture(Scene.friends) { $0.clock = { clock.now } }.run { client in
            try await Self.storePhotos(client)
            for path in ["/collections/events/items", "/near?near=10,50", "/collections/events/items/r17"] {
                let signedPath = path + (path.contains("?") ? "&" : "?") + "photo-links=signed"
                let first = try await client.send(path: path, as: "owner")
                let signed = try await client.send(path: signedPath, as: "owner")
                #expect(!first.text.contains("signature"))
                #expect(signed.text.contains("&signature="))
                #expect(first.tag != signed.tag)
                clock.advance(by: 299)
                let same = try await client.send(path: signedPath, as: "owner", headers: [.ifNoneMatch: signed.tag])
                #expect(same.status == 304, "\(path)")
                clock.advance(by: 1)
                let later = try await client.send(
                    path: signedPath, as: "owner", headers: [.ifNoneMatch: signed.tag])
                #expect(later.status == 200, "\(path)")
                #expect(later.tag != signed.tag, "\(path)")
                #expect(later.body != signed.body, "\(path)")
                let again = try await client.send(path: path, as: "owner", headers: [.ifNoneMatch: first.tag])
                #expect(again.status == 304, "\(path)")
                // The next quarter of an hour begins.
                clock.advance(by: 600)
            }
            for path in ["/collections/habits/items", "/collections/habits/items/run", "/user"] {
                let refused = try await client.send(path: path + "?photo-links=signed", as: "owner")
                #expect(refused.status == 400, "\(refused)")
                #expect(refused.field == "photo-links", "\(refused)")
            }
            let other = try await client.send(path: "/collections/events/items?photo-links=yes", as: "owner")
            #expect(other.status == 400, "\(other)")
            #expect(other.field == "photo-links", "\(other)")
        }
    }

    /// A signature is not part of the stored feature, so the tag of a signed feature is valid in If-Match.
    @Test func tagOfSignedFeatureMatchesStoredFeature() async throws {
        let clock = TestClock()
        try await ServerFixture(Scene.friends) { $0.clock = { clock.now } }.run { client in
            try await Self.storePhotos(client)
            let path = "/collections/events/items/r17"
            let tag = try await client.send(path: path + "?photo-links=signed", as: "owner").tag
            clock.advance(by: 301)
            let changed = try await client.send(
                .patch, path: path, as: "owner", #"{"comment":"x"}"#, headers: [.ifMatch: tag])
            #expect(changed.status == 200, "\(changed)")
            #expect(!changed.text.contains("signature"), "\(changed)")
        }
    }

    @Test func linkExpiresAfterFiveToTenMinutes() async throws {
        let clock = TestClock()
        clock.advance(by: 200)
        try await ServerFixture(Scene.friends) { $0.clock = { clock.now } }.run { client in
            try await Self.storePhotos(client)
            let link = try await Self.link(client, as: "owner")
            for (wait, status, age) in [
                (0, 200, 400),
                (399, 200, 1),
                (1, 401, nil),
                (86_400, 401, nil),
            ]
                as [(Int64, Int, Int?)]
            {
                clock.advance(by: wait)
                let photo = try await client.send(path: link)
                #expect(photo.status == status, "\(wait): \(photo)")
                #expect(photo.headers[.cacheControl] == (age.map { "private, max-age=\($0)" } ?? "no-store"))
            }
        }
    }

    @Test func changedLinkIsRefused() async throws {
        try await ServerFixture(Scene.friends) { $0.publicCollections = ["items"] }.run { client in
            try await Self.storePhotos(client)
            let link = try await Self.link(client, as: "owner")
            let parts = link.components(separatedBy: "&signature=")
            let path = parts[0]
            let signature = parts[1]
            for index in signature.indices where signature.distance(from: signature.startIndex, to: index) % 5 == 0 {
                var changed = signature
                changed.replaceSubrange(index...index, with: changed[index] == "A" ? "B" : "A")
                let refused = try await client.send(path: "\(path)&signature=\(changed)")
                #expect(refused.status == 401, "\(changed): \(refused)")
                #expect(refused.slug == "not-signed-in", "\(changed): \(refused)")
                #expect(refused.headers[.wwwAuthenticate] != nil)
                #expect(!refused.text.contains(changed))
            }
            for wrong in [
                "", "A", "AAAA", String(signature.dropLast(4)), signature + "AAAA", "%20" + signature,
                String(repeating: "A", count: 60), String(repeating: "A", count: 5000),
            ] {
                let refused = try await client.send(path: "\(path)&signature=\(wrong)")
                #expect(refused.status == 401, "\(wrong): \(refused)")
            }
            for address in [
                "/collections/located-events/items/r17/photo", "/collections/events/items/b%2F18%20%C3%BC/photo",
                "/collections/items/items/lamp/photo", "/collections/events/items/nothing/photo",
            ] {
                let refused = try await client.send(path: "\(address)?signature=\(signature)")
                #expect(refused.status == 401, "\(address): \(refused)")
            }
            let twice = try await client.send(path: "\(link)&signature=\(signature)")
            #expect(twice.status == 400, "\(twice)")
            #expect(!twice.text.contains(signature), "\(twice)")
            // A link does not permit changes.
            for method in [HTTPRequest.Method.put, .delete] {
                let refused = try await client.send(method, path: link, "x")
                #expect(refused.status == 401, "\(refused)")
            }
        }
    }

    /// The signature covers the viewer, so that a client cannot replace the ID in it.
    @Test func signatureCoversEveryPart() throws {
        let now = ServerFixture.clock.now
        let key = PhotoLinkKey(Array("0123456789abcdef0123456789abcdef".utf8))
        let link = PhotoLink(for: .viewer(.user(key: 7, id: "alice")), now: now)
        let signature = key.signature(of: link, collection: "events", feature: "a/b")
        let found = try key.link(signature, collection: "events", feature: "a/b", now: now)
        #expect(found == link)
        #expect(found.remainingSeconds(at: now) == 600)
        for caller in [
            Caller.viewer(.user(key: 8, id: "alice")),
            .viewer(.user(key: 7, id: "alicf")),
            .viewer(.operator),
            .nobody,
        ] {
            let other = PhotoLink(for: caller, now: now)
            #expect(key.signature(of: other, collection: "events", feature: "a/b") != signature)
        }
        for (collection, feature) in [
            ("events", "a"),
            ("eventsa", "/b"),
            ("events", "a/b/"),
            ("items", "a/b"),
        ] {
            #expect(throws: Problem.self) {
                try key.link(signature, collection: collection, feature: feature, now: now)
            }
        }
        // Servers with the same key accept each other's links.
        let shared = PhotoLinkKey(Array("0123456789abcdef0123456789abcdef".utf8))
        #expect(try shared.link(signature, collection: "events", feature: "a/b", now: now) == link)
        for other in [PhotoLinkKey([]), PhotoLinkKey(Array("0123456789abcdef0123456789abcdee".utf8))] {
            #expect(throws: Problem.self) {
                try other.link(signature, collection: "events", feature: "a/b", now: now)
            }
        }
    }

    @Test func linkFailsWhenViewerLosesAccess() async throws {
        try await ServerFixture(Scene.friends).run { client in
            try await Self.storePhotos(client)
            let link = try await Self.link(client, as: "all")
            #expect(try await client.send(path: link).status == 200)
            let own = try await Self.link(client, as: "owner")
            // The owner removes the follower.
            let drop = try await client.send(.delete, path: "/collections/follows/items/all%2Fowner", as: "owner")
            #expect(drop.status == 204, "\(drop)")
            let hidden = try await client.send(path: link)
            #expect(hidden.status == 404, "\(hidden)")
            #expect(hidden.headers[.cacheControl] == "no-store", "\(hidden)")
            #expect(try await client.send(path: link, headers: [.ifNoneMatch: "*"]).status == 404)
            #expect(try await client.send(path: own).status == 200)
            try await client.send(.delete, path: "/collections/events/items/r17", as: "owner")
            #expect(try await client.send(path: own).status == 404)
        }
    }

    @Test func linkOfDeletedAccountIsRefused() async throws {
        let fixture = try await ServerFixture(Scene.friends)
        try await fixture.run { client in
            try await Self.storePhotos(client)
            let item = try await client.send(
                path: "/collections/items/items/lamp?photo-links=signed", as: "stranger")
            let link = try Self.path(try #require(item.properties["photo_url"] as? String))
            #expect(try await client.send(path: link).status == 200)
            #expect(try await client.send(.delete, path: "/user", as: "stranger").status == 204)
            #expect(try await client.send(path: link).status == 401)
            // A new account with the same ID does not revive the link.
            try fixture.store.write([.user("someone"), .user("stranger")])
            #expect(try await client.send(path: link).status == 401)
        }
    }

    @Test func publicLinkNeedsPublicCollection() async throws {
        let secret = Array(String(repeating: "k", count: 32).utf8)
        let open = try await ServerFixture(Scene.friends) {
            ($0.publicCollections, $0.photoLinkKey) = (["items"], secret)
        }
        let link = Mutex("")
        try await open.run { client in
            try await Self.storePhotos(client)
            let page = try await client.send(path: "/collections/items/items/lamp?photo-links=signed")
            let url = try Self.path(try #require(page.properties["photo_url"] as? String, "\(page)"))
            #expect(try await client.send(path: url).status == 200)
            link.withLock { $0 = url }
        }
        let closed = try await ServerFixture(Scene.friends) { $0.photoLinkKey = secret }
        let url = link.withLock { $0 }
        try await closed.run { client in
            try await Self.storePhotos(client)
            #expect(try await client.send(path: url).status == 401)
        }
    }

    @Test func tokenDecidesAlone() async throws {
        try await ServerFixture(Scene.friends).run { client in
            try await Self.storePhotos(client)
            let link = try await Self.link(client, as: "owner")
            let seen = try await client.send(path: link, as: "all")
            #expect(seen.status == 200, "\(seen)")
            // The URL has the current version, and the server ignores the signature.
            #expect(seen.headers[.cacheControl] == "private, max-age=31536000, immutable", "\(seen)")
            #expect(try await client.send(path: link, as: "stranger").status == 404)
            #expect(try await client.send(path: link, as: "hbt_unknown").status == 401)
            let path = "/collections/events/items/r17/photo?signature=nothing"
            #expect(try await client.send(path: path, as: "owner").status == 200)
        }
    }

    @Test func downloadIsAttachment() async throws {
        try await ServerFixture(Scene.friends).run { client in
            try await Self.storePhotos(client)
            let link = try await Self.link(client, as: "owner")
            let path = "/collections/events/items/r17/photo"
            for (query, form) in [
                ("", "inline"), ("download", "attachment"), ("download=true", "attachment"),
                ("download=false", "inline"),
            ] {
                for photo in [
                    try await client.send(path: "\(path)?\(query)", as: "owner"),
                    try await client.send(path: "\(link)&\(query)"),
                ] {
                    let disposition = photo.headers[.contentDisposition] ?? ""
                    #expect(photo.status == 200, "\(disposition)")
                    #expect(disposition.hasPrefix("\(form); filename=\""), "\(disposition)")
                }
            }
            let refused = try await client.send(path: "\(path)?download=maybe", as: "owner")
            #expect(refused.status == 400, "\(refused)")
            #expect(refused.field == "download", "\(refused)")
        }
    }

    @Test func signaturesReachNoLogAndNoMetric() async throws {
        let lines = LogLines()
        let fixture = try await ServerFixture(Scene.friends) { options in
            options.log = { line in lines.add(line) }
            options.audit = { line in lines.add(line) }
            options.logLevel = .trace
        }
        let used = Mutex<[String]>([])
        try await fixture.run { client in
            try await Self.storePhotos(client)
            let link = try await Self.link(client, as: "owner")
            let signature = link.components(separatedBy: "signature=")[1]
            for path in [link, link + "x", link + "&download", link.replacing("r17", with: "r18")] {
                try await client.send(path: path)
            }
            try await client.send(.delete, path: "/collections/events/items/r17", as: "owner")
            #expect(try await client.send(path: link).status == 404)
            used.withLock { $0.append(signature) }
        }
        let signature = try #require(used.withLock { $0.first })
        #expect(lines.all.count > 5)
        for line in lines.all {
            #expect(!line.contains(signature.prefix(20)))
            #expect(!line.contains("signature"))
        }
        try await fixture.run(fixture.server.operatorRouter()) { client in
            let metrics = try await client.send(path: "/metrics")
            #expect(metrics.status == 200)
            #expect(!metrics.text.contains(signature.prefix(20)))
        }
    }

    @Test func linksHavePathOfPublicURL() async throws {
        try await ServerFixture(Scene.friends) { $0.publicURL = "https://host.example/habits" }.run { client in
            try await Self.storePhotos(client)
            let page = try await client.send(path: "/collections/events/items/r17?photo-links=signed", as: "owner")
            let url = try #require(page.properties["photo_url"] as? String)
            let prefix = "https://host.example/habits"
            #expect(url.hasPrefix(prefix + "/collections/events/items/r17/photo?v="), "\(url)")
            #expect(url.contains("&signature="), "\(url)")
            #expect(try await client.send(path: String(url.dropFirst(prefix.count))).status == 200)
        }
    }
}
