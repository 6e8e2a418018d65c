import Base
import Foundation
import HabitModel
import HabitStore
import Testing

@testable import HabitReport
@testable import Rendering
@testable import StoreEngine

/// Tests of the changes between two nightly runs, by the key of each report.
@Suite struct NightlyDiffTests {
    private func diff(_ before: String, _ after: String, key: [String]) throws -> [String] {
        let fixture = try TemporaryArchive()
        let writer = try fixture.archive.lock()
        for (day, text) in [("2026-11-19", before), ("2026-11-20", after)] {
            try writer.publish(date(day)) { try $0.write("due.csv", text, key: key) }
        }
        return try lines(NightlyDiff(from: "2026-11-19", to: "2026-11-20", in: fixture.archive))
    }

    /// Returns the rows as CSV, without the report column.
    private func lines(_ diff: NightlyDiff, withReport: Bool = false) throws -> [String] {
        let output = OutputBuffer()
        let columns = withReport ? NightlyDiff.shape.columns : Array(NightlyDiff.shape.columns.dropFirst())
        let renderer = CSVRenderer(ResultShape(columns: columns), RenderOptions(), output)
        for row in try diff.rows() { try renderer.append(row) }
        return output.text.split(separator: "\n").map(String.init)
    }

    struct Case: Sendable {
        let name: String
        let before: String
        let after: String
        var key = ["id"]
        let changes: [String]
    }

    private static let cases = [
        Case(name: "equal", before: "id,n\na,1\n", after: "id,n\na,1\n", changes: []),
        Case(name: "added", before: "id,n\na,1\n", after: "id,n\na,1\nb,2\n", changes: ["added,b,,,"]),
        Case(name: "removed", before: "id,n\na,1\nb,2\n", after: "id,n\nb,2\n", changes: ["removed,a,,,"]),
        Case(name: "changed", before: "id,n,m\na,1,x\n", after: "id,n,m\na,2,x\n", changes: ["changed,a,n,1,2"]),
        Case(
            name: "by key and column", before: "id,z,b\nb,1,1\na,1,1\nd,1,1\n", after: "id,z,b\nc,1,1\nb,2,2\na,1,3\n",
            changes: ["changed,a,b,1,3", "changed,b,b,1,2", "changed,b,z,1,2", "added,c,,,", "removed,d,,,"]),
        Case(
            name: "null is not the empty text", before: "id,n\na,\nb,\"\"\nc,\n", after: "id,n\na,\"\"\nb,\nc,\n",
            changes: ["changed,a,n,,\"\"", "changed,b,n,\"\","]),
        Case(
            name: "null key", before: "id,n\n,1\n", after: "id,n\n\"\",1\n",
            changes: ["removed,\"\",,,", "added,\"\",,,"]),
        Case(name: "quotes are not part", before: "id,n\na,\"1\"\n", after: "id,n\n\"a\",1\n", changes: []),
        Case(name: "line ends are not part", before: "id,n\r\na,1\r\nb,\r\n", after: "id,n\na,1\nb,\n", changes: []),
        Case(
            name: "quoted line feeds, quotes and commas", before: "id,n\n\"a,\"\"\",x\n\"b\nc\",1\n",
            after: "id,n\n\"b\nc\",2\n\"a,\"\"\",\"x,y\"\n",
            changes: ["changed,\"a,\"\"\",n,x,\"x,y\"", "changed,\"b", "c\",n,1,2"]),
        Case(
            name: "quoted carriage return", before: "id,n\na,\"1\r\"\n", after: "id,n\na,1\r\n",
            changes: ["changed,a,n,\"1\r\",1"]),
        Case(
            name: "two columns of a key", before: "h,day,n\na,1,x\na,2,x\nb,1,x\n",
            after: "h,day,n\na,1,x\na,2,y\nb,2,x\n",
            key: ["h", "day"], changes: ["changed,a/2,n,x,y", "removed,b/1,,,", "added,b/2,,,"]),
        Case(
            name: "keys with a slash", before: "h,day,n\na/b,c,1\n", after: "h,day,n\na,b/c,1\n", key: ["h", "day"],
            changes: ["added,a/b/c,,,", "removed,a%2Fb/c,,,"]),
        Case(name: "other order of rows", before: "id,n\na,1\nb,2\nc,3\n", after: "id,n\nc,3\na,1\nb,2\n", changes: []),
        Case(
            name: "other columns", before: "id,n,old\na,1,x\n", after: "new,n,id\ny,2,a\n",
            changes: ["added,,new,,", "removed,,old,,", "changed,a,n,1,2"]),
        Case(name: "other order of columns", before: "id,n\na,1\n", after: "n,id\n1,a\n", changes: []),
        Case(
            name: "one column, null", before: "id\n\na\n", after: "id\n\nb\n", changes: ["removed,a,,,", "added,b,,,"]),
        Case(
            name: "no key", before: "a,b\n1,2\n", after: "a,b\n1,3\n", key: [],
            changes: ["removed,1/2,,,", "added,1/3,,,"]),
        Case(
            name: "letters that look alike", before: "id,n\na,\u{e9}\n", after: "id,n\na,e\u{301}\n",
            changes: ["changed,a,n,\u{e9},e\u{301}"]),
    ]

