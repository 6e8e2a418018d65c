import Foundation
import HabitStore
import HabitTestSupport
import Testing

@testable import HabitAPI
@testable import HabitServer

/// Tests that `docs/http-api.md` lists the conformance classes of `/conformance` and the collections of `/changes`.
@Suite(.engineIndependent) struct ConformanceDocumentTests {
    /// The row of each standard in the table.
    private static let standards = [
        "ogcapi-features-1/1.0": "OGC API - Features, Part 1", "ogcapi-features-3/1.0": "OGC API - Features, Part 3",
        "ogcapi-common-3/1.0": "OGC API - Features, Part 5", "ogcapi-features-5/1.0": "OGC API - Features, Part 5",
        "cql2/1.0": "CQL2", "ogcapi-tiles-1/1.0": "OGC API - Tiles, Part 1", "tms/2.0": "Two Dimensional",
    ]

    /// The names of classes in the table that differ from the end of the URI by more than hyphens and case.
    private static let names = ["oas30": "openapi30", "mvt": "mapboxvectortiles"]

    /// Returns the letters and digits of a name in lower case.
    private static func letters(_ name: some StringProtocol) -> String {
        name.lowercased().filter { $0.isLetter || $0.isNumber }
    }

    @Test func tableListsCopiedCollections() throws {
        let page = try String(contentsOfFile: Program.repository + "/docs/http-api.md", encoding: .utf8)
        let lines = page.split(separator: "\n")
        let line = try #require(lines.first { line in line.hasPrefix("| `collections` | the features of") })
        let names = line.matches(of: /`([a-z-]+)`/).map { match in String(match.1) }
        #expect(Set(names.dropFirst()) == Set(SyncedCollection.names))
    }

    @Test func tableListsDeclaredClasses() throws {
        let page = try String(contentsOfFile: Program.repository + "/docs/http-api.md", encoding: .utf8)
        var declared: [String: Set<String>] = [:]
        for uri in ConformanceClass.all.map(\.uri) + TileDocument.conformance {
            let match = try #require(uri.firstMatch(of: /\/spec\/(.*)\/conf\/(.*)$/), "\(uri)")
            let row = try #require(Self.standards[String(match.1)], "\(uri)")
            let name = Self.letters(match.2)
            declared[row, default: []].insert(Self.names[name] ?? name)
        }
        for (row, classes) in declared {
            let line = try #require(page.split(separator: "\n").first { $0.hasPrefix("| \(row)") }, "\(row)")
            let cell = line.split(separator: "|")[1]
            #expect(Set(cell.split(separator: ",").map { Self.letters($0) }) == classes, "\(row)")
        }
    }
}
