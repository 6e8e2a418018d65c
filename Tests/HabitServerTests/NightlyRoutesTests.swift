import Base
import Foundation
import HTTPTypes
import HabitModel
import HabitTestSupport
import Testing

@testable import HTTPServing
@testable import HabitAPI
@testable import HabitServer

/// Tests of the nightly runs that the operator reads over HTTP.
@Suite(.engineIndependent, .serialized) struct NightlyRoutesTests {
    private static let browser = ReportListPageTests.browser

    /// Makes the nightly run of a day in the folder `nights`, and files that do not belong to it.
    private static func makeRun(in folder: TemporaryFolder) async throws {
        let records = """
            {"kind":"users","id":"me"}
            {"kind":"habits","id":"h","user":"me","title":"Run","days":"1111111","start":"2026-11-01"}
            {"kind":"events","id":"e","habit":"h","day":"2026-11-18","longitude":10,"latitude":50}
            """
        let file = try folder.write(records, to: "records.ndjson")
        let store = folder.file("s.db")
        let loaded = try await Program.habitat("ingest", file, "--store", store, in: folder)
        #expect(loaded.status == 0, "\(loaded)")
        let nights = folder.file("nights")
        let run = try await Program.habitat(
            "nightly", "--date", "2026-11-18", "--output", nights, "--store", store, in: folder)
        #expect(run.status == 0, "\(run)")
        try folder.write("secret", to: "secret.csv")
        try folder.write("secret", to: "nights/secret.csv")
        try folder.write("secret", to: "nights/2026-11-18/secret.csv")
        let files = FileManager.default
        try files.removeItem(atPath: "\(nights)/2026-11-18/score.csv")
        try files.createSymbolicLink(
            atPath: "\(nights)/2026-11-18/score.csv", withDestinationPath: folder.file("secret.csv"))
        try files.createSymbolicLink(atPath: "\(nights)/2026-11-17", withDestinationPath: "2026-11-18")
    }

    private static func run(_ test: @escaping @Sendable (ServerClient) async throws -> Void) async throws {
        let folder = try TemporaryFolder()
        try await makeRun(in: folder)
        let fixture = try await ServerFixture(Scene.friends) { $0.nightlyFolder = folder.file("nights") }
        try await fixture.run(nil, test)
        withExtendedLifetime(folder) {}
    }

    @Test func operatorReadsListAndFiles() async throws {
        try await Self.run { client in
            let list = try await client.send(path: "/nights/index.html?page=users.html", as: "operator")
            #expect(list.status == 200, "\(list)")
            #expect(list.text.contains(#"href="2026-11-18/index.html""#))
            for (name, type) in [
                ("index.html", "text/html; charset=utf-8"), ("todo.csv", "text/csv; charset=utf-8"),
                ("manifest.json", "application/json"), ("day-events.geojson", "application/geo+json"),
                ("summary.txt", "text/plain; charset=utf-8"),
            ] {
                let file = try await client.send(path: "/nights/2026-11-18/\(name)", as: "operator")
                #expect(file.status == 200, "\(name): \(file)")
                #expect(file.type == type, "\(name)")
                #expect(file.headers[.xContentTypeOptions] == "nosniff")
                let latest = try await client.send(path: "/nights/latest/\(name)", as: "operator")
                #expect(latest.body == file.body, "\(name)")
                let again = try await client.send(
                    path: "/nights/2026-11-18/\(name)", as: "operator", headers: [.ifNoneMatch: file.tag])
                #expect(again.status == 304, "\(name)")
            }
        }
    }

    @Test func pagePermitsItsOwnScriptOnly() async throws {
        try await Self.run { client in
            let list = try await client.send(path: "/nights/index.html", as: "operator")
            let policy = list.headers[.contentSecurityPolicy] ?? ""
            let own = try #require(list.text.firstMatch(of: /script-src ('sha256-[^']*')/)?.1)
            #expect(policy.contains("script-src \(own);"), "\(policy)")
            #expect(policy.contains("default-src 'none'"))
            #expect(policy.contains("frame-ancestors 'none'"))
        }
    }

    @Test func othersAreRefused() async throws {
        try await Self.run { client in
            for path in ["/nights/index.html", "/nights/2026-11-18/todo.csv", "/nights/2026-11-18/nothing"] {
                #expect(try await client.send(path: path).status == 401)
                let user = try await client.send(path: path, as: "owner")
                #expect(user.status == 403, "\(user)")
                #expect(user.slug == "operator-only", "\(user)")
            }
        }
    }

    @Test(arguments: [
        "/nights", "/nights/secret.csv", "/nights/.lock", "/nights/2026-11-18/secret.csv",
        "/nights/2026-11-18/score.csv",
        "/nights/2026-11-17/todo.csv", "/nights/2026-11-18/..%2Fsecret.csv", "/nights/..%2F..%2F/secret.csv",
        "/nights/2026-11-18/%2Fetc%2Fpasswd", "/nights/%2E%2E/secret.csv", "/nights/../secret.csv",
        "/nights/2026-11-18/.%2Ftodo.csv", "/nights/2026-11-18/todo.csv%00", "/nights/2026-11-19/todo.csv",
        "/nights/2026-11-18", "/nights/latest/nothing.csv",
    ])
    func fileThatIsNoPartOfARunIsUnknown(path: String) async throws {
        try await Self.run { client in
            let response = try await client.send(path: path, as: "operator")
            #expect(response.status == 404, "\(response)")
            #expect(!response.text.contains("secret\n"))
        }
    }

    @Test func listOfReportsLinksNightsForTheOperator() async throws {
        try await Self.run { client in
            let page = try await client.send(path: "/reports", as: "operator", headers: Self.browser)
            #expect(page.text.contains(#"href="/nights/index.html""#), "\(page)")
            let user = try await client.send(path: "/reports", as: "owner", headers: Self.browser)
            #expect(!user.text.contains("/nights/"))
        }
    }

    @Test func serverWithoutFolderHasNoNights() async throws {
        try await ServerFixture(Scene.friends).run { client in
            let page = try await client.send(path: "/reports", as: "operator", headers: Self.browser)
            #expect(!page.text.contains("/nights/"))
            let list = try await client.send(path: "/nights/index.html", as: "operator")
            #expect(list.status == 404, "\(list)")
        }
    }

    @Test func missingFolderIsAnErrorAtTheStart() async throws {
        let folder = try TemporaryFolder()
        await #expect(throws: HabitError.self) {
            _ = try await ServerFixture(Scene.friends) { $0.nightlyFolder = folder.file("nothing") }
        }
    }
}