    @Test(arguments: cases.indices) func diffListsChangesOfTable(index: Int) throws {
        let test = Self.cases[index]
        let lines = try diff(test.before, test.after, key: test.key)
        #expect(lines.map { Array($0.utf8) } == test.changes.map { Array($0.utf8) }, "\(test.name): \(lines)")
    }

    @Test func diffListsFilesOfOneRunAndFilesWithoutRows() throws {
        let fixture = try TemporaryArchive()
        let writer = try fixture.archive.lock()
        try writer.publish(date("2026-11-19")) { draft in
            try draft.write("summary.txt", "one", isReport: false, format: "text")
            try draft.write("due.csv", "id,n\na,1\n")
            try draft.write("due.geojson", "1", format: "geojson")
            try draft.write("map.geojson", "1", format: "geojson")
            try draft.write("same.geojson", "1", format: "geojson")
            try draft.write("old.csv", "id\n")
        }
        try writer.publish(date("2026-11-20")) { draft in
            try draft.write("summary.txt", "two", isReport: false, format: "text")
            try draft.write("index.html", "two", isReport: false, format: "html")
            try draft.write("due.csv", "id,n\na,2\n")
            try draft.write("due.geojson", "2", format: "geojson")
            try draft.write("map.geojson", "2", format: "geojson")
            try draft.write("same.geojson", "1", format: "geojson")
            try draft.write("due.html", "2", format: "html")
        }
        let diff = try NightlyDiff(from: fixture.file("2026-11-19"), to: fixture.file("latest"))
        let digests = ["1", "2"].map { Array($0.utf8).sha256.hexadecimal }
        #expect(
            try lines(diff, withReport: true) == [
                "due,added,,,,due.html", "due,changed,a,n,1,2", "index.html,added,,,,index.html",
                "map,changed,,,\(digests[0]),\(digests[1])", "old,removed,,,old.csv,",
            ])
        #expect(try NightlyDiff(from: fixture.file("latest"), to: fixture.file("2026-11-20")).rows().isEmpty)
    }

    @Test func diffReportsChangedKey() throws {
        let fixture = try TemporaryArchive()
        let writer = try fixture.archive.lock()
        try writer.publish(date("2026-11-19")) { try $0.write("due.csv", "a,b\n1,2\n", key: ["a"]) }
        try writer.publish(date("2026-11-20")) { try $0.write("due.csv", "a,b\n1,2\n", key: ["a", "b"]) }
        #expect(
            try lines(NightlyDiff(from: "2026-11-19", to: "2026-11-20", in: fixture.archive)) == ["changed,,,a,\"a,b\""]
        )
    }

    @Test(arguments: ["due.csv", "due.html", "old.csv"], [true, false])
    func diffFailsWhenFileDiffersFromManifest(name: String, isMissing: Bool) throws {
        let fixture = try TemporaryArchive()
        let writer = try fixture.archive.lock()
        try writer.publish(date("2026-11-19")) { draft in
            for name in ["due.csv", "due.html", "old.csv"] {
                try draft.write(name, "id\n1\n", format: String(name.split(separator: ".")[1]))
            }
        }
        try writer.publish("id\n1\n", on: "2026-11-20")
        let file = fixture.file("2026-11-19/" + name)
        if isMissing { unlink(file) } else { try fixture.write("id\n2\n", to: "2026-11-19/" + name) }
        for (before, after) in [("2026-11-19", "2026-11-20"), ("2026-11-20", "2026-11-19")] {
            let error = failure { try NightlyDiff(from: before, to: after, in: fixture.archive).rows() }
            #expect(error?.code == (isMissing ? .inputNotFound : .fieldInvalid))
            #expect(error?.file == file)
        }
    }

    @Test(arguments: [
        ("", ErrorCode.headerInvalid, 1), ("a,b\n1,2\n", .headerInvalid, 1), ("id,id\n", .headerInvalid, 1),
        ("id,n", .rowInvalid, 1), ("id,n\na\n", .rowInvalid, 2), ("id,n\na,1,2\n", .rowInvalid, 2),
        ("id,n\na,\"1\n\n", .rowInvalid, 2), ("id,n\na,\"1\"2\n", .rowInvalid, 2), ("id,n\na,\"1\"", .rowInvalid, 2),
        ("id,n\na,1\n\n", .rowInvalid, 3), ("id,n\na,", .rowInvalid, 2),
    ])
    func diffFailsWhenTableIsInvalid(text: String, code: ErrorCode, line: Int) throws {
        for (before, after) in [(text, "id,n\nb,1\n"), ("id,n\nb,1\n", text)] {
            let error = failure { try diff(before, after, key: ["id"]) }
            #expect(error?.code == code, "\(text.debugDescription) \(error as Any)")
            #expect(error?.line == line, "\(text.debugDescription) \(error as Any)")
            #expect(error?.file?.hasSuffix("/due.csv") == true)
        }
    }

    /// Only the file is reported as changed.
    ///
    /// Other reports are still compared.
    @Test func diffReportsChangedFileWhenKeyIsNotUnique() throws {
        let lines = try diff("id,n\na,1\na,2\n", "id,n\na,1\na,3\n", key: ["id"])
        #expect(lines.count == 1, "\(lines)")
        #expect(lines.first?.hasPrefix("changed,") == true, "\(lines)")
    }

    @Test func diffFailsWhenRunDoesNotExist() throws {
        let fixture = try TemporaryArchive()
        try fixture.publish("2026-11-20")
        for (before, after) in [("2026-11-19", "2026-11-20"), ("2026-11-20", fixture.file("none")), ("", "latest")] {
            let error = failure { try NightlyDiff(from: before, to: after, in: fixture.archive) }
            #expect(error?.code == .inputNotFound, "\(before) \(after)")
        }
    }

    /// Compares the result with a simple implementation.
    @Test(arguments: [1, 2, 3, 4, 5] as [UInt64]) func diffOfRandomTablesMatchesSimpleComparison(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let values = ["", "\"\"", "a", "\"b,\"\"\n\"", "ü", "-1.5"]
        var tables: [[String: [String]]] = []
        for _ in 0..<2 {
            let rows = (0..<200).filter { _ in Bool.random(using: &random) }.map { number in
                ("k\(number)", (0..<2).map { _ in values.randomElement(using: &random) ?? "" })
            }
            tables.append(Dictionary(uniqueKeysWithValues: rows))
        }
        let texts = tables.map { table in
            "id,x,y\n" + table.shuffled(using: &random).map { "\($0.key),\($0.value[0]),\($0.value[1])\n" }.joined()
        }
        var expected: [String] = []
        for key in Set(tables[0].keys).union(tables[1].keys).sorted() {
            switch (tables[0][key], tables[1][key]) {
            case (let old?, let new?):
                for (index, name) in ["x", "y"].enumerated() where old[index] != new[index] {
                    expected += "changed,\(key),\(name),\(old[index]),\(new[index])".split(separator: "\n").map(
                        String.init)
                }
            case (_?, nil): expected.append("removed,\(key),,,")
            default: expected.append("added,\(key),,,")
            }
        }
        #expect(try diff(texts[0], texts[1], key: ["id"]) == expected, "seed \(seed)")
    }
}
