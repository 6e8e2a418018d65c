import Base
import Geo
import HabitTestSupport
import Testing

@testable import HabitModel

/// Tests of the definitions of shared views and of their JSON form.
@Suite(.engineIndependent) struct ViewDefinitionTests {
    @Test(arguments: [
        #"{"layers":["events"],"rounding":"street"}"#,
        #"{"layers":["events","posts","items"],"rounding":"city"}"#,
        #"{"layers":["events"],"habits":["run","b/18 ü"],"outcome":"done","comment":"rain \"100\" %","from":"2026-01-01","to":"2026-02-01","bbox":[170,-20.5,-170,0],"rounding":"quarter"}"#,
        #"{"layers":["posts"],"from":"2026-01-01","rounding":"street"}"#,
        #"{"layers":["posts"],"days":30,"rounding":"street"}"#,
        #"{"layers":["events"],"rounding":"street","status":true}"#,
    ])
    func storedTextIsKept(text: String) throws {
        #expect(try ViewDefinition(stored: text).json.text == text)
    }

    @Test func textIsNormalized() throws {
        let text = """
            {"rounding": null, "days": null, "layers": ["items", "events"], "habits": ["run", "e\u{301}", "run"], "comment": "u\u{308}", "status": false}
            """
        let definition = try ViewDefinition(stored: text)
        #expect(definition.layers == [.events, .items])
        #expect(definition.habits == ["run", "é"])
        #expect(definition.comment == "ü")
        #expect(definition.rounding == .street)
        #expect(definition.period == .always)
        #expect(definition.box == nil)
        #expect(!definition.showsStatus)
        #expect(!definition.json.text.contains("status"))
    }

    @Test(arguments: [
        ("[]", "row-invalid", nil), ("7", "row-invalid", nil), ("{", "row-invalid", nil),
        ("{}", "field-missing", "layers"), (#"{"layers":[]}"#, "field-invalid", "layers"),
        (#"{"layers":"events"}"#, "field-invalid", "layers"), (#"{"layers":["habits"]}"#, "field-invalid", "layers"),
        (#"{"layers":["events","events"]}"#, "field-invalid", "layers"),
        (#"{"layers":["events"],"layers":["posts"]}"#, "row-invalid", nil),
        (#"{"layers":["events"],"user":"ann"}"#, "field-invalid", "user"),
        (#"{"layers":["events"],"habits":"run"}"#, "field-invalid", "habits"),
        (#"{"layers":["events"],"habits":[1]}"#, "field-invalid", "habits"),
        (#"{"layers":["posts"],"habits":["run"]}"#, "field-invalid", "habits"),
        (#"{"layers":["posts"],"outcome":"done"}"#, "field-invalid", "outcome"),
        (#"{"layers":["events"],"outcome":"missed"}"#, "field-invalid", "outcome"),
        (#"{"layers":["events"],"comment":" "}"#, "search-text-empty", "comment"),
        (#"{"layers":["events"],"comment":"a\nb"}"#, "text-invalid", "comment"),
        (#"{"layers":["events"],"from":"yesterday"}"#, "date-invalid", "from"),
        (#"{"layers":["events"],"from":"2026-02-30"}"#, "date-invalid", "from"),
        (#"{"layers":["events"],"from":"2026-02-02","to":"2026-02-01"}"#, "day-invalid", "to"),
        (#"{"layers":["events"],"days":0}"#, "field-invalid", "days"),
        (#"{"layers":["events"],"days":3661}"#, "field-invalid", "days"),
        (#"{"layers":["events"],"days":1.5}"#, "field-invalid", "days"),
        (#"{"layers":["events"],"days":"30"}"#, "field-invalid", "days"),
        (#"{"layers":["events"],"days":1e30}"#, "field-invalid", "days"),
        (#"{"layers":["events"],"days":3,"to":"2026-02-01"}"#, "field-invalid", "days"),
        (#"{"layers":["events"],"bbox":[0,0,1]}"#, "position-invalid", "bbox"),
        (#"{"layers":["events"],"bbox":[0,2,1,1]}"#, "position-invalid", "bbox"),
        (#"{"layers":["events"],"bbox":["0","0","1","1"]}"#, "position-invalid", "bbox"),
        (#"{"layers":["events"],"rounding":"exact"}"#, "field-invalid", "rounding"),
        (#"{"layers":["events"],"status":"yes"}"#, "field-invalid", "status"),
        (#"{"layers":["events"],"status":1}"#, "field-invalid", "status"),
        (#"{"layers":["posts","items"],"status":true}"#, "field-invalid", "status"),
    ])
    func invalidTextIsRefused(text: String, code: String, field: String?) {
        let error = #expect(throws: HabitError.self) { try ViewDefinition(stored: text) }
        #expect(error?.code.rawValue == code)
        #expect(error?.field == field)
    }

    @Test func limitsAreInclusive() throws {
        var definition = try ViewDefinition(layers: [.events])
        definition.habits = (0..<ViewDefinition.habitLimit).map { number in "h\(number)" }
        definition.comment = String(repeating: "ü", count: ViewDefinition.commentLimit)
        definition.period = .last(days: ViewDefinition.dayCounts.upperBound)
        #expect(try definition.checked() == definition)
        var habits = definition
        habits.habits.append("one more")
        #expect(throws: HabitError.self) { try habits.checked() }
        var comment = definition
        comment.comment?.append("x")
        #expect(throws: HabitError.self) { try comment.checked() }
    }

    @Test func lastDaysEndToday() throws {
        let today = try #require(Day("2026-11-20"))
        var definition = try ViewDefinition(layers: [.events])
        definition.period = .last(days: 7)
        let days = definition.days(today: today)
        #expect(days.first?.description == "2026-11-14")
        #expect(days.last == today)
    }
}
