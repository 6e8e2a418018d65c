import Base
import Foundation
import HTTPTypes
import HabitModel
import HabitStore
import HabitTestSupport
import Testing

@testable import HTTPServing
@testable import HabitServer

/// Tests of forms with a record and its photo (RFC 7578).
@Suite(.engineIndependent, .serialized) struct MultipartFormTests {
    private static let names = ["record", "photo"]

    private static func form(_ text: String, boundary: String = "b") throws -> MultipartForm {
        try MultipartForm(Array(text.utf8), boundary: boundary, known: names)
    }

    private static let head = "Content-Disposition: form-data; name=\"record\"\r\n\r\n"

    @Test func partsAreReadByName() throws {
        let text = """
            --b \t\r
            Content-Disposition: form-data; name="record"\r
            Content-Type: Application/JSON; charset=utf-8\r
            \r
            {"a":"\r\n--c"}\r
            --b\r
            content-type:image/png\r
            CONTENT-DISPOSITION:form-data;name=photo;filename="a \\"b\\"; name=record.png"\r
            Content-Transfer-Encoding: binary\r
            \r
            \r\n-\r\n--\r
            --b--\r\n
            """
        let form = try Self.form(text)
        let record = try #require(form.parts["record"])
        let photo = try #require(form.parts["photo"])
        #expect(String(decoding: record.content, as: UTF8.self) == "{\"a\":\"\r\n--c\"}")
        #expect(record.mediaType == "application/json")
        #expect(photo.mediaType == "image/png")
        #expect(Array(photo.content) == Array("\r\n-\r\n--".utf8))
        let empty = try Self.form("--b\r\n\(Self.head)\r\n--b--")
        #expect(empty.parts["record"]?.content.isEmpty == true)
        #expect(empty.parts.count == 1)
        #expect(try Self.form("--b--").parts.isEmpty)
    }

    private static let malformed: [String] = [
        "", "--", "b--", "--a\r\n\(head)x\r\n--a--", "\r\n--b\r\n\(head)x\r\n--b--", "preamble\r\n--b--", "--bb--",
        "--b\r\n\(head)x\r\n--b", "--b\r\n\(head)x\r\n--b-", "--b\r\n\(head)x\r\n--b--\r\nepilogue",
        "--b\r\n\(head)x\r\n--b--\r\n\r\n", "--b\r\n\(head)x--b--", "--b\n\(head)x\r\n--b--", "--b\r\n\(head)x\n--b--",
        "--b\r\n\r\nx\r\n--b--", "--b\r\nContent-Type: text/plain\r\n\r\nx\r\n--b--",
        "--b\r\nContent-Disposition: form-data\r\n\r\nx\r\n--b--",
        "--b\r\nContent-Disposition: attachment; name=\"record\"\r\n\r\nx\r\n--b--",
        "--b\r\nContent-Disposition: form-data; name=\"other\"\r\n\r\nx\r\n--b--",
        "--b\r\nContent-Disposition: form-data; name=\"record\"; name=\"photo\"\r\n\r\nx\r\n--b--",
        "--b\r\nContent-Disposition: form-data; name=\"record\r\n\r\nx\r\n--b--",
        "--b\r\nContent-Disposition: form-data;\r\n name=\"record\"\r\n\r\nx\r\n--b--",
        "--b\r\nContent-Disposition : form-data; name=\"record\"\r\n\r\nx\r\n--b--",
        "--b\r\nContent-Transfer-Encoding: base64\r\n\(head)x\r\n--b--",
        "--b\r\n\(head)x\r\n--b\r\n\(head)y\r\n--b--",
        "--b\r\nX: \(String(repeating: "x", count: 5000))\r\n\(head)x\r\n--b--",
        "--b\r\nX: 1\r\nx: 2\r\n\(head)x\r\n--b--", "--b\r\n\(head)x\r\n--bc\r\n\r\n--b--",
        "--b x\r\n\(head)x\r\n--b--",
    ]

    @Test(arguments: malformed) func malformedFormIsRefused(text: String) {
        #expect(throws: HabitError.self) { try Self.form(text) }
    }

    @Test func boundaryIsReadFromContentType() throws {
        for (type, boundary) in [
            ("multipart/form-data; boundary=abc", "abc"), ("Multipart/Form-Data;BOUNDARY=\"a b:c\"", "a b:c"),
            ("multipart/form-data; charset=utf-8; boundary=--x", "--x"), ("application/json", nil), ("", nil),
            ("multipart/mixed; boundary=x", nil),
        ] as [(String, String?)] {
            #expect(try MultipartForm.boundary(of: type) == boundary, "\(type)")
        }
        #expect(try MultipartForm.boundary(of: nil) == nil)
        for type in [
            "multipart/form-data", "multipart/form-data; boundary=", "multipart/form-data; boundary=\"\"",
            "multipart/form-data; boundary=\"a \"", "multipart/form-data; boundary=\"a;b\"",
            "multipart/form-data; boundary=\(String(repeating: "x", count: 71))",
        ] {
            #expect(throws: HabitError.self, "\(type)") { try MultipartForm.boundary(of: type) }
        }
    }

