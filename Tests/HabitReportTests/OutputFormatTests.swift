import HabitReport
import Rendering
import Testing

@Suite struct OutputFormatTests {
    @Test(
        arguments: [
            ("a.txt", .text), ("a.csv", .csv), ("out/a.JSON", .json), ("a.ndjson", .ndjson), ("a.jsonl", .ndjson),
            ("a.b.geojson", .geojson),
            ("a.geojsonl", .geojsonseq), ("a.geojsons", .geojsonseq), ("a.geojsonseq", nil), ("a.html", .html),
            ("a.HTM", .html), ("a.xhtml", nil), ("a.ics", .ics), ("a.parquet", .parquet),
            ("csv", nil), ("", nil),
            ("a.csv/b", nil), ("-", nil), ("a.", nil), ("a.csv.gz", nil),
        ] as [(String, OutputFormat?)])
    func formatIsDerivedFromFileName(name: String, expected: OutputFormat?) {
        #expect(OutputFormat(fileName: name) == expected)
    }
}
