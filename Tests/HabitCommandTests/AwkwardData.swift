import Foundation
import HabitTestSupport
import Testing

/// A store with texts and values that an output format may lose.
enum AwkwardData {
    static func folder() async throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        for (kind, lines) in records { try folder.write(lines, to: "data/\(kind).ndjson") }
        try folder.write(try photo(), to: "data/p/plain.png")
        try folder.write(try photoWithEXIF(), to: "data/p/exif.png")
        let result = try await Program.habitat("ingest", "data", "--strict", "--quiet", in: folder)
        try #require(result.status == 0, "\(result.errors)")
        return folder
    }

    private static func photo() throws -> Data {
        let folder = SampleData.path + "/photos"
        let name = try FileManager.default.contentsOfDirectory(atPath: folder).sorted().first { $0.hasSuffix(".png") }
        return try Data(contentsOf: URL(fileURLWithPath: folder + "/" + (try #require(name))))
    }

    /// Returns a photo of the sample data with an EXIF block.
    static func photoWithEXIF() throws -> Data { withEXIF(try photo()) }

    /// Inserts an eXIf chunk after the header (PNG specification, 11.3.3.5), with a TIFF header and no entries.
    private static func withEXIF(_ png: Data) -> Data {
        let content = Array("eXIf".utf8) + Array("II*\0".utf8) + [8, 0, 0, 0, 0, 0, 0, 0, 0, 0]
        var crc: UInt32 = 0xffff_ffff
        for byte in content {
            crc ^= UInt32(byte)
            for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ 0xedb8_8320 : crc >> 1 }
        }
        func bytes(_ value: UInt32) -> [UInt8] {
            (0..<4).map { index in UInt8(truncatingIfNeeded: value >> (24 - 8 * index)) }
        }
        var file = png
        file.insert(contentsOf: bytes(UInt32(content.count - 4)) + content + bytes(~crc), at: 33)
        return file
    }

    private static let records = [
        (
            "settings",
            #"""
            {"name":"message-limit","value":"2500"}
            {"name":"item-name-limit","value":100}
            """#
        ),
        (
            "users",
            #"""
            {"id":"a/b","name":"","email":"o'neil+a=b@example.org","time_zone":"Pacific/Kiritimati","share_location":false}
            {"id":"=x","name":"O'Neil, \"Q\"\nsecond line\r\nthird\ttab"}
            {"id":" lead ","name":null}
            {"id":"🦊👩‍👩‍👧","name":"null"}
            {"id":"007","name":" "}
            {"id":"NULL","name":"\u2028\u202e\ufeff"}
            """#
        ),
        (
            "habits",
            #"""
            {"id":"h,1","user":"a/b","title":"Run, \"far\"","days":"1010100","reason":""}
            {"id":"h\"2","user":"=x","title":"読む\n🙂","days":"sun","start":"2026-01-01","end":"2026-12-31"}
            {"id":"h'3","user":" lead ","title":"'=1+1","days":"mon tue wed thu fri sat sun","reason":"-","start":"0001-01-01"}
            """#
        ),
        (
            "schedules",
            #"""
            {"habit":"h,1","from":"2026-06-01","days":"tue"}
            {"habit":"h,1","from":"2026-07-01","days":"mon wed fri"}
            {"habit":"h'3","from":"9999-12-31","days":"7"}
            """#
        ),
        (
            "pauses",
            #"""
            {"id":"p/1","user":"a/b","habit":"h,1","from":"2026-08-01","to":"2026-08-01"}
            {"id":"=p2","user":"=x","from":"9999-12-31"}
            {"id":"p\"3","user":" lead ","habit":null,"from":"0001-01-02","to":"0001-01-03"}
            """#
        ),
        (
            "follows",
            #"""
            {"follower":"a/b","followee":"=x","status":"rejected","share":"latest","requested_at":"2026-01-01T00:00:00+00:00"}
            {"follower":"=x","followee":"a/b","status":"pending","share":"all","requested_at":"2026-01-01T00:00:00Z"}
            {"follower":" lead ","followee":"a/b","status":"accepted","share":"latest"}
            {"follower":"007","followee":"NULL","status":"accepted","share":"all","requested_at":"1969-12-31T23:59:59.000001-03:30"}
            """#
        ),
        (
            "blocks",
            #"""
            {"blocker":" lead ","blocked":"007","blocked_at":"2026-01-01T00:00:00Z"}
            {"blocker":"NULL","blocked":"=x"}
            """#
        ),
        (
            "events",
            #"""
            {"id":"e/1","habit":"h,1","day":"2026-05-04","comment":"","longitude":-0.0,"latitude":-0.0}
            {"id":"=e2","habit":"h,1","day":"2026-06-02","at":"2026-06-02T05:00:00.123456+00:00","longitude":180.0,"latitude":90.0}
            {"id":"e 3","habit":"h,1","at":"2026-06-03T05:00:00Z","comment":",\"\n","longitude":-180.0,"latitude":-90.0}
            {"habit":"h,1","day":"2026-06-04","at":"2026-06-04T05:00:00+13:45","longitude":0.30000000000000004,"latitude":5e-324}
            {"habit":"h,1","day":"2026-06-09","outcome":"skipped","comment":"É","longitude":1e-7,"latitude":89.99999999999999}
            {"habit":"h\"2","day":"2026-02-01","at":"2026-01-31T23:59:59.999-11:30","photo":"p/exif.png","keep_exif":true}
            {"habit":"h\"2","day":"2025-02-01","photo":"p/exif.png"}
            {"habit":"h'3","day":"9999-12-31","at":"9999-12-31T23:59:59.999999+00:01","photo":"p/plain.png"}
            {"habit":"h'3","day":"0001-01-01","at":"0001-01-01T00:00:00-23:59"}
            """#
        ),
        (
            "items",
            #"""
            {"id":"i1","user":"a/b","name":"Lamp","description":"","photo":"p/plain.png","state":"available","posted_at":"2026-01-01T00:00:00Z","expires":"2026-02-01"}
            {"id":"i2","user":"a/b","name":"Name of more than eighty characters, which the settings allow: 0123456789 0123456789","description":"a\r\n\tb,\"c\"","state":"claimed","longitude":-70.5,"latitude":1}
            {"id":"i3","user":"=x","name":" Chair ","state":"given","photo":"p/exif.png"}
            {"id":"i4","user":"=x","name":"Ünïcode 🪑","state":"withdrawn"}
            {"id":"i5","user":"=x","name":"Given and gone","state":"given"}
            """#
        ),
        (
            "claims",
            #"""
            {"item":"i2","user":"=x","claimed_at":"2026-01-01T00:00:00-00:30","state":"claimed"}
            {"item":"i2","user":" lead ","state":"released"}
            {"item":"i3","user":"a/b","state":"given"}
            {"item":"i4","user":"007","claimed_at":"2026-01-01T00:00:00Z","state":"released"}
            """#
        ),
        (
            "messages",
            #"""
            {"item":"i2","sender":"=x","recipient":"a/b","text":"no instant, no id"}
            {"id":"m/1","item":"i2","sender":"a/b","recipient":"=x","sent_at":"2026-01-01T00:00:00.5Z","text":" \"quoted\",\n\nlines "}
            """#
        ),
        (
            "posts",
            #"""
            {"id":"p1","user":"a/b","caption":"","photo":"p/plain.png","posted_at":"2026-01-01T00:00:00+05:45","longitude":-0.0,"latitude":12.345678901234567}
            {"id":"p2","user":"=x","deleted_at":"2026-01-02T00:00:00Z","posted_at":"2026-01-01T00:00:00Z"}
            {"id":"p3","user":"=x","caption":null,"photo":"p/exif.png","keep_exif":true}
            """#
        ),
    ]
}
