import Base
import Foundation
import HTTPTypes
import HabitModel
import HabitTestSupport
import Testing

@testable import HabitAPI
@testable import HabitServer

/// Tests of the document `/settings`, which clients read before a sign-in.
@Suite(.engineIndependent, .serialized, .server(Scene.friends)) struct SettingsRouteTests {
    @Test func documentHasLimitsAndVersion() async throws {
        try await ServerFixture.shared.run { client in
            let response = try await client.send(path: "/settings")
            #expect(response.status == 200, "\(response)")
            #expect(response.type == "application/json", "\(response)")
            #expect(response.json["version"] as? String == HabitatVersion.current)
            #expect(response.json["sections"] as? [String] == ["habits", "items", "posts"])
            let limits = try #require(response.json["limits"] as? [String: Int])
            #expect(limits["uploaded_photo_bytes"] == 16 << 20)
            #expect(limits["days"] == 400)
            #expect(limits["page_features"] == 10_000)
            let texts = try #require(response.json["text_limits"] as? [String: Int])
            #expect(texts["title"] == 20)
            #expect(texts["item_description"] == 2000)
            #expect(texts["unit"] == 20)
            let photos = try #require(response.json["photo_limits"] as? [String: Int])
            #expect(photos == ["events": 65_535, "items": 65_535, "posts": 65_535])
        }
    }

    @Test func documentHasWaysToSignIn() async throws {
        try await ServerFixture.shared.run { client in
            let response = try await client.send(path: "/settings")
            let ways = try #require(response.json["sign_in"] as? [String: Any])
            #expect(ways["tokens"] as? Bool == true)
            #expect(ways["mailed_links"] as? Bool == false)
            #expect(ways["issuers"] as? [[String: String]] == [])
            #expect(ways["passkeys"] is Bool)
        }
    }

    @Test func documentNamesIssuersAndTheirAddresses() async throws {
        try await SignInScene().run { browser in
            let response = try await browser.client.send(path: "/settings")
            let ways = response.json["sign_in"] as? [String: Any]
            let issuers = try #require(ways?["issuers"] as? [[String: String]])
            let urls = issuers.compactMap { issuer in issuer["url"] }
            #expect(!urls.isEmpty)
            #expect(urls.allSatisfy { url in url.contains("/sign-in/issuers/") }, "\(urls)")
            #expect(urls.allSatisfy { url in !url.contains("?") }, "\(urls)")
        }
    }

    /// The document is the same for a signed-in user, because clients cache it.
    @Test func documentIsCachedUntilLimitChanges() async throws {
        let fixture = try await ServerFixture(Scene.friends)
        try await fixture.run { client in
            let first = try await client.send(path: "/settings")
            let known: HTTPFields = [.ifNoneMatch: first.tag]
            let again = try await client.send(path: "/settings", as: "owner", headers: known)
            #expect(again.status == 304, "\(again)")
            #expect(again.tag == first.tag)
            try fixture.store.write([
                .setting(.limit(.commentLimit, 280)), .setting(.limit(.itemPhotoLimit, 200_000)),
            ])
            let changed = try await client.send(path: "/settings", headers: known)
            #expect(changed.status == 200, "\(changed)")
            let texts = changed.json["text_limits"] as? [String: Int]
            #expect(texts?["comment"] == 280)
            let photos = changed.json["photo_limits"] as? [String: Int]
            #expect(photos?["items"] == 200_000)
        }
    }

    @Test func documentHasLimitsOfPhotosInStore() async throws {
        let fixture = try await ServerFixture(Scene.friends)
        try fixture.store.write([.setting(.limit(.postPhotoLimit, 300_000))])
        try await fixture.run { client in
            let response = try await client.send(path: "/settings")
            let photos = try #require(response.json["photo_limits"] as? [String: Int])
            #expect(photos == ["events": 65_535, "items": 65_535, "posts": 300_000])
        }
    }

    /// Each setting of a store limits a text or a photo, and each limit is in the document.
    @Test func everyLimitOfStoreIsListed() {
        let ofTexts = TextRule.byName.values.compactMap(\.setting)
        let ofPhotos = RecordKind.withPhotos.compactMap { kind in Settings.photoSetting(of: kind) }
        let listed = ofTexts + ofPhotos
        #expect(Set(listed) == Set(Setting.allCases))
        #expect(listed.count == Setting.allCases.count)
    }

    @Test(arguments: ["f=html", "x=1"]) func unknownParameterIsRefused(query: String) async throws {
        try await ServerFixture.shared.run { client in
            let response = try await client.send(path: "/settings?\(query)")
            #expect(response.status == 400, "\(response)")
            #expect(response.slug == "parameter-invalid", "\(response)")
        }
    }
}
