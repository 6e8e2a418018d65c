import Base
import HabitModel
import Testing

@testable import HabitReport

@Suite struct ReportGroupTests {
    @Test func everyShippedReportDeclaresItsGroup() throws {
        for (id, bytes) in ShippedReports.files {
            let text = String(decoding: bytes, as: UTF8.self)
            #expect(text.contains("\n-- group: "), "\(id)")
        }
        let groups = try ReportCatalog(folders: []).all().map { entry in try entry.report.get().group }
        #expect(Set(groups) == Set(ReportGroup.allCases))
    }

    @Test func declaredGroupWins() throws {
        let text = ReportSample.replacing("-- key", with: "-- key: id", "-- group: items")
        #expect(try ReportSample.report(text).group == .items)
    }

    @Test func reportWithoutGroupHasDerivedOne() throws {
        #expect(try ReportSample.report().group == .places)
        let bare = ReportSample.replacing("-- geometry", with: "-- every: day")
        #expect(try ReportSample.report(bare).group == .habits)
        let alert = ReportSample.replacing("-- chart", with: "-- alert: {id} is near")
        #expect(try ReportSample.report(alert).group == .alerts)
    }

    @Test func unknownGroupIsRefusedWithTheNearestOne() throws {
        let text = ReportSample.replacing("-- key", with: "-- key: id", "-- group: place")
        let error = failure { _ = try ReportSample.report(text) }
        #expect(error?.code == .reportInvalid)
        #expect(error?.message.contains("did you mean 'places'?") == true, "\(String(describing: error))")
    }
}
