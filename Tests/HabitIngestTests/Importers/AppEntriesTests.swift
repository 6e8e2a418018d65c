import Base
import Foundation
import Geo
import HabitModel
import HabitTestSupport
import Testing

@testable import HabitIngest

/// Reads the entries of files as short texts.
private enum EntryTexts {
    static func of(
        _ files: [String: String], format: String? = nil, as expected: String
    ) throws -> [String] {
        let folder = try TemporaryFolder()
        for (name, text) in files { try folder.write(text, to: "in/" + name) }
        var options = ImportOptions()
        options.format = format
        let path = files.count == 1 ? folder.file("in/" + (files.keys.first ?? "")) : folder.file("in")
        let plan = try ImportPlan(paths: [path], options: options)
        #expect(plan.inputs.map(\.format) == [expected])
        var texts: [String] = []
        for part in plan.parts { try part.importer.init().records(of: part.input) { texts.append(text($0)) } }
        return texts
    }

    private static func text(_ entry: ImportEntry) -> String {
        switch entry {
        case .habit(let habit):
            return "habit \(habit.title) \(schedule(habit.schedule))\(habit.start.map { " \($0)" } ?? "")"
        case .event(let event):
            let amount = event.amount.value.map { " \($0)" } ?? ""
            let time = (try? event.time.resolved(in: .utc)).map { "\($0.day) \($0.at.map { "\($0)" } ?? "-")" } ?? "?"
            return "\(event.outcome == .done ? "done" : "none") \(time)\(amount)"
        case .post(let post):
            let place = post.position.map { " \($0.latitude),\($0.longitude)" } ?? ""
            let time = (try? post.time?.resolved(in: .utc))?.at.map { "\($0)" } ?? "-"
            return "post \(time) '\(post.caption)'\(place)\(post.photo == nil ? "" : " photo")"
        case .skipped(let entry): return entry.reason.rawValue
        case .rejected(let entry): return entry.error.code.slug
        case .unreadable(let value): return "\(value.kind) \(value.example ?? "")"
        case .notice: return "notice"
        }
    }

    private static func schedule(_ schedule: ImportedSchedule) -> String {
        switch schedule {
        case .weekdays(let mask): "\(mask)"
        case .target(let times, let days): "\(times)/\(days)"
        }
    }
}

@Suite(.engineIndependent) struct BeaverHabitsTests {
    private func entries(_ text: String, format: String? = nil) throws -> [String] {
        try EntryTexts.of(["habits.json": text], format: format, as: "beaverhabits")
    }

