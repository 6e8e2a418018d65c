import Foundation
import Testing

@testable import HabitServer

/// Tests of rule R-10: the records near a position over HTTP are the same as in `habitat near`.
@Suite(.serialized, .server(Scene.friends)) struct NearRouteTests {
    @Test(arguments: [
        ("near=10,50", "owner", ["r17", "r18"]), ("near=10,50&kind=events", "owner", ["r17", "r18"]),
        ("near=10,50&kind=posts,events,items", "owner", ["items/lamp", "events/r17", "posts/p1", "events/r18"]),
        ("near=10,50&kind=events,posts&within=100m", "stranger", ["posts/p2", "events/x18"]),
        ("near=10,50&kind=events&nearest=1", "owner", ["r17"]),
        ("near=10,50&kind=events&nearest=3", "owner", ["r17", "r18", "b/18 ü"]),
        ("near=10,50&kind=events&nearest=3&within=5km", "owner", ["r17", "r18"]),
        ("near=10,50&limit=1", "owner", ["r17"]), ("near=10,50&sortby=-time", "owner", ["r18", "r17"]),
        ("near=last&within=100m", "owner", ["b/18 ü"]), ("near=10,50&user=stranger", "operator", ["x18"]),
        ("near=10,50&scope=mine", "all", []), ("near=10,50", "all", ["r17", "r18"]),
        ("near=10,50&datetime=2026-11-18", "owner", ["r18"]),
        ("near=10,50&datetime=../2026-11-17&datetime=2026-11-01/..", "owner", ["r17"]),
        ("near=10,50&comment-contains=RAIN", "owner", ["r17"]), ("near=10,50&comment-word=rai", "owner", []),
        ("near=10,50&habit=run&habit=read", "owner", ["r17", "r18"]),
        ("near=10,50&habit=read,run", "owner", ["r17", "r18"]),
        ("near=10,50&habit-title=run", "owner", ["r17", "r18"]),
        ("near=10,50&not-habit=run", "owner", []), ("near=10,50&comment=rain%20100%25", "owner", ["r17"]),
        ("near=10,50&kind=items&state=given", "owner", []), ("near=10,50&kind=items&state=all", "owner", ["lamp"]),
        ("near=10,50&bbox=20,20,21,21&kind=events,items,posts", "owner", []),
        ("near=10,50&bbox=9,49,11,51&kind=events", "owner", ["r17", "r18"]),
    ])
    func nearFindsRecordsOfKinds(query: String, user: String, ids: [String]) async throws {
        try await ServerFixture.shared.run { client in
            let response = try await client.send(path: "/near?\(query)", as: user)
            #expect(response.status == 200, "\(response)")
            #expect(Set(response.ids) == Set(ids), "\(response)")
            #expect(response.type == "application/geo+json")
            let distances = response.features.compactMap {
                ($0["properties"] as? [String: Any])?["distance_m"] as? Double
            }
            #expect(distances.count == ids.count, "every feature has a distance")
            if !query.contains("sortby") {
                #expect(distances == distances.sorted())
            } else {
                #expect(response.ids == ids)
            }
        }
    }

    @Test(arguments: [
        ("", "near"), ("near=10", "near"), ("near=10,50&kind=", "kind"), ("near=10,50&kind=users", "kind"),
        ("near=10,50&nearest=0", "nearest"), ("near=10,50&within=5", "within"),
        ("near=10,50&kind=events,items&scope=mine", "scope"), ("near=10,50&sortby=%2Btime", "sortby"),
        ("near=10,50&kind=events,items&not-habit=run", "not-habit"), ("near=10,50&state=lost", "state"),
        ("near=10,50&datetime=yesterday", "datetime"), ("near=10,50&bbox=1,2,3", "bbox"),
    ])
    func invalidQueryIsRefusedWithItsParameter(query: String, field: String) async throws {
        try await ServerFixture.shared.run { client in
            let response = try await client.send(path: "/near?\(query)", as: "owner")
            #expect(response.status == 400, "\(response)")
            #expect(response.field == field, "\(response)")
        }
    }

    @Test func nearLastNeedsUserWithPosition() async throws {
        try await ServerFixture.shared.run { client in
            let service = try await client.send(path: "/near?near=last", as: "operator")
            #expect(service.status == 403, "\(service)")
            #expect(service.slug == "not-signed-in", "\(service)")
            let lists = ["events", "located-events", "items", "posts"].map { "/collections/\($0)/items?near=last" }
            for path in lists + ["/near?near=last", "/reports/near?near=last"] {
                let nowhere = try await client.send(path: path, as: "pending")
                #expect(nowhere.status == 422, "\(nowhere)")
                #expect(nowhere.slug == "location-unavailable", "\(nowhere)")
                #expect(nowhere.headers[.retryAfter] == nil, "a repetition has the same result")
                #expect(nowhere.text.contains("none of your events has a position yet"), "\(nowhere)")
            }
            let own = try await client.send(path: "/collections/events/items?near=last&within=10m", as: "owner")
            #expect(own.ids == ["b/18 ü"], "\(own)")
        }
    }

    @Test func responseIsCSVOrNotModified() async throws {
        try await ServerFixture.shared.run { client in
            let path = "/near?near=10,50&kind=events,items&f=csv"
            let table = try await client.send(path: path, as: "owner")
            #expect(
                table.text.hasPrefix("kind,id,user,title,at,longitude,latitude,has_photo,distance_m,photo_url\n"),
                "\(table)")
            #expect(
                try await client.send(path: path, as: "owner", headers: [.ifNoneMatch: table.tag]).status == 304)
        }
    }
}
