import Base
import Foundation
import HabitModel
import Testing

@testable import HabitReport

@Suite struct ReportCatalogTests {
    @Test func shippedReportsMatchFilesOfFolder() throws {
        let repository = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let folder = repository.appendingPathComponent("reports").path
        let names = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".sql") }
        #expect(Set(ShippedReports.files.keys) == Set(names.map { String($0.dropLast(4)) }))
        for name in names {
            let file = try ReportFile.read("\(folder)/\(name)")
            #expect(ShippedReports.files[String(name.dropLast(4))] == file)
        }
    }

    @Test func shippedReportsAreFoundByID() throws {
        let catalog = try ReportCatalog(folders: [])
        #expect(try catalog.find("history").title == "History")
        #expect(catalog.all().map(\.id) == ShippedReports.files.keys.sorted())
        #expect(catalog.all().allSatisfy { $0.isShipped })
    }

    @Test func customReportsTakePrecedenceInOrderOfFolders() throws {
        let first = try ReportFolder()
        let second = try ReportFolder()
        try first.write(ReportSample.replacing("-- title", with: "-- title: First"), to: "mine.sql")
        try second.write(ReportSample.replacing("-- title", with: "-- title: Second"), to: "mine.sql")
        try second.write(ReportSample.replacing("-- title", with: "-- title: Own history"), to: "history.sql")
        let catalog = try ReportCatalog(folders: [first.path, second.path + "/"])
        #expect(try catalog.find("mine").title == "First")
        #expect(try catalog.find("history").title == "Own history")
        #expect(try !catalog.find("history").isShipped)
        #expect(try catalog.find("mine").file == first.file("mine.sql"))
        let ids = catalog.all().map(\.id)
        #expect(ids == ids.sorted())
        #expect(Set(ids).isSuperset(of: ["history", "mine"]))
        #expect(ids.count == Set(ids).count)
    }

    @Test func filesThatAreNotReportsAreSkipped() throws {
        let folder = try ReportFolder()
        try folder.write("x", to: "notes.txt")
        try folder.write("x", to: ".hidden.sql")
        try folder.write("x", to: "a.sql~")
        try FileManager.default.createDirectory(atPath: folder.file("sub.sql"), withIntermediateDirectories: false)
        #expect(mkfifo(folder.file("pipe.sql"), 0o600) == 0)
        #expect(try ReportCatalog(folders: [folder.path]).all().allSatisfy { $0.isShipped })
    }

    @Test func linksAreFollowedAndBrokenLinkIsReported() throws {
        let folder = try ReportFolder()
        try folder.write(ReportSample.text, to: "target.txt")
        for (link, target) in [("good.sql", "target.txt"), ("bad.sql", "nothing.sql")] {
            try FileManager.default.createSymbolicLink(
                atPath: folder.file(link), withDestinationPath: folder.file(target))
        }
        let catalog = try ReportCatalog(folders: [folder.path])
        #expect(try catalog.find("good").title == "Events near a place")
        #expect(failure { _ = try catalog.find("bad") }?.code == .inputNotFound)
    }

    @Test func invalidReportDoesNotAffectOthers() throws {
        let folder = try ReportFolder()
        try folder.write("SELECT 1", to: "broken.sql")
        try folder.write(ReportSample.text, to: "Upper Case.sql")
        try folder.write(String(repeating: "-", count: 2 << 20), to: "large.sql")
        let catalog = try ReportCatalog(folders: [folder.path])
        let broken = catalog.all().filter { if case .failure = $0.report { true } else { false } }
        #expect(broken.map(\.id) == ["Upper Case", "broken", "large"])
        let error = failure { _ = try catalog.find("broken") }
        #expect(error?.code == .reportInvalid)
        #expect(error?.file == folder.file("broken.sql"))
        #expect(error?.line == 1)
        #expect(try catalog.find("history").isShipped)
    }

    @Test(arguments: [
        ("histori", Remedy.advice("did you mean 'history'?")), ("nothing-like", .list(.reports)), ("", .list(.reports)),
    ])
    func unknownReportCausesErrorWithHint(id: String, remedy: Remedy) throws {
        let catalog = try ReportCatalog(folders: [])
        let error = failure { _ = try catalog.find(id) }
        #expect(error?.code == .notFound)
        #expect(error?.code.exitStatus == 66)
        #expect(error?.remedies == [remedy])
        #expect(failure { _ = try catalog.bytes(of: id) }?.code == .notFound)
    }

    @Test(arguments: ["", "/nothing/here", "#filePath"]) func missingFolderIsRefused(folder: String) {
        let folder = folder == "#filePath" ? #filePath : folder
        #expect(failure { _ = try ReportCatalog(folders: [folder]) }?.code == .inputNotFound)
    }
}
