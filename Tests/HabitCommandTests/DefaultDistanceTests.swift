import Geo
import HabitStore
import HabitTestSupport
import Testing

/// Tests that all files that repeat the default distance of searches agree with it.
@Suite(.engineIndependent) struct DefaultDistanceTests {
    private static func text(_ path: String) throws -> String {
        try String(contentsOfFile: Program.repository + "/" + path, encoding: .utf8)
    }

    @Test(arguments: ["near", "items-near"]) func reportHasDefaultDistance(report: String) throws {
        let sql = try Self.text("reports/\(report).sql")
        let parameter = try #require(sql.firstMatch(of: /-- parameter: within distance default (\S+)/))
        #expect(Distance(String(parameter.1)) == Near.defaultDistance)
    }

    @Test func mapHasDefaultDistance() throws {
        let page = try Self.text("Sources/HabitPages/Web/map.html")
        let option = try #require(page.firstMatch(of: /<option value="([0-9.]+)" selected>([0-9.]+) km</))
        #expect(Double(option.1).map(Distance.kilometers) == Near.defaultDistance)
        #expect(option.1 == option.2)
    }
}
