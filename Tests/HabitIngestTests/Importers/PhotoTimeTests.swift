import Base
import Foundation
import HabitModel
import HabitTestSupport
import Photos
import Testing

@testable import HabitIngest

/// Tests of the times of photos, in the forms that cameras write.
@Suite(.engineIndependent) struct PhotoTimeTests {
    /// An entry of an EXIF directory.
    private struct Entry {
        var tag: Int
        var type: Int
        var count: Int
        var content: [UInt8]

        static func text(_ tag: Int, _ text: String) -> Entry {
            Entry(tag: tag, type: 2, count: text.utf8.count + 1, content: Array(text.utf8) + [0])
        }

        /// A GPS time with rational numbers.
        static func time(_ hour: Int, _ minute: Int, denominator: Int = 1) -> Entry {
            let numbers = [hour, 1, minute, 1, 0, denominator]
            return Entry(tag: 7, type: 5, count: 3, content: numbers.flatMap { bytes($0, 4) })
        }
    }

    private static func bytes(_ number: Int, _ count: Int) -> [UInt8] {
        (0..<count).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }

    /// Returns a JPEG with two directories: EXIF and GPS.
    private static func jpeg(exif: [Entry], gps: [Entry]) -> [UInt8] {
        let main = 8 + 2 + 2 * 12 + 4
        var data: [UInt8] = []
        func directory(_ entries: [Entry], dataStart: Int) -> [UInt8] {
            var directory = bytes(entries.count, 2)
            for entry in entries {
                directory += bytes(entry.tag, 2) + bytes(entry.type, 2) + bytes(entry.count, 4)
                let isLong = entry.content.count > 4
                directory += isLong ? bytes(dataStart + data.count, 4) : entry.content
                directory += Array(repeating: 0, count: isLong ? 0 : 4 - entry.content.count)
                if isLong { data += entry.content }
            }
            return directory + bytes(0, 4)
        }
        let exifSize = 2 + 12 * exif.count + 4
        let dataStart = main + exifSize + 2 + 12 * gps.count + 4
        let directories = directory(exif, dataStart: dataStart) + directory(gps, dataStart: dataStart)
        let pointers = [(0x8769, main), (0x8825, main + exifSize)].flatMap { tag, offset in
            bytes(tag, 2) + bytes(4, 2) + bytes(1, 4) + bytes(offset, 4)
        }
        let tiff = Array("MM\0*".utf8) + bytes(8, 4) + bytes(2, 2) + pointers + bytes(0, 4) + directories + data
        let segment = Array("Exif\0\0".utf8) + tiff
        let photo = [UInt8](TestImage.located)
        let header: [UInt8] = [0xFF, 0xE1] + bytes(segment.count + 2, 2)
        return Array(photo[..<2]) + header + segment + photo[2...]
    }

    private func time(exif: [Entry], gps: [Entry] = []) throws -> PhotoTime {
        PhotoTime(try PhotoMetadata(Self.jpeg(exif: exif, gps: gps)))
    }

    private func text(_ time: ImportTime?) throws -> String {
        let zone = TimeZoneRules("Europe/Lisbon") ?? .utc
        return try time?.resolved(in: zone).at?.description ?? "-"
    }

    @Test(
        arguments: [
            ("-5:00", "-05:00"), ("+9:30", "+09:30"), ("-0500", "-05:00"), ("+01:00", "+01:00"), ("Z", "Z"),
            (" -5:00 ", "-05:00"), ("+ 5", "+05:00"), ("UTC+2", "+02:00"), ("", "+01:00"), ("   :  ", "+01:00"),
        ])
    func offsetOfEverySpellingIsUsed(offset: String, expected: String) throws {
        let time = try time(exif: [.text(0x9003, "2026:05:01 12:00:00"), .text(0x9011, offset)])
        #expect(try text(time.value) == "2026-05-01T12:00:00\(expected)")
        #expect(time.unreadable.isEmpty)
    }

    @Test func unreadableOffsetIsReportedAndReplaced() throws {
        let exif: [Entry] = [.text(0x9003, "2026:05:01 12:00:00"), .text(0x9011, "five")]
        let local = try time(exif: exif)
        #expect(try text(local.value) == "2026-05-01T12:00:00+01:00")
        #expect(local.unreadable == [.offset])
        let gps = try time(exif: exif, gps: [.time(17, 0), .text(29, "2026:05:01")])
        #expect(try text(gps.value) == "2026-05-01T12:00:00-05:00")
        #expect(gps.unreadable == [.offset])
    }

    @Test func unreadableTimesAreReported() throws {
        let unknown = try time(exif: [.text(0x9003, "0000:00:00 00:00:00")])
        #expect(unknown.value == nil)
        #expect(unknown.unreadable.isEmpty)
        let blank = try time(exif: [.text(0x9003, "    :  :     :  :  ")])
        #expect(blank.value == nil)
        #expect(blank.unreadable.isEmpty)
        let bad = try time(exif: [.text(0x9003, "yesterday")])
        #expect(bad.value == nil)
        #expect(bad.unreadable == [.time])
        let exif: [Entry] = [.text(0x9003, "2026:05:01 12:00:00")]
        for gps in [
            [.time(25, 0), .text(29, "2026:05:01")],
            [.time(1, 0, denominator: 0)],
            [.time(1, 0), .text(29, "x")],
        ]
            as [[Entry]]
        {
            #expect(try time(exif: exif, gps: gps).unreadable == [.gpsTime])
        }
        #expect(try time(exif: exif, gps: [.time(1, 0)]).unreadable.isEmpty)
    }

    @Test func photosWithUnreadableValuesAreCounted() throws {
        let folder = try TemporaryFolder()
        let position = Entry(tag: 2, type: 5, count: 1, content: Self.bytes(900_003, 4) + Self.bytes(10_000, 4))
        for (index, offset) in ["five", "six"].enumerated() {
            let exif: [Entry] = [.text(0x9003, "2026:05:01 12:00:00"), .text(0x9011, offset)]
            let shortLongitude = Entry(tag: 4, type: 3, count: 1, content: [0, 9])
            let gps: [Entry] = [.text(1, "N"), position, .text(3, "W"), shortLongitude]
            try folder.write(Data(Self.jpeg(exif: exif, gps: gps)), to: "\(index).jpg")
        }
        var values = UnreadableValues()
        var count = 0
        let input = try ImportInput(path: folder.path, options: ImportOptions())
        try PhotosImporter().records(of: input) { entry in
            if case .unreadable(let value) = entry { values.add(value) }
            if case .post = entry { count += 1 }
        }
        #expect(count == 2)
        let file = folder.file("0.jpg")
        #expect(
            values.notices(of: "photos").map(\.message) == [
                "photos: 2 UTC offsets cannot be read and are ignored, for example in '\(file)'",
                "photos: 2 positions cannot be read and are ignored, for example in '\(file)'",
            ])
    }
}
