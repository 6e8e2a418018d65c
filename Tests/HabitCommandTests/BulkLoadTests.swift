import Foundation
import HabitTestSupport
import Testing

/// Tests that the batch size of a load does not change rows, indexes, triggers or query results.
@Suite(.fileStoreOnly) struct BulkLoadTests {
    private static let count = 6000

    private func rows(_ numbers: some Sequence<Int>) -> String {
        var random = SeededGenerator(seed: 5)
        let places = (0..<Self.count).map { _ in
            (Double.random(in: -180...180, using: &random), Double.random(in: -90...90, using: &random))
        }
        let days = "id,habit,day,comment,longitude,latitude\n"
        return numbers.reduce(into: days) { text, number in
            let day = String(format: "%04d-%02d-%02d", 2000 + number / 336, number / 28 % 12 + 1, number % 28 + 1)
            let place = number % 5 == 0 ? "," : "\(places[number].0),\(places[number].1)"
            text += "e\(number),read,\(day),\(number % 3 == 0 ? "rain \(number)" : ""),\(place)\n"
        }
    }

    private func store(_ parts: [Range<Int>]) async throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        try folder.write("id\nann\n", to: "users.csv")
        try folder.write("id,user,title,days,start\nread,ann,Read,1111111,2000-01-01\n", to: "habits.csv")
        #expect(try await Program.habitat("ingest", "users.csv", "habits.csv", in: folder).status == 0)
        for part in parts {
            try folder.write(rows(part), to: "events.csv")
            let load = try await Program.habitat("ingest", "events.csv", "--format", "csv", in: folder)
            #expect(load.status == 0, "\(load)")
            #expect(load.output.contains("events,\(part.count),0,0,0"), "\(load)")
        }
        return folder
    }

    /// Loads all rows in one batch, in large and small batches, and with a small first batch.
    @Test func storeIsSameForAnySplitOfLoad() async throws {
        let whole = try await store([0..<Self.count])
        let path = whole.file("habitat.db")
        let records = try await RawStore.records(path)
        let queries = [
            ["near", "10,10", "--within", "2000km"], ["near", "89.9,-170", "--within", "900km"],
            ["near", "-45,179.9", "--within", "1500km"], ["history", "--comment", "rain 33"],
        ]
        let runQuery = { (folder: TemporaryFolder, query: [String]) async throws -> String in
            let result = try await Program.habitat(
                query + ["--format", "csv", "--now", "2026-11-21T00:00:00Z"], in: folder)
            #expect(result.status == 0, "\(result)")
            #expect(result.lines.count > 5, "\(result)")
            return result.output
        }
        let expected = try await queries.asyncMap { try await runQuery(whole, $0) }
        for parts in [
            [0..<3000, 3000..<3100, 3100..<Self.count],
            [0..<2, 2..<Self.count],
        ] {
            let other = try await store(parts)
            #expect(try await RawStore.records(other.file("habitat.db")) == records)
            #expect(try await RawStore.schema(other.file("habitat.db")) == RawStore.schema(path))
            let doctor = try await Program.habitat("doctor", in: other)
            #expect(doctor.status == 0, "\(doctor)")
            for (query, result) in zip(queries, expected) {
                #expect(try await runQuery(other, query) == result, "\(query)")
            }
        }
        #expect(try await Program.habitat("doctor", in: whole).status == 0)
    }

    /// The restored triggers maintain the indexes after single changes.
    @Test func triggersWorkAfterBulkLoad() async throws {
        let folder = try await store([0..<Self.count])
        let now = ["--now", "2026-11-21T12:00:00Z", "--as", "ann"]
        for words in [
            ["event", "add", "--habit", "read", "--comment", "wind", "--position", "38.7,-9.1"],
            ["event", "edit", "e1", "--position", "38.71,-9.11", "--comment", "windy"],
            ["event", "delete", "e2", "--yes"],
        ] {
            let result = try await Program.habitat(words + now, in: folder)
            #expect(result.status == 0, "\(words): \(result.errors)")
        }
        for query in [["near", "38.7,-9.1", "--within", "3km"], ["history", "--comment", "wind"]] {
            let found = try await Program.habitat(query + now + ["--format", "csv", "--columns", "id"], in: folder)
            #expect(found.lines.count == 3, "\(found)")
            #expect(found.lines.contains("e1"), "\(found)")
        }
        let doctor = try await Program.habitat("doctor", in: folder)
        #expect(doctor.status == 0, "\(doctor)")
    }

    /// An initial load finds duplicates before indexes exist.
    @Test(arguments: [
        ("e1,read,2026-01-01\ne1,read,2026-01-02", "duplicate-key"),
        ("e1,read,2026-01-01\ne2,read,2026-01-01", "event-exists"),
        (",read,2026-01-01\n,read,2026-01-01", nil), ("e1,read,2026-01-01\ne1,read,2026-01-01", nil),
        ("e1,read,2026-01-01\ne1,walk,2026-01-01", "field-invalid"),
    ])
    func initialLoadRejectsDuplicates(rows: String, slug: String?) async throws {
        let folder = try TemporaryFolder()
        try folder.write("id\nann\nbob\n", to: "users.csv")
        try folder.write("id,user,title,days\nread,ann,Read,1111111\nwalk,bob,Walk,1111111\n", to: "habits.csv")
        try folder.write("id,habit,day\n" + rows + "\n", to: "events.csv")
        let result = try await Program.habitat(
            "ingest", "users.csv", "habits.csv", "events.csv", "--now", "2026-11-21T00:00:00Z", in: folder)
        #expect(result.status == (slug == nil ? 0 : 65), "\(result)")
        if let slug {
            #expect(result.errors.contains("events.csv:3"), "\(result)")
            #expect(result.errors.contains(slug), "\(result)")
        }
        let list = try await Program.habitat("history", "--format", "csv", in: folder)
        #expect(list.lines.count == 2, "\(list)")
        #expect(try await Program.habitat("doctor", in: folder).status == 0)
    }
}
