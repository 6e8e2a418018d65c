import Base
import HabitModel
import HabitTestSupport
import Testing

@testable import HabitIngest

/// The same three events in every format.
enum SampleEvents {
    static let documents: [InputFormat: String] = [
        .csv: """
        id,habit,day,comment,longitude,latitude
        e1,h1,2026-11-20,"a, ""b"" é",13.4,52.5
        e2,h1,2026-11-21,"",,
        e3,h2,2026-11-21,\(smile)\tx,-0.5,10.25

        """,
        .tsv: """
        id\thabit\tday\tcomment\tlongitude\tlatitude
        e1\th1\t2026-11-20\t"a, ""b"" é"\t13.4\t52.5
        e2\th1\t2026-11-21\t""\t\t
        e3\th2\t2026-11-21\t"\(smile)\tx"\t-0.5\t10.25

        """,
        .ndjson: objects.joined(separator: "\n"),
        .json: "[" + objects.joined(separator: ",\n") + "]",
        .geojson: "{\"type\":\"FeatureCollection\",\"features\":[" + features.joined(separator: ",\n") + "]}\n",
        .geojsonseq: features.map { "\u{1e}\($0)\n" }.joined(),
    ]

    private static let smile = "😀"
    private static let objects = [
        #"{"id":"e1","habit":"h1","day":"2026-11-20","comment":"a, \"b\" é","longitude":13.4,"latitude":52.5}"#,
        #"{"id":"e2","habit":"h1","day":"2026-11-21","comment":"","longitude":null,"latitude":null}"#,
        #"{"id":"e3","habit":"h2","day":"2026-11-21","comment":"\ud83d\ude00\tx","longitude":-0.5,"latitude":10.25}"#,
    ]
    private static let features = [
        #"{"type":"Feature","id":"e1","geometry":{"type":"Point","coordinates":[13.4,52.5]},"properties":{"habit":"h1","day":"2026-11-20","comment":"a, \"b\" é"}}"#,
        #"{"type":"Feature","id":"e2","geometry":null,"properties":{"habit":"h1","day":"2026-11-21","comment":""}}"#,
        #"{"type":"Feature","id":"e3","geometry":{"type":"Point","coordinates":[-0.5,10.25]},"properties":{"habit":"h2","day":"2026-11-21","comment":"\ud83d\ude00\tx"}}"#,
    ]
}

@Suite(.engineIndependent) struct EveryFormatReaderTests {
    @Test(arguments: InputFormat.allCases) func equalDataProducesEqualRecordsInEveryFormat(format: InputFormat) throws {
        let text = try #require(SampleEvents.documents[format])
        let reading = try readAll(text)
        #expect(reading.format == format)
        #expect(reading.problems.isEmpty)
        #expect(
            reading.texts == [
                [
                    .id: "e1", .habit: "h1", .day: "2026-11-20", .comment: "a, \"b\" é", .longitude: "13.4",
                    .latitude: "52.5",
                ],
                [.id: "e2", .habit: "h1", .day: "2026-11-21", .comment: ""],
                [
                    .id: "e3", .habit: "h2", .day: "2026-11-21", .comment: "😀\tx", .longitude: "-0.5",
                    .latitude: "10.25",
                ],
            ])
        #expect(reading.rows[1][.longitude] == .null)
        #expect(try readAll(text, format: format) == reading)
        #expect(try readAll(gzipped(Array(text.utf8))) == reading)
    }

    @Test(arguments: InputFormat.allCases, [1, 2, 3, 7])
    func chunkSizeDoesNotChangeRecords(format: InputFormat, chunk: Int) throws {
        let text = try #require(SampleEvents.documents[format])
        let whole = try readAll(text)
        #expect(try readAll(text, chunk: chunk) == whole)
        #expect(try readAll(gzipped(Array(text.utf8)), chunk: chunk) == whole)
    }

    @Test(arguments: [1, 2, 3, 7]) func chunkSizeDoesNotChangeProblems(chunk: Int) throws {
        let rows = "habit,comment\r\nh1,\"a\r\nb\"\"\"\r\nh\"2,x\r\n\"h3\"y,z\r\n\r\nh4\r\n\"h5\",\"\"\r\nh6,\"é\n"
        #expect(try readAll(rows, chunk: chunk) == readAll(rows))
        let lines = "{\"habit\":1}\n{\"habit\":\n\n{\"habit\":\"é\\\\\"}\r\n"
        #expect(try readAll(lines, chunk: chunk) == readAll(lines))
    }

    /// The input is larger than the read buffer, with rows across its boundaries.
    @Test func longInputIsReadInChunks() throws {
        let rows = (0..<30_000).map { "h\($0),\"c\($0)\n\"" }
        let csv = try readAll("habit,comment\n" + rows.joined(separator: "\n"), chunk: 65_536)
        #expect(csv.texts.map { $0[.habit] } == (0..<30_000).map { "h\($0)" })
        #expect(csv.rows.last?.line == 2 + 2 * 29_999)
        let objects = (0..<30_000).map { "{\"habit\":\"h\($0)\"}" }
        let json = try readAll("[" + objects.joined(separator: ",\n") + "]", chunk: 65_536)
        #expect(json.texts.map { $0[.habit] } == csv.texts.map { $0[.habit] })
        #expect(json.rows.last?.line == 30_000)
    }
}
