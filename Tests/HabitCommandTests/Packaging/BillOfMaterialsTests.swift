import Foundation
import HabitTestSupport
import Testing

/// Tests that the bill of materials contains all components of a running server.
@Suite(
    .serialized, .fileStoreOnly,
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/dpkg-query"), "dpkg is not installed"))
struct BillOfMaterialsTests {
    /// The folder of the programs, relative to the repository.
    private static let build = URL(fileURLWithPath: Program.habitat).deletingLastPathComponent().path

    private static func run(_ script: String, _ arguments: [String]) async throws -> ProgramResult {
        try await Program.run(
            Program.repository + "/Packaging/" + script, arguments, in: Program.repository,
            environment: ["PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"])
    }

    private static func bill(_ program: String, in folder: TemporaryFolder) async throws -> String {
        let bill = try await run("sbom", [build, program])
        try #require(bill.status == 0, "\(bill.errors)")
        try folder.write(bill.output, to: "\(program).cdx.json")
        return folder.file("\(program).cdx.json")
    }

    @Test func billNamesLibrariesOfRunningServer() async throws {
        let folder = try TemporaryFolder()
        let bill = try await Self.bill("habitat-server", in: folder)
        let check = try await Self.run("check-sbom", [Self.build, bill])
        #expect(check.status == 0, "\(check)")
        let document = try JSONSerialization.jsonObject(with: Data(contentsOf: URL(fileURLWithPath: bill)))
        let components = try #require((document as? [String: Any])?["components"] as? [[String: Any]])
        var uses: [String: String] = [:]
        for component in components {
            let name = try #require(component["name"] as? String)
            #expect(uses[name] == nil, "\(name) occurs twice")
            #expect((component["version"] as? String)?.isEmpty == false, "\(name)")
            uses[name] =
                (component["properties"] as? [[String: String]])?.first { $0["name"] == "habitat:use" }?["value"]
        }
        for (name, use) in [
            "libgd-dev": "static", "libgeographiclib-dev": "static", "libzstd-dev": "static", "icu": "static",
            "icu-time-zones": "static", "swift": "static", "boringssl-in-swift-crypto": "compiled",
            "boringssl-in-swift-nio-ssl": "compiled", "llhttp": "compiled", "base-map": "compiled", "GRDB": "compiled",
            "libjs-leaflet": "embedded", "htm": "embedded", "preact": "embedded", "libsqlite3-0": "shared",
            "libspatialite7": "loaded", "libproj25": "loaded",
            "libxml2": "loaded", "libpq5": "loaded", "libldap-2.5-0": "loaded",
        ] { #expect(uses[name] == use, "\(name) is \(uses[name] ?? "missing")") }

        // A bill without a library that only SpatiaLite loads is refused.
        let text = try String(contentsOfFile: bill, encoding: .utf8)
        try folder.write(text.replacing("\"name\": \"libproj25\"", with: "\"name\": \"other\""), to: "wrong.json")
        let refused = try await Self.run("check-sbom", [Self.build, folder.file("wrong.json")])
        #expect(refused.status == 1, "\(refused)")
        #expect(refused.errors.contains("has mapped: libproj25"), "\(refused)")
    }

    @Test func staticPartsAndNoticesAreNamed() async throws {
        let folder = try TemporaryFolder()
        let bills = [try await Self.bill("habitat", in: folder), try await Self.bill("habitat-server", in: folder)]
        let notice = try await Self.run("check-notice", ["NOTICE"] + bills)
        #expect(notice.status == 0, "\(notice.errors)")
        let built = try await Self.run("static-built-using", bills)
        let sources = built.output.split(separator: ", ").map { $0.prefix { $0 != " " } }
        #expect(sources == ["geographiclib", "leaflet", "leaflet-markercluster", "libgd2", "libzstd"], "\(built)")
        let list = /(?:[a-z0-9.+-]+ \(= [^ ()]+\)(?:, )?)+\n/
        #expect(built.output.wholeMatch(of: list) != nil, "\(built)")
        let only = try await Self.run("static-built-using", [bills[0]])
        #expect(!only.output.contains("leaflet"), "only the server embeds the map page")
    }
}
