import Base
import HabitModel
import Testing

@testable import Rendering
@testable import StoreEngine

@Suite struct ICalendarRendererTests {
    private static let at = 1_795_158_000_000_000 as Int64  // 2026-11-20T07:00:00Z

    private func values(of name: String, in text: String) -> [String] {
        text.replacing("\r\n ", with: "").components(separatedBy: "\r\n").filter { $0.hasPrefix(name) }
            .map { String($0.dropFirst(name.count)) }
    }

    private func shape(_ columns: [Column], identity: [String] = ["id"], geometry: Int? = nil) -> ResultShape {
        ResultShape(columns: [Column("id", .text, at: 0)] + columns, geometry: geometry, identity: identity)
    }

    @Test func instantTakesPrecedenceOverDay() throws {
        let columns = [
            Column("day", .day, at: 1),
            Column("at", .instant(offset: nil), at: 2),
            Column("title", .text, at: 3),
        ]
        let shape = shape(columns)
        let rows = [
            TestRow(.text("a"), .text("2026-11-21"), .integer(Self.at), .text("Run")),
            TestRow(.text("b"), .text("2026-11-21"), .null, .text("Run")),
            TestRow(.text("c"), .null, .null, .text("Run")),
        ]
        let text = try render(.ics, of: shape, rows: rows)
        #expect(values(of: "DTSTART", in: text) == [":20261120T070000Z", ";VALUE=DATE:20261121"])
        #expect(values(of: "UID:", in: text) == ["a@habitat", "b@habitat"])
    }

    @Test func rowWithoutDayAndInstantIsSkippedAndCounted() throws {
        let renderer = try OutputFormat.ics.renderer(for: shape([Column("day", .day, at: 1)]), into: OutputBuffer())
        try renderer.render([TestRow(.text("a"), .null), TestRow(.text("b"), .text("2026-11-20"))])
        #expect(renderer.rowCount == 1)
        #expect(renderer.undatedCount == 1)
        #expect(renderer.unlocatedCount == 0)
    }

    /// Instants are text in the report views and in user-supplied SQL.
    @Test(arguments: [Column.Value.text, .any])
    func instantAsTextIsRead(value: Column.Value) throws {
        let shape = shape([Column("posted_at", value, at: 1), Column("caption", .text, at: 2)])
        let row = TestRow(.text("a"), .text("2026-11-20T08:00:00+01:00"), .text("Sunset"))
        let text = try render(.ics, of: shape, rows: [row])
        #expect(values(of: "DTSTART", in: text) == [":20261120T070000Z"])
        #expect(text.contains("SUMMARY:Sunset\r\n"))
    }

    @Test func outcomeFollowsTitleAndPositionIsLatitudeFirst() throws {
        let shape = shape(
            [
                Column("day", .day, at: 1), Column("title", .text, at: 2), Column("outcome", .text, at: 3),
                Column("comment", .text, at: 4),
            ], geometry: 5)
        let row = TestRow(
            .text("a"),
            .text("2026-11-20"),
            .text("Run"),
            .text("skipped"),
            .text("rain"),
            .point(-9.1393, 38.7223))
        let text = try render(.ics, of: shape, rows: [row])
        #expect(values(of: "SUMMARY:", in: text) == ["Run: skipped"])
        #expect(values(of: "DESCRIPTION:", in: text) == ["rain"])
        #expect(values(of: "GEO:", in: text) == ["38.7223;-9.1393"])
    }

    @Test func rowsWithoutIDHaveDigestAsIdentifier() throws {
        let shape = shape([Column("day", .day, at: 1)], identity: [])
        let rows = ["a", "b", "a"].map { TestRow(.text($0), .text("2026-11-20")) }
        let found = values(of: "UID:", in: try render(.ics, of: shape, rows: rows))
        try #require(found.count == 3, "\(found)")
        try #require(found[0] == found[2], "\(found)")
        #expect(found[0] != found[1], "\(found)")
        #expect(found[0].wholeMatch(of: /[0-9a-f]{32}@habitat/) != nil)
    }

    @Test func dueHabitIsDifferentEventOnEachDay() throws {
        let columns = [Column("habit", .text, at: 0), Column("day", .day, at: 1)]
        let rows = ["2026-11-19", "2026-11-20"].map { TestRow(.text("run"), .text($0)) }
        let text = try render(.ics, of: ResultShape(columns: columns, identity: ["habit"]), rows: rows)
        #expect(values(of: "UID:", in: text) == ["run/2026-11-19@habitat", "run/2026-11-20@habitat"])
    }

    /// The time of a reminder is not the time of an event.
    @Test func reminderIsAlarmOfDay() throws {
        let shape = shape([
            Column("remind_at", .text, at: 1), Column("day", .day, at: 2), Column("title", .text, at: 3),
        ])
        let rows = [
            TestRow(.text("a"), .text("07:30"), .text("2026-11-20"), .text("Run")),
            TestRow(.text("b"), .null, .text("2026-11-20"), .text("Read")),
            TestRow(.text("c"), .text("soon"), .text("2026-11-20"), .text("Swim")),
        ]
        let text = try render(.ics, of: shape, rows: rows)
        #expect(values(of: "TRIGGER", in: text) == [";RELATED=START:PT07H30M"])
        #expect(values(of: "DTSTART", in: text) == Array(repeating: ";VALUE=DATE:20261120", count: 3))
    }

    @Test func timeOfReminderIsNotTimeOfEvent() {
        #expect(!ICalendarRenderer.isDated(["id", "remind_at"]))
        #expect(ICalendarRenderer.isDated(["id", "posted_at"]))
    }

    @Test func rowsWithoutColumnForTimeAreRefused() throws {
        #expect {
            let columns = [Column("days", .text, at: 1), Column("format", .text, at: 2)]
            _ = try render(.ics, of: shape(columns), rows: [])
        } throws: { error in
            let error = error as? HabitError
            return error?.code == .formatNotAvailable
                && error?.message.contains("no column 'day', 'at' or '…_at'") == true
        }
    }
}
