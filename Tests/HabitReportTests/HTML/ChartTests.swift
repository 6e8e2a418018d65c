import Base
import HabitModel
import HabitReport
import Rendering
import Testing

@Suite struct ChartTests {
    @Test(
        arguments: [
            ("map", .map()), ("map color", .map(color: "color")),
            ("map circle near within", .map(circle: .init(center: "near", radius: "within"))),
            (
                " map  color circle near within ",
                .map(color: "color", circle: .init(center: "near", radius: "within"))
            ),
            ("calendar day outcome by habit", .calendar(day: "day", value: "outcome", group: "habit")),
            ("bars rate by title", .bars(value: "rate", label: "title")),
            ("bars rate by title color", .bars(value: "rate", label: "title", color: "color")),
            ("line score over day by habit_2", .line(value: "score", over: "day", group: "habit_2")),
            ("week events by weekday hour", .week(value: "events", weekday: "weekday", hour: "hour")),
        ] as [(String, Chart)])
    func chartIsParsedFromHeaderLine(text: String, expected: Chart) throws {
        #expect(try Chart(text) == expected)
    }

    @Test(
        arguments: [
            ("", "map [COLOR_COLUMN]"), ("pie a by b", "calendar DAY_COLUMN"), ("Map", "bars VALUE_COLUMN"),
            ("map a b", "map [COLOR_COLUMN] [circle"), ("map circle near", "DISTANCE_PARAMETER"),
            ("calendar day outcome habit", "calendar DAY_COLUMN VALUE_COLUMN by GROUP_COLUMN"),
            ("bars a by", "bars VALUE_COLUMN by LABEL_COLUMN"), ("bars a by b c d", "bars VALUE_COLUMN"),
            ("line a by b", "line VALUE_COLUMN over DATE_COLUMN by GROUP_COLUMN"), ("bars A by b", "bars VALUE_COLUMN"),
            ("bars é by b", "bars VALUE_COLUMN"),
            ("week a by b", "week VALUE_COLUMN by WEEKDAY_COLUMN HOUR_COLUMN"),
        ])
    func invalidChartIsRefusedWithSyntax(text: String, grammar: String) {
        #expect { try Chart(text) } throws: { error in
            let error = error as? HabitError
            return error?.code == .reportInvalid && error?.message.contains(grammar) == true
        }
    }

    @Test func chartListsItsColumnsAndParameters() throws {
        let chart = try Chart("map color circle near within")
        #expect(chart.columns == ["color"])
        #expect(chart.parameters == ["near", "within"])
        #expect(chart.needsGeometry)
        #expect(try Chart("bars a by b c").columns == ["a", "b", "c"])
        #expect(try Chart("line a over b by c").columns == ["a", "b", "c"])
        #expect(try Chart("week a by b c").columns == ["a", "b", "c"])
    }
}
