import Testing

@testable import HabitReport

/// Tests that the input of a nightly run includes how habits look if a report can depend on it.
@Suite struct NightlyInputsTests {
    private static func readsLook(_ sql: String) throws -> Bool {
        var report = try ReportSample.report()
        report.sql = sql
        return NightlyInputs.readsLook(report)
    }

    @Test(arguments: [
        "SELECT id, tint FROM habits", "SELECT id FROM habits ORDER BY Rank", "SELECT symbol FROM habits",
        "SELECT remind_at FROM habits", "SELECT * FROM habits", "SELECT id, habits.* FROM habits",
        "SELECT -- all\n* FROM habits", "SELECT /* all */ * FROM habits", "SELECT DISTINCT h.* FROM habits AS h",
    ])
    func reportOfLookDependsOnIt(sql: String) throws {
        #expect(try Self.readsLook(sql))
    }

    @Test(arguments: ["SELECT id, 7 * times FROM habits", "SELECT count(*) FROM habits", "SELECT title FROM habits"])
    func otherReportDoesNotDependOnLook(sql: String) throws {
        #expect(try !Self.readsLook(sql))
    }

    @Test func shippedNightlyReportsDoNotDependOnLook() throws {
        let all = try ReportCatalog(folders: []).all().map { entry in try entry.report.get() }
        let reports = all.filter { report in !report.nightly.isEmpty }
        #expect(!reports.isEmpty)
        for report in reports {
            #expect(!NightlyInputs.readsLook(report), "\(report.id)")
        }
    }
}