    @Test(arguments: [
        (#"{"period_type": "W", "period_count": 2, "target_count": 3}"#, "3/14"),
        (#"{"period_type": "m", "period_count": "1", "target_count": "2"}"#, "2/30"),
        (#"{"period_type": "Y"}"#, "1/365"), (#"{"period_type": "D", "period_count": 1, "target_count": 1}"#, "127"),
        ("null", "127"),
        (#"{"period_type": "W", "target_count": 9}"#, "127"),
    ])
    func periodIsSchedule(period: String, schedule: String) throws {
        let text = #"{"habits": [{"name": "Tea", "period": "# + period + #", "records": [{}]}]}"#
        #expect(try entries(text) == ["habit Tea \(schedule)", "no-day"])
    }

    @Test(arguments: [
        (#"{"period_type": "Q"}"#, "127", "Q"),
        (#"{"period_type": "W", "target_count": "few"}"#, "1/7", "few"),
        (#"{"period_type": "W", "period_count": "1,5", "target_count": 2}"#, "2/7", "1,5"),
    ])
    func unreadablePeriodIsReported(period: String, schedule: String, value: String) throws {
        let records = #"[{"day": "2026-01-01", "done": "maybe"}]"#
        let text = #"{"habits": [{"name": "Tea", "period": \#(period), "records": \#(records)}]}"#
        #expect(try entries(text) == ["frequency '\(value)'", "habit Tea \(schedule)", "outcome-invalid"])
    }

    @Test func recordsOfAnyFormAreRead() throws {
        let text = #"""
            {"order": [], "habits": [
              {"records": [], "name": "A"}, null, 7,
              {"name": "B", "status": "soft_delete", "records": [{"day": "2026-01-01", "done": true}, {}]},
              {"name": "C", "id": 5, "extra": {"deep": [1]}, "records": [{"day": "2026-01-01", "done": 1},
                {"day": "2026-01-02"}, {"day": "2026-01-03", "done": null}, {"day": "01/02/2026", "done": true}, {"day": null, "done": true}]}
            ]}
            """#
        #expect(
            try entries(text) == [
                "habit A 127", "deleted", "deleted", "habit C 127", "done 2026-01-01 -", "none 2026-01-02 -",
                "none 2026-01-03 -", "day-invalid", "no-day",
            ])
    }

    @Test func emptyListNeedsNameOfFormat() throws {
        #expect(throws: HabitError.self) { try entries(#"{"habits": []}"#) }
        #expect(try entries(#"{"habits": []}"#, format: "beaverhabits") == [])
    }
}

@Suite(.engineIndependent) struct HabiticaTests {
    private func entries(_ tasks: String, preferences: String = #"{"timezoneOffset": "300", "dayStart": "2"}"#) throws
        -> [String]
    {
        try EntryTexts.of(["u.json": #"{"tasks": {\#(tasks)}, "preferences": \#(preferences)}"#], as: "habitica")
    }

    @Test func dayStartCreditsPreviousDay() throws {
        // 06:30 UTC is 01:30, and 07:30 UTC is 02:30.
        let history =
            #"[{"date": 1780295400000, "completed": true}, {"date": "2026-06-02T07:30:00.000Z", "completed": true}]"#
        let task =
            #""dailys": [{"_id": "a", "text": "T", "startDate": "2026-05-31T05:00:00.000Z", "history": \#(history)}]"#
        #expect(
            try entries(task) == [
                "habit T 127 2026-05-31", "done 2026-05-31 -", "done 2026-06-02 2026-06-02T02:30:00-05:00",
            ])
        #expect(
            try entries(task, preferences: "{}") == [
                "habit T 127 2026-05-31", "done 2026-06-01 2026-06-01T06:30:00Z",
                "done 2026-06-02 2026-06-02T07:30:00Z",
            ])
    }

    @Test(arguments: [
        (#""frequency": "daily", "everyX": 3"#, ["habit T 1/3"]),
        (#""frequency": "daily", "everyX": "1""#, ["habit T 127"]),
        (#""frequency": "daily", "everyX": 0"#, ["notice", "habit T 127"]),
        (#""frequency": "monthly", "everyX": 1"#, ["notice", "habit T 127"]),
        (#""frequency": "weekly", "repeat": {"m": true, "su": true, "t": false}"#, ["habit T 65"]),
        (#""frequency": "weekly", "everyX": 2, "repeat": {"f": true}"#, ["notice", "habit T 16"]),
        (#""frequency": "weekly", "repeat": {"m": false}"#, ["notice", "habit T 127"]),
        (#""history": {}"#, ["habit T 127"]),
    ])
    func frequencyIsSchedule(members: String, expected: [String]) throws {
        #expect(try entries(#""dailys": [{"_id": "a", "text": "T", \#(members)}]"#) == expected)
    }

    @Test func riseOfValueIsDoneWithoutOtherMembers() throws {
        let history =
            #"[{"date": 1780329600000, "value": -1}, {"date": 1780416000000, "value": "-0.5"}, {"date": 1780502400000}, null, {"date": "x", "value": 9}, {"date": 1780588800000, "value": 8}]"#
        let times = [
            "none 2026-06-01 2026-06-01T11:00:00-05:00", "done 2026-06-02 2026-06-02T11:00:00-05:00",
            "none 2026-06-03 2026-06-03T11:00:00-05:00", "no-day", "instant-invalid",
            "none 2026-06-04 2026-06-04T11:00:00-05:00",
        ]
        #expect(
            try entries(#""dailys": [{"_id": "a", "text": "T", "history": \#(history)}]"#) == ["habit T 127"] + times)
        #expect(
            try entries(#""rewards": [{}], "habits": [{"_id": "a", "text": "T", "history": \#(history)}]"#)
                == ["notice", "habit T 127"] + times)
    }

    /// Until January 2018, Habitica wrote the entry of a daily when the user opened the app on a later day.
    @Test func oldEntryOfDailyIsOfDayOfPreviousEntry() throws {
        // The user opens the app at 07:00 UTC on 6, 7, 8, 9 and 13 October 2015, and twice on the 14th.
        let written = [
            (1_444_114_800_000, 1.0), (1_444_201_200_000, 2), (1_444_287_600_000, 1), (1_444_374_000_000, 2),
            (1_444_719_600_000, 3), (1_444_806_000_000, 2), (1_444_809_600_000, 3),
        ]
        let history = written.map { #"{"date": \#($0), "value": \#($1)}"# }.joined(separator: ",")
        let dailies = #""dailys": [{"_id": "a", "text": "T", "history": [\#(history)]}]"#
        let days = [
            "done 2015-10-05 -", "done 2015-10-06 -", "none 2015-10-07 -", "done 2015-10-08 -", "done 2015-10-09 -",
            "none 2015-10-13 -", "done 2015-10-13 -",
        ]
        #expect(try entries(dailies, preferences: #"{"timezoneOffset": 0}"#) == ["habit T 127"] + days)
        // Without an offset, the days are in the time zone of the user.
        #expect(try entries(dailies, preferences: "{}") == ["habit T 127"] + days)
        // Habits were always written when they were scored.
        let habits = #""habits": [{"_id": "a", "text": "T", "history": [\#(history)]}]"#
        #expect(try entries(habits, preferences: "{}").contains("done 2015-10-06 2015-10-06T07:00:00Z"))
        let rows = written.map { time, value in
            "T,1,daily,\(OffsetInstant(Instant(microseconds: Int64(time) * 1000), offset: nil)),\(value)"
        }
        let table = (["Task Name,Task ID,Task Type,Date,Value"] + rows).joined(separator: "\n")
        #expect(try EntryTexts.of(["h.csv": table], as: "habitica-csv") == ["habit T 127"] + days)
    }

    @Test func entryWithCompletionIsOfItsOwnDay() throws {
        let history =
            #"[{"date": 1444114800000, "value": 1, "completed": true}, {"date": 1780329600000, "value": 2}]"#
        #expect(
            try entries(#""dailys": [{"_id": "a", "text": "T", "history": \#(history)}]"#, preferences: "{}") == [
                "habit T 127", "done 2015-10-06 2015-10-06T07:00:00Z", "done 2026-06-01 2026-06-01T16:00:00Z",
            ])
    }

    @Test func unreadableNumbersAreReported() throws {
        let history = #"[{"date": 1780329600000, "value": "high"}, {"date": 1780416000000, "completed": "maybe"}]"#
        let members = #""everyX": "two", "frequency": "daily", "startDate": "soon""#
        let task = #""dailys": [{"_id": "a", "text": "T", \#(members), "history": \#(history)}]"#
        #expect(
            try entries(task, preferences: #"{"timezoneOffset": "west", "dayStart": 25}"#) == [
                "offset 'west'", "dayStart '25'", "start 'soon'", "frequency 'two'", "habit T 127", "value-invalid",
                "value-invalid",
            ])
        let scores = #"[{"date": 1780329600000, "value": 2, "scoredUp": "many"}]"#
        #expect(try entries(#""habits": [{"_id": "a", "text": "T", "history": \#(scores)}]"#).last == "value-invalid")
    }

    @Test func scoresAreAmounts() throws {
        let history =
            #"[{"date": 1780329600000, "value": 2, "scoredUp": "3"}, {"date": 1780416000000, "value": 3, "scoredDown": 1}]"#
        #expect(
            try entries(#""habits": [{"_id": "a", "type": "habit", "text": "T", "history": \#(history)}]"#) == [
                "notice", "habit T 127", "done 2026-06-01 2026-06-01T11:00:00-05:00 3.0",
                "none 2026-06-02 2026-06-02T11:00:00-05:00",
            ])
    }

    /// The dailies follow a list of habits that is longer than the beginning of the file.
    @Test func longHistoryIsRecognized() throws {
        let history = Array(repeating: #"{"date": 1780329600000, "value": 2, "scoredUp": 3}"#, count: 3000).joined(
            separator: ",")
        let text =
            #""habits": [{"_id": "a", "text": "T", "history": [\#(history)]}], "dailys": [{"_id": "b", "text": "U"}]"#
        #expect(try entries(text).suffix(1) == ["habit U 127"])
    }

    @Test func historyTableIsRead() throws {
        let table = """
            Task Name,Task ID,Task Type,Date,Value
            A,1,daily,2026-06-01 06:30:00,1
            "B, b",,habit,2026-06-01 06:30:00,-1
            A,1,daily,2026-06-02 06:30:00,0.5
            "B, b",,habit,2026-06-02 06:30:00,-0.5
            To do,2,todo,2026-06-02 06:30:00,1
            A,1,daily,,1
            A,1,daily,2026-06-31 06:30:00,1
            A,1,daily,2026-06-03 06:30:00,much
            """
        #expect(
            try EntryTexts.of(["h.csv": table], as: "habitica-csv") == [
                "habit A 127", "done 2026-06-01 2026-06-01T06:30:00Z", "habit B, b 127",
                "none 2026-06-01 2026-06-01T06:30:00Z", "none 2026-06-02 2026-06-02T06:30:00Z",
                "done 2026-06-02 2026-06-02T06:30:00Z", "no-day", "instant-invalid", "value-invalid",
            ])
    }
}

@Suite(.engineIndependent) struct SwarmTests {
    private func entries(_ text: String) throws -> [String] { try EntryTexts.of(["c.json": text], as: "swarm") }

    @Test(arguments: [
        (#""createdAt": 1496001790, "timeZoneOffset": -420"#, "2017-05-28T13:03:10-07:00"),
        (#""createdAt": "1496001790", "timeZoneOffset": "330""#, "2017-05-29T01:33:10+05:30"),
        (#""createdAt": "2017-05-28 20:03:10.000000""#, "2017-05-28T20:03:10Z"),
        (#""createdAt": null"#, "-"), (#""x": 1"#, "-"),
    ])
    func timeHasOffset(members: String, time: String) throws {
        #expect(try entries(#"{"type": "checkin", "id": "a", \#(members)}"#) == ["post \(time) ''"])
    }

    @Test(arguments: ["90000", #""west""#]) func unusableOffsetIsReported(offset: String) throws {
        let checkin = #"{"type": "checkin", "id": "a", "createdAt": 1496001790, "timeZoneOffset": \#(offset)}"#
        let value = offset.replacing("\"", with: "")
        #expect(try entries(checkin) == ["post 2017-05-28T20:03:10Z ''", "offset '\(value)'"])
    }

    @Test(arguments: [
        (#""lat": "x", "lng": 0"#, "position-invalid"),
        (
            #""shout": " hi ", "venue": {"name": "Bar"}, "lat": "38.5", "lng": "-9.5""#,
            "post - 'hi @ Bar' 38.5,-9.5"
        ),
        (#""venue": {"name": "Bar", "location": {"lat": 1.5, "lng": 2}}, "lat": null"#, "post - 'Bar' 1.5,2.0"),
        (#""venue": null, "shout": "", "lat": 3"#, "position-invalid"),
        (#""venue": "text", "shout": 5"#, "post - ''"),
        (#""lat": 91, "lng": 0"#, "position-invalid"),
        (#""createdAt": "yesterday""#, "instant-invalid"),
    ])
    func captionAndPositionAreOptional(members: String, entry: String) throws {
        #expect(try entries(#"{"id": "a", "type": "checkin", \#(members)}"#) == [entry])
        #expect(try entries(#"{"count": 2, "items": [null, {"id": "a", "type": "checkin", \#(members)}]}"#) == [entry])
    }

    @Test func numberedFilesAreReadInOrder() throws {
        var files: [String: String] = ["data/users.json": "{}", "data/checkins.json.bak": "x"]
        for number in [1, 2, 10] {
            files["data/checkins\(number).json"] = #"{"items": [{"id": "\#(number)", "shout": "\#(number)"}]}"#
        }
        #expect(try EntryTexts.of(files, as: "swarm") == ["post - '1'", "post - '2'", "post - '10'"])
        files["data/checkins2.json"] = #"{"items": [{"id": "2""#
        #expect(throws: HabitError.self) { try EntryTexts.of(files, as: "swarm") }
    }

    @Test func firstPhotoOfCheckinIsUsed() throws {
        let url = "https://www.swarmapp.com/c/checkin/"
        let photos = ["/missing.jpg", "/p1.jpg", "/p2.jpg", "/p1.jpg"].map {
            #"{"suffix": "\#($0)", "relatedItemUrl": "\#(url)a"}"#
        }
        let files = [
            "checkins1.json": #"{"items": [{"id": "a", "shout": "A"}, {"id": "b", "shout": "B"}]}"#,
            "photos1.json": #"{"items": [\#(photos.joined(separator: ",")), {"suffix": null}, {"relatedItemUrl": 4}]}"#,
            "pix/p1.jpg": "1", "pix/p2.jpg": "2",
        ]
        #expect(try EntryTexts.of(files, as: "swarm") == ["notice", "post - 'A' photo", "post - 'B'"])
    }
}