    /// Every change of a form is read or refused.
    ///
    /// A part is always a slice of the body between two boundaries.
    @Test func changedFormsAreReadOrRefused() throws {
        let seed: UInt64 = 20_261_127
        var random = SeededGenerator(seed: seed)
        let photo =
            "Content-Disposition: form-data; name=\"photo\"; filename=\"a.png\"\r\nContent-Type: image/png\r\n\r\n"
        let whole = Array("--b\r\n\(Self.head){\"a\":1}\r\n--b\r\n\(photo)\u{89}PNG\r\n\r\n\r\n--b--\r\n".utf8)
        let texts = [
            "\r\n", "--b", "--", "\r", "\n", "\"",
            ";", "name=", ":", "\0", "\\", "Content-Type",
        ]
        let pieces = texts.map { text in Array(text.utf8) }
        var read = 0
        var refused = 0
        for _ in 0..<20_000 {
            var bytes = whole
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let start = Int.random(in: 0...bytes.count, using: &random)
                let end = min(bytes.count, start + Int.random(in: 0...6, using: &random))
                switch Int.random(in: 0..<4, using: &random) {
                case 0: bytes.removeSubrange(start..<end)
                case 1: bytes.insert(contentsOf: pieces.randomElement(using: &random) ?? [], at: start)
                case 2: bytes.insert(contentsOf: bytes[start..<end], at: start)
                default: if start < bytes.count { bytes[start] = UInt8.random(in: 0...255, using: &random) }
                }
            }
            do {
                let form = try MultipartForm(bytes, boundary: "b", known: Self.names)
                read += 1
                for part in form.parts.values {
                    let text = bytes[..<part.content.startIndex]
                    #expect(text.suffix(4).elementsEqual("\r\n\r\n".utf8), "seed \(seed): \(bytes)")
                    #expect(bytes[part.content.endIndex...].starts(with: "\r\n--b".utf8), "seed \(seed): \(bytes)")
                }
            } catch {
                refused += 1
            }
        }
        #expect(read > 500, "\(read) \(refused)")
        #expect(refused > 500, "\(read) \(refused)")
    }

    // MARK: Requests

    private static let type: HTTPFields = [.contentType: "multipart/form-data; boundary=b"]

    private static func body(_ record: String, _ photo: [UInt8]?, type: String = "application/json") -> [UInt8] {
        var body = Array(
            "--b\r\nContent-Disposition: form-data; name=\"record\"\r\nContent-Type: \(type)\r\n\r\n\(record)".utf8)
        if let photo {
            body +=
                Array("\r\n--b\r\nContent-Disposition: form-data; name=\"photo\"; filename=\"p\"\r\n\r\n".utf8) + photo
        }
        return body + Array("\r\n--b--\r\n".utf8)
    }

    private static let records = [
        ("events", #"{"habit":"run"}"#),
        ("items", #"{"name":"Lamp"}"#),
        ("posts", #"{"caption":"x"}"#),
        ("events", #"{"type":"Feature","geometry":null,"properties":{"habit":"read","keep_exif":true}}"#),
    ]

    @Test func recordIsCreatedWithPhotoOfForm() async throws {
        try await ServerFixture(Scene.friends).run { client in
            for (collection, record) in Self.records {
                let keeps = record.contains("keep_exif")
                let items = "/collections/\(collection)/items"
                let form = Self.body(record, Array(TestImage.located))
                let made = try await client.send(.post, path: items, as: "owner", bytes: form, headers: Self.type)
                #expect(made.status == 201, "\(record): \(made)")
                #expect(made.properties["has_photo"] as? Bool == true, "\(record): \(made)")
                let id = try #require(made.json["id"] as? String)
                let photo = try await client.send(path: "\(items)/\(id.urlEncoded)/photo", as: "owner")
                #expect(photo.status == 200, "\(record)")
                #expect(photo.type == "image/jpeg", "\(record)")
                // EXIF data is removed unless the user keeps it.
                #expect((Data(photo.body) == TestImage.located) == keeps, "\(record)")
            }
        }
    }

    /// A browser sends an empty part if the user chooses no file.
    @Test func emptyPhotoOfFormIsNotPhoto() async throws {
        try await ServerFixture(Scene.friends).run { client in
            let body = Self.body(#"{"habit":"run"}"#, [])
            let made = try await client.send(
                .post, path: "/collections/events/items", as: "owner", bytes: body, headers: Self.type)
            #expect(made.status == 201, "\(made)")
            #expect(made.properties["has_photo"] as? Bool == false, "\(made)")
        }
    }

    /// A photo of a camera is larger than the largest record.
    @Test(arguments: [
        ("items", #"{"name":"Lamp""#),
        ("posts", #"{"caption":"x""#),
        ("events", #"{"habit":"run""#),
    ])
    func cameraPhotoIsShrunk(collection: String, record: String) async throws {
        let camera = try await Self.cameraPhoto()
        #expect(camera.count > RequestBodies.recordLimit)
        try await ServerFixture(Scene.friends).run { client in
            let items = "/collections/\(collection)/items"
            let form = Self.body(record + "}", camera)
            let encoded = Array(#"\#(record),"photo":"\#(Data(camera).base64EncodedString())"}"#.utf8)
            for (body, headers) in [(form, Self.type), (encoded, HTTPFields())] {
                let refused = try await client.send(.post, path: items, as: "owner", bytes: body, headers: headers)
                #expect(refused.status == 413, "\(refused)")
                #expect(refused.text.contains("?shrink=true"), "\(refused)")
                let made = try await client.send(
                    .post, path: items + "?shrink=true", as: "owner", bytes: body, headers: headers)
                #expect(made.status == 201, "\(made)")
                #expect(made.properties["has_photo"] as? Bool == true, "\(made)")
                let id = try #require(made.json["id"] as? String)
                let photo = try await client.send(path: "\(items)/\(id.urlEncoded)/photo", as: "owner")
                #expect(photo.type == "image/jpeg", "\(photo.body.count)")
                #expect((100..<65_536).contains(photo.body.count), "\(photo.body.count)")
                try await client.send(.delete, path: "\(items)/\(id.urlEncoded)", as: "owner")
            }
        }
    }

    /// Returns a BMP-like large PNG: uncompressed noise that no encoder shrinks below the limit without scaling.
    private static func cameraPhoto() async throws -> [UInt8] {
        let folder = try TemporaryFolder()
        let script = """
            import struct, sys, zlib, random
            random.seed(1)
            def chunk(type, data): return struct.pack('>I', len(data)) + type + data + struct.pack('>I', zlib.crc32(type + data))
            width, height = 700, 500
            rows = b''.join(b'\\0' + random.randbytes(width * 3) for _ in range(height))
            open('camera.png', 'wb').write(b'\\x89PNG\\r\\n\\x1a\\n' + chunk(b'IHDR', struct.pack('>IIBBBBB', width, height, 8, 2, 0, 0, 0)) + chunk(b'IDAT', zlib.compress(rows, 1)) + chunk(b'IEND', b''))
            """
        let result = try await Program.run("/usr/bin/python3", ["-c", script], in: folder.path)
        #expect(result.status == 0, "\(result)")
        return Array(try Data(contentsOf: URL(fileURLWithPath: folder.file("camera.png"))))
    }

    @Test func invalidUploadIsExplained() async throws {
        let photo = Array(TestImage.located)
        let encoded = Data(photo).base64EncodedString()
        try await ServerFixture(Scene.friends).run { client in
            for (body, status, slug, field) in [
                (Self.body("", photo), 422, "row-invalid", nil), (Self.body("[]", photo), 422, "row-invalid", nil),
                (Self.body(#"{"name":"x"}"#, nil), 422, "picture-invalid", "photo"),
                (Self.body(#"{"name":"x"}"#, Array("text".utf8)), 422, "picture-invalid", "photo"),
                (Self.body(#"{"name":"x"}"#, []), 422, "picture-invalid", "photo"),
                (Self.body(#"{"name":"x","photo":"\#(encoded)"}"#, photo), 422, "picture-invalid", "photo"),
                (Self.body(#"{"name":"x"}"#, photo, type: "text/html"), 422, "field-invalid", "record"),
                (
                    Array("--b\r\nContent-Disposition: form-data; name=photo\r\n\r\nx\r\n--b--".utf8), 422,
                    "field-missing", "record"
                ),
                (
                    Array("--b\r\nContent-Disposition: form-data; name=file\r\n\r\nx\r\n--b--".utf8), 422,
                    "field-invalid", nil
                ),
                (Array("--c--".utf8), 422, "row-invalid", nil),
            ] as [([UInt8], Int, String, String?)] {
                let refused = try await client.send(
                    .post, path: "/collections/items/items", as: "owner", bytes: body, headers: Self.type)
                #expect(refused.status == status, "\(refused)")
                #expect(refused.slug == slug, "\(refused)")
                #expect(refused.field == field, "\(refused)")
            }
            // Other collections have no photos.
            let habit = try await client.send(
                .post, path: "/collections/habits/items", as: "owner",
                bytes: Self.body(#"{"title":"x","days":"mon"}"#, nil), headers: Self.type)
            #expect(habit.status == 422, "\(habit)")
            #expect(habit.slug == "row-invalid", "\(habit)")
            let flag = try await client.send(
                .post, path: "/collections/habits/items?shrink=true", as: "owner", #"{"title":"x","days":"mon"}"#)
            #expect(flag.status == 400, "\(flag)")
            #expect(flag.field == "shrink", "\(flag)")
        }
    }

    /// curl is the client that most examples use.
    @Test func formOfCurlIsRead() async throws {
        let store = try await LiveTests.small()
        let folder = store.folder
        let token = store.token
        let server = try await LiveTests.RunningServer(in: folder)
        try server.scratch.write(TestImage.located, to: "photo.jpg")
        let made = try await server.curl(
            "-H", "Authorization: Bearer \(token)", "-F", #"record={"name":"Lamp"};type=application/json"#, "-F",
            "photo=@photo.jpg", server.base + "/collections/items/items?shrink=true")
        #expect(made.output.contains(#""has_photo":true"#), "\(made)")
    }
}
