import Foundation
import HTTPTypes
import HabitTestSupport
import Testing

/// Tests that the errors of forms (`multipart/form-data`) are true and name what the client can send.
@Suite(.engineIndependent, .server(Scene.friends)) struct MultipartMessageTests {
    private static let type: HTTPFields = [.contentType: "multipart/form-data; boundary=b"]

    private static func form(_ parts: String...) -> [UInt8] {
        Array((parts.map { "--b\r\nContent-Disposition: form-data; \($0)\r\n" }.joined() + "--b--\r\n").utf8)
    }

    private static func record(_ json: String) -> String { "name=record\r\n\r\n\(json)" }

    @Test(arguments: [("items", #"{"name":"Lamp"}"#, "picture-invalid"), ("posts", "{}", "photo-invalid")])
    func missingPhotoOfFormNamesPart(collection: String, record: String, slug: String) async throws {
        try await ServerFixture.shared.run { client in
            let path = "/collections/\(collection)/items"
            let refused = try await client.send(
                .post, path: path, as: "owner", bytes: Self.form(Self.record(record)), headers: Self.type)
            #expect(refused.status == 422, "\(refused)")
            #expect(refused.slug == slug, "\(refused)")
            #expect(refused.field == "photo", "\(refused)")
            #expect(refused.text.contains("send its file in the part 'photo' of the form"), "\(refused)")
            #expect(!refused.text.contains("base64"), "\(refused)")
            let plain = try await client.send(.post, path: path, as: "owner", record)
            #expect(plain.text.contains("send it as base64 in 'photo'"), "\(plain)")
        }
    }

    @Test func unknownPartIsNotField() async throws {
        try await ServerFixture.shared.run { client in
            let refused = try await client.send(
                .post, path: "/collections/items/items", as: "owner", bytes: Self.form("name=file\r\n\r\nx"),
                headers: Self.type)
            #expect(refused.status == 422, "\(refused)")
            #expect(refused.field == nil, "\(refused)")
            #expect(refused.text.contains("unknown part 'file': its parts are record, photo"), "\(refused)")
        }
    }

    @Test(arguments: ["habits", "pauses", "follows", "claims", "messages"])
    func recordWithoutPhotoIsNotForm(collection: String) async throws {
        try await ServerFixture.shared.run { client in
            let refused = try await client.send(
                .post, path: "/collections/\(collection)/items", as: "owner",
                bytes: Self.form(Self.record("{}")), headers: Self.type)
            #expect(refused.status == 422, "\(refused)")
            #expect(refused.slug == "row-invalid", "\(refused)")
            #expect(refused.text.contains("the body is a form"), "\(refused)")
            #expect(refused.text.contains("send a GeoJSON Feature or a JSON object"), "\(refused)")
        }
    }

    @Test(arguments: [HTTPRequest.Method.patch, .put]) func changeIsNotForm(method: HTTPRequest.Method) async throws {
        try await ServerFixture.shared.run { client in
            for (path, hasPhoto) in [("/collections/habits/items/run", false), ("/collections/events/items/r17", true)]
            {
                let refused = try await client.send(
                    method, path: path, as: "owner", bytes: Self.form(Self.record("{}")), headers: Self.type)
                #expect(refused.status == 422, "\(refused)")
                #expect(refused.text.contains("the body of a change is not a form"), "\(refused)")
                #expect(refused.text.contains("PUT the bytes of the photo") == hasPhoto, "\(refused)")
            }
        }
    }

    /// A form is not the file of a photo, and the error has the code of the record.
    @Test func photoOfItemIsNotForm() async throws {
        try await ServerFixture.shared.run { client in
            let refused = try await client.send(
                .put, path: "/collections/items/items/lamp/photo", as: "owner", bytes: Self.form("name=photo\r\n\r\nx"),
                headers: Self.type)
            #expect(refused.slug == "picture-invalid", "\(refused)")
        }
    }

    /// Windows programs write the name of a file in their code page.
    @Test func nameOfFileNeedNotBeUTF8() async throws {
        try await ServerFixture(Scene.friends).run { client in
            var body = Array("--b\r\nContent-Disposition: form-data; name=record\r\n\r\n{\"name\":\"Lamp\"}\r\n".utf8)
            body += Array("--b\r\nContent-Disposition: form-data; name=photo; filename=\"caf".utf8) + [0xe9]
            body += Array(".jpg\"\r\n\r\n".utf8) + Array(TestImage.located) + Array("\r\n--b--\r\n".utf8)
            let made = try await client.send(
                .post, path: "/collections/items/items", as: "owner", bytes: body, headers: Self.type)
            #expect(made.status == 201, "\(made)")
            #expect(made.properties["has_photo"] as? Bool == true, "\(made)")
        }
    }

    // MARK: Other responses

    @Test func changedAccountIsNamed() async throws {
        try await ServerFixture.shared.run { client in
            for method in [HTTPRequest.Method.patch, .delete] {
                let refused = try await client.send(
                    method, path: "/user", as: "owner", #"{"name":"x"}"#, headers: [.ifMatch: "\"old\""])
                #expect(refused.status == 412, "\(refused)")
                #expect(refused.text.contains("the account has changed since you read it"), "\(refused)")
            }
        }
    }

    /// The list near a position has the same photo properties as the collections.
    @Test func recordsNearPositionHavePhotoURL() async throws {
        try await ServerFixture(Scene.friends).run { client in
            let stored = try await client.send(
                .put, path: "/collections/events/items/r17/photo", as: "owner", bytes: Array(TestImage.located))
            #expect(stored.status == 204, "\(stored)")
            for query in ["kind=events", "kind=events,items,posts"] {
                let page = try await client.send(path: "/near?near=10,50&\(query)", as: "owner")
                let all = page.features.compactMap { $0["properties"] as? [String: Any] }
                #expect(!all.isEmpty, "\(page)")
                #expect(all.allSatisfy { $0["has_photo"] is Bool }, "\(page)")
                let urls = all.compactMap { $0["photo_url"] as? String }
                #expect(urls.count == all.count { $0["has_photo"] as? Bool == true }, "\(page)")
                #expect(urls.contains { $0.contains("/collections/events/items/r17/photo?v=") }, "\(page)")
            }
        }
    }

    @Test(arguments: ["search=%20OWN%20", "search=own", "search=OWNER"])
    func searchOfUsersIgnoresCaseAndSurroundingSpace(query: String) async throws {
        try await ServerFixture.shared.run { client in
            let found = try await client.send(path: "/collections/users/items?\(query)", as: "stranger")
            #expect(found.ids == ["owner"], "\(found)")
        }
    }
}
