import Foundation
import HabitTestSupport
import Testing

@testable import Base

@Suite(.engineIndependent) struct TZifFileTests {
    private static func lisbon() throws -> [UInt8] {
        Array(try Data(contentsOf: URL(fileURLWithPath: "/usr/share/zoneinfo/Europe/Lisbon")))
    }

    private static func bigEndian<Integer: FixedWidthInteger>(_ value: Integer) -> [UInt8] {
        withUnsafeBytes(of: value.bigEndian) { Array($0) }
    }

    private static func header(_ version: String, leaps: UInt32 = 0, times: UInt32, types: UInt32) -> [UInt8] {
        let counts: [UInt32] = [0, 0, leaps, times, types, 4]
        return Array("TZif".utf8) + Array(version.utf8) + [UInt8](repeating: 0, count: 16 - version.utf8.count)
            + counts.flatMap { bigEndian($0) }
    }

    /// Returns a block with one type for each offset and transitions to the types in turn.
    private static func body<Time: FixedWidthInteger>(_ times: [Time], _ offsets: [Int32]) -> [UInt8] {
        times.flatMap { bigEndian($0) } + times.indices.map { UInt8(($0 + 1) % max(1, offsets.count)) }
            + offsets.flatMap { bigEndian($0) + [0, 0] } + Array("XYZ\0".utf8)
    }

    private static func file(_ times: [Int64], _ offsets: [Int32], footer: String, leaps: UInt32 = 0) -> [UInt8] {
        let types = UInt32(offsets.count)
        return header("2", times: 0, types: 1) + body([Int32](), [0])
            + header("2", leaps: leaps, times: UInt32(times.count), types: types) + body(times, offsets)
            + Array("\n\(footer)\n".utf8)
    }

    private static func offsets(_ bytes: [UInt8], at times: [Int64]) -> [Int]? {
        TZifFile(bytes).map { file in times.map { file.table.offset(at: $0) } }
    }

    @Test func versionOneHasNoFooter() {
        let bytes = Self.header("\0", times: 2, types: 2) + Self.body([Int32(-100), 100], [600, 1200])
        let offsets = Self.offsets(bytes, at: [-101, -100, 99, 100, 1 << 40])
        #expect(offsets == [600, 1200, 1200, 600, 600])
    }

    @Test func footerAppliesAfterLastTransition() {
        let bytes = Self.file([0], [3600, 7200], footer: "<+01>-1")
        #expect(Self.offsets(bytes, at: [-1, 0, 1 << 40]) == [3600, 3600, 3600])
        let withoutRule = Self.file([0], [3600, 7200], footer: "")
        #expect(Self.offsets(withoutRule, at: [-1, 0, 1 << 40]) == [3600, 7200, 7200])
        let withoutTransitions = Self.file([], [3600], footer: "<-03>3")
        #expect(Self.offsets(withoutTransitions, at: [-1, 1 << 40]) == [-10_800, -10_800])
    }

    @Test(arguments: [
        // Daylight saving time all year, the three date forms, and times outside the day.
        ("XXX3EDT4,0/0,J365/23", [-14_400, -14_400, -14_400, -14_400]),
        ("AAA0BBB,J60/0,J61/0", [0, 0, 3600, 0]), ("AAA0BBB,59/0,60/0", [0, 3600, 0, 0]),
        ("AAA0BBB,M3.1.0/-24,M3.5.6/167", [0, 0, 0, 3600]),
        ("AAA-10BBB,M10.1.0,M4.1.0/3", [39_600, 39_600, 39_600, 39_600]),
        ("<+0330>-3:30<+0430>-4:30:15,M2.5.0,M3.1.6", [16_215, 16_215, 16_215, 12_600]),
    ])
    func footerRulesDetermineOffsets(footer: String, expected: [Int]) throws {
        // 28 and 29 February 2024, 1 and 4 March 2024, at 12:00 UTC.
        let times: [Int64] = [1_709_121_600, 1_709_208_000, 1_709_294_400, 1_709_553_600]
        #expect(Self.offsets(Self.file([], [0], footer: footer), at: times) == expected)
        // The years 2024 and 2424 have the same calendar.
        #expect(
            Self.offsets(Self.file([], [0], footer: footer), at: times.map { $0 + TransitionTable.cycle }) == expected)
    }

    @Test(arguments: [
        "X", "XX0", "XYZ", "XYZ25", "XYZ0:60", "XYZ0ABC", "XYZ0ABC,M3.5.0", "XYZ0ABC,M13.1.0,M3.1.0",
        "XYZ0ABC,M3.6.0,M3.1.0",
        "XYZ0ABC,M3.1.7,M3.1.0", "XYZ0ABC,J0,J3", "XYZ0ABC,J366,J3", "XYZ0ABC,366,3", "XYZ0ABC,1/168,3", "XYZ0ABC,1,3,",
        "XYZ9999999999999999999", "<XYZ0", "XYZ0ABC,M3.1.0,M4.1.0/", "XYZ--1",
    ])
    func malformedFooterIsRefused(footer: String) {
        #expect(TZifFile(Self.file([], [0], footer: footer)) == nil)
    }

    @Test func invalidFileIsRefused() {
        let good = Self.file([0, 10], [0, 60], footer: "UTC0")
        #expect(TZifFile(good) != nil)
        #expect(TZifFile(Self.file([10, 10], [0, 60], footer: "UTC0")) == nil, "times must ascend")
        #expect(TZifFile(Self.file([0], [0, 93_600], footer: "UTC0")) == nil, "26 hours")
        #expect(TZifFile(Self.file([0], [0, .min], footer: "UTC0")) == nil)
        #expect(TZifFile(Self.file([0], [], footer: "UTC0")) == nil, "no type")
        #expect(TZifFile(Self.file([0], [0], footer: "UTC0", leaps: 1)) == nil, "leap seconds")
        #expect(TZifFile(Array(good.dropLast())) == nil, "the footer has no line feed")
        #expect(TZifFile(Self.header("2", leaps: .max, times: .max, types: .max)) == nil)
        #expect(TZifFile(Self.header("\0", leaps: .max, times: .max, types: .max)) == nil)
        #expect(TZifFile(good + [UInt8](repeating: 0, count: TZifFile.maximumSize)) == nil, "too large")
    }

    @Test func everyPrefixOfFileIsRefused() throws {
        let bytes = try Self.lisbon()
        for count in 0..<bytes.count { #expect(TZifFile(Array(bytes.prefix(count))) == nil, "\(count) bytes") }
    }

    /// A damaged file produces valid offsets or is refused, and never traps.
    @Test func damagedFilesDoNotTrap() throws {
        let bytes = Self.file(
            [-1 << 59, 0, 1_700_000_000, 1 << 59], [0, 3600, -18_000], footer: "WET0WEST,M3.5.0/1,M10.5.0")
        var generator = SeededGenerator(seed: 20)
        let times: [Int64] = [.min, -62_135_596_800, 0, 1_763_640_000, 253_402_300_799, .max]
        var count = 0
        for _ in 0..<2000 {
            var damaged = bytes
            for _ in 0...Int.random(in: 0...3, using: &generator) {
                damaged[Int.random(in: damaged.indices, using: &generator)] = UInt8.random(
                    in: 0...255, using: &generator)
            }
            for offset in Self.offsets(damaged, at: times) ?? [] {
                count += 1
                #expect((-93_599...93_599).contains(offset))
            }
        }
        #expect(count > 0)
    }
}
